package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"assay/app/desk"
	"assay/engine/research"
)

// strikeResult is what the bench prints.
type strikeResult struct {
	N     int `json:"n"`     // sources of the run, each struck once
	Equal int `json:"equal"` // of which the report is, byte for byte, that of a run opened anew
	Moved int `json:"moved"` // of which the report is another than that of all sources
	// Milliseconds of a restatement in a run that is open, and of opening it and restating from scratch.
	MedianMs  float64 `json:"median_ms"`
	MostMs    float64 `json:"most_ms"`
	ScratchMs float64 `json:"scratch_median_ms"`
	Findings  int     `json:"findings"` // of the report of all sources
}

// strike takes each source out of a finished run in turn (--data is its run.json) and compares the report with the one that is made
// from scratch.
func strike(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: strike needs --data RUN.json, the record of a finished run", errUsage)
	}
	run, err := desk.ReadRunFile(o.data)
	if err != nil {
		return nil, err
	}
	f, err := desk.OpenFinished(run)
	if err != nil {
		return nil, err
	}
	whole, _, err := f.Without(ctx, nil)
	if err != nil {
		return nil, err
	}
	first, err := desk.EncodeDigest(whole)
	if err != nil {
		return nil, err
	}
	res := strikeResult{Findings: whole.Metrics.Findings}
	var quick, scratch []float64
	for _, id := range acceptedOf(run) {
		began := time.Now()
		got, _, err := f.Without(ctx, []string{id})
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", id, err)
		}
		quick = append(quick, ms(began))
		began = time.Now()
		fresh, err := desk.OpenFinished(run)
		if err != nil {
			return nil, err
		}
		want, _, err := fresh.Without(ctx, []string{id})
		if err != nil {
			return nil, fmt.Errorf("without %s, opened anew: %w", id, err)
		}
		scratch = append(scratch, ms(began))
		a, err1 := desk.EncodeDigest(got)
		b, err2 := desk.EncodeDigest(want)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("without %s: %w, %w", id, err1, err2)
		}
		res.N++
		if bytes.Equal(a, b) {
			res.Equal++
		}
		if !bytes.Equal(a, first) {
			res.Moved++
		}
	}
	slices.Sort(quick)
	slices.Sort(scratch)
	if res.N > 0 {
		res.MedianMs, res.MostMs, res.ScratchMs = quick[res.N/2], quick[res.N-1], scratch[res.N/2]
	}
	if !o.json {
		fmt.Fprintf(o.stdout, "%d sources struck in turn: %d equal to a recompute from scratch, %d reports moved; %.0f ms in the median, %.0f at most; from scratch %.0f\n", res.N, res.Equal, res.Moved, res.MedianMs, res.MostMs, res.ScratchMs)
	}
	return res, nil
}

// acceptedOf lists the sources that a run accepted, in the order of its record.
func acceptedOf(run research.Run) []string {
	var out []string
	for _, ev := range run.Events {
		var s research.Source
		if ev.Kind == research.EventSource && json.Unmarshal(ev.Payload, &s) == nil && s.Verdict == research.Verified && !slices.Contains(out, s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

func ms(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }
