package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/provenance"
	"assay/engine/research"
)

// byline signs every report.
const byline = "Assay"

// digest assembles the report's data from the accepted draft: sources are numbered in the order of first use, last of all.
func (w *desk) digest() (research.Digest, error) {
	u, x := w.in.Meaning, w.in.Result
	d := research.Digest{
		Schema: research.SchemaVersion, Lang: u.Lang, Shape: u.Shape, Title: u.Question, Topic: u.Question, Date: w.now.Format("2006-01-02"), Byline: byline,
		Understanding: u, Hypotheses: x.Hypotheses, Coverage: x.Coverage, Contradicts: x.Contradicts, Gaps: x.Gaps, Graph: x.Graph, Levels: w.said,
		Passages: map[string]research.Passage{}, Claims: map[string]research.Claim{}, Traces: map[string]research.Trace{},
	}
	d.SourceStats = provenance.Pool(w.view.Sources, u.Budget, w.closedLibrary(), u.Lang)
	p := &printer{desk: w, d: &d, index: map[string]int{}}
	p.sections()
	p.outline()
	if p.argued != nil {
		p.argument()
	} else {
		p.debate()
	}
	p.timeline()
	p.material()
	p.references()
	p.issues()
	if err := p.model(); err != nil {
		return d, err
	}
	d.Earlier = w.earlierShown(u)
	p.metrics()
	p.words()
	for id, f := range p.findings {
		d.Traces[id] = p.trace(f)
	}
	d = research.Filled(d)
	p.settle()
	d = research.Filled(d)
	err := p.checklist(&d)
	return d, err
}

// closedLibrary: nothing but documents of the person's own was asked.
func (w *desk) closedLibrary() bool {
	for _, s := range w.in.Known.Sources {
		if strings.Contains(s.Location, "://") {
			return false
		}
	}
	return w.Request.Egress != research.Web
}

// printer fills one digest.
type printer struct {
	*desk
	d        *research.Digest
	index    map[string]int // source id -> its place in d.Sources
	findings map[string]research.DigestFinding
	seen     []research.Event // of the record, those that the bank reads
}

// ref returns the key of a source, giving it the next one when it has none.
func (p *printer) ref(source string) int {
	if i, ok := p.index[source]; ok {
		return i
	}
	i := len(p.d.Sources)
	p.index[source] = i
	for _, s := range p.view.Sources {
		if s.ID != source {
			continue
		}
		p.d.Sources = append(p.d.Sources, research.DigestSource{
			ID: s.ID, Title: s.Title, URL: s.Location, Domain: s.Voice, OriginType: s.Origin, Tier: s.Tier, Angle: s.Angle, Adversarial: s.Adversarial,
			Verdict: s.Verdict, Note: s.Note, Author: s.Byline, Published: s.Published, Retrieved: s.Retrieved, Voice: s.Voice, SHA256: s.SHA256,
			Quality: s.Quality, MediaType: s.MediaType,
		})
	}
	return i
}

// sections prints the draft.
func (p *printer) sections() {
	p.findings = map[string]research.DigestFinding{}
	p.d.Sections = []research.Section{}
	for _, s := range p.view.Draft.Sections {
		sec := research.Section{ID: s.ID, Title: s.Title, Facets: s.Facets}
		for _, b := range s.Blocks {
			sec.Findings = append(sec.Findings, p.finding(b))
		}
		p.d.Sections = append(p.d.Sections, sec)
	}
}

// finding prints a block.
func (p *printer) finding(b research.Block) research.DigestFinding {
	f := research.DigestFinding{ID: b.ID, Text: b.Text, Citations: b.Citations, Claims: b.Claims, Confidence: b.Confidence, Band: b.Band, Label: b.Label, Trace: b.ID, Refs: []int{}}
	var cs []research.Claim
	for _, id := range b.Claims {
		cs = append(cs, p.view.Claims[id])
	}
	_, f.Lower, _, _ = evidence.FindingConfidence(cs)
	for _, c := range b.Citations {
		i := p.ref(p.view.Passages[c].Source)
		if !slices.Contains(f.Refs, i) {
			f.Refs = append(f.Refs, i)
		}
		if src := &p.d.Sources[i]; src.Snippet == "" {
			src.Snippet = p.view.Passages[c].Text
		}
	}
	p.findings[f.ID] = f
	return f
}

