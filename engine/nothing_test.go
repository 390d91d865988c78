package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
	"assay/engine/store"
)

// ACCEPTANCE 19: every engine answers with an empty list. The run ends within the rounds that its depth allows, asks nothing twice, and
// says that there is no evidence, with a model and without one, whatever depth was asked for; engines that fail are no empty lists.
func TestEveryEngineIsEmpty(t *testing.T) {
	for _, depth := range []research.Depth{research.Quick, research.Standard, research.Deep} {
		for _, model := range []Model{nil, &scripted{}} {
			for _, fault := range []error{nil, errors.New("asks for a pause")} {
				t.Run(fmt.Sprintf("%s, model %v, fault %v", depth, model != nil, fault), func(t *testing.T) {
					w := &world{}
					c := webConfig(t, w, engineOf{world: w, name: "searxng", fault: fault}, engineOf{world: w, name: "crossref", fault: fault})
					c.Request.Depth, c.Request.AllowPartial = depth, false
					if model != nil {
						c.Model = model
					}
					rec := store.NewMemory(c.Request, c.Code)
					d, err := (&Engine{c}).Run(context.Background(), rec)
					if !errors.Is(err, ErrNoFinding) {
						t.Fatalf("Run = %v, want that nothing was found", err)
					}
					if len(d.Gaps) == 0 || len(d.Sources) > 0 || len(d.Claims) > 0 {
						t.Errorf("%d gaps, %d sources, %d claims", len(d.Gaps), len(d.Sources), len(d.Claims))
					}
					seen := map[string]bool{}
					for _, q := range w.asked {
						if seen[q] {
							t.Errorf("%q was asked twice", q)
						}
						seen[q] = true
					}
					most := 1 + map[research.Depth]int{research.Quick: 1, research.Standard: 2, research.Deep: 2}[depth]
					rounds := 0
					for _, ev := range rec.Run().Events {
						if ev.Kind == research.EventPreview {
							rounds++
						}
					}
					if rounds == 0 || rounds > most || len(w.asked) == 0 {
						t.Errorf("%d queries in %d rounds, want at most %d", len(w.asked), rounds, most)
					}
					if fault != nil && len(d.Issues) == 0 {
						t.Error("that the engines failed is not said")
					}
					if rep := audit.Check(finishedRun(t, rec, d)); len(rep.Faults) > 0 {
						t.Errorf("audit: %v", rep.Faults)
					}
				})
			}
		}
	}
}
