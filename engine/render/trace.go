package render

import (
	"strconv"

	"assay/engine/research"
)

// arithmetic is how one finding's confidence comes about, in the order a reader would redo it.
type arithmetic struct {
	Claims      []claimRow
	Derived     []derivedRow
	Total       string // the closing sentence
	Attribution bool   // reported by one source
	Calibrated  string // heading of the confidence column when a calibration map is in force
}

// claimRow is one claim with its votes.
type claimRow struct {
	Label, Text        string
	K, N, Raw, Formula string
	Mark               mark
	Votes              []vote
	Left               string // how many more votes there are than are shown
}

// vote is one passage with its stance.
type vote struct {
	Mark                mark
	Cites               []cite
	Source, Where, Text string
	Reason, Voice, Lang string
}

// derivedRow is a claim that follows from others.
type derivedRow struct {
	Label, Text, Rule, From, How     string
	R, Confidence, Product, LowBound string
	Mark                             mark
}

// maxVotes bounds the passages shown under one claim.
const maxVotes = 12

// Arithmetic builds the trace of a finding for the page, from the digest's trace where it has one and from the finding's
// claims where it has not. It is nil when there is neither.
func (p *page) Arithmetic(f research.DigestFinding) *arithmetic {
	t, hasTrace := p.D.Traces[f.Trace]
	if !hasTrace {
		t, hasTrace = p.D.Traces[f.ID]
	}
	if !hasTrace || len(t.Nodes) == 0 {
		t = p.traceFromClaims(f)
	}
	a := &arithmetic{Attribution: f.Label == research.LabelSingle}
	if t.Calibration != "" {
		a.Calibrated = p.F("calibrated", "x", line(t.Calibration, 12))
	}
	label := map[string]string{}
	passages := map[string]research.TraceNode{}
	sources := map[string]research.TraceNode{}
	for _, n := range head(t.Nodes) {
		switch n.Kind {
		case "source":
			sources[n.ID] = n
		case "passage":
			passages[n.ID] = n
		case "claim":
			label[n.ID] = "C" + strconv.Itoa(len(a.Claims)+1)
			a.Claims = append(a.Claims, p.claimRow(label[n.ID], n, passages, sources, t.Calibration != ""))
		case "derived":
			label[n.ID] = "D" + strconv.Itoa(len(a.Derived)+1)
			a.Derived = append(a.Derived, p.derivedRow(label[n.ID], n, label))
		}
	}
	if len(a.Claims) == 0 && len(a.Derived) == 0 {
		return nil
	}
	key := "f_total"
	if len(a.Claims)+len(a.Derived) == 1 {
		key = "f_total1"
	}
	a.Total = p.F(key, "x", decimal(f.Confidence, 3), "n", decimal(f.Lower, 3))
	return a
}

func (p *page) claimRow(label string, n research.TraceNode, passages, sources map[string]research.TraceNode, calibrated bool) claimRow {
	c := p.D.Claims[n.ID]
	text := n.Text
	if text == "" {
		text = c.Text
	}
	row := claimRow{
		Label: label, Text: clip(text, maxText), K: strconv.Itoa(n.K), N: strconv.Itoa(n.N), Raw: decimal(n.Raw, 3),
		Mark: p.bandMark(n.Band, n.Label),
	}
	row.Formula = "(" + row.K + "+1)/(" + row.N + "+2) = " + decimal(n.Confidence, 3)
	if calibrated {
		row.Formula = decimal(n.Confidence, 3)
	}
	for i, v := range n.Votes {
		if i == maxVotes {
			row.Left = p.F("more_passages", "n", strconv.Itoa(len(n.Votes)-maxVotes))
			break
		}
		row.Votes = append(row.Votes, p.vote(v, passages, sources))
	}
	return row
}

