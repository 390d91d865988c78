package render

import (
	"strings"

	"assay/engine/research"
)

// ratio is a fraction in lowest terms.
func ratio(n, d int64) research.Ratio { return research.NewRatio(n, d) }

// fullDigest is a digest with every field in use: two sources that agree on a date, a derived interval, a claim that one
// source makes, a contradiction, gaps, tables, a diagram, an inlined picture, a rejected source.
func fullDigest() research.Digest {
	const textA = "Debian GNU/Linux 3.0 (woody) was released on 19 July 2002.\nIt took two years."
	const textB = "On 6 June 2005 the project released sarge."
	const textC = "woody 发布于 2002年7月20日。"
	src := []research.DigestSource{
		{ID: "s1", Title: "Release history <of> Debian", URL: "debian-docs/history.html", Domain: "debian-docs", OriginType: research.Reference, Tier: 2, Angle: "history", Snippet: textA, Verdict: research.Verified, Note: "Signed by the project.", Author: "Debian Documentation Team", Published: "2011-05", Retrieved: "2026-11-28T10:00:00Z", Voice: "debian-docs", SHA256: research.SHA256(textA),
			Quality: research.Quality{Relevance: ratio(9, 10), Authority: ratio(17, 20), Freshness: "1", Completeness: ratio(3, 4), Value: ratio(89, 100)}, MediaType: "text/html"},
		{ID: "s2", Title: "Announcements", URL: "https://example.org/announce?a=1&b=2", Domain: "example.org", OriginType: research.TradePress, Tier: 3, Angle: "opposition", Adversarial: true, Snippet: textB, Verdict: research.Verified, Note: "A named author.", Author: "R. Halloran", Retrieved: "2026-11-28T10:00:00Z", Voice: "example.org", SHA256: research.SHA256(textB),
			Quality: research.Quality{Relevance: ratio(4, 5), Authority: ratio(1, 2), Freshness: ratio(1, 2), Completeness: "1", Value: ratio(67, 100)}, MediaType: "application/pdf", Pages: "12, 14"},
		{ID: "s3", Title: "发行记录", URL: "notes/zh.txt", Domain: "notes", OriginType: research.Personal, Tier: 3, Angle: "criticism", Adversarial: true, Snippet: textC, Verdict: research.Verified, Note: "A document the reader added.", Published: "2004", Retrieved: "2026-11-28T10:00:00Z", Voice: "notes", SHA256: research.SHA256(textC), MediaType: "text/plain"},
	}
	pass := map[string]research.Passage{
		"pa": {ID: "pa", Source: "s1", Start: 8112, End: 8190, SHA256: research.SHA256(textA), Text: textA, Heading: "Releases"},
		"pb": {ID: "pb", Source: "s2", Start: 402, End: 444, SHA256: research.SHA256(textB), Text: textB, Page: 12},
		"pc": {ID: "pc", Source: "s3", Start: 0, End: 31, SHA256: research.SHA256(textC), Text: textC},
	}
	sup := func(k, n int, label research.Label, band research.Band, cl ...research.Cluster) *research.Support {
		return &research.Support{K: k, N: n, Raw: ratio(int64(k), int64(n)), Confidence: ratio(int64(k)+1, int64(n)+2), Band: band, Label: label, Clusters: cl}
	}
	claims := map[string]research.Claim{
		"c1": {ID: "c1", Text: "Woody was released on 19 July 2002.", Facet: "f1", Source: "s1", Passage: "pa", Start: 8112, End: 8190, Grade: research.Primary, Published: "2011-05", Subject: "woody", Predicate: "released", Object: "2002-07-19", Key: "woody|released|2002", Dates: []string{"2002-07-19"}, Names: []string{"Debian"}, Bias: []string{"self"}, Relevance: ratio(9, 10), By: "extractive",
			Quantities: []research.Quantity{{Value: ratio(3, 1), Kind: research.Version, Text: "3.0", Start: 17, End: 20}},
			Evidence:   []research.Evidence{{Passage: "pa", Source: "s1", Stance: research.Confirms, Reason: "same date", Cluster: "v1"}, {Passage: "pc", Source: "s3", Stance: research.Contradicts, Reason: "date differs by one day", Cluster: "v2"}},
			Support:    sup(1, 2, research.LabelContested, research.Verify, research.Cluster{ID: "v1", Sources: []string{"s1"}, Stance: research.Confirms}, research.Cluster{ID: "v2", Sources: []string{"s3"}, Stance: research.Contradicts})},
		"c2": {ID: "c2", Text: "Sarge was released on 6 June 2005.", Facet: "f1", Source: "s2", Passage: "pb", Start: 402, End: 444, Grade: research.Secondary, Relevance: ratio(4, 5), By: "extractive", Dates: []string{"2005-06-06"},
			Evidence: []research.Evidence{{Passage: "pb", Source: "s2", Stance: research.Confirms, Reason: "same date", Cluster: "v1"}}, Support: sup(1, 1, research.LabelSingle, research.Verify, research.Cluster{ID: "v1", Sources: []string{"s2"}, Stance: research.Confirms})},
		"c3": {ID: "c3", Text: "Woody was released on 20 July 2002.", Facet: "f1", Source: "s3", Passage: "pc", End: 31, Relevance: ratio(4, 5), By: "extractive", Support: sup(1, 2, research.LabelContested, research.Verify)},
		"d1": {ID: "d1", Text: "1,053 days lie between woody and sarge.", Facet: "f1", Relevance: "1", By: "derive", Flags: []string{"G12"},
			Derivation: &research.Derivation{Rule: "interval", Basis: []string{"c1", "c2"}, Reasoning: "2002-07-19 → 2005-06-06 = 1,053 d", Value: "1053", R: "1", Confidence: ratio(1, 2), Product: ratio(1, 3), Lower: ratio(1, 6)}},
	}
	finding := func(id, text string, refs []int, cites, cl []string, conf, lower research.Ratio, band research.Band, label research.Label) research.DigestFinding {
		return research.DigestFinding{ID: id, Text: text, Refs: refs, Citations: cites, Claims: cl, Confidence: conf, Lower: lower, Band: band, Label: label, Trace: id}
	}
	fa := finding("fa", "Woody was released on 19 July 2002.", []int{0}, []string{"pa"}, []string{"c1"}, ratio(1, 2), ratio(1, 2), research.Verify, research.LabelContested)
	fb := finding("fb", "R. Halloran reports that sarge was released on 6 June 2005.", []int{1}, []string{"pb"}, []string{"c2"}, ratio(2, 3), ratio(2, 3), research.Verify, research.LabelSingle)
	fc := finding("fc", "Sarge came **1,053 days** after woody.", []int{0, 1}, []string{"pa", "pb"}, []string{"d1"}, ratio(1, 2), ratio(1, 6), research.Verify, research.LabelDerived)
	fd := finding("fd", "The interval was long.", []int{0}, []string{"pa"}, []string{"c1"}, ratio(4, 5), ratio(3, 5), research.Accept, research.LabelNone)
	trace := research.Trace{Schema: "trace/1", Nodes: []research.TraceNode{
		{ID: "s1", Kind: "source", SHA256: research.SHA256(textA), Location: "debian-docs/history.html", Publisher: "debian-docs", Published: "2011-05"},
		{ID: "s2", Kind: "source", SHA256: research.SHA256(textB), Location: "https://example.org/announce?a=1&b=2", Publisher: "example.org"},
		{ID: "pa", Kind: "passage", Source: "s1", Start: 8112, End: 8190, SHA256: research.SHA256(textA), Text: textA},
		{ID: "pb", Kind: "passage", Source: "s2", Start: 402, End: 444, SHA256: research.SHA256(textB), Text: textB},
		{ID: "v1", Kind: "cluster", Claim: "c1", Sources: []string{"s1"}, Stance: research.Confirms, Edges: []research.Edge{{A: "s1", B: "s2", Why: "citing", Score: "1"}}},
		{ID: "c1", Kind: "claim", Text: claims["c1"].Text, Votes: claims["c1"].Evidence, Quantities: claims["c1"].Quantities, K: 1, N: 2, Raw: ratio(1, 2), Confidence: ratio(1, 2), Band: research.Verify, Label: research.LabelContested},
		{ID: "c2", Kind: "claim", Text: claims["c2"].Text, Votes: claims["c2"].Evidence, K: 1, N: 1, Raw: "1", Confidence: ratio(2, 3), Band: research.Verify, Label: research.LabelSingle},
		{ID: "d1", Kind: "derived", Text: claims["d1"].Text, Rule: "interval", Basis: []string{"c1", "c2"}, Value: "1053", R: "1", Product: ratio(1, 3), Lower: ratio(1, 6), Confidence: ratio(1, 2), Band: research.Verify, Label: research.LabelDerived},
		{ID: "fc", Kind: "finding", Claims: []string{"d1"}, Refs: []int{0, 1}, Lower: ratio(1, 6), Confidence: ratio(1, 2), Band: research.Verify, Label: research.LabelDerived},
	}}
	return research.Digest{
		Schema: research.SchemaVersion, Lang: "en", Shape: research.ShapeSurvey, Title: "How long sarge took", Subtitle: "Three years between two releases of Debian", Topic: "How long after woody was sarge released?", Date: "2026-11-28", Byline: "Assay",
		Summary: "Sarge came 1,053 days after woody [1]. The day of woody's release is contested.\n\nOne source gives the day of sarge [2].", Verdict: "Nearly three years.",
		SourceStats: research.SourceStats{Independent: 3, Opened: 4, Verified: 3, OriginTypes: 3, Adversarial: 2, Floor: research.Floor{Voices: 15, OriginTypes: 4, Adversarial: 2}, Shortfall: []string{"3 of 15 independent voices.", "3 of 4 origin types."}, Rejected: 1, ClosedLibrary: true},
		Callouts:    []research.Callout{{Level: "warn", Label: "Data gap", Text: "No source gives the hour."}, {Level: "ok", Label: "Both ends dated", Text: "Each date has a passage."}},
		Issues:      []research.Issue{{Kind: "source", Text: "Top ten facts", Reason: "duplicate of source 2, overlap 0.94", Source: "mirror/top.html"}, {Kind: "claim", Text: "Sarge has 18,000 packages.", Reason: "The number is not in its passage."}, {Kind: "caveat", Text: "Only one library was read.", Reason: "The run was closed."}},
		Debate:      &research.Debate{Title: "The debate", For: []research.DigestFinding{fd, fa}, Against: []research.DigestFinding{}, Note: "No finding stands against."},
		Metaphors:   []string{"It is a train that leaves when it is full."},
		Sections: []research.Section{{ID: "sec1", Title: "The two dates", Facets: []string{"f1"}, Body: "What the sources say of both days.\n\n- first *woody*\n- then `sarge`", Findings: []research.DigestFinding{fa, fb, fc},
			Quotes: []research.Quote{{Text: "On 6 June 2005 the project released sarge.", Passage: "pb", Ref: 1}}, Callouts: []research.Callout{{Level: "error", Label: "One day apart", Text: "Two sources differ."}},
			Tables:   []research.Table{{Caption: "Releases", Headers: []string{"Release", "Day"}, Rows: [][]research.Cell{{{Text: "woody"}, {Text: "19 July 2002", Refs: []int{0}}}, {{Text: "sarge"}, {Text: "6 June 2005", Refs: []int{1}}}}}},
			Diagrams: []research.Diagram{{Code: "graph LR; woody-->sarge", Caption: "The order", Refs: []int{0}}}, Images: []research.Image{{URL: "data:image/png;base64,iVBORw0KGgo=", Caption: "A dot", Alt: "a dot"}, {URL: "https://example.org/x.png", Caption: "Remote", Alt: "remote"}}}},
		Sources: src, FutureWork: []string{"Read the mailing list of 2005."},
		Understanding: research.Understanding{Question: "How long after woody was sarge released?", Lang: "en", Intent: research.FactQuery, IntentConfidence: ratio(9, 10), Temporal: research.Temporal{Range: research.DateRange{Start: "2002-07-19", End: "2005-06-06"}}, Entities: []research.Entity{{Text: "sarge", Type: "work"}}, Terms: []string{"woodi", "sarg"}, Identifiers: []research.Identifier{}, Facets: []research.Facet{{ID: "f1", Text: "How long after woody was sarge released?", Terms: []string{"woodi", "sarg"}, Want: research.AnswerQuantity}}, Shape: research.ShapeSurvey, Domain: "software", Complexity: ratio(1, 5), Strategy: "one facet", Budget: research.Budget{SearchDepth: 2, Tasks: 8, GapRounds: 2, QueriesPerGap: 4, Sources: 30, FloorVoices: 15, FloorOrigins: 4, FloorOpposing: 2, PassagesPerHit: 3}},
		Hypotheses:    []research.Hypothesis{{ID: "h1", Statement: "Sarge came about three years after woody.", Rationale: "Both dates are known.", WouldConfirm: "two dates three years apart", WouldRefute: "other dates", Facets: []string{"f1"}, Status: research.Partial, Confidence: ratio(1, 2), For: []string{"d1"}, Against: []string{"c3"}}},
		Passages:      pass, Claims: claims, Traces: map[string]research.Trace{"fc": trace},
		Coverage:    []research.CoverageRow{{Requirement: "How long after woody was sarge released?", Facet: "f1", State: "covered", Claims: []string{"d1"}}, {Requirement: "for h1", Hypothesis: "h1", State: "partial", Claims: []string{"c1"}}, {Requirement: "against h1", Hypothesis: "h1", State: "missing"}},
		Contradicts: []research.Contradiction{{ID: "x1", Kind: "direct", A: "c1", B: "c3", Reason: "The day of woody's release differs.", Resolution: "authority", Preferred: "c1"}},
		Gaps:        []research.Gap{{ID: "g1", Name: "Hour of release", Kind: "informational", Importance: "low", Reason: "No passage names an hour.", Facet: "f1", Inferable: true, Queries: []string{"sarge release hour"}}},
		Timeline:    []research.TimelineEntry{{Date: "2005-06-06", Text: "Sarge is released.", Claim: "c2", Refs: []int{1}}, {Date: "2002-07", Text: "Woody is released.", Claim: "c1", Refs: []int{0}}},
		Graph:       research.Graph{Nodes: []research.GraphNode{{ID: "n1", Name: "woody", Type: "work"}, {ID: "n2", Name: "sarge", Type: "work"}}, Edges: []research.GraphEdge{{From: "n1", To: "n2", Relation: "precedes", Claims: []string{"d1", "c1"}}}},
		Levels:      research.Levels{Facts: []research.LevelFact{{Subject: "The project", Action: "released", Object: "sarge", Findings: []string{"fb"}}}, Note: "The model concludes this from the findings that each line cites; it is no finding itself.", Impact: []research.LevelLine{{Text: "Plan for long cycles.", Findings: []string{"fc"}}}, Decisions: []research.LevelLine{}, Plain: []research.LevelLine{{Text: "It took three years.", Findings: []string{"fc"}}}},
		Outbox:      []research.OutboxSummary{{Host: "127.0.0.1:11434", Kind: "model", Requests: 1}, {Host: "example.org", Kind: "page", Requests: 2}},
		Model:       research.ModelUse{Channel: "extractive", Why: "No model server answers at 127.0.0.1:11434.", Answered: map[string]int{"extractive": 12}, Note: "No language model was used."},
		Metrics:     research.Metrics{Completeness: ratio(1, 2), Accuracy: ratio(1, 4), Traceability: "1", Objective: ratio(7, 12), Findings: 4, Claims: 4, Checks: 1, Rounds: 1, Words: 120},
	}
}

