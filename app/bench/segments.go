package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// segmentCase is a page with pieces that its main text must hold and pieces that it must not.
type segmentCase struct {
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	File    string   `json:"file"`
	With    []string `json:"with"`
	Without []string `json:"without"`
}

// segmentRow is one page with its pieces that are on the wrong side.
type segmentRow struct {
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	Whole   bool     `json:"whole"`
	Missing []string `json:"missing"`
	Extra   []string `json:"extra"`
	Text    string   `json:"text"`
}

// segmentScore is the result; precision and recall are pooled over the pieces of all pages.
type segmentScore struct {
	N         int     `json:"n"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Accuracy  float64 `json:"accuracy"`
	Found     int     `json:"found"`
	Missing   int     `json:"missing"`
	Extra     int     `json:"extra"`
	LeftOut   int     `json:"left_out"` // pieces rightly not in the text
	rows      []segmentRow
}

// segmentsBench looks for pieces of each page in its main text, white space normalised. Source of the measure: adbar/trafilatura,
// tests/evaluate.py.
func segmentsBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: segments needs --data DIR", errUsage)
	}
	var s segmentScore
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if !has(fields, "file", "url", "with", "without") {
			return nil
		}
		var c segmentCase
		if err := into(fields, &c); err != nil {
			return err
		}
		doc, err := readPage(ctx, o.data, c.File, c.URL)
		if err != nil {
			return err
		}
		s.add(c, segmentRow{ID: c.ID, URL: c.URL, Whole: doc.Whole, Text: doc.Text})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.N == 0 {
		return nil, fmt.Errorf("%s holds no page with pieces to find", o.data)
	}
	s.Precision, s.Recall = share(s.Found, s.Found+s.Extra), share(s.Found, s.Found+s.Missing)
	s.F1 = harmonic(s.Precision, s.Recall)
	s.Accuracy = share(s.Found+s.LeftOut, s.Found+s.LeftOut+s.Missing+s.Extra)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printSegments(o.stdout, s)
	}
	return s, nil
}

// add counts the pieces of one page.
func (s *segmentScore) add(c segmentCase, row segmentRow) {
	text := spaced(row.Text)
	for _, piece := range c.With {
		if strings.Contains(text, spaced(piece)) {
			s.Found++
			continue
		}
		s.Missing++
		row.Missing = append(row.Missing, piece)
	}
	for _, piece := range c.Without {
		if !strings.Contains(text, spaced(piece)) {
			s.LeftOut++
			continue
		}
		s.Extra++
		row.Extra = append(row.Extra, piece)
	}
	s.N++
	s.rows = append(s.rows, row)
}

// spaced makes every run of white space one space and drops soft hyphens, which nobody sees: clean text has none.
func spaced(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00ad", "")), " ")
}

func printSegments(w io.Writer, s segmentScore) {
	fmt.Fprintf(w, "%d pages: F1 %.4f, precision %.4f, recall %.4f, accuracy %.4f; %d pieces found, %d missing, %d rightly left out, %d too much\n",
		s.N, s.F1, s.Precision, s.Recall, s.Accuracy, s.Found, s.Missing, s.LeftOut, s.Extra)
	for _, r := range s.rows {
		if len(r.Missing)+len(r.Extra) == 0 {
			continue
		}
		fmt.Fprintf(w, "  %s %s\n", r.ID, r.URL)
		for _, piece := range r.Missing {
			fmt.Fprintf(w, "    missing %.120q\n", piece)
		}
		for _, piece := range r.Extra {
			fmt.Fprintf(w, "    too much %.120q\n", piece)
		}
	}
}
