package render

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
)

// Markdown returns the digest as Markdown in the order of the page. A citation is a link "[n](#s-n)" to the list of
// references at the end. Text of the digest is escaped, so that no markup of a source takes effect.
func Markdown(d research.Digest) ([]byte, error) {
	p, err := newPage(d)
	if err != nil {
		return nil, fmt.Errorf("render Markdown: %w", err)
	}
	m := &markdown{p: p}
	m.front()
	for _, s := range head(d.Sections) {
		m.section(s)
	}
	m.debate()
	m.disagreements()
	m.back()
	m.references()
	m.colophon()
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n"), nil
}

// markdown is a page being written as Markdown.
type markdown struct {
	p *page
	b strings.Builder
}

// para writes one paragraph, nothing when s is empty.
func (m *markdown) para(s string) {
	if s = strings.TrimSpace(s); s != "" {
		m.b.WriteString(s + "\n\n")
	}
}

func (m *markdown) heading(level int, s string) {
	m.para(strings.Repeat("#", level) + " " + mdLine(s))
}

// list writes items as one list.
func (m *markdown) list(items []string) {
	for _, i := range items {
		m.b.WriteString("- " + i + "\n")
	}
	if len(items) > 0 {
		m.b.WriteString("\n")
	}
}

func (m *markdown) front() {
	p := m.p
	m.para("*Assay* · " + mdLine(p.Date()) + " · " + p.W("edition") + " " + p.Edition() + " · " + mdLine(p.Shape()) + " · " + mdLine(p.Writer()))
	m.heading(1, p.Title())
	m.para(mdLine(p.D.Subtitle))
	var stats []string
	for _, s := range p.Stats() {
		stats = append(stats, "**"+s.Value+"** "+s.Label)
	}
	m.para(strings.Join(stats, " · "))
	m.heading(2, p.W("summary"))
	m.prose(p.D.Summary)
	m.heading(2, p.W("verdict"))
	if v := m.text(p.D.Verdict); v != "" {
		m.para("**" + v + "**")
	} else {
		m.para(p.W("no_verdict"))
	}
	m.notes(p.Notes())
	if hs := p.Hypotheses(); len(hs) > 0 {
		m.heading(2, p.W("hypotheses"))
		var items []string
		for _, h := range hs {
			items = append(items, fmt.Sprintf("**%s** %s (%s, %s; %s, %s)", mdLine(h.ID), mdLine(h.Statement), mdLine(h.Mark.Word), h.Confidence, h.For, h.Against))
		}
		m.list(items)
	}
}

func (m *markdown) notes(ns []note) {
	for _, n := range ns {
		label := n.Label
		if label == "" {
			label = lead(n.Level)
		}
		m.para("> **" + mdLine(label) + "** " + mdLine(n.Text))
	}
}

func (m *markdown) section(s research.Section) {
	p := m.p
	m.heading(2, line(s.Title, maxTitle))
	m.prose(s.Body)
	m.notes(p.Callouts(s.Callouts))
	for _, q := range p.Quotes(s) {
		m.para("> “" + mdLine(q.Text) + "” " + mdLine(q.Source) + mdCites(q.Cites))
	}
	m.findings(s.Findings)
	for _, t := range head(s.Tables) {
		m.table(t)
	}
	for _, d := range head(s.Diagrams) {
		fence := "```"
		for strings.Contains(d.Code, fence) {
			fence += "`"
		}
		m.para(fence + "mermaid\n" + clip(d.Code, maxText) + "\n" + fence)
		m.para("*" + mdLine(d.Caption) + "*" + mdCites(p.Refs(d.Refs)))
	}
	for _, i := range head(s.Images) {
		m.para("*" + mdLine(i.Caption) + "*")
	}
}

