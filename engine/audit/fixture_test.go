package audit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/engine/research"
)

// texts are the clean texts of the four sources of the fixture, in order.
var texts = []string{
	"Release notes\n\nDebian 12 has 64,419 packages in its archive.\n\nDebian 11 had 59,551 packages in its archive.",
	"The archive of Debian 12 holds 64,419 packages.\n\nDebian 12 was released in June 2023.",
	"A second page of the same publisher: Debian 12 has 64,419 packages.",
	"Counting again, there are 64,419 packages in Debian 12.\n\nDebian 12 was released in June 2022.",
}

// fixture is a run made by hand: three claims that several sources speak to, one derived from two of them, two that
// contradict each other, and a report with three findings. Every number in it was worked out on paper.
func fixture(t testing.TB) research.Run {
	t.Helper()
	b := &builder{t: t, run: research.Run{
		Schema: research.SchemaVersion, ID: "r1", Title: "Packages",
		Request: research.Request{Question: "How many packages does Debian 12 have?", Now: "2026-11-30T12:00:00Z", Depth: research.Quick, Egress: research.Closed},
		Blobs:   map[string]string{},
	}}
	b.event(research.EventRequest, "", b.run.Request)
	for i, text := range texts {
		b.source(i, text)
	}
	b.event(research.EventSource, "", research.Source{ID: "s5", Location: "https://e.example/", Verdict: research.RejectDead, Note: "no answer", Tier: 3})
	b.event(research.EventModel, "model/1", research.Answer{Text: "{}", By: "extractive"})
	b.event(research.EventModel, "model/2", research.Answer{Text: "{}", By: "extractive"})
	b.event(research.EventOutbox, "", research.Outbound{Host: "a.example", Kind: "page"})
	b.digest()
	if err := b.run.Seal(); err != nil {
		t.Fatal(err)
	}
	return b.run
}

type builder struct {
	t        testing.TB
	run      research.Run
	sources  []research.Source
	passages map[string]research.Passage
	claims   map[string]research.Claim
}

func (b *builder) event(kind, key string, payload any) {
	b.t.Helper()
	raw, err := json.Marshal(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	b.run.Events = append(b.run.Events, research.Event{Seq: int64(len(b.run.Events)) + 1, Kind: kind, Key: key, Payload: raw})
}

// source adds source i, with the document it was read from.
func (b *builder) source(i int, text string) {
	n := strconv.Itoa(i + 1)
	host := []string{"a.example", "b.example", "a.example", "d.example"}[i]
	tier := []int{1, 2, 1, 3}[i]
	authority := []research.Ratio{"1", "17/20", "1", "1/2"}[i]
	// 0.4*1/2 + 0.3*authority + 0.2*1/4 + 0.1*1
	value := []research.Ratio{"13/20", "121/200", "13/20", "1/2"}[i]
	s := research.Source{
		ID: "s" + n, Location: "https://" + host + "/" + n, Title: "Page", Byline: "Ann Author", Publisher: host,
		Published: []string{"2024-05-01", "2024-06-01", "2024", "2023-01-09"}[i], Retrieved: "2026-11-30T12:00:00Z",
		MediaType: "text/html", SHA256: research.SHA256(text), Voice: host, Work: "w" + n, Verdict: research.Verified,
		Origin: []research.Origin{research.Government, research.Academic, research.Government, research.TradePress}[i],
		Tier:   tier, Angle: "overview",
		Quality: research.Quality{Relevance: "1/2", Authority: authority, Freshness: "1/4", Completeness: "1", Value: value},
	}
	if i == 3 {
		s.Angle, s.Adversarial = "criticism", true
	}
	b.run.Blobs[s.SHA256] = text
	doc := research.Document{Location: s.Location, SHA256: s.SHA256, MediaType: s.MediaType}
	if first, _, ok := strings.Cut(text, "\n\n"); ok {
		doc.Pages = []int{0, len(first) + 2}
	}
	b.event(research.EventRead, "read/"+n, doc)
	b.event(research.EventSource, "", s)
	b.sources = append(b.sources, s)
}

// passage cuts words out of source i.
func (b *builder) passage(i int, words string) string {
	b.t.Helper()
	s := b.sources[i]
	text := b.run.Blobs[s.SHA256]
	start := strings.Index(text, words)
	if start < 0 {
		b.t.Fatalf("%q is not in source %d", words, i)
	}
	end := start + len(words)
	p := research.Passage{ID: research.ID("p", s.SHA256, strconv.Itoa(start), strconv.Itoa(end)), Source: s.ID, Start: start, End: end, SHA256: research.SHA256(words), Text: words}
	if first, _, ok := strings.Cut(text, "\n\n"); ok {
		p.Page = 1
		if start > len(first) {
			p.Page = 2
		}
	}
	b.passages[p.ID] = p
	return p.ID
}

// vote is a passage with its stance.
type vote struct {
	passage string
	stance  research.Stance
}

// claim adds an explicit claim that stands in the first vote's passage. The clusters are given as lists of sources; a list of
// two is joined by their voice.
func (b *builder) claim(id, text, number string, value research.Ratio, dates []string, votes []vote, clusters [][]string, s research.Support) {
	own := b.passages[votes[0].passage]
	cl := research.Claim{ID: id, Text: text, Facet: "f1", Source: own.Source, Passage: own.ID, Start: own.Start, End: own.End, Dates: dates, Relevance: "1", By: "extractive"}
	for _, src := range b.sources {
		if src.ID == own.Source {
			cl.Published = src.Published
		}
	}
	if number != "" {
		at := strings.Index(text, number)
		cl.Quantities = []research.Quantity{{Value: value, Kind: research.Count, Unit: "packages", Text: number, Start: at, End: at + len(number)}}
	}
	stance := map[string]research.Stance{}
	for _, v := range votes {
		stance[b.passages[v.passage].Source] = v.stance
	}
	home := map[string]string{}
	for _, members := range clusters {
		c := research.Cluster{Sources: members, Stance: stance[members[0]]}
		parts := append([]string{id}, members...)
		for _, m := range members[1:] {
			c.Edges = append(c.Edges, research.Edge{A: members[0], B: m, Why: "voice", Score: "1"})
			parts = append(parts, members[0], m, "voice", "1")
		}
		c.ID = research.ID("k", parts...)
		for _, m := range members {
			home[m] = c.ID
		}
		s.Clusters = append(s.Clusters, c)
	}
	for _, v := range votes {
		src := b.passages[v.passage].Source
		cl.Evidence = append(cl.Evidence, research.Evidence{Passage: v.passage, Source: src, Stance: v.stance, Reason: "same number", Cluster: home[src]})
	}
	cl.Support = &s
	b.claims[id] = cl
}

func (b *builder) digest() {
	b.passages, b.claims = map[string]research.Passage{}, map[string]research.Claim{}
	p1 := b.passage(0, "Debian 12 has 64,419 packages in its archive.")
	p2 := b.passage(0, "Debian 11 had 59,551 packages in its archive.")
	p3 := b.passage(1, "The archive of Debian 12 holds 64,419 packages.")
	p4 := b.passage(2, "Debian 12 has 64,419 packages.")
	p5 := b.passage(3, "there are 64,419 packages in Debian 12.")
	p6 := b.passage(1, "Debian 12 was released in June 2023.")
	p7 := b.passage(3, "Debian 12 was released in June 2022.")
	yes, no := research.Confirms, research.Contradicts
	b.claim("c1", "Debian 12 has 64,419 packages.", "64,419", "64419", nil,
		[]vote{{p1, yes}, {p3, yes}, {p4, yes}, {p5, yes}}, [][]string{{"s1", "s3"}, {"s2"}, {"s4"}},
		research.Support{K: 3, N: 3, Raw: "1", Confidence: "4/5", Band: research.Accept})
	b.claim("c2", "Debian 11 had 59,551 packages.", "59,551", "59551", nil,
		[]vote{{p2, yes}}, [][]string{{"s1"}},
		research.Support{K: 1, N: 1, Raw: "1", Confidence: "2/3", Band: research.Verify, Label: research.LabelSingle})
	b.claim("c4", "Debian 12 was released in June 2023.", "", "", []string{"2023-06"},
		[]vote{{p6, yes}, {p7, no}}, [][]string{{"s2"}, {"s4"}},
		research.Support{K: 1, N: 2, Raw: "1/2", Confidence: "1/2", Band: research.Verify, Label: research.LabelContested})
	b.claim("c5", "Debian 12 was released in June 2022.", "", "", []string{"2022-06"},
		[]vote{{p7, yes}, {p6, no}}, [][]string{{"s2"}, {"s4"}},
		research.Support{K: 1, N: 2, Raw: "1/2", Confidence: "1/2", Band: research.Verify, Label: research.LabelContested})
	// The least of 2/3 and 4/5; their product; 2/3 + 4/5 - 1.
	b.claims["c3"] = research.Claim{ID: "c3", Text: "The number of packages rose by 4,868 packages.", Facet: "f1", Relevance: "1", By: "derive", Derivation: &research.Derivation{
		Rule: "difference", Basis: []string{"c2", "c1"}, Reasoning: "64,419 less 59,551.", Value: "4868", R: "1", Confidence: "2/3", Product: "8/15", Lower: "7/15", Voices: 1, Depth: 1}}

	f1 := research.DigestFinding{ID: "fd1", Text: "Debian 12 has 64,419 packages.", Refs: []int{0, 1}, Citations: []string{p1, p3}, Claims: []string{"c1"}, Confidence: "4/5", Lower: "4/5", Band: research.Accept, Trace: "fd1"}
	f2 := research.DigestFinding{ID: "fd2", Text: "That is 4,868 more than Debian 11 had.", Refs: []int{0}, Citations: []string{p2, p1}, Claims: []string{"c3"}, Confidence: "2/3", Lower: "7/15", Band: research.Verify, Label: research.LabelDerived, Trace: "fd2"}
	f3 := research.DigestFinding{ID: "fd3", Text: "It was released in June 2023, one source says.", Refs: []int{1}, Citations: []string{p6}, Claims: []string{"c4"}, Confidence: "1/2", Lower: "1/2", Band: research.Verify, Label: research.LabelContested, Trace: "fd3"}

	d := &research.Digest{
		Schema: research.SchemaVersion, Lang: "en", Title: b.run.Request.Question, Topic: b.run.Request.Question, Date: "2026-11-30",
		SourceStats: research.SourceStats{Independent: 3, Opened: 5, Verified: 4, Rejected: 1, OriginTypes: 3, Adversarial: 1,
			Floor: research.Floor{Voices: 5, OriginTypes: 3, Adversarial: 1}, Shortfall: []string{"3 voices of the 5 asked for."}},
		Sections: []research.Section{{ID: "sec1", Title: "Count", Findings: []research.DigestFinding{f1, f2, f3},
			Quotes: []research.Quote{{Text: "holds 64,419 packages", Passage: p3, Ref: 1}},
			Tables: []research.Table{{Headers: []string{"release", "packages"}, Rows: [][]research.Cell{{{Text: "Debian 11"}, {Text: "59,551", Refs: []int{0}}}}}}}},
		Debate:        &research.Debate{Title: "Two sides", For: []research.DigestFinding{f3}, Note: "No source speaks against."},
		Passages:      b.passages,
		Claims:        b.claims,
		Understanding: research.Understanding{Question: b.run.Request.Question, Budget: research.Budget{FloorVoices: 5, FloorOrigins: 3, FloorOpposing: 1}},
		Hypotheses: []research.Hypothesis{{ID: "h1", Statement: "Over 60,000.", Status: research.Confirmed, Confidence: "2/3", For: []string{"c1"}},
			{ID: "h2", Statement: "Released in 2022.", Status: research.Partial, Confidence: "1/2", For: []string{"c5"}, Against: []string{"c4"}}},
		Coverage: []research.CoverageRow{{Requirement: "f1", State: "covered", Claims: []string{"c1"}}, {Requirement: "f2", State: "partial", Claims: []string{"c4"}}, {Requirement: "h2 against", State: "missing"}},
		Verdict:  "1 of 3 findings are confirmed by independent voices.",
		Issues:   []research.Issue{{Kind: "source", Text: "https://e.example/", Reason: "no answer", Source: "https://e.example/"}},
		Subtitle: "3 findings from 4 documents, 3 voices",
		Contradicts: []research.Contradiction{{ID: research.ID("x", "c4", "c5"), Kind: "direct", A: "c4", B: "c5", Reason: "the dates are 2023-06 and 2022-06",
			Resolution: "recency", Preferred: "c4"}},
		Timeline: []research.TimelineEntry{{Date: "2023-06", Text: "Debian 12 was released in June 2023.", Claim: "c4", Refs: []int{1}}},
		Graph:    research.Graph{Edges: []research.GraphEdge{{From: "n1", To: "n2", Relation: "has", Claims: []string{"c1"}}}},
		Levels: research.Levels{Facts: []research.LevelFact{{Subject: "Debian 12", Action: "has", Object: "64,419 packages", Findings: []string{"fd1"}}},
			Impact: []research.LevelLine{{Text: "So much of what Debian packages can be found in one place.", Findings: []string{"fd1", "fd2"}}},
			Plain:  []research.LevelLine{{Text: "There are 64,419 packages, which is many.", Findings: []string{"fd1"}}}},
		Outbox: []research.OutboxSummary{{Host: "a.example", Kind: "page", Requests: 1}},
		Model:  research.ModelUse{Channel: "extractive", Answered: map[string]int{"extractive": 2}},
		// 3/2 requirements of 3; one of three claims; all chains; a third of their sum.
		Metrics: research.Metrics{Completeness: "1/2", Accuracy: "1/3", Traceability: "1", Objective: "11/18", Findings: 3, Claims: 3, Words: 22},
		Traces:  map[string]research.Trace{},
	}
	for i, pages := range []string{"2", "1, 2", "", ""} {
		s := b.sources[i]
		d.Sources = append(d.Sources, research.DigestSource{ID: s.ID, Title: s.Title, URL: s.Location, Domain: s.Voice, OriginType: s.Origin, Tier: s.Tier, Angle: s.Angle, Adversarial: s.Adversarial,
			Snippet: b.run.Blobs[s.SHA256][:20], Verdict: s.Verdict, Author: s.Byline, Published: s.Published, Retrieved: s.Retrieved, Voice: s.Voice, SHA256: s.SHA256, Quality: s.Quality, MediaType: s.MediaType, Pages: pages})
	}
	for _, f := range []research.DigestFinding{f1, f2, f3} {
		d.Traces[f.ID] = b.trace(f)
	}
	b.run.Digest = d
}

// trace lays the nodes of a finding out: sources, passages, clusters, explicit claims, derived ones, the finding.
func (b *builder) trace(f research.DigestFinding) research.Trace {
	var sources, passages, clusters, claims, derived []research.TraceNode
	has := map[string]bool{}
	source := func(id string) {
		if i := slices.IndexFunc(b.sources, func(s research.Source) bool { return s.ID == id }); !has[id] {
			has[id] = true
			s := b.sources[i]
			sources = append(sources, research.TraceNode{ID: id, Kind: "source", SHA256: s.SHA256, Location: s.Location, Publisher: s.Publisher, Published: s.Published})
		}
	}
	passage := func(id string) {
		if p := b.passages[id]; !has[id] {
			has[id] = true
			source(p.Source)
			passages = append(passages, research.TraceNode{ID: id, Kind: "passage", Source: p.Source, Start: p.Start, End: p.End, SHA256: p.SHA256, Text: p.Text})
		}
	}
	var claim func(id string)
	claim = func(id string) {
		if has[id] {
			return
		}
		has[id] = true
		cl := b.claims[id]
		if d := cl.Derivation; d != nil {
			for _, basis := range d.Basis {
				claim(basis)
			}
			derived = append(derived, research.TraceNode{ID: id, Kind: "derived", Text: cl.Text, Rule: d.Rule, Basis: d.Basis, Value: d.Value, R: d.R, Product: d.Product, Lower: d.Lower, Confidence: d.Confidence, Band: research.Verify, Label: research.LabelDerived})
			return
		}
		for _, v := range cl.Evidence {
			passage(v.Passage)
		}
		for _, c := range cl.Support.Clusters {
			clusters = append(clusters, research.TraceNode{ID: c.ID, Kind: "cluster", Claim: id, Sources: c.Sources, Edges: c.Edges, Stance: c.Stance})
		}
		s := cl.Support
		claims = append(claims, research.TraceNode{ID: id, Kind: "claim", Text: cl.Text, Source: cl.Source, Votes: cl.Evidence, Quantities: cl.Quantities, K: s.K, N: s.N, Raw: s.Raw, Confidence: s.Confidence, Band: s.Band, Label: s.Label})
	}
	for _, id := range f.Claims {
		claim(id)
	}
	for _, id := range f.Citations {
		passage(id)
	}
	end := research.TraceNode{ID: f.ID, Kind: "finding", Text: f.Text, Claims: f.Claims, Refs: f.Refs, Confidence: f.Confidence, Lower: f.Lower, Band: f.Band, Label: f.Label}
	return research.Trace{Schema: "trace/1", Nodes: slices.Concat(sources, passages, clusters, claims, derived, []research.TraceNode{end})}
}
