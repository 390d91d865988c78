package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/store"
)

// Rerun begins a new run that takes over what a finished one, or one that ended, had recorded before a stage, and does that stage
// and all after it anew: with the same question, options and clock, so that nothing before it changes. The old run stays as it is.
// With [StartOptions.Review] or Approve the plan can be changed on the way, when the stage is not after it.
func (d *Desk) Rerun(ctx context.Context, id, from string, opt StartOptions) (*Job, error) {
	if !slices.Contains(research.StageNames, from) {
		return nil, usage("stage %q: use one of %s", short(from), strings.Join(research.StageNames, ", "))
	}
	id, err := d.store.Find(id)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	if j := d.Job(id); j != nil {
		return nil, usage("run %s is under way; stop it first", id)
	}
	old, err := d.store.Resume(id, d.version)
	if err != nil {
		return nil, err
	}
	run, err := recordOf(old)
	if err = errors.Join(err, old.Close()); err != nil {
		return nil, err
	}
	kept, reached := before(run.Events, from)
	if !reached {
		return nil, usage("run %s never came to the stage %q; resume it", id, from)
	}
	if err := prepareOut(opt.Out); err != nil {
		return nil, err
	}
	rec, err := d.store.Create(run.Request, d.version)
	if err != nil {
		return nil, err
	}
	if err := takeOver(rec, run, kept); err != nil {
		return nil, errors.Join(fmt.Errorf("take over run %s: %w", id, err), rec.Close())
	}
	note := research.Note{Level: "info", Text: fmt.Sprintf("This run goes on from run %s at the stage %s; what came before was taken from its record.", id, from)}
	payload, err := json.Marshal(note)
	if err == nil {
		_, err = rec.Append(research.Event{Kind: research.EventNote, Payload: payload})
	}
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	return d.launch(ctx, rec, opt)
}

// before returns what a record holds before a stage began for the first time, as far as a new run needs it: the setups, effects and
// results of stages, and what left the machine. It also reports whether the stage ever began.
func before(events []research.Event, stage string) (kept []research.Event, reached bool) {
	for _, ev := range events {
		if ev.Kind == research.EventBegin {
			var n research.StageNews
			if json.Unmarshal(ev.Payload, &n) == nil && n.Stage == stage && n.Round == 0 {
				return kept, true
			}
		}
		if ev.Kind == research.EventSetup || ev.Kind == research.EventOutbox || strings.HasPrefix(ev.Kind, research.EventStage) || store.IsEffect(ev.Kind) {
			kept = append(kept, ev)
		}
	}
	return kept, false
}

// takeOver writes events into a new record, with the texts that they name.
func takeOver(rec *store.Record, run research.Run, events []research.Event) error {
	named := map[string]bool{}
	for _, ev := range events {
		for sha := range run.Blobs {
			if !named[sha] && strings.Contains(string(ev.Payload), sha) {
				named[sha] = true
			}
		}
	}
	for sha := range named {
		if _, err := rec.PutBlob(run.Blobs[sha]); err != nil {
			return err
		}
	}
	for _, ev := range events {
		if _, err := rec.Append(ev); err != nil {
			return err
		}
	}
	return nil
}