// vote is a passage with its stance; its words come from the digest's passages, else from the trace.
func (p *page) vote(e research.Evidence, passages, sources map[string]research.TraceNode) vote {
	v := vote{Reason: p.Phrase(line(e.Reason, maxTitle)), Voice: p.F("voice", "x", line(e.Cluster, 64))}
	switch e.Stance {
	case research.Confirms:
		v.Mark = mark{"ok", "ok", p.W("confirm")}
	case research.Contradicts:
		v.Mark = mark{"con", "con", p.W("contradict")}
	default:
		v.Mark = mark{"none", "ring", p.W("neutral")}
	}
	ps, ok := p.D.Passages[e.Passage]
	if !ok {
		n := passages[e.Passage]
		ps = research.Passage{ID: n.ID, Source: n.Source, Start: n.Start, End: n.End, Text: n.Text}
	}
	v.Text, v.Where, v.Lang = clip(ps.Text, maxPassage), p.where(ps), textLang(ps.Text, p.D.Lang)
	source := e.Source
	if source == "" {
		source = ps.Source
	}
	if n, ok := p.refs[source]; ok {
		v.Cites = p.Refs([]int{n - 1})
		v.Source = line(p.D.Sources[n-1].Title, maxTitle)
	} else {
		v.Source = line(sources[source].Location, maxTitle)
	}
	return v
}

func (p *page) derivedRow(label string, n research.TraceNode, labels map[string]string) derivedRow {
	c := p.D.Claims[n.ID]
	row := derivedRow{
		Label: label, Text: clip(n.Text, maxText), Rule: p.W(n.Rule), R: decimal(n.R, 2), Confidence: decimal(n.Confidence, 3),
		Product: decimal(n.Product, 3), LowBound: decimal(n.Lower, 3), Mark: p.bandMark(n.Band, n.Label),
	}
	if row.Text == "" {
		row.Text = clip(c.Text, maxText)
	}
	if c.Derivation != nil {
		row.How = clip(c.Derivation.Reasoning, maxText)
	}
	for i, b := range head(n.Basis) {
		if i > 0 {
			row.From += p.W("sep")
		}
		if l, ok := labels[b]; ok {
			row.From += l
		} else {
			row.From += line(b, 64)
		}
	}
	return row
}

// traceFromClaims makes the nodes of a trace out of the claims a finding names, for a digest without traces.
func (p *page) traceFromClaims(f research.DigestFinding) research.Trace {
	var t research.Trace
	seen := map[string]bool{}
	var add func(id string, depth int)
	add = func(id string, depth int) {
		c, ok := p.D.Claims[id]
		if !ok || seen[id] || depth > 8 || len(t.Nodes) >= maxList {
			return
		}
		seen[id] = true
		if d := c.Derivation; d != nil {
			for _, b := range d.Basis {
				add(b, depth+1)
			}
			n := research.TraceNode{ID: id, Kind: "derived", Text: c.Text, Rule: d.Rule, Basis: d.Basis, Value: d.Value, R: d.R, Product: d.Product, Lower: d.Lower, Confidence: d.Confidence}
			if s := c.Support; s != nil {
				n.Band, n.Label = s.Band, s.Label
			}
			t.Nodes = append(t.Nodes, n)
			return
		}
		if s := c.Support; s != nil {
			t.Nodes = append(t.Nodes, research.TraceNode{ID: id, Kind: "claim", Text: c.Text, Votes: c.Evidence, K: s.K, N: s.N, Raw: s.Raw, Confidence: s.Confidence, Band: s.Band, Label: s.Label})
		}
	}
	for _, id := range head(f.Claims) {
		add(id, 0)
	}
	return t
}

// findingView is a finding as it is printed.
type findingView struct {
	ID         string
	Text       string
	Cites      []cite
	Mark       mark
	Confidence string
	Name       string // accessible name of the confidence
	Voices     string
	Arith      *arithmetic
	Again      bool // printed before: the debate takes up findings of the sections
	p          *page
}

// Findings are findings with everything the page shows of them.
func (p *page) Findings(fs []research.DigestFinding) []findingView {
	var out []findingView
	for _, f := range head(fs) {
		v := findingView{ID: anchor(f.ID), Text: clip(f.Text, maxText), Cites: p.Cites(f), Mark: p.bandMark(f.Band, f.Label), Confidence: decimal(f.Confidence, 2), Again: p.shown[f.ID], p: p}
		if !v.Again {
			p.shown[f.ID] = true
			v.Arith = p.Arithmetic(f)
		}
		v.Name = p.F("confidence", "x", v.Confidence) + p.W("sep") + v.Mark.Word
		if v.Arith != nil && len(v.Arith.Claims) == 1 && len(v.Arith.Derived) == 0 {
			v.Voices = p.F("k_of_n", "n", v.Arith.Claims[0].K, "m", v.Arith.Claims[0].N)
		}
		out = append(out, v)
	}
	return out
}

// P is the page, for the template of a finding.
func (f findingView) P() *page { return f.p }
