package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// What the template of a report asks for beside the findings: tables, diagrams and pull quotes; its timeline is [printer.timeline]. Code makes them of the
// claims of printed findings, each cell and arrow in words that its passage holds; a part that the claims do not give is left out.

// Bounds of the parts: more is no overview.
const (
	mostRows    = 12
	leastRows   = 2 // of a table or a drawing
	mostArrows  = 10
	cellRunes   = 160
	nodeRunes   = 60
	quoteLeast  = 6 // words of a pull quote
	quoteMost   = 60
	figureWords = 9 // on each side of a figure
)

// outline adds to the digest what its template asks for and says what of it was found.
func (p *printer) outline() {
	u := p.in.Meaning
	t := intent.TemplateOf(u)
	use := research.TemplateUse{Name: t.Name, Why: u.TemplateWhy}
	printed := p.printedClaims()
	for _, s := range t.Sections {
		row := research.TemplateRow{Name: s.ID, Title: s.Title(u.Lang), State: "missing"}
		for _, sec := range p.d.Sections {
			for _, f := range sec.Findings {
				if s.Speaks(f.Text, u.Lang) {
					row.State, row.Findings = "covered", append(row.Findings, f.ID)
				}
			}
		}
		use.Sections = append(use.Sections, row)
	}
	for _, name := range t.Requires {
		use.Requires = append(use.Requires, p.required(name, printed))
	}
	for _, part := range t.Parts {
		sec := research.Section{ID: "t." + part, Title: intent.PartTitle(part, u.Lang), Facets: []string{}}
		switch part {
		case "figures":
			sec.Tables = p.figures(printed)
		case "comparison":
			sec.Tables = p.comparison(printed)
		case "chronology": // it is the timeline, which every report has once: see [printer.timeline]
		case "chain":
			sec.Diagrams = p.chain(printed)
		case "structure":
			sec.Diagrams = p.structure(printed)
		}
		if len(sec.Tables)+len(sec.Diagrams) > 0 {
			p.d.Sections = append(p.d.Sections, sec)
		}
	}
	p.pullQuotes(t.Quotes)
	p.d.Template = &use
}

// saidClaim is an explicit claim that a printed finding rests on.
type saidClaim struct {
	research.Claim
	finding string
	words   string // of its passage, folded
	quoted  string // of its passage
}

// printedClaims lists the explicit claims of the printed findings in their order, each once.
func (p *printer) printedClaims() []saidClaim {
	var out []saidClaim
	seen := map[string]bool{}
	for _, s := range p.d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				c, ok := p.view.Claims[id]
				if !ok || seen[id] || c.Derivation != nil || c.Source == "" {
					continue
				}
				if _, cited := p.index[c.Source]; !cited {
					continue // a key is given where a finding cites it, and nowhere before
				}
				seen[id] = true
				var around []string
				for _, pid := range append([]string{c.Passage}, f.Citations...) {
					if ps := p.view.Passages[pid]; ps.Source == c.Source {
						around = append(around, ps.Text)
					}
				}
				own := p.view.Passages[c.Passage].Text
				out = append(out, saidClaim{c, f.ID, text.Fold(oneLine(strings.Join(around, "\n"))), own})
			}
		}
	}
	return out
}

// holds reports whether the passages of a claim hold these words, apart from case, spacing and the marks of a sentence's end.
func (c saidClaim) holds(words string) bool {
	w := strings.Trim(text.Fold(oneLine(words)), " .。,，;；…")
	return w != "" && strings.Contains(c.words, w)
}

// cell is a cell in the words of a claim; false when its passage does not hold them.
func (p *printer) cell(c saidClaim, words string) (research.Cell, bool) {
	words = strings.TrimSpace(oneLine(words))
	if !c.holds(words) {
		return research.Cell{}, false
	}
	return research.Cell{Text: shorten(words, cellRunes), Refs: []int{p.index[c.Source]}}, true
}

// shorten cuts a text at a word, with an ellipsis.
func shorten(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	cut := string(rs[:n])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;，；") + "…"
}

// figures is a table of the figures with the words they stand in.
func (p *printer) figures(cs []saidClaim) []research.Table {
	zh := p.d.Lang == "zh"
	t := research.Table{Caption: pickWord(zh, "Figures, in the words of their passages", "数字，按原文"), Headers: []string{pickWord(zh, "Figure", "数字"), pickWord(zh, "In its words", "原文")}}
	seen := map[string]bool{}
	for _, c := range cs {
		for _, q := range c.Quantities {
			if q.Kind == research.Year || q.Kind == research.Version || q.Kind == research.Ordinal || q.Unit == "" || len(t.Rows) >= mostRows {
				continue
			}
			around := aroundFigure(c.Text, q)
			if clean, _ := text.Sanitise(around); around == "" || seen[around] || clean != around || len(text.URLs(around)) > 0 {
				continue // an address in a cell would be one to follow
			}
			a, okA := p.cell(c, q.Text)
			b, okB := p.cell(c, around)
			if okA && okB {
				seen[around] = true
				t.Rows = append(t.Rows, []research.Cell{a, b})
			}
		}
	}
	if len(t.Rows) < leastRows {
		return nil
	}
	return []research.Table{t}
}