// debate is the one balanced section: of a survey what praises its subject beside what blames it, of a contested proposition for which no
// strong case can be made what speaks on either side. A side of which nothing was found makes no section of a survey, since one side is
// no debate; a question of fact has none, and where sources disagree on it that is told where disagreements are. See [desk.argue].
func (p *printer) debate() {
	zh := p.d.Lang == "zh"
	b := &research.Debate{Title: pickWord(zh, "The debate", "争论"), For: []research.DigestFinding{}, Against: []research.DigestFinding{}}
	switch {
	case p.d.Shape == research.ShapeFact:
		return
	case p.unargued != nil:
		b.For, b.Against = p.named(p.unargued.pro), p.named(p.unargued.con)
		switch n := len(p.unargued.pro); {
		case n+len(p.unargued.con) == 0:
			b.Note = pickWord(zh, "What was read takes no side on this proposition, so that no case is made for it or against it.", "所读内容对该命题未表明立场，故不作正反论证。")
		case n == 0:
			b.Note = pickWord(zh, "No case for the proposition can be made of what was read: nothing speaks for it.", "所读内容不足以构成支持该命题的论证：没有支持它的说法。")
		default:
			b.Note = fmt.Sprintf(pickWord(zh, "No strong case for the proposition can be made of what was read: %d finding speaks for it.", "所读内容不足以构成支持该命题的有力论证：只有 %d 条发现支持它。"), n)
		}
	default:
		pro, con := p.judged()
		switch {
		case len(pro) > 0 && len(con) > 0:
			b.For, b.Against = p.named(pro), p.named(con)
			b.Note = pickWord(zh, "What speaks well of the subject beside what speaks ill of it, as found.", "左侧为对主题的正面说法，右侧为负面说法，均按原文引用。")
		case len(pro) > 0:
			b.Note = fmt.Sprintf(pickWord(zh, "There is no debate to show: %s well of the subject, and nothing that was found speaks against it.", "没有可呈现的争论：%s对主题作正面评价，未发现相反的说法。"), speaking(zh, len(pro)))
		case len(con) > 0:
			b.Note = fmt.Sprintf(pickWord(zh, "There is no debate to show: %s ill of the subject, and nothing that was found speaks for it.", "没有可呈现的争论：%s对主题作负面评价，未发现相反的说法。"), speaking(zh, len(con)))
		default:
			b.Note = pickWord(zh, "There is no debate to show: no passage that was found judges the subject.", "没有可呈现的争论：所读内容未对主题作评价。")
		}
	}
	p.d.Debate = b
}

func speaking(zh bool, n int) string {
	switch {
	case zh:
		return fmt.Sprintf("%d 条发现", n)
	case n == 1:
		return "1 finding speaks"
	}
	return fmt.Sprintf("%d findings speak", n)
}

// judged are the printed findings that praise the subject of a survey and those that blame it, by their ids.
func (p *printer) judged() (pro, con []string) {
	subject := intent.Subject(p.in.Meaning)
	if p.d.Lang == "zh" && len(p.in.Meaning.Entities) == 0 {
		subject = p.in.Meaning.Question
	}
	worth := evidence.Worth(subject, p.d.Lang)
	if intent.ShapeOf(p.in.Meaning, research.ShapeAuto) == research.ShapeDebate {
		worth = propositionOf(p.in.Meaning) // the person wanted a survey of what people contest
	}
	for _, s := range p.d.Sections {
		for _, f := range s.Findings {
			if !inLanguage(f.Text, p.d.Lang) {
				continue
			}
			about := ""
			for _, id := range f.Citations {
				ps := p.view.Passages[id]
				about += ps.Heading + "\n" + p.d.Sources[p.index[ps.Source]].Title + "\n"
			}
			switch n, _ := worth.Side(f.Text, about); {
			case n > 0:
				pro = append(pro, f.ID)
			case n < 0:
				con = append(con, f.ID)
			}
		}
	}
	return pro, con
}

