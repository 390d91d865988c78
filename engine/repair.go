package engine

import (
	"context"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/research"
)

// repairing is what a repair tells the call that it makes.
type repairing struct {
	complaint string // what the check found, for a writer that is asked again in its own context
	roomy     bool   // twice the room for the answer
	restored  bool   // the ledger was asked once for what repairs took out
}

// draft has every facet written, each in a call of its own that sees nothing of the others.
func (w *desk) draft(ctx context.Context) error {
	if w.without(withoutPerFacet) {
		return w.writeWhole(ctx)
	}
	var calls []research.Call
	for _, f := range w.in.Meaning.Facets {
		if fs := w.citable(f.ID); len(fs) > 0 {
			c, err := w.call(research.FindingsWriter, w.writerInput(f, fs), 0)
			if err != nil {
				return err
			}
			calls = append(calls, c)
		}
	}
	if err := w.ahead(ctx, calls); err != nil {
		return err
	}
	for _, f := range w.in.Meaning.Facets {
		if err := w.write(ctx, f, w.citable(f.ID)); err != nil {
			return err
		}
	}
	return nil
}

// wholeTask is the task of the one call that writes everything when the switch of the facets' own calls is off.
const wholeTask = "whole"

// writeWhole has the whole report written in one call. A sentence belongs to the facet of the first finding it rests on.
func (w *desk) writeWhole(ctx context.Context) error {
	whole := research.Facet{ID: wholeTask, Text: w.in.Meaning.Question}
	var all []research.Finding
	for _, f := range w.in.Meaning.Facets {
		all = append(all, w.citable(f.ID)...)
	}
	if len(all) == 0 {
		return nil
	}
	said, by, err := w.dispatch(ctx, whole, all)
	if err != nil {
		return err
	}
	blocks := w.blocks(whole, all, said, by)
	for _, f := range w.in.Meaning.Facets {
		sec := research.DraftSection{ID: f.ID, Title: f.Text, Facets: []string{f.ID}, Blocks: []research.Block{}}
		for _, b := range blocks {
			if len(b.Claims) > 0 && w.view.Claims[b.Claims[0]].Facet == f.ID {
				sec.Blocks = append(sec.Blocks, b)
			}
		}
		w.place(sec)
	}
	return nil
}

// again changes the call of a writer that is asked again as the repair wants it.
func (w *desk) again(c *research.Call, task string) {
	if w.tried[task] == 0 {
		return
	}
	if n := w.Model.Limits().NumCtx; w.roomy && n > 0 {
		c.Budget = max(c.Budget, min(2*c.Budget, n/2))
	}
	if !w.without(withoutFresh) {
		return
	}
	for _, d := range slices.Backward(w.view.Dispatches) {
		if d.Task == task {
			c.Prompt += "\nYour earlier answer:\n" + d.Visible + "\nWhat is wrong with it: " + w.complaint + "\nPut that right and change nothing else."
			return
		}
	}
}

// act carries out a repair that needs the engine: the sentence that is wrong, its facet, or the whole report. None sends the same
// prompt again, and none shows a writer what it wrote before: models correct their own text worse than they write it anew.
func (w *desk) act(ctx context.Context, v checks.Verdict) error {
	var wrong []string
	for _, h := range v.Hits {
		wrong = append(wrong, h.What)
	}
	w.complaint, w.roomy = strings.Join(wrong, "; "), v.Action == checks.Rethink
	defer func() { w.complaint, w.roomy = "", false }()
	modelled := w.Model.Limits().Name != extractiveName
	switch {
	case v.Rung == checks.RungRun:
		return w.rebuild(ctx)
	case v.Rung == checks.RungSentence && modelled:
		if done, err := w.rewrite(ctx, v.Key.ID); done || err != nil {
			return err
		}
	}
	for _, id := range v.Facets {
		if id == wholeTask {
			if err := w.actWhole(ctx, v.Action); err != nil {
				return err
			}
			continue
		}
		fi := facetIndex(w.in.Meaning.Facets, id)
		if fi < 0 {
			continue
		}
		findings := w.citable(id)
		switch v.Action {
		case checks.Retry, checks.Rethink, checks.Rewrite, checks.Reread:
		case checks.Split, checks.Continue:
			findings = findings[:max(min(1, len(findings)), len(findings)/2)]
		default: // Gather (the rounds are over), Salvage, NoEvidence
			w.salvage(id)
			continue
		}
		if !modelled || len(findings) == 0 {
			w.salvage(id)
			continue
		}
		if err := w.write(ctx, w.in.Meaning.Facets[fi], findings); err != nil {
			return err
		}
	}
	return nil
}