// aroundFigure is the stretch of a sentence around a figure; empty when the figure does not stand where it should.
func aroundFigure(s string, q research.Quantity) string {
	if q.Start < 0 || q.End > len(s) || q.Start >= q.End || s[q.Start:q.End] != q.Text {
		return ""
	}
	before, after := strings.Fields(s[:q.Start]), strings.Fields(s[q.End:])
	lo, hi := 0, len(s)
	if len(before) > figureWords {
		at := q.Start
		for range figureWords {
			at = strings.LastIndexAny(strings.TrimRight(s[:at], " \t\n"), " \t\n") + 1
		}
		lo = at
	}
	if len(after) > figureWords {
		at := q.End
		for range figureWords {
			rest := strings.TrimLeft(s[at:], " \t\n")
			at = len(s) - len(rest)
			if i := strings.IndexAny(rest, " \t\n"); i >= 0 {
				at += i
			} else {
				at = len(s)
			}
		}
		hi = at
	}
	return strings.TrimSpace(s[lo:hi])
}

// comparison sets what is said of each of the compared things side by side: the claims that name one of them alone.
func (p *printer) comparison(cs []saidClaim) []research.Table {
	things := compared(p.in.Meaning)
	if len(things) < 2 {
		return nil
	}
	columns := make([][]research.Cell, len(things))
	for _, c := range cs {
		which := -1
		for i, name := range things {
			if strings.Contains(text.Fold(c.Text), text.Fold(name)) {
				if which >= 0 {
					which = -2 // it names two
					break
				}
				which = i
			}
		}
		if which < 0 || len(columns[which]) >= mostRows/2 {
			continue
		}
		if x, ok := p.cell(c, c.Text); ok {
			columns[which] = append(columns[which], x)
		}
	}
	t := research.Table{Caption: pickWord(p.d.Lang == "zh", "What the sources say of each", "各来源对每一项的说法"), Headers: things}
	filled := 0
	for i := range columns {
		if len(columns[i]) > 0 {
			filled++
		}
		for len(t.Rows) < len(columns[i]) {
			t.Rows = append(t.Rows, make([]research.Cell, len(things)))
		}
		for k, x := range columns[i] {
			t.Rows[k][i] = x
		}
	}
	if filled < 2 {
		return nil
	}
	return []research.Table{t}
}

var comparedZH = regexp.MustCompile(`(?:比较)?(.{1,12}?)(?:和|与|跟|同)(.{1,12}?)(?:相比|的区别|有什么不同|有何不同|哪个|的差异|有什么区别|有何区别)`)

// compared are the things that a question sets against each other: of a proposition its two, else the names in it.
func compared(u research.Understanding) []string {
	if a, b, ok := propositionOf(u).Things(); ok {
		return []string{strings.TrimSpace(a), strings.TrimSpace(b)}
	}
	if m := comparedZH.FindStringSubmatch(u.Question); m != nil {
		return []string{m[1], m[2]}
	}
	if u.Intent != research.Comparison {
		return nil
	}
	var out []string
	for _, e := range u.Entities {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.Contains(o, e.Text) || strings.Contains(e.Text, o) }) {
			out = append(out, e.Text)
		}
	}
	return out[:min(len(out), 4)]
}

// label is a text as a label of a diagram: letters, digits and plain marks only, so that nothing in it is read as part of the drawing.
func label(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\"`<>{}[]()|;#&\\:%\x00", r):
			return ' '
		case r == '\n' || r == '\t':
			return ' '
		}
		return r
	}, s)
	return strings.TrimRight(shorten(oneLine(s), n), " .。,，")
}

func addRef(refs []int, r int) []int {
	if slices.Contains(refs, r) {
		return refs
	}
	return append(refs, r)
}

// causes are the words that say what leads to what; back says that the effect stands first.
var causes = []struct {
	re   *regexp.Regexp
	back bool
}{
	{regexp.MustCompile(`(?i)^(.{8,}?)\s+(?:led to|leads to|lead to|resulted in|results in|caused|causes|gave rise to|brought about)\s+(.{8,})$`), false},
	{regexp.MustCompile(`(?i)^(.{8,}?),?\s+(?:because of|because|due to|as a result of|owing to)\s+(.{8,})$`), true},
	{regexp.MustCompile(`^(?:由于|因为)(.{4,}?)[，,](?:所以|因此|导致|于是)?(.{4,})$`), false},
	{regexp.MustCompile(`^(.{4,}?)(?:导致|造成|引起|使得)了?(.{4,})$`), false},
}

// chain draws what the claims say leads to what.
func (p *printer) chain(cs []saidClaim) []research.Diagram {
	var arrows []arrow
	for _, c := range cs {
		for _, form := range causes {
			m := form.re.FindStringSubmatch(strings.TrimRight(oneLine(c.Text), ".。"))
			if m == nil {
				continue
			}
			from, to := m[1], m[2]
			if form.back {
				from, to = to, from
			}
			if c.holds(from) && c.holds(to) {
				arrows = append(arrows, arrow{from, "", to, p.index[c.Source]})
			}
			break
		}
	}
	return drawn(arrows, "LR", pickWord(p.d.Lang == "zh", "What the sources say leads to what", "来源所述的因果关系"))
}

