package engine

import (
	"sort"

	"assay/engine/research"
)

// ledger is what a run has read and claimed over all its rounds.
type ledger struct {
	Sources []research.Source `json:"sources"` // with the passages that were read
	Claims  []research.Claim  `json:"claims"`
	Faults  []string          `json:"faults"`          // providers that could not look, one sentence each
	Notes   []string          `json:"notes,omitempty"` // what providers said of their answers
}

// gathered is the result of one search stage.
type gathered struct {
	Sources []research.Source `json:"sources"`
	Faults  []string          `json:"faults"`
	Notes   []string          `json:"notes,omitempty"`
}

// extracted is the result of one extract stage.
type extracted struct {
	Passages []research.Passage `json:"passages"`
	Claims   []research.Claim   `json:"claims"`
	Dropped  []research.Issue   `json:"dropped"`
}

// with returns the ledger together with what a round added. Nothing is listed twice: sources, passages and claims go by
// their identifiers.
func (l ledger) with(g gathered, x extracted) ledger {
	out := ledger{Faults: append(append([]string{}, l.Faults...), g.Faults...)}
	out.Notes = append(append(out.Notes, l.Notes...), g.Notes...)
	out.Sources = append(append([]research.Source{}, l.Sources...), g.Sources...)
	at := map[string]int{}
	for i, s := range out.Sources {
		at[s.ID] = i
		out.Sources[i].Passages = append([]research.Passage{}, s.Passages...)
	}
	for _, p := range x.Passages {
		if i, ok := at[p.Source]; ok && !hasPassage(out.Sources[i].Passages, p.ID) {
			out.Sources[i].Passages = append(out.Sources[i].Passages, p)
		}
	}
	seen := map[string]bool{}
	for _, c := range append(append([]research.Claim{}, l.Claims...), x.Claims...) {
		if !seen[c.ID] {
			seen[c.ID] = true
			out.Claims = append(out.Claims, c)
		}
	}
	for i := range out.Sources {
		ps := out.Sources[i].Passages
		sort.Slice(ps, func(a, b int) bool {
			return ps[a].Start < ps[b].Start || ps[a].Start == ps[b].Start && ps[a].End < ps[b].End
		})
	}
	return out
}

func hasPassage(ps []research.Passage, id string) bool {
	for _, p := range ps {
		if p.ID == id {
			return true
		}
	}
	return false
}

// locations lists what was already opened, in order.
func (l ledger) locations() []string {
	out := make([]string, 0, len(l.Sources))
	for _, s := range l.Sources {
		if s.Verdict != research.Unread || s.Retrieved != "" { // else it was only listed
			out = append(out, s.Location)
		}
	}
	return out
}

func (l ledger) source(id string) (research.Source, bool) {
	for _, s := range l.Sources {
		if s.ID == id {
			return s, true
		}
	}
	return research.Source{}, false
}