// actWhole repairs a report that was written in one call.
func (w *desk) actWhole(ctx context.Context, action checks.Action) error {
	switch action {
	case checks.Retry, checks.Rethink, checks.Rewrite, checks.Reread, checks.Split, checks.Continue:
		return w.writeWhole(ctx)
	}
	for _, f := range w.in.Meaning.Facets {
		w.salvage(f.ID)
	}
	w.done(wholeTask)
	return nil
}

// rewrite has one block written anew from the findings it rests on; the others stay as they are. False when there is nothing to
// write it from, or when its words are not a model's.
func (w *desk) rewrite(ctx context.Context, id string) (bool, error) {
	for i, s := range w.view.Draft.Sections {
		at := slices.IndexFunc(s.Blocks, func(b research.Block) bool { return b.ID == id })
		if at < 0 || len(s.Facets) == 0 || s.Blocks[at].By == extractiveName {
			continue
		}
		fi := facetIndex(w.in.Meaning.Facets, s.Facets[0])
		if fi < 0 {
			return false, nil
		}
		f, of := w.in.Meaning.Facets[fi], []research.Finding{}
		for _, x := range w.citable(s.Facets[0]) {
			if !slices.ContainsFunc(x.Claims, func(c string) bool { return !slices.Contains(s.Blocks[at].Claims, c) }) {
				of = append(of, x)
			}
		}
		if len(of) == 0 {
			return false, nil
		}
		said, by, err := w.dispatch(ctx, f, of)
		if err != nil {
			return false, err
		}
		s.Blocks = slices.Concat(s.Blocks[:at], w.blocks(f, of, said, by), s.Blocks[at+1:])
		w.view.Draft.Sections = slices.Clone(w.view.Draft.Sections)
		w.view.Draft.Sections[i] = s
		return true, nil
	}
	return false, nil
}

// rebuild writes every facet once more from the ledger, as if nothing had been written.
func (w *desk) rebuild(ctx context.Context) error {
	if err := w.note("warn", "Repairs of a part did not help; the whole report is written once more from what was found."); err != nil {
		return err
	}
	w.view.Dispatches, w.view.Draft.Sections = nil, nil
	if w.without(withoutPerFacet) {
		return w.writeWhole(ctx)
	}
	for _, f := range w.in.Meaning.Facets {
		if w.Model.Limits().Name == extractiveName {
			w.salvage(f.ID)
		} else if err := w.write(ctx, f, w.citable(f.ID)); err != nil {
			return err
		}
	}
	return nil
}

// done forgets the calls of a task that was answered without them.
func (w *desk) done(task string) {
	w.view.Dispatches = slices.DeleteFunc(slices.Clone(w.view.Dispatches), func(d research.Dispatch) bool { return d.Task == task })
}

// restore assembles from the ledger, once, each facet that repairs took out whole although something citable was found for it, and
// reports whether it did; the bank then judges what it added. What a check sent to the issues stays there, and what another part
// prints is not printed again.
func (w *desk) restore() bool {
	if w.restored || w.without(withoutSalvage) {
		return false
	}
	w.restored = true
	told, found := map[string]bool{}, false
	for _, i := range w.view.Issues {
		told[i.Text] = true
	}
	for _, s := range w.view.Draft.Sections {
		for _, b := range s.Blocks {
			for _, c := range b.Claims {
				told[c] = true
			}
		}
	}
	for _, f := range w.in.Meaning.Facets {
		if slices.ContainsFunc(w.view.Draft.Sections, func(s research.DraftSection) bool { return s.ID == f.ID && len(s.Blocks) > 0 }) {
			continue
		}
		sec := research.DraftSection{ID: f.ID, Title: f.Text, Facets: []string{f.ID}, Blocks: []research.Block{}}
		for _, x := range w.citable(f.ID) {
			if !told[x.Text] && slices.ContainsFunc(x.Claims, func(c string) bool { return !told[c] }) {
				sec.Blocks = append(sec.Blocks, w.block(f, x.Text, []research.Finding{x}, extractiveName))
			}
		}
		if len(sec.Blocks) > 0 {
			w.done(f.ID)
			w.place(sec)
			found = true
		}
	}
	w.salvaged = w.salvaged || found && w.Model.Limits().Name != extractiveName
	return found
}