// findings writes each finding with its mark, its confidence and, indented, the claims it rests on.
func (m *markdown) findings(fs []research.DigestFinding) {
	for _, f := range m.p.Findings(fs) {
		m.b.WriteString("- " + m.text(f.Text) + mdCites(f.Cites) + " *(" + mdLine(f.Name) + ")*\n")
		if f.Arith == nil {
			continue
		}
		for _, c := range f.Arith.Claims {
			m.b.WriteString(fmt.Sprintf("  - %s: %s %s/%s; %s; %s\n", c.Label, mdLine(c.Text), c.K, c.N, c.Formula, mdLine(c.Mark.Word)))
		}
		for _, d := range f.Arith.Derived {
			how := d.How
			if how == "" {
				how = d.Text
			}
			m.b.WriteString(fmt.Sprintf("  - %s: %s (%s, r %s) %s; %s; %s; %s\n", d.Label, mdLine(d.Rule), mdLine(d.From), d.R, mdLine(how), d.Confidence, d.Product, d.LowBound))
		}
	}
	if len(fs) > 0 {
		m.b.WriteString("\n")
	}
}

func (m *markdown) table(t research.Table) {
	if len(t.Headers) == 0 {
		return
	}
	row := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var cells, rule []string
	for _, h := range head(t.Headers) {
		cells, rule = append(cells, mdLine(h)), append(rule, "---")
	}
	m.para(mdLine(t.Caption))
	m.b.WriteString(row(cells) + row(rule))
	for _, r := range head(t.Rows) {
		cells = cells[:0]
		for _, c := range head(r) {
			cells = append(cells, mdLine(c.Text)+mdCites(m.p.Refs(c.Refs)))
		}
		m.b.WriteString(row(cells))
	}
	m.b.WriteString("\n")
}

func (m *markdown) debate() {
	p, d := m.p, m.p.D
	switch {
	case d.Steelman != "" || d.Counter != "":
		m.heading(2, p.W("debate"))
		m.heading(3, p.W("steelman"))
		m.prose(d.Steelman)
		m.heading(3, p.W("counter"))
		m.prose(d.Counter)
	case d.Debate != nil:
		m.heading(2, p.W("debate"))
		m.prose(d.Debate.Note)
		if len(d.Debate.For)+len(d.Debate.Against) == 0 {
			return
		}
		for _, s := range []struct {
			key string
			fs  []research.DigestFinding
		}{{"for", d.Debate.For}, {"against", d.Debate.Against}} {
			m.heading(3, p.W(s.key))
			if len(s.fs) == 0 {
				m.para(p.W("side_empty"))
			}
			m.findings(s.fs)
		}
	}
}

func (m *markdown) disagreements() {
	ds := m.p.Disagreements()
	if len(ds) == 0 {
		return
	}
	m.heading(2, m.p.W("disagree"))
	for _, d := range ds {
		m.para("**" + mdLine(d.Kind) + "**: " + mdLine(d.Reason) + " *" + mdLine(d.Resolution) + "*")
		var items []string
		for _, s := range d.Sides {
			var tail []string
			for _, x := range []string{mdLine(s.State), mdLine(s.Voices), mdLine(s.Source) + mdCites(s.Cites)} {
				if x != "" {
					tail = append(tail, x)
				}
			}
			items = append(items, "“"+mdLine(s.Text)+"” "+strings.Join(tail, m.p.W("sep")))
		}
		m.list(items)
	}
}

func (m *markdown) back() {
	p, d := m.p, m.p.D
	if tl := p.Timeline(); len(tl) > 0 {
		m.heading(2, p.W("timeline"))
		var items []string
		for _, e := range tl {
			items = append(items, "**"+mdLine(e.Date)+"** "+mdLine(e.Text)+mdCites(p.Refs(e.Refs)))
		}
		m.list(items)
	}
	m.heading(2, p.W("coverage"))
	m.para(mdLine(p.CoverageLine()))
	var items []string
	for _, r := range p.CoverageRows() {
		items = append(items, strings.TrimSpace(mdLine(r.Part)+" "+mdLine(r.Requirement))+m.p.W("colon")+mdLine(r.Mark.Word))
	}
	m.list(items)
	m.heading(2, p.W("gaps"))
	items = nil
	for _, g := range head(d.Gaps) {
		items = append(items, "**"+mdLine(g.Name)+"** ("+mdLine(p.W(g.Importance))+p.W("sep")+mdLine(p.W(g.Kind))+") "+mdLine(g.Reason))
	}
	m.list(items)
	if len(items) == 0 {
		m.para(p.W("no_gaps"))
	}
	m.earlier()
	m.levels()
	m.heading(2, p.W("issues"))
	m.para(p.F("rejected_t", "n", p.Int(d.SourceStats.Rejected)))
	items = nil
	f := p.FoldedIssues()
	m.para(mdLine(f.Reasons))
	for _, i := range f.Shown {
		items = append(items, "**"+mdLine(i.Text)+"** "+mdLine(i.Source)+" ("+mdLine(i.Kind)+") "+mdLine(i.Reason))
	}
	if f.More != "" {
		items = append(items, mdLine(f.More))
	}
	m.list(items)
}