// named are the first printed findings of a side.
func (p *printer) named(ids []string) []research.DigestFinding {
	out := []research.DigestFinding{}
	for _, id := range ids {
		if f, ok := p.findings[id]; ok && len(out) < debated {
			out = append(out, f)
		}
	}
	return out
}

// debated is the most findings on one side of the debate.
const debated = 3

func pickWord(zh bool, en, cn string) string {
	if zh {
		return cn
	}
	return en
}

// timeline lists the dated claims that are printed, oldest first. What is told of one time by several is told once, by the one that gives
// the time most closely.
func (p *printer) timeline() {
	all := []research.TimelineEntry{}
	seen := map[string]bool{}
	for _, s := range p.d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				c := p.view.Claims[id]
				if seen[id] || c.Derivation != nil || len(c.Dates) == 0 {
					continue
				}
				seen[id] = true
				all = append(all, research.TimelineEntry{Date: c.Dates[0], Text: c.Text, Claim: id, Refs: []int{p.ref(c.Source)}})
			}
		}
	}
	// The closest date first, so that "2015-12-28" takes in "2015-12".
	sort.SliceStable(all, func(i, j int) bool { return len(all[i].Date) > len(all[j].Date) })
	p.d.Timeline = []research.TimelineEntry{}
	for _, e := range all {
		k := slices.IndexFunc(p.d.Timeline, func(t research.TimelineEntry) bool {
			return strings.HasPrefix(t.Date, e.Date) && sameEvent(t.Text, e.Text, p.d.Lang)
		})
		if k < 0 {
			p.d.Timeline = append(p.d.Timeline, e)
			continue
		}
		p.d.Timeline[k].Also = append(p.d.Timeline[k].Also, e.Claim)
		for _, r := range e.Refs {
			p.d.Timeline[k].Refs = addRef(p.d.Timeline[k].Refs, r)
		}
	}
	sort.SliceStable(p.d.Timeline, func(i, j int) bool { return p.d.Timeline[i].Date < p.d.Timeline[j].Date })
}

// material puts into the digest the claims that anything in it names, with their passages, and the sources of those.
func (p *printer) material() {
	var claim func(id string, depth int)
	passage := func(id string) {
		if ps, ok := p.view.Passages[id]; ok {
			p.d.Passages[id] = ps
			p.ref(ps.Source)
		}
	}
	claim = func(id string, depth int) {
		c, ok := p.view.Claims[id]
		if _, have := p.d.Claims[id]; !ok || have || depth > evidence.MaxDepth {
			return
		}
		p.d.Claims[id] = c
		if c.Passage != "" {
			passage(c.Passage)
		}
		for _, e := range c.Evidence {
			passage(e.Passage)
		}
		if c.Derivation != nil {
			for _, b := range c.Derivation.Basis {
				claim(b, depth+1)
			}
		}
	}
	for _, s := range p.d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				claim(id, 0)
			}
			for _, id := range f.Citations {
				passage(id)
			}
		}
	}
	for _, h := range p.d.Hypotheses {
		for _, id := range append(append([]string{}, h.For...), h.Against...) {
			claim(id, 0)
		}
	}
	for _, x := range p.d.Contradicts {
		claim(x.A, 0)
		claim(x.B, 0)
	}
	for _, r := range p.d.Coverage {
		for _, id := range r.Claims {
			claim(id, 0)
		}
	}
	for _, e := range p.d.Graph.Edges {
		for _, id := range e.Claims {
			claim(id, 0)
		}
	}
	for i := range p.d.Sources {
		p.d.Sources[i].Pages = p.pagesOf(p.d.Sources[i].ID)
	}
}