// hostileDigest is a digest whose every text tries to get out of its place.
func hostileDigest() research.Digest {
	d := fullDigest()
	bad := `"><script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>{{.}}` + "\x00\x1b[2J\u202e"
	long := strings.Repeat("<b>界</b>", 400_000)
	d.Lang, d.Title, d.Subtitle, d.Topic, d.Date, d.Byline = `en"><script>`, bad, bad, bad, bad, bad
	d.Summary = bad + "\n\n[1](javascript:alert(1)) ![x](javascript:x) <javascript:alert(1)> [9999] [-1] **" + bad
	d.Verdict, d.Steelman, d.Counter = long, bad, "> "+bad+"\n> x"
	d.Levels = research.Levels{Note: bad, Facts: []research.LevelFact{{Subject: bad, Action: bad, Object: long, Findings: []string{bad, "fc"}}}, Impact: []research.LevelLine{{Text: bad}}, Plain: []research.LevelLine{{Text: long, Findings: []string{"fc"}}}}
	d.Sections[0].ID, d.Sections[0].Title, d.Sections[0].Body = bad, bad, long
	d.Sections[0].Images = []research.Image{{URL: "javascript:alert(1)", Caption: bad, Alt: bad}, {URL: "data:image/svg+xml;base64,PHN2Zz4=", Caption: bad}, {URL: `data:image/png;base64,AA"onerror=x`, Caption: bad}}
	d.Sections[0].Diagrams[0].Code, d.Sections[0].Tables[0].Headers[0] = bad, bad
	d.Sections[0].Findings[0].ID, d.Sections[0].Findings[0].Text = `a" onclick="x`, bad
	d.Sections[0].Findings[0].Refs = []int{-1, 0, 99, 1 << 40}
	d.Sections[0].Findings[0].Confidence = research.Ratio(strings.Repeat("9", 5000))
	d.Sections[0].Findings[0].Lower, d.Sections[0].Findings[0].Band, d.Sections[0].Findings[0].Label = "1/0", "<b>", "<i>"
	d.Sections[0].Quotes[0].Ref = -5
	for i, u := range []string{"javascript:alert(document.domain)", " JavaScript:alert(1)", "data:text/html,<script>alert(1)</script>"} {
		d.Sources[i].URL, d.Sources[i].Title, d.Sources[i].Author, d.Sources[i].Note = u, bad, bad, bad
		d.Sources[i].Angle, d.Sources[i].Verdict = research.Angle(bad), research.Verdict(bad)
	}
	d.Issues[0].Source, d.Issues[0].Kind = "javascript:alert(1)", bad
	p := d.Passages["pa"]
	p.Text = bad + long
	d.Passages["pa"] = p
	d.Passages[bad] = p
	d.Claims["c1"] = research.Claim{ID: "c1", Text: bad, Derivation: &research.Derivation{Rule: bad, Basis: []string{"c1", "d1", bad}}}
	d.Model.Channel, d.Model.Name, d.Model.Answered = "ollama", bad, map[string]int{bad: 1}
	d.Callouts[0].Level, d.Outbox[0].Host = bad, bad
	return d
}