// earlier lists what earlier runs say.
func (m *markdown) earlier() {
	es := m.p.Earlier()
	if len(es) == 0 && m.p.EarlierWithheld() == "" {
		return
	}
	m.heading(2, m.p.W("earlier"))
	m.para(mdLine(m.p.W("earlier_t")))
	var items []string
	for _, e := range es {
		items = append(items, mdLine(e.Text)+"  \n  "+mdLine(e.Where))
	}
	m.list(items)
	m.para(mdLine(m.p.EarlierWithheld()))
}

func (m *markdown) levels() {
	p := m.p
	if p.HasLevels() {
		m.heading(2, p.W("levels"))
		m.para(mdLine(p.D.Levels.Note))
	}
	if fs := p.Facts(); len(fs) > 0 {
		m.heading(3, p.W("facts"))
		fmt.Fprintf(&m.b, "| %s | %s | %s |\n| --- | --- | --- |\n", p.W("subject"), p.W("action"), p.W("object"))
		for _, f := range fs {
			fmt.Fprintf(&m.b, "| %s | %s | %s%s |\n", mdLine(f.Subject), mdLine(f.Action), mdLine(f.Object), mdCites(p.CitesOf(f.Findings)))
		}
		m.b.WriteString("\n")
	}
	for _, l := range p.Levels() {
		m.heading(3, p.W(l.Key))
		for i, x := range l.Lines {
			mark := "-"
			if l.Key == "impact" { // a chain has an order
				mark = fmt.Sprintf("%d.", i+1)
			}
			m.b.WriteString(mark + " " + m.text(x.Text) + mdCites(p.CitesOf(x.Findings)) + "\n")
		}
		m.b.WriteString("\n")
	}
	if len(p.D.Metaphors) > 0 {
		m.heading(2, p.W("metaphors"))
		for _, x := range head(p.D.Metaphors) {
			m.prose(x)
		}
	}
}

// references is the list that every [n] leads to.
func (m *markdown) references() {
	p := m.p
	m.heading(2, p.W("references"))
	if len(p.Cards) == 0 {
		m.para(p.W("no_sources"))
	}
	for _, c := range p.Cards {
		where := "`" + strings.ReplaceAll(c.Location, "`", "'") + "`"
		if c.Link != "" {
			where = "<" + mdAddress.Replace(c.Link) + ">"
		}
		meta := []string{mdLine(c.Author), mdLine(c.Published), where}
		if c.Pages != "" {
			meta = append(meta, mdLine(c.Pages))
		}
		meta = append(meta, mdLine(c.Mark.Word), mdLine(c.Origin), mdLine(c.Quality))
		m.para(fmt.Sprintf(`<a id="s-%d"></a>[%d] **%s** %s`, c.N, c.N, mdLine(c.Title), strings.Join(meta, " · ")))
		for _, q := range c.Quoted {
			m.para("> “" + mdLine(q.Text) + "” " + mdLine(q.Where))
		}
	}
}

