package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"assay/engine/answer"
	"assay/engine/prompts"
	"assay/engine/research"
)

// Answer budgets in tokens by role. A reader's answer repeats words of its passages; the others are short lists.
var budgets = map[research.Role]int{
	research.Analyst: 400, research.Planner: 1200, research.Reader: 1600, research.Reasoner: 700,
	research.FindingsWriter: 1400, research.Builder: 1400, research.PeerReviewer: 700,
	research.LevelsWriter: 1400,
}

// temperatures that are not 0 (CONTRACT section 3).
var temperatures = map[research.Role]string{research.Planner: "0.4", research.Reasoner: "0.3"}

// unsaidParallel is how many calls are out at once when the channel does not say how many it answers at once.
const unsaidParallel = 2

// atOnce is how many calls may be out at once: as many as the server answers, and one more that waits there, so that no place of the
// server is idle between two answers.
func (r *run) atOnce() int {
	if n := r.Model.Limits().Parallel; n > 0 {
		return n + 1
	}
	return unsaidParallel
}

// ahead sends calls that are known to be made, all at once as far as the channel allows, so that they are in the record when their
// turn comes. Their order in the record means nothing; what they lead to is decided in their turn.
func (r *run) ahead(ctx context.Context, calls []research.Call) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.atOnce())
	for _, c := range calls {
		g.Go(func() error {
			_, err := r.chat(ctx, c)
			return err
		})
	}
	return g.Wait()
}

// call renders the call of a role. Try tells a fresh attempt from the first one.
func (r *run) call(role research.Role, input any, try int) (research.Call, error) {
	prompt, schema, err := prompts.Render(role, input)
	if err != nil {
		return research.Call{}, err
	}
	if try > 0 { // at temperature 0 the same prompt has the same answer, whatever the seed: none is sent twice
		prompt += fmt.Sprintf("\nAttempt %d: the whole answer is one JSON object that fits the schema.", try+1)
	}
	return research.Call{
		Role: role, Input: input, System: prompts.System, Prompt: prompts.Delimit(prompt, r.Request.Seed), Schema: schema,
		Budget: budgets[role], Temperature: temperatures[role], Seed: r.Request.Seed + int64(try), Try: try,
	}, nil
}

// chat sends one call and records the answer. Whatever the channel reports, the run goes on: a server that is gone is
// waited for, a server that broke is asked once more, and then the extractive channel answers, which the record shows in
// By. Only a model that cannot be used at all ends the run.
func (r *run) chat(ctx context.Context, c research.Call) (research.Answer, error) {
	return once(ctx, r, research.EventModel, c, func(ctx context.Context, _ research.Call) (research.Answer, error) {
		for failed := 0; ; {
			a, err := r.Model.Chat(ctx, c)
			if err == nil {
				return a, nil
			}
			if ctx.Err() != nil {
				return research.Answer{}, ctx.Err()
			}
			switch w, waits := r.Model.(Waiter); {
			case errors.Is(err, research.ErrForbidden), errors.Is(err, research.ErrMissing):
				return research.Answer{}, fmt.Errorf("%w: %w", ErrModelUnavailable, err)
			case errors.Is(err, research.ErrUnavailable) && waits:
				if err := r.pause(ctx, w, err); err != nil {
					return research.Answer{}, err
				}
				continue
			case errors.Is(err, research.ErrUnrecorded) && r.Fallback == nil:
				return research.Answer{}, err
			case errors.Is(err, research.ErrRefused): // the same call would be refused again
			case (errors.Is(err, research.ErrServer) || errors.Is(err, research.ErrBusy) || errors.Is(err, research.ErrHung)) && failed == 0:
				failed++
				continue
			}
			if r.Fallback == nil {
				return research.Answer{}, err
			}
			a, ferr := r.Fallback.Chat(ctx, c)
			if ferr != nil {
				return research.Answer{}, fmt.Errorf("%w; and the extractive channel: %w", err, ferr)
			}
			a.Fault = err.Error()
			return a, nil
		}
	})
}

// pause says that the server is gone, waits for it, and says that it is back. What was recorded is on disk meanwhile.
func (r *run) pause(ctx context.Context, w Waiter, cause error) error {
	say := func(state, detail string) error {
		b, err := json.Marshal(research.StateNews{State: state, Detail: detail})
		if err != nil {
			return err
		}
		return r.append(research.Event{Kind: research.EventState, Payload: b})
	}
	if err := say("paused", cause.Error()+". What was found is on disk. The run goes on when the server answers again."); err != nil {
		return err
	}
	if err := w.Wait(ctx); err != nil {
		return fmt.Errorf("wait for the model server: %w", err)
	}
	return say("running", "The model server answers again; the run goes on.")
}

// ask sends the call of a role and reads its answer into out. An answer that does not fit is asked for once more in a
// fresh context; then the extractive channel answers. It returns who answered and what went wrong on the way.
func (r *run) ask(ctx context.Context, role research.Role, input, out any) (by string, err error) {
	for try := range 2 {
		c, err := r.call(role, input, try)
		if err != nil {
			return "", err
		}
		a, err := r.chat(ctx, c)
		if err != nil {
			return "", err
		}
		if _, perr := answer.Parse(a.Text, c.Schema, out); perr == nil {
			return a.By, nil
		} else if nerr := r.note("warn", "The %s answered in a form that cannot be read (%v); attempt %d of 2.", role, perr, try+1); nerr != nil {
			return "", nerr
		}
	}
	c, err := r.call(role, input, 2)
	if err != nil {
		return "", err
	}
	a, err := r.substitute(ctx, c)
	if err != nil {
		return "", err
	}
	_, err = answer.Parse(a.Text, c.Schema, out)
	return a.By, err
}

// substitute has the extractive channel answer a call in the model's place, and records it like any other.
func (r *run) substitute(ctx context.Context, c research.Call) (research.Answer, error) {
	by := r.Fallback
	if by == nil {
		by = r.Model // a strict replay, whose record holds what the extractive channel answered
	}
	return once(ctx, r, research.EventModel, c, func(ctx context.Context, _ research.Call) (research.Answer, error) {
		return by.Chat(ctx, c)
	})
}
