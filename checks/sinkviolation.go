package checks

import (
	"fmt"

	"assay/engine/research"
	"assay/engine/text"
)

var sinkviolation = &Check{
	ID: "S05", Name: "sinkviolation", Title: "SinkViolation", Tier: Grounding, Class: Hard,
	Scope: func(v View) []Key { return append(runKeys(v), blockKeys(v)...) },
	Eval:  evalSinkViolation, Edit: editSinkViolation,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit, Advise: Annotate,
}

func evalSinkViolation(v View, k Key) []Hit {
	var hits []Hit
	if k.Kind == KeyRun {
		for _, r := range v.Removed {
			hits = append(hits, Hit{Where: r.Block, Code: r.Kind, Weak: true, What: fmt.Sprintf("what was written for %s held something a page would load or follow (%s), and it was taken out", r.Block, r.Kind)})
		}
		return hits
	}
	b, _ := v.block(k)
	if v.copied(b) {
		return nil // the words of a source are printed as words: every road to a page escapes them
	}
	if clean, removed := text.Sanitise(b.Text); clean != b.Text {
		for _, r := range removed {
			hits = append(hits, Hit{Where: b.ID, Code: r.Kind, What: fmt.Sprintf("it holds something a page would load or follow (%s)", r.Kind)})
		}
	}
	return hits
}

func editSinkViolation(v View, k Key) View {
	if k.Kind == KeyRun {
		return v
	}
	removed := []Removal{}
	next := mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID || v.copied(b) {
			return b, true
		}
		clean, out := text.Sanitise(b.Text)
		if clean == b.Text {
			return b, true
		}
		for _, r := range out {
			removed = append(removed, Removal{Block: b.ID, Kind: r.Kind, Text: r.Text})
		}
		b.Text = clean
		return b, true
	})
	if len(removed) > 0 {
		next.Removed = append(append([]Removal{}, v.Removed...), removed...)
	}
	return next
}
