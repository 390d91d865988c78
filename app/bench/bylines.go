package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"assay/engine/provenance"
)

// bylineRow is one byline with its label and what it was taken for.
type bylineRow struct {
	ID     string `json:"id"`
	Byline string `json:"byline"`
	Label  string `json:"label"`
	Got    string `json:"got"`
}

// bylineScore is the result.
type bylineScore struct {
	N           int            `json:"n"`
	Recall      float64        `json:"recall"`       // share of the bylines that name nobody that were told
	FalseAlarms float64        `json:"false_alarms"` // share of the persons that were taken for nobody
	Nobody      int            `json:"nobody"`       // labelled generic or junk
	Missed      int            `json:"missed"`
	Persons     int            `json:"persons"`
	Alarms      int            `json:"alarms"`
	Labels      map[string]int `json:"labels"`
	Taken       map[string]int `json:"taken"` // by label: those taken for nobody
	rows        []bylineRow
}

// bylinesBench tells bylines that name somebody from those of desks, roles, accounts and templates.
func bylinesBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: bylines needs --data DIR", errUsage)
	}
	s := bylineScore{Labels: map[string]int{}, Taken: map[string]int{}}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !has(fields, "byline", "label") {
			return nil
		}
		var r bylineRow
		if err := into(fields, &r); err != nil {
			return err
		}
		r.Got = string(provenance.KindOfByline(r.Byline))
		s.add(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.N == 0 {
		return nil, fmt.Errorf("%s holds no labelled byline", o.data)
	}
	s.Recall, s.FalseAlarms = share(s.Nobody-s.Missed, s.Nobody), share(s.Alarms, s.Persons)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printBylines(o.stdout, s)
	}
	return s, nil
}

func (r bylineRow) nobody() bool { return r.Label == "generic" || r.Label == "junk" }

func (r bylineRow) taken() bool {
	return r.Got != string(provenance.Person) && r.Got != string(provenance.Group)
}

func (s *bylineScore) add(r bylineRow) {
	s.N++
	s.Labels[r.Label]++
	if r.taken() {
		s.Taken[r.Label]++
	}
	switch {
	case r.nobody():
		s.Nobody++
		if !r.taken() {
			s.Missed++
		}
	case r.Label == "person":
		s.Persons++
		if r.taken() {
			s.Alarms++
		}
	}
	s.rows = append(s.rows, r)
}

func printBylines(w io.Writer, s bylineScore) {
	fmt.Fprintf(w, "%d bylines: of %d that name nobody %d missed, recall %.4f; of %d persons %d taken for nobody, %.4f\n",
		s.N, s.Nobody, s.Missed, s.Recall, s.Persons, s.Alarms, s.FalseAlarms)
	for _, l := range slices.Sorted(maps.Keys(s.Labels)) {
		fmt.Fprintf(w, "  %s: %d of %d taken for nobody\n", l, s.Taken[l], s.Labels[l])
	}
	for _, r := range s.rows {
		if r.taken() != r.nobody() {
			fmt.Fprintf(w, "  %s %q taken for %q\n", r.Label, r.Byline, r.Got)
		}
	}
}
