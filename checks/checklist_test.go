package checks

import (
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// goodReport is a report that passes every line, with the page that is made of it in the form of the real one.
func goodReport() Checked {
	p := research.Passage{ID: "p1", Source: "s1", Text: "The bay is nine metres deep at the bar."}
	f := research.DigestFinding{ID: "f1", Text: "The bay is nine metres deep at the bar, 3 more than the pier.", Refs: []int{0}, Citations: []string{"p1"}, Claims: []string{"c1"}, Band: research.Verify}
	g := research.DigestFinding{ID: "f2", Text: "Ships run aground at low water.", Refs: []int{0}, Citations: []string{"p1"}, Claims: []string{"c1"}, Band: research.Verify}
	return Checked{
		Digest: research.Digest{
			Lang: "en", Shape: research.ShapeSurvey, Topic: "How deep is the bay?", Summary: "“The bay is nine metres deep at the bar, 3 more than the pier” [1]. The documents speak to 1 of 1 parts.",
			Sections:      []research.Section{{ID: "f1", Title: "How deep", Facets: []string{"f1"}, Findings: []research.DigestFinding{f, g}}},
			Sources:       []research.DigestSource{{ID: "s1", Title: "Depth", URL: "https://port.example/depth", Tier: 3, Author: "Ada Stolz", SHA256: "x"}},
			FutureWork:    []string{"Ask the pilots."},
			Understanding: research.Understanding{Facets: []research.Facet{{ID: "f1", Text: "How deep"}}},
			Passages:      map[string]research.Passage{"p1": p}, Debate: &research.Debate{For: []research.DigestFinding{f}, Against: []research.DigestFinding{g}},
			Coverage: []research.CoverageRow{{Requirement: "How deep", Facet: "f1", State: "partial"}}, Metrics: research.Metrics{Findings: 2, Words: 20},
			References: &research.ReferenceCheck{Total: 1, Checked: 1},
		},
		Texts: map[string]string{"x": "The bay is nine metres deep at the bar."},
		Page:  []byte(`<style>:root{color-scheme: light}</style><p>The bay<a class="cite" href="#s1" data-passage="p1">1</a></p><article class="scard" id="s1">`),
	}
}

func contested(c Checked) Checked {
	c.Digest.Shape, c.Digest.Debate = research.ShapeDebate, nil
	c.Digest.Topic = "Does the pier prevent floods?"
	fs := c.Digest.Sections[0].Findings
	fs[0].Text, fs[1].Text = "The pier prevents floods of more than 3 metres.", "The pier does not prevent floods at low water."
	c.Digest.Summary = "“The pier prevents floods of more than 3 metres” [1]."
	c.Digest.Steelman, c.Digest.Counter = "1. “The pier prevents floods” [1]", "1. To point 1: “It does not prevent floods” [1]"
	c.Digest.Argument = &research.Argument{Points: []research.ArgumentPoint{{Text: "The pier prevents floods", Findings: []string{"f1"}, Answers: []research.ArgumentAnswer{{Text: "It does not prevent floods", Findings: []string{"f2"}, Why: "denies"}}}}}
	return c
}

// TestChecklist: a report that is as it should be passes every line, and each line fails for its own reason and no other line with it.
func TestChecklist(t *testing.T) {
	for _, name := range []string{"survey", "contested"} {
		c := goodReport()
		if name == "contested" {
			c = contested(c)
		}
		for _, g := range Checklist(c) {
			if g.State != research.GatePass {
				t.Errorf("%s: %s is %s: %v", name, g.Name, g.State, g.Notes)
			}
		}
	}
	for _, tc := range []struct {
		gate, what string
		spoil      func(*Checked)
	}{
		{"authors", "Depth", func(c *Checked) { c.Digest.Sources[0].Author = "Editorial Team" }},
		{"authors", "Depth", func(c *Checked) { c.Digest.Sources[0].Author = "" }},
		{"machine_marks", "language model", func(c *Checked) { c.Texts["x"] += " As an AI language model, I cannot say." }},
		{"argument", "without a debate", func(c *Checked) { c.Digest.Debate = nil }},
		{"argument", "survey with a steelman", func(c *Checked) { c.Digest.Steelman = "It is deep." }},
		{"argument", "without a steelman", func(c *Checked) { *c = contested(*c); c.Digest.Counter = "" }},
		{"argument", "debate section", func(c *Checked) { *c = contested(*c); c.Digest.Debate = &research.Debate{} }},
		{"argument", "take up point 2", func(c *Checked) {
			*c = contested(*c)
			c.Digest.Argument.Points = append(c.Digest.Argument.Points, research.ArgumentPoint{Text: "x", Findings: []string{"f1"}})
		}},
		{"argument", "own finding", func(c *Checked) { *c = contested(*c); c.Digest.Argument.Points[0].Answers[0].Findings = []string{"f1"} }},
		{"argument", "does not print", func(c *Checked) { *c = contested(*c); c.Digest.Argument.Points[0].Findings = []string{"f9"} }},
		{"argument", "rests on no finding", func(c *Checked) { *c = contested(*c); c.Digest.Argument.Points[0].Findings = nil }},
		{"argument", "stand unanswered", func(c *Checked) { *c = contested(*c); c.Digest.Argument.Points[0].Answers = nil }},
		{"argument", "one side only", func(c *Checked) { c.Digest.Debate.Against = nil }},
		{"argument", "a question of fact", func(c *Checked) { c.Digest.Shape = research.ShapeFact }},
		{"argument", "wrong side", func(c *Checked) {
			*c = contested(*c)
			c.Digest.Sections[0].Findings[0].Text = "The pier causes floods of more than 3 metres."
			c.Digest.Summary = "“The pier causes floods of more than 3 metres” [1]."
		}},
		{"argument", "words do not take", func(c *Checked) {
			*c = contested(*c)
			c.Digest.Sections[0].Findings[0].Text = "The pier was built of oak, 3 metres wide."
			c.Digest.Summary = "“The pier was built of oak, 3 metres wide” [1]."
		}},
		{"argument", "wrong side", func(c *Checked) {
			*c = contested(*c)
			c.Digest.Sections[0].Findings[1].Text = "The pier averts floods at low water."
		}},
		{"argument", "has to do with it", func(c *Checked) { *c = contested(*c); c.Digest.Argument.Points[0].Answers[0].Why = "" }},
		{"argument", "no strong case", func(c *Checked) {
			*c = contested(*c)
			fs := c.Digest.Sections[0].Findings
			c.Digest.Argument, c.Digest.Steelman, c.Digest.Counter = nil, "", ""
			c.Digest.Debate = &research.Debate{For: fs[:1], Against: fs[1:], Note: "No strong case can be made."}
		}},
		{"substance", "opens with", func(c *Checked) {
			c.Digest.Summary = "In today's fast-moving world, depth matters. “It is deep” [1]."
		}},
		{"substance", "opens with", func(c *Checked) { c.Digest.Summary = "Have you ever asked how deep a bay is? “It is deep” [1]." }},
		{"substance", "cites no finding", func(c *Checked) { c.Digest.Summary = "The bay is nine metres deep at the bar. It is known for that." }},
		{"substance", "of no finding", func(c *Checked) { c.Digest.Summary = "The sea is wide and blue [1]." }},
		{"substance", "opens with", func(c *Checked) {
			c.Digest.Summary = "The documents speak to 1 of 1 parts. “The bay is nine metres deep” [1]."
		}},
		{"substance", "opens with", func(c *Checked) {
			c.Digest.Sections[0].Findings[0].Text = "This document describes the depth of the bay, 3 pages long."
			c.Digest.Summary = "“This document describes the depth of the bay, 3 pages long” [1]."
		}},
		{"substance", "no summary", func(c *Checked) { c.Digest.Summary = " " }},
		{"numbers_cited", "3 more", func(c *Checked) { c.Digest.Sections[0].Findings[0].Refs = nil }},
		{"numbers_cited", "1950", func(c *Checked) {
			c.Digest.Sections[0].Tables = []research.Table{{Headers: []string{"year"}, Rows: [][]research.Cell{{{Text: "1950"}}}}}
		}},
		{"markers", "no card", func(c *Checked) {
			c.Page = []byte(strings.ReplaceAll(string(c.Page), `<article class="scard" id="s1">`, `<article class="scard" id="s2">`))
		}},
		{"markers", "carries a passage of source [2]", func(c *Checked) {
			c.Digest.Sources = append(c.Digest.Sources, c.Digest.Sources[0])
			c.Digest.Sources[1].ID = "s2"
			c.Digest.Passages = map[string]research.Passage{"p1": {ID: "p1", Source: "s2", Text: "The bay is nine metres deep at the bar."}}
		}},
		{"markers", "which is no source", func(c *Checked) { c.Digest.Sections[0].Findings[1].Refs = []int{7} }},
		{"page", "schema", func(c *Checked) { c.Invalid = "missing title" }},
		{"page", "not made", func(c *Checked) { c.PageFault = "no template" }},
		{"page", "bytes where", func(c *Checked) { c.Page = append(c.Page, make([]byte, maxPageBytes)...) }},
		{"page", "light theme", func(c *Checked) { c.Page = []byte(strings.ReplaceAll(string(c.Page), "light", "dark")) }},
		{"no_markup", "**deep**", func(c *Checked) { c.Page = append(c.Page, "<p>It is **deep** here</p>"...) }},
		{"no_markup", "](https", func(c *Checked) { c.Page = append(c.Page, "<p>See [the map](https://x.example/m)</p>"...) }},
		{"future_work", "next", func(c *Checked) { c.Digest.FutureWork = []string{" "} }},
		{"floors", "3 of 15", func(c *Checked) { c.Digest.SourceStats.Shortfall = []string{"3 of 15 independent voices"} }},
		{"artifact", "How wide", func(c *Checked) {
			c.Digest.Understanding.Facets = append(c.Digest.Understanding.Facets, research.Facet{ID: "f2", Text: "How wide"})
		}},
		{"artifact", "no finding that may be relied on answers: How deep", func(c *Checked) { c.Digest.Coverage[0].State = "missing" }},
		{"artifact", "covered to 0.50, where this depth asks for 0.60; no second independent voice confirms: How deep", func(c *Checked) {
			c.Digest.Understanding.Budget.SearchDepth = 3
			c.Digest.Coverage = append(c.Digest.Coverage, research.CoverageRow{Requirement: "For: x", Hypothesis: "h1", State: "covered"})
		}},
		{"artifact", "covered to 0.25, where this depth asks for 0.40", func(c *Checked) {
			c.Digest.Coverage = append(c.Digest.Coverage, research.CoverageRow{Requirement: "How wide", Facet: "f2", State: "missing"})
		}},
		{"artifact", "not answered", func(c *Checked) {
			c.Digest.Gaps = []research.Gap{{Name: "No direct answer found: How deep", Reason: "No figure.", Importance: "high", Facet: "f1"}}
		}},
		{"artifact", "no answer", func(c *Checked) { c.Digest.Metrics.Findings, c.Digest.Metrics.Words = 0, 0 }},
		{"cited_works", "1 of 1", func(c *Checked) { c.Digest.References.Mismatch = 1 }},
	} {
		c := goodReport()
		tc.spoil(&c)
		for _, g := range Checklist(c) {
			switch {
			case g.Name == tc.gate && (g.State != research.GateFail || !strings.Contains(strings.Join(g.Notes, "; "), tc.what)):
				t.Errorf("%s (%s): %s, %v", tc.gate, tc.what, g.State, g.Notes)
			case g.Name != tc.gate && g.State == research.GateFail:
				t.Errorf("%s (%s): %s fails too: %v", tc.gate, tc.what, g.Name, g.Notes)
			}
		}
	}
}

// TestChecklistUnchecked is ACCEPTANCE 34 for the checklist: a line that had nothing to look at did not pass.
func TestChecklistUnchecked(t *testing.T) {
	for _, g := range Checklist(Checked{Digest: research.Digest{Lang: "en"}}) {
		if slices.Contains([]string{"authors", "machine_marks", "numbers_cited", "markers", "no_markup", "cited_works"}, g.Name) && g.State != research.GateUnchecked {
			t.Errorf("ACCEPTANCE 34: %s of an empty report is %s", g.Name, g.State)
		}
	}
	c := goodReport()
	c.Digest.SourceStats.ClosedLibrary, c.Digest.SourceStats.Shortfall = true, []string{"1 of 15"}
	c.Digest.References = &research.ReferenceCheck{Total: 2, Note: "Not checked: looking them up is off."}
	for _, g := range Checklist(c) {
		if (g.Name == "floors" || g.Name == "cited_works") && (g.State != research.GateUnchecked || len(g.Notes) == 0) {
			t.Errorf("ACCEPTANCE 34: %s is %s: %v", g.Name, g.State, g.Notes)
		}
	}
	for name, spoil := range map[string]func(*Checked){
		"a question of fact": func(c *Checked) { c.Digest.Shape, c.Digest.Debate = research.ShapeFact, nil },
		"no two sides":       func(c *Checked) { c.Digest.Debate = &research.Debate{Note: "No debate."} },
		"takes no side": func(c *Checked) {
			*c = contested(*c)
			c.Digest.Argument, c.Digest.Steelman, c.Digest.Counter, c.Digest.Debate = nil, "", "", &research.Debate{Note: "No case."}
		},
		"不适用": func(c *Checked) { c.Digest.Lang, c.Digest.Shape, c.Digest.Debate = "zh", research.ShapeFact, nil },
	} {
		c := goodReport()
		spoil(&c)
		if s, notes := gateArgument(c); s != research.GateUnchecked || len(notes) != 1 || !strings.Contains(notes[0], name) || !strings.Contains(notes[0], "不适用") && !strings.HasPrefix(notes[0], "not applicable: ") {
			t.Errorf("%s: argument is %s: %v", name, s, notes)
		}
	}
	if len(GateNames()) != 12 {
		t.Errorf("%d lines", len(GateNames()))
	}
}

// TestChecklistOwnFiles: what the person added needs no byline, and the words of a source are its own.
func TestChecklistOwnFiles(t *testing.T) {
	c := goodReport()
	c.Digest.Sources[0].Author, c.Digest.Sources[0].URL = "", "docs/depth.md"
	c.Digest.Passages["p1"] = research.Passage{ID: "p1", Source: "s1", Text: "Write **deep** for bold."}
	c.Page = append(c.Page, "<p>“Write **deep** for bold.”</p>"...)
	for _, g := range Checklist(c) {
		if g.State == research.GateFail {
			t.Errorf("%s: %v", g.Name, g.Notes)
		}
	}
}

// TestMetadiscourse: what says what a text is about is told from what says something.
func TestMetadiscourse(t *testing.T) {
	for s, want := range map[string]bool{
		"This document describes the release process.":         true,
		"This manual also explains how to install it.":         true,
		"“This chapter gives a short overview of the ports.":   true,
		"The purpose of this document is to help new users.":   true,
		"In this section we look at the harbour.":              true,
		"In this short guide, you will learn to sail.":         true,
		"We will describe the pier below.":                     true,
		"The documents speak to 1 of 1 parts of the question.": true,
		"In today's fast-moving world, depth matters.":         true,
		"本文介绍了港口的历史。":                                          true,
		"本手册旨在帮助新用户。":                                          true,
		"以下是港口的列表。":                                            true,
		"The bay is nine metres deep.":                         false,
		"Debian was founded in 1993.":                          false,
		"This harbour was dredged in 1950.":                    false,
		"The report of 1950 found that the bar had moved.":     false,
		"This page size of 4 kB is fixed by the processor.":    false,
		"Documents were burnt in the fire of 1923.":            false,
		"The manual pump lifts nine litres a second.":          false,
		"本港建于1950年。":                                           false,
		"港口水深九米。":                                              false,
	} {
		if Metadiscourse(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
