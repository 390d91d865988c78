package worlds

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/research"
	"assay/engine/text"
)

// Operator puts one defect into a clean run. Its numbers are those of the design's mutation benchmark.
type Operator struct {
	ID   string // "24"; a letter tells parts of one number apart
	Name string
	// Targets names the checks that are there for the defect; the first is the one it is made for.
	Targets []string
	// Apart says why the operator does not count in the totals; empty when it does.
	Apart string
	// apply returns the run with the defect; false when the world has no place for it, or the change would not be wrong.
	apply func(w World, r *random) (Mutant, bool)
}

// Mutant is a run with one defect.
type Mutant struct {
	View checks.View
	// At holds the ids of the things that the defect is in: blocks, sections, sources, tasks, claims. A target that fires
	// anywhere else has not found it. Empty: anywhere.
	At []string
	// Change says what was done, in a few words.
	Change string
}

// Apply returns the k-th mutant of a world; false when there is none. The world is not changed.
func (o Operator) Apply(w World, k int) (Mutant, bool) {
	w.View = clone(w.View)
	m, ok := o.apply(w, seeded(o.ID, w.ID(), k))
	return m, ok
}

// Operators lists all operators in order.
func Operators() []Operator {
	return slices.Concat(callOperators, shapeOperators, identityOperators, valueOperators, wordOperators, crossOperators, guardOperators)
}

// clone copies what operators change, so that a world can be used again.
func clone(v checks.View) checks.View {
	v.Dispatches = slices.Clone(v.Dispatches)
	v.Findings = slices.Clone(v.Findings)
	for i := range v.Findings {
		v.Findings[i].Flags = slices.Clone(v.Findings[i].Flags)
	}
	v.Sources = slices.Clone(v.Sources)
	for i := range v.Sources {
		v.Sources[i].Passages = slices.Clone(v.Sources[i].Passages)
	}
	v.Texts = copied(v.Texts)
	v.Passages = copied(v.Passages)
	v.Claims = copied(v.Claims)
	v.Draft.Summary = cloneBlocks(v.Draft.Summary)
	v.Draft.Sections = slices.Clone(v.Draft.Sections)
	for i := range v.Draft.Sections {
		v.Draft.Sections[i].Blocks = cloneBlocks(v.Draft.Sections[i].Blocks)
	}
	return v
}

func copied[V any](m map[string]V) map[string]V {
	out := make(map[string]V, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

func cloneBlocks(blocks []research.Block) []research.Block {
	out := slices.Clone(blocks)
	for i := range out {
		out[i].Refs, out[i].Citations, out[i].Claims = slices.Clone(out[i].Refs), slices.Clone(out[i].Citations), slices.Clone(out[i].Claims)
	}
	return out
}

// block returns the block of that id in the body, for changing; nil when there is none.
func (w World) block(id string) *research.Block {
	for i := range w.View.Draft.Sections {
		for j := range w.View.Draft.Sections[i].Blocks {
			if b := &w.View.Draft.Sections[i].Blocks[j]; b.ID == id {
				return b
			}
		}
	}
	return nil
}

// section returns the section that holds a block.
func (w World) section(block string) *research.DraftSection {
	for i := range w.View.Draft.Sections {
		if slices.ContainsFunc(w.View.Draft.Sections[i].Blocks, func(b research.Block) bool { return b.ID == block }) {
			return &w.View.Draft.Sections[i]
		}
	}
	return nil
}

// source returns the source of that id, for changing.
func (w World) source(id string) *research.Source {
	for i := range w.View.Sources {
		if w.View.Sources[i].ID == id {
			return &w.View.Sources[i]
		}
	}
	return nil
}

// grounds is everything the sources of a block say.
func (w World) grounds(b *research.Block) string {
	var out []string
	for _, id := range b.Refs {
		if s := w.source(id); s != nil {
			out = append(out, s.Title, w.View.Texts[s.SHA256])
		}
	}
	return strings.Join(out, "\n")
}

// everything is the text of all sources.
func (w World) everything() string {
	var out []string
	for _, s := range w.View.Sources {
		out = append(out, s.Title, w.View.Texts[s.SHA256])
	}
	return strings.Join(out, "\n")
}

// retext changes the words of a block and, because a model's words come from a call, of the call that wrote them.
func (w World) retext(id string, change func(string) string) (Mutant, bool) {
	b := w.block(id)
	if b == nil {
		return Mutant{}, false
	}
	before := b.Text
	b.Text = change(before)
	if b.Text == before || strings.TrimSpace(b.Text) == "" {
		return Mutant{}, false
	}
	sec := w.section(id)
	w.resay(sec.ID, func(a *research.WriterAnswer) {
		for i := range a.Sentences {
			if a.Sentences[i].Text == before {
				a.Sentences[i].Text = b.Text
			}
		}
	})
	return Mutant{View: w.View, At: []string{id, sec.ID, string(research.FindingsWriter) + "/" + sec.ID}, Change: clip(before) + " -> " + clip(b.Text)}, true
}

// resay changes the answer of the call that wrote a section.
func (w World) resay(task string, change func(*research.WriterAnswer)) {
	for i := range w.View.Dispatches {
		d := &w.View.Dispatches[i]
		var a research.WriterAnswer
		if d.Task != task || json.Unmarshal([]byte(d.Visible), &a) != nil {
			continue
		}
		change(&a)
		d.Visible = answerJSON(a)
	}
}

func clip(s string) string {
	if r := []rune(s); len(r) > 90 {
		return string(r[:90]) + "…"
	}
	return s
}

// anyOf picks one of the facts that the draft states.
func (w World) anyOf(r *random, facts ...string) string {
	var have []string
	for _, f := range facts {
		if w.block(f) != nil {
			have = append(have, f)
		}
	}
	if len(have) == 0 {
		return ""
	}
	return pick(r, have)
}

// figure is a number as printed, with separators.
var figure = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)

// printsNumber reports whether a text prints a number, whatever its separators.
func printsNumber(s, number string) bool {
	want := strings.ReplaceAll(number, ",", "")
	return slices.ContainsFunc(figure.FindAllString(s, -1), func(n string) bool { return strings.ReplaceAll(n, ",", "") == want })
}

// years are the numbers of a text that are years of our worlds.
func isYear(number string) bool {
	return len(number) == 4 && (number[:2] == "19" || number[:2] == "20")
}

// sentencesOf returns the sentences of a text.
func sentencesOf(s string) []string {
	var out []string
	for _, sp := range text.Sentences(s) {
		out = append(out, s[sp.Start:sp.End])
	}
	return out
}

// half returns the phrases of a list that belong to the part of the world: those of one part never occur in another.
func (w World) half(list []string) []string {
	if PartOf(w.Topic) == Fresh {
		if own := freshPhrases[list[0]]; own != nil {
			return own
		}
		return freshFirst[list[0]]
	}
	var out []string
	for i, x := range list {
		if (i%2 == 0) == (PartOf(w.Topic) == Tuning) {
			out = append(out, x)
		}
	}
	return out
}