// ties are words between two names by which one is a part, a kind or a base of the other.
var ties = regexp.MustCompile(`(?i)\b(?:is|are|was|were|consists?|contains?|includes?|provides?|depends?|uses?|used|supports?|replaces?|replaced|founded|owns?|owned|made|makes|maintains?|maintained|part|based|belongs?|led|leads|created|developed|wrote)\b|是|包含|包括|属于|组成|使用|取代|创立|领导|提供|依赖`)

// structure draws the names that a claim joins, with the words between them on the arrow.
func (p *printer) structure(cs []saidClaim) []research.Diagram {
	by := map[string]saidClaim{}
	for _, c := range cs {
		by[c.ID] = c
	}
	name := map[string]string{}
	for _, n := range p.in.Result.Graph.Nodes {
		name[n.ID] = n.Name
	}
	var arrows []arrow
	for _, e := range p.in.Result.Graph.Edges {
		for _, id := range e.Claims {
			c, ok := by[id]
			if ok && ties.MatchString(e.Relation) && c.holds(name[e.From]) && c.holds(name[e.To]) && c.holds(e.Relation) {
				arrows = append(arrows, arrow{name[e.From], e.Relation, name[e.To], p.index[c.Source]})
				break
			}
		}
	}
	return drawn(arrows, "LR", pickWord(p.d.Lang == "zh", "Names that the sources join", "来源中相互关联的名称"))
}

// arrow joins two labels; both and the words on it stand in a passage of the source.
type arrow struct {
	from, words, to string
	ref             int
}

// drawn is a flow chart of arrows; fewer than two are no drawing.
func drawn(arrows []arrow, way, caption string) []research.Diagram {
	if len(arrows) < leastRows {
		return nil
	}
	d := research.Diagram{Caption: caption, Code: "flowchart " + way + "\n"}
	id := map[string]string{}
	node := func(s string) string {
		l := label(s, nodeRunes)
		if id[l] == "" {
			id[l] = fmt.Sprintf("n%d", len(id)+1)
			d.Code += fmt.Sprintf("    %s[\"%s\"]\n", id[l], l)
		}
		return id[l]
	}
	for _, a := range arrows[:min(len(arrows), mostArrows)] {
		from, to := node(a.from), node(a.to)
		if from == to {
			continue
		}
		on := ""
		if l := label(a.words, nodeRunes/2); l != "" {
			on = "|\"" + l + "\"|"
		}
		d.Code += fmt.Sprintf("    %s -->%s %s\n", from, on, to)
		d.Refs = addRef(d.Refs, a.ref)
	}
	return []research.Diagram{d}
}

var speech = regexp.MustCompile(`“[^“”\n]{30,400}”|"[^"\n]{30,400}"|「[^「」\n]{10,200}」`)

// pullQuotes takes direct speech out of the cited passages, letter by letter: what a finding already prints is not said twice.
func (p *printer) pullQuotes(most int) {
	n := 0
	for i := range p.d.Sections {
		s := &p.d.Sections[i]
		for _, f := range s.Findings {
			for _, id := range f.Citations {
				if n >= most || len(s.Quotes) > 0 {
					break
				}
				ps := p.view.Passages[id]
				said := speech.FindString(ps.Text)
				words := len(strings.Fields(said))
				if said == "" || strings.Contains(f.Text, said) || words > quoteMost || words < quoteLeast && p.d.Lang != "zh" {
					continue
				}
				s.Quotes = append(s.Quotes, research.Quote{Text: said, Passage: id, Ref: p.index[ps.Source]})
				n++
			}
		}
	}
}

// required says whether the printed findings rest on what a template asks for.
func (p *printer) required(name string, cs []saidClaim) research.TemplateRow {
	row := research.TemplateRow{Name: name, Title: intent.RequirementTitle(name, p.d.Lang), State: "missing"}
	voices := map[string]bool{}
	for _, c := range cs {
		s := p.d.Sources[p.index[c.Source]]
		voices[s.Voice] = true
		ok := false
		switch name {
		case "date":
			ok = len(c.Dates) > 0
		case "figure":
			ok = slices.ContainsFunc(c.Quantities, func(q research.Quantity) bool {
				return q.Kind != research.Year && q.Kind != research.Ordinal && q.Kind != research.Version
			})
		case "primary":
			ok = s.Tier == 1
		case "academic", "government":
			ok = string(s.OriginType) == name
		case "opposing":
			ok = s.Adversarial
		case "name":
			ok = len(c.Names) > 0
		case "two_voices":
			ok = len(voices) > 1
		}
		if ok && !slices.Contains(row.Findings, c.finding) {
			row.State, row.Findings = "covered", append(row.Findings, c.finding)
		}
	}
	return row
}
