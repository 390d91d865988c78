package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// dateRow is one page with its date as labelled and as read.
type dateRow struct {
	ID   string `json:"id"`
	URL  string `json:"url"`
	File string `json:"file"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// dateScore is the result. A date without its day counts as missing: it is no wrong day.
type dateScore struct {
	N        int     `json:"n"`
	Accuracy float64 `json:"accuracy"`
	Right    int     `json:"right"`
	Wrong    int     `json:"wrong"`
	Missing  int     `json:"missing"`
	rows     []dateRow
}

// datesBench compares the date of publication of each page with the labelled one, to the day. Source of the measure: adbar/htmldate,
// tests/comparison.py.
func datesBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: dates needs --data DIR", errUsage)
	}
	var s dateScore
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if !has(fields, "file", "url", "date") {
			return nil
		}
		var c struct {
			ID   string `json:"id"`
			URL  string `json:"url"`
			File string `json:"file"`
			Date string `json:"date"`
		}
		if err := into(fields, &c); err != nil {
			return err
		}
		if len(c.Date) != len("2006-01-02") {
			return nil
		}
		doc, err := readPage(ctx, o.data, c.File, c.URL)
		if err != nil {
			return err
		}
		s.N++
		switch {
		case doc.Published == c.Date:
			s.Right++
		case len(doc.Published) < len(c.Date):
			s.Missing++
		default:
			s.Wrong++
		}
		s.rows = append(s.rows, dateRow{ID: c.ID, URL: c.URL, File: c.File, Want: c.Date, Got: doc.Published})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.N == 0 {
		return nil, fmt.Errorf("%s holds no page with a labelled date", o.data)
	}
	s.Accuracy = share(s.Right, s.N)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printDates(o.stdout, s)
	}
	return s, nil
}

func printDates(w io.Writer, s dateScore) {
	fmt.Fprintf(w, "%d pages: accuracy %.4f, %d right, %d wrong, %d missing\n", s.N, s.Accuracy, s.Right, s.Wrong, s.Missing)
	for _, r := range s.rows {
		if r.Got != r.Want {
			fmt.Fprintf(w, "  %s want %s got %q %s\n", r.ID, r.Want, r.Got, r.URL)
		}
	}
}
