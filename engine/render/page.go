package render

import (
	"encoding/json"
	"html/template"
	"net"
	"net/netip"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"assay/engine/research"
)

// page is what the template sees: a digest with everything that takes a decision decided.
type page struct {
	D     research.Digest
	V     vocabulary
	CSS   template.CSS
	Cards []card
	refs  map[string]int  // source id -> printed number
	shown map[string]bool // findings printed so far, by id
	byID  map[string]research.DigestFinding
}

// newPage returns the view of d. The lists of d are cut to maxList.
func newPage(d research.Digest) (*page, error) {
	p := &page{D: d, V: wordsFor(d.Lang), CSS: template.CSS(pageCSS), refs: map[string]int{}, shown: map[string]bool{}}
	for i, s := range d.Sources {
		if _, ok := p.refs[s.ID]; !ok {
			p.refs[s.ID] = i + 1
		}
	}
	p.Cards = p.cards()
	return p, nil
}

// W is the word for key.
func (p *page) W(key string) string { return p.V.say(key) }

// F is the sentence for key with its places filled.
func (p *page) F(key string, pairs ...string) string { return p.V.fill(key, pairs...) }

// Line is a bounded single line of the digest's text.
func (p *page) Line(s string) string { return line(s, maxTitle) }

// Text is a bounded field of the digest's text.
func (p *page) Text(s string) string { return clip(s, maxText) }

// Prose is a field of the digest that may hold paragraphs.
func (p *page) Prose(s string) template.HTML { return prose(s, p.citeHTML) }

// Inline is a field of the digest that stands on one line.
func (p *page) Inline(s string) template.HTML { return inlineProse(s, p.citeHTML) }

// Host is a host of the outbox; one that is this computer itself, such as a model server on loopback, is said to be.
func (p *page) Host(h string) string {
	h = line(h, maxTitle)
	name := h
	if host, _, err := net.SplitHostPort(h); err == nil {
		name = host
	}
	ip, err := netip.ParseAddr(name)
	if name == "localhost" || err == nil && ip.IsLoopback() {
		return h + " (" + p.W("here") + ")"
	}
	return h
}

// Int is n for a place of a sentence.
func (p *page) Int(n int) string { return strconv.Itoa(n) }

// Dec is r with two decimals, a dash when it was not computed.
func (p *page) Dec(r research.Ratio) string { return decimal(r, 2) }

// decimal is r with digits decimals, a dash when it was not computed. A ratio with a huge numerator is not worth its
// printing.
func decimal(r research.Ratio, digits int) string {
	if len(r) > 200 || !r.Known() {
		return "–"
	}
	return r.Decimal(digits)
}

// Title is the headline: the digest's title, or the question.
func (p *page) Title() string {
	if t := line(p.D.Title, maxTitle); t != "" {
		return t
	}
	return line(p.D.Topic, maxTitle)
}

// Date is the digest's date in the words of its language; what is not a date is shown as it stands.
func (p *page) Date() string {
	t, err := time.Parse("2006-01-02", p.D.Date)
	switch {
	case err != nil:
		return line(p.D.Date, 40)
	case p.V["lang"] == "en":
		return t.Format("Monday 2 January 2006")
	default:
		return t.Format("2006年1月2日") + " 星期" + []string{"日", "一", "二", "三", "四", "五", "六"}[t.Weekday()]
	}
}

// Edition is a short mark of the digest's content: two pages with the same one say the same.
func (p *page) Edition() string {
	b, err := json.Marshal(p.D)
	if err != nil {
		return ""
	}
	h := research.SHA256(string(b))
	return h[:4] + " " + h[4:8]
}

// Shape is the word for the form of the argument.
func (p *page) Shape() string {
	switch p.D.Shape {
	case research.ShapeDebate:
		return p.W("debate_shape")
	case research.ShapeSurvey:
		return p.W("survey")
	case research.ShapeFact:
		return p.W("fact")
	}
	return p.W("auto")
}

// Writer says who wrote the page.
func (p *page) Writer() string {
	m := p.D.Model
	switch {
	case m.Channel == "" || m.Channel == "extractive":
		return p.W("by_none")
	case m.Salvaged:
		return p.W("salvaged")
	}
	return p.F("by_model", "x", line(m.Name, maxTitle))
}

// stat is one figure of the stats bar.
type stat struct {
	Value, Label string
	Short        bool // under its floor
}

// Stats is the stats bar. A floor that was missed shows as "11 of 15".
func (p *page) Stats() []stat {
	s := p.D.SourceStats
	of := func(have, floor int, label string) stat {
		if have < floor {
			return stat{p.F("of", "n", strconv.Itoa(have), "m", strconv.Itoa(floor)), p.W(label), true}
		}
		return stat{strconv.Itoa(have), p.W(label), false}
	}
	return []stat{
		{strconv.Itoa(s.Verified), p.W("sources"), false},
		of(s.Independent, s.Floor.Voices, "independent"),
		of(s.OriginTypes, s.Floor.OriginTypes, "origins"),
		of(s.Adversarial, s.Floor.Adversarial, "adversarial"),
		{decimal(p.D.Metrics.Completeness, 2), p.W("coverage_s"), false},
		{strconv.Itoa(s.Rejected), p.W("rejected_s"), false},
	}
}

// note is a call-out as it is shown.
type note struct {
	Class, Icon, Level, Label, Text string
}

// Notes are the shortfalls first, then the digest's call-outs.
func (p *page) Notes() []note {
	var out []note
	for _, s := range head(p.D.SourceStats.Shortfall) {
		out = append(out, note{"unc", "warn", p.W("warn"), lead(p.W("shortfall")), clip(s, maxText)})
	}
	if p.D.SourceStats.ClosedLibrary {
		out = append(out, note{"acc", "info", p.W("info"), lead(p.W("closed")), p.W("closed_t")})
	}
	return append(out, p.Callouts(p.D.Callouts)...)
}

// lead ends a label that runs into its text: with a full stop and a space, or a Chinese colon. Empty stays empty.
func lead(label string) string {
	switch {
	case label == "":
		return ""
	case strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
		return label + "："
	}
	return label + ". "
}

// Callouts are call-outs with their mark; an unknown level is shown as a note.
func (p *page) Callouts(cs []research.Callout) []note {
	var out []note
	for _, c := range head(cs) {
		text := c.Text
		// The call-out on the model ends in the sentence of the record that says why it was this one.
		if said, ok := strings.CutSuffix(text, p.D.Model.Why); ok && p.D.Model.Why != "" {
			text = said + p.Phrase(p.D.Model.Why)
		}
		n := note{"acc", "info", p.W("info"), lead(line(c.Label, maxTitle)), clip(text, maxText)}
		switch c.Level {
		case "warn":
			n.Class, n.Icon, n.Level = "unc", "warn", p.W("warn")
		case "error":
			n.Class, n.Icon, n.Level = "rej", "no", p.W("error")
		case "ok":
			n.Class, n.Icon, n.Level = "ok", "ok", p.W("ok")
		}
		out = append(out, n)
	}
	return out
}

// mark is a judgement as shape, colour and word; never by colour alone.
type mark struct{ Class, Icon, Word string }

// bandMark is the mark of a claim or finding. A single source's report is a neutral open ring: the attribution is certain
// and its truth is not claimed, so it is no doubt.
func (p *page) bandMark(b research.Band, l research.Label) mark {
	switch {
	case l == research.LabelSingle:
		return mark{"att", "ring", p.W("single")}
	case l == research.LabelContested:
		return mark{"con", "con", p.W("contested")}
	case l == research.LabelUnconfirmed:
		return mark{"unc", "half", p.W("unconfirmed")}
	}
	m := mark{"none", "ring", p.W("none")}
	switch b {
	case research.Accept:
		m = mark{"ok", "ok", p.W("accept")}
	case research.Verify:
		m = mark{"unc", "half", p.W("verify")}
	case research.Reject:
		m = mark{"rej", "no", p.W("reject")}
	}
	if l == research.LabelDerived {
		m.Word += p.W("sep") + p.W("derived")
	}
	return m
}

// stateMark is the mark of a hypothesis' status or a requirement's state.
func (p *page) stateMark(s string) mark {
	switch s {
	case string(research.Confirmed), "covered":
		return mark{"ok", "ok", p.W(s)}
	case string(research.Partial):
		return mark{"unc", "half", p.W(s)}
	case string(research.Refuted), "missing":
		return mark{"rej", "no", p.W(s)}
	}
	return mark{"none", "ring", p.W(s)}
}

// hypothesisView is one hypothesis as it is shown.
type hypothesisView struct {
	ID, Statement, Confidence string
	Mark                      mark
	For, Against              string
}

// Hypotheses are the candidate answers and what became of them.
func (p *page) Hypotheses() []hypothesisView {
	var out []hypothesisView
	for _, h := range head(p.D.Hypotheses) {
		out = append(out, hypothesisView{
			ID: strings.ToUpper(line(h.ID, 8)), Statement: clip(h.Statement, maxText), Confidence: decimal(h.Confidence, 2),
			Mark: p.stateMark(string(h.Status)),
			For:  p.F("h_for", "n", strconv.Itoa(len(h.For))), Against: p.F("h_against", "n", strconv.Itoa(len(h.Against))),
		})
	}
	return out
}

// cite is one [n].
type cite struct {
	N       int
	Label   string // accessible name
	Passage string // id of the passage it carries; may be empty
	Tip     string // that passage
}

// Cites are the citations of a finding: each of its sources once, with the first cited passage of that source.
func (p *page) Cites(f research.DigestFinding) []cite {
	var out []cite
	for _, ref := range head(f.Refs) {
		c, ok := p.cite(ref + 1)
		if !ok {
			continue
		}
		for _, id := range head(f.Citations) {
			if ps, ok := p.D.Passages[id]; ok && p.refs[ps.Source] == ref+1 {
				c.Passage, c.Tip = line(id, 64), line(ps.Text, maxTip)
				break
			}
		}
		out = append(out, c)
	}
	return out
}