func (m *markdown) colophon() {
	p, d := m.p, m.p.D
	if len(d.FutureWork) > 0 {
		m.heading(2, p.W("future_work"))
		var items []string
		for _, x := range head(d.FutureWork) {
			items = append(items, m.text(x))
		}
		m.list(items)
	}
	m.heading(2, p.W("made"))
	items := []string{p.W("question") + p.W("colon") + mdLine(d.Topic), p.W("model") + p.W("colon") + mdLine(p.Writer())}
	if d.Model.Why != "" {
		items = append(items, p.W("why_model")+p.W("colon")+mdLine(p.Phrase(d.Model.Why)))
	}
	if len(d.Outbox) == 0 {
		items = append(items, p.W("outbox")+p.W("colon")+p.W("outbox_none"))
	}
	for _, o := range head(d.Outbox) {
		items = append(items, fmt.Sprintf("%s%s%s, %s, %d", p.W("outbox"), p.W("colon"), mdLine(p.Host(o.Host)), mdLine(o.Kind), o.Requests))
	}
	if l := p.TemplateLine(); l != "" {
		items = append(items, p.W("template")+p.W("colon")+mdLine(l))
	}
	if l := p.ReferencesLine(); l != "" {
		items = append(items, p.W("works")+p.W("colon")+mdLine(l))
	}
	x := d.Metrics
	for _, f := range []struct {
		key string
		r   research.Ratio
	}{{"m_complete", x.Completeness}, {"m_accuracy", x.Accuracy}, {"m_trace", x.Traceability}, {"m_objective", x.Objective}} {
		items = append(items, p.W(f.key)+p.W("colon")+decimal(f.r, 2))
	}
	m.list(items)
	if gs := p.Gates(); len(gs) > 0 {
		m.heading(3, p.W("checklist"))
		items = nil
		for _, g := range gs {
			items = append(items, strings.TrimSpace(mdLine(g.Title)+p.W("colon")+mdLine(g.Mark.Word)+p.W("gate_sep")+mdLine(g.Notes)))
			items[len(items)-1] = strings.TrimRight(items[len(items)-1], p.W("gate_sep"))
		}
		m.list(items)
	}
	m.para(p.W("foot") + " `assay audit run.json`")
}

// prose writes a field that may hold paragraphs and lists; its [n] become links.
func (m *markdown) prose(s string) {
	for _, block := range strings.Split(strings.ReplaceAll(clip(s, maxText), "\r\n", "\n"), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		if every(lines, isBullet) {
			var items []string
			for _, l := range lines {
				items = append(items, m.text(strings.TrimSpace(l)[2:]))
			}
			m.list(items)
			continue
		}
		if len(lines) > 1 && every(lines, isNumbered) { // each point on a line of its own, under the number that others call it by
			for _, l := range lines {
				n, rest, _ := strings.Cut(strings.TrimSpace(l), ". ")
				m.b.WriteString(n + ". " + m.text(rest) + "\n")
			}
			m.b.WriteString("\n")
			continue
		}
		m.para(m.text(strings.Join(lines, " ")))
	}
}

var citeKey = regexp.MustCompile(`\\\[([0-9]{1,4})\\\]`)

// text is one line of digest prose with its [n] as links.
func (m *markdown) text(s string) string {
	return citeKey.ReplaceAllStringFunc(mdLine(s), func(k string) string {
		var n int
		if _, err := fmt.Sscanf(k, `\[%d`, &n); err != nil {
			return k
		}
		if _, ok := m.p.cite(n); !ok {
			return k
		}
		return fmt.Sprintf("[[%d]](#s-%d)", n, n)
	})
}

// mdAddress writes what would end an address between angle brackets, or what no address holds, by its bytes.
var mdAddress = strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "`", "%60", `"`, "%22", "\\", "%5C")

// mdEscape escapes what Markdown would read as markup, and all HTML.
var mdEscape = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`)

// mdLine is s on one line, escaped.
func mdLine(s string) string {
	s = mdEscape.Replace(line(s, maxText))
	if s != "" && strings.ContainsRune("#+-=", rune(s[0])) {
		return `\` + s
	}
	return s
}

// mdCites is " [1] [2]" as links to the references.
func mdCites(cs []cite) string {
	var b strings.Builder
	for _, c := range cs {
		fmt.Fprintf(&b, " [[%d]](#s-%d)", c.N, c.N)
	}
	return b.String()
}
