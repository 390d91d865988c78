package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"assay/engine/research"
)

// Knower says what earlier runs found. What it says is shown in the plan and in the report and goes nowhere else: no query, no prompt
// and no confidence of this run holds any of it.
type Knower interface {
	Earlier(context.Context, research.EarlierAsk) (research.Earlier, error)
}

// earlierAsk is what this run asks of earlier ones.
func (r *run) earlierAsk(u research.Understanding) research.EarlierAsk {
	return research.EarlierAsk{Question: u.Question, Lang: u.Lang, Before: r.Request.Now, Private: r.Request.Egress == research.Closed}
}

// lookBack asks what earlier runs bear on the question, once, and says it before the plan.
func (r *run) lookBack(ctx context.Context, u research.Understanding) error {
	if _, held := r.heldEarlier(u); held || r.Knowledge == nil {
		return nil // what was found stays as it was found, also where nobody can be asked again
	}
	e, err := once(ctx, r, research.EventKnown, r.earlierAsk(u), r.Knowledge.Earlier)
	if err != nil {
		return fmt.Errorf("look into earlier runs: %w", err)
	}
	for _, c := range e.Claims[:min(len(e.Claims), notedEarlier)] {
		if err := r.note("info", "Earlier research bears on this: %s (run %s, %s, confidence there %s; it counts for nothing here).", c.Text, c.Run, day(c.Date), c.Confidence.Decimal(2)); err != nil {
			return err
		}
	}
	if e.Withheld > 0 {
		return r.note("info", "%s found earlier in files of your own bear on this and are not shown, because this research reaches beyond this machine; assay knowledge search shows them.", plural(e.Withheld, "claim"))
	}
	return nil
}

// notedEarlier is how many claims of earlier runs are told of before the plan; the report lists all that were found.
const notedEarlier = 3

// heldEarlier is what the record holds of earlier runs.
func (r *run) heldEarlier(u research.Understanding) (*research.Earlier, bool) {
	key, err := research.EffectKey(research.EventKnown, r.earlierAsk(u))
	if err != nil {
		return nil, false
	}
	payload, held := r.record.Get(key)
	var e research.Earlier
	if !held || json.Unmarshal(payload, &e) != nil {
		return nil, held
	}
	return &e, true
}

// earlierShown is what a report shows of earlier runs; nil when there is nothing.
func (r *run) earlierShown(u research.Understanding) *research.Earlier {
	e, _ := r.heldEarlier(u)
	if e == nil || len(e.Claims) == 0 && e.Withheld == 0 {
		return nil
	}
	return e
}

// day is the date of a clock.
func day(clock string) string { return clock[:min(10, len(clock))] }