// cite is the citation of source number n, ok false when there is no such source.
func (p *page) cite(n int) (cite, bool) {
	if n < 1 || n > len(p.D.Sources) {
		return cite{}, false
	}
	return cite{N: n, Label: p.F("src_at", "n", strconv.Itoa(n)), Tip: line(p.D.Sources[n-1].Title, maxTip)}, true
}

// Refs are bare citations by 0-based source index.
func (p *page) Refs(refs []int) []cite {
	var out []cite
	for _, r := range head(refs) {
		if c, ok := p.cite(r + 1); ok {
			out = append(out, c)
		}
	}
	return out
}

// citeHTML is the [n] of a running text; empty when n is no source.
func (p *page) citeHTML(n int) template.HTML {
	c, ok := p.cite(n)
	if !ok {
		return ""
	}
	k := strconv.Itoa(n)
	return template.HTML(`<sup class="cites"><a class="cite" href="#s` + k + `" aria-label="` + template.HTMLEscapeString(c.Label) + `">` + k + `</a></sup>`)
}

// quoteView is a pull quote: the words of a passage, letter by letter.
type quoteView struct {
	Text, Source, Lang string
	Cites              []cite
}

// Quotes are the pull quotes of a section.
func (p *page) Quotes(s research.Section) []quoteView {
	var out []quoteView
	for _, q := range head(s.Quotes) {
		v := quoteView{Text: clip(q.Text, maxText), Cites: p.Refs([]int{q.Ref}), Lang: textLang(q.Text, p.D.Lang)}
		if q.Ref >= 0 && q.Ref < len(p.D.Sources) {
			v.Source = line(p.D.Sources[q.Ref].Title, maxTitle)
		}
		for i := range v.Cites {
			v.Cites[i].Passage = line(q.Passage, 64)
		}
		out = append(out, v)
	}
	return out
}

// Image is the picture as a data URL; empty when it must be left out.
func (p *page) Image(i research.Image) template.URL { return imageData(i.URL) }

// perspective says from where a side of a contested question speaks: the kind of its publisher, and what its claim was flagged for.
func (p *page) perspective(s research.DigestSource, c research.Claim) string {
	var words []string
	for _, w := range append([]string{string(s.OriginType)}, head(c.Bias)...) {
		if w != "" {
			words = append(words, p.W(w))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return p.F("perspective", "x", strings.Join(words, ", "))
}

// coverageView is one requirement.
type coverageView struct {
	Part, Requirement string
	Claims            int
	Mark              mark
}

// CoverageRows are the requirements in the digest's order.
func (p *page) CoverageRows() []coverageView {
	var out []coverageView
	for _, r := range head(p.D.Coverage) {
		part := r.Facet
		if part == "" {
			part = r.Hypothesis
		}
		out = append(out, coverageView{strings.ToUpper(line(part, 12)), clip(r.Requirement, maxText), len(r.Claims), p.stateMark(r.State)})
	}
	return out
}

// CoverageLine counts the requirements by state.
func (p *page) CoverageLine() string {
	n := map[string]int{}
	for _, r := range p.D.Coverage {
		n[r.State]++
	}
	return p.F("coverage_x", "n", strconv.Itoa(n["covered"]), "m", strconv.Itoa(n["partial"]), "x", strconv.Itoa(n["missing"]))
}

// Timeline is the dated claims by date; entries of one date keep their order.
func (p *page) Timeline() []research.TimelineEntry {
	out := append([]research.TimelineEntry(nil), head(p.D.Timeline)...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Date < out[j].Date })
	return out
}

// relation is an edge of the knowledge graph in words.
type relation struct {
	From, Relation, To string
	Cites              []cite
}

// Relations are the edges of the knowledge graph with the sources of the claims that carry them.
func (p *page) Relations() []relation {
	name := map[string]string{}
	for _, n := range p.D.Graph.Nodes {
		name[n.ID] = n.Name
	}
	var out []relation
	for _, e := range head(p.D.Graph.Edges) {
		r := relation{From: line(name[e.From], maxTitle), Relation: line(e.Relation, maxTitle), To: line(name[e.To], maxTitle)}
		seen := map[int]bool{}
		for _, id := range head(e.Claims) {
			if n, ok := p.refs[p.D.Claims[id].Source]; ok && !seen[n] {
				seen[n] = true
				r.Cites = append(r.Cites, p.Refs([]int{n - 1})...)
			}
		}
		out = append(out, r)
	}
	return out
}

// answered is who answered model calls.
type answered struct {
	By    string
	Calls int
}

// Answered lists who answered model calls, by name.
func (p *page) Answered() []answered {
	var out []answered
	for by, n := range p.D.Model.Answered {
		out = append(out, answered{line(by, maxTitle), n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].By < out[j].By })
	return head(out)
}

// head returns the first maxList entries of list.
func head[T any](list []T) []T {
	if len(list) > maxList {
		return list[:maxList]
	}
	return list
}
