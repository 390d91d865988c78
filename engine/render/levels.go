package render

import "assay/engine/research"

// levelView is one reading level that has lines.
type levelView struct {
	Key   string // of its heading: impact, decisions, plain
	Lines []research.LevelLine
}

// HasLevels reports whether there is anything to say beside the main text, were it only why there is nothing.
func (p *page) HasLevels() bool {
	return p.D.Levels.Note != "" || len(p.D.Levels.Facts) > 0 || len(p.Levels()) > 0
}

// Facts is level 1.
func (p *page) Facts() []research.LevelFact { return head(p.D.Levels.Facts) }

// Levels are the levels that have lines, in order.
func (p *page) Levels() []levelView {
	var out []levelView
	for _, l := range []levelView{{"impact", p.D.Levels.Impact}, {"decisions", p.D.Levels.Decisions}, {"plain", p.D.Levels.Plain}} {
		if l.Lines = head(l.Lines); len(l.Lines) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// CitesOf are the citations of the findings that a line cites, each source once.
func (p *page) CitesOf(findings []string) []cite {
	if p.byID == nil {
		p.byID = map[string]research.DigestFinding{}
		for _, s := range p.D.Sections {
			for _, f := range s.Findings {
				p.byID[f.ID] = f
			}
		}
	}
	var out []cite
	have := map[int]bool{}
	for _, id := range head(findings) {
		for _, c := range p.Cites(p.byID[id]) {
			if !have[c.N] {
				have[c.N] = true
				out = append(out, c)
			}
		}
	}
	return out
}