// pagesOf lists the pages of a paginated source that are cited.
func (p *printer) pagesOf(source string) string {
	seen := map[int]bool{}
	var pages []int
	for _, f := range p.findings {
		for _, id := range f.Citations {
			if ps := p.view.Passages[id]; ps.Source == source && ps.Page > 0 && !seen[ps.Page] {
				seen[ps.Page] = true
				pages = append(pages, ps.Page)
			}
		}
	}
	sort.Ints(pages)
	var out []string
	for _, n := range pages {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// issues lists every rejected source with the reason, what the bank took out, what was weak, and providers that could not
// look.
func (p *printer) issues() {
	p.d.Issues = []research.Issue{}
	for _, s := range p.view.Sources {
		if s.Verdict != research.Verified {
			p.d.Issues = append(p.d.Issues, research.Issue{Kind: "source", Text: s.Title, Reason: string(s.Verdict) + ": " + s.Note, Source: s.Location})
		}
	}
	for _, f := range p.in.Result.Findings {
		if f.Band == research.Reject {
			p.d.Issues = append(p.d.Issues, research.Issue{Kind: "claim", Text: f.Text, Reason: "confidence " + f.Confidence.Decimal(2) + " is in the reject band", Source: p.sourceOf(f)})
		}
	}
	p.d.Issues = append(p.d.Issues, p.view.Issues...)
	seen := map[string]bool{}
	for _, n := range p.in.Known.Notes {
		if !seen[n] {
			seen[n] = true
			p.d.Issues = append(p.d.Issues, research.Issue{Kind: "caveat", Text: pickWord(p.d.Lang == "zh", "A search has limits", "检索有所限制"), Reason: n})
		}
	}
	for _, f := range p.in.Known.Faults {
		if !seen[f] {
			seen[f] = true
			p.d.Issues = append(p.d.Issues, research.Issue{Kind: "caveat", Text: pickWord(p.d.Lang == "zh", "A provider could not look", "有一个检索来源无法使用"), Reason: f})
		}
	}
}

func (p *printer) sourceOf(f research.Finding) string {
	for _, id := range f.Claims {
		if s, ok := p.in.Known.source(p.view.Claims[id].Source); ok {
			return s.Location
		}
	}
	return ""
}

// model says who answered and what left the machine, from the record.
func (p *printer) model() error {
	m := research.ModelUse{Why: p.ModelWhy, Answered: map[string]int{}}
	lim := p.Model.Limits()
	m.Channel, m.Name, _ = strings.Cut(lim.Name, ":")
	m.NumCtx = lim.NumCtx
	left := map[research.OutboxSummary]int{}
	err := p.each(func(e research.Event) error {
		switch e.Kind {
		case research.EventModel:
			var a research.Answer
			if err := json.Unmarshal(e.Payload, &a); err != nil {
				return err
			}
			m.Answered[a.By]++
		case research.EventOutbox:
			var o research.Outbound
			if err := json.Unmarshal(e.Payload, &o); err != nil {
				return err
			}
			if !research.Loopback(o.Host) && !research.AfterReport(o.Kind) { // a service on this machine is none of the world's
				left[research.OutboxSummary{Host: o.Host, Kind: o.Kind}]++
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count answers and requests: %w", err)
	}
	for o, n := range left {
		o.Requests = n
		p.d.Outbox = append(p.d.Outbox, o)
	}
	sort.Slice(p.d.Outbox, func(i, j int) bool {
		a, b := p.d.Outbox[i], p.d.Outbox[j]
		return a.Host < b.Host || a.Host == b.Host && a.Kind < b.Kind
	})
	m.Salvaged = p.salvaged
	zh := p.d.Lang == "zh"
	switch {
	case m.Channel == extractiveName:
		m.Note = pickWord(zh, "No language model was used.", "未使用语言模型。")
	case p.salvaged:
		m.Note = pickWord(zh, "What the model wrote did not hold; this report was assembled from the sources' own words without it.", "模型所写内容未通过核查，本报告由来源原文拼成。")
	case p.replaced > 0:
		m.Note = fmt.Sprintf(pickWord(zh, "%d sentences of the model went beyond their passages and gave way to the sources' own words.", "模型有 %d 句超出原文，已改用来源原文。"), p.replaced)
	case m.Answered[extractiveName] > 0:
		m.Note = fmt.Sprintf(pickWord(zh, "%d calls were answered without the model, whose answers could not be used; the rest was held against the passages.", "模型的回答无法使用，%d 次调用未用模型完成；其余均与原文核对。"), m.Answered[extractiveName])
	default:
		m.Note = pickWord(zh, "Every sentence of the model was held against its passages.", "模型的每个句子均与原文核对。")
	}
	if p.told != nil {
		m = *p.told
	}
	p.d.Model = m
	return nil
}

// metrics are the figures of the report (CONTRACT section 3).
func (p *printer) metrics() {
	rests, accepted, words := map[string]bool{}, 0, 0
	for _, s := range p.d.Sections {
		for _, f := range s.Findings {
			words += len(strings.Fields(f.Text))
			for _, c := range f.Claims {
				rests[c] = true
			}
		}
	}
	for id := range rests {
		if evidence.ClaimBand(p.d.Claims[id]) == research.Accept {
			accepted++
		}
	}
	m := research.Metrics{
		Completeness: evidence.Coverage(p.d.Coverage), Accuracy: "0", Traceability: "0", Findings: len(p.findings), Claims: len(rests), Checks: p.raised, Words: words,
		Rounds: p.rounds(),
	}
	if len(rests) > 0 {
		m.Accuracy = research.NewRatio(int64(accepted), int64(len(rests)))
	}
	if len(p.findings) > 0 {
		// The bank takes out every block whose citations do not lead to a passage; what is printed passes.
		m.Traceability = "1"
	}
	m.Objective = m.Completeness.Add(m.Accuracy).Add(m.Traceability).Mul(research.NewRatio(1, 3))
	p.d.Metrics = m
}

// rounds counts the gap rounds that searched.
func (p *printer) rounds() int { return p.in.Round }

// trace is the confidence trace of a finding: every node before what rests on it (see package audit).
func (p *printer) trace(f research.DigestFinding) research.Trace {
	t := research.Trace{Schema: "trace/1"}
	seen := map[string]bool{}
	add := func(n research.TraceNode) {
		if !seen[n.ID] {
			seen[n.ID] = true
			t.Nodes = append(t.Nodes, n)
		}
	}
	source := func(id string) {
		for _, s := range p.view.Sources {
			if s.ID == id {
				add(research.TraceNode{ID: s.ID, Kind: "source", SHA256: s.SHA256, Location: s.Location, Publisher: s.Publisher, Published: s.Published})
			}
		}
	}
	passage := func(id string) {
		if ps, ok := p.view.Passages[id]; ok {
			source(ps.Source)
			add(research.TraceNode{ID: ps.ID, Kind: "passage", Source: ps.Source, Start: ps.Start, End: ps.End, SHA256: ps.SHA256, Text: ps.Text})
		}
	}
	var claim func(id string, depth int)
	claim = func(id string, depth int) {
		c, ok := p.view.Claims[id]
		if !ok || seen[id] || depth > evidence.MaxDepth {
			return
		}
		if dv := c.Derivation; dv != nil {
			for _, b := range dv.Basis {
				claim(b, depth+1)
			}
			add(research.TraceNode{ID: c.ID, Kind: "derived", Text: c.Text, Rule: dv.Rule, Basis: dv.Basis, Value: dv.Value, R: dv.R, Product: dv.Product, Lower: dv.Lower,
				Confidence: dv.Confidence, Band: evidence.ClaimBand(c), Label: research.LabelDerived})
			return
		}
		passage(c.Passage)
		for _, e := range c.Evidence {
			passage(e.Passage)
		}
		source(c.Source)
		n := research.TraceNode{ID: c.ID, Kind: "claim", Text: c.Text, Source: c.Source, Votes: c.Evidence, Quantities: c.Quantities}
		if s := c.Support; s != nil {
			for _, k := range s.Clusters {
				for _, m := range k.Sources {
					source(m)
				}
				add(research.TraceNode{ID: k.ID, Kind: "cluster", Claim: c.ID, Sources: k.Sources, Edges: k.Edges, Stance: k.Stance})
			}
			n.K, n.N, n.Raw, n.Confidence, n.Band, n.Label = s.K, s.N, s.Raw, s.Confidence, s.Band, s.Label
			if s.Map != "" {
				t.Calibration = s.Map
			}
		}
		add(n)
	}
	for _, id := range f.Claims {
		claim(id, 0)
	}
	for _, id := range f.Citations {
		passage(id)
	}
	add(research.TraceNode{ID: f.ID, Kind: "finding", Text: f.Text, Claims: f.Claims, Refs: f.Refs, Confidence: f.Confidence, Lower: f.Lower, Band: f.Band, Label: f.Label})
	return t
}
