package engine

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// works are pages about two makers of engines, with figures, dates, causes and direct speech.
var makers = map[string]string{
	"guild/brenner.md": "# Brenner engines\n\nBy Ada Stolz\n\nBrenner sells 12,000 engines a year and has 340 employees. The Brenner works were founded in 1891 by Emil Brenner.\n\n" +
		"The fire of 1923 led to the move of the Brenner works to Linden. \"We shall build no engine that a farmer cannot mend himself,\" said Emil Brenner of his engines in 1901.\n",
	"museum/lindqvist.md": "# Lindqvist engines\n\nBy Per Holm\n\nLindqvist sells 9,500 engines a year and has 210 employees. The Lindqvist works were founded in 1907.\n\n" +
		"Lindqvist engines were cheaper because of the new foundry at Orran.\n",
}

func TestPartsOfATemplate(t *testing.T) {
	c := overPages(t, "How many engines do Brenner and Lindqvist sell a year, how many employees have they, and when were their works founded?", makers)
	c.Request.Template = "enterprise"
	d, _, rec := digestOf(t, c)
	if d.Template == nil || d.Template.Name != "enterprise" || d.Template.Why != "asked" {
		t.Fatalf("template %+v", d.Template)
	}
	ids := []string{}
	for _, s := range d.Sections {
		ids = append(ids, s.ID)
	}
	if !slices.Contains(ids, "t.figures") {
		t.Errorf("sections %v", ids)
	}
	grounded(t, d)
	if !audited(t, d, rec) {
		t.Error("the record does not hold")
	}
	covered := map[string]string{}
	for _, r := range slices.Concat(d.Template.Sections, d.Template.Requires) {
		covered[r.Name] = r.State
	}
	for _, name := range []string{"money", "figure", "date", "two_voices"} {
		if covered[name] != "covered" {
			t.Errorf("%s is %s: %v", name, covered[name], covered)
		}
	}
	if covered["risk"] != "missing" {
		t.Errorf("nothing speaks of risk, and it is %s", covered["risk"])
	}
	for _, name := range []string{"numbers_cited", "markers", "page"} {
		if g := gateOf(t, d, name); g.State != research.GatePass {
			t.Errorf("%+v", g)
		}
	}
}

// grounded holds every cell, every label of a drawing and every pull quote against the passages of the sources it cites.
func grounded(t *testing.T, d research.Digest) {
	t.Helper()
	words := func(refs []int) string {
		var b strings.Builder
		for _, p := range d.Passages {
			for _, r := range refs {
				if p.Source == d.Sources[r].ID {
					b.WriteString(text.Fold(oneLine(p.Text)) + "\n")
				}
			}
		}
		return b.String()
	}
	cells, labels := 0, 0
	for _, s := range d.Sections {
		for _, tab := range s.Tables {
			for _, row := range tab.Rows {
				for _, c := range row {
					if c.Text == "" {
						continue
					}
					cells++
					if len(c.Refs) == 0 || !strings.Contains(words(c.Refs), strings.TrimRight(text.Fold(c.Text), ".。…")) {
						t.Errorf("section %s: no passage of %v holds the cell %q", s.ID, c.Refs, c.Text)
					}
				}
			}
		}
		for _, g := range s.Diagrams {
			if strings.ContainsAny(g.Code, "<>`%;") {
				t.Errorf("a drawing with a mark in it: %s", g.Code)
			}
			flat := regexp.MustCompile(`[^\p{L}\p{N}]+`).ReplaceAllString(words(g.Refs), " ")
			for _, m := range regexp.MustCompile(`"([^"]+)"| : (.+)`).FindAllStringSubmatch(g.Code, -1) {
				labels++
				l := strings.TrimSpace(regexp.MustCompile(`[^\p{L}\p{N}]+`).ReplaceAllString(text.Fold(m[1]+m[2]), " "))
				if !strings.Contains(flat, l) {
					t.Errorf("section %s: no passage of %v holds the label %q", s.ID, g.Refs, l)
				}
			}
		}
		for _, q := range s.Quotes {
			if !strings.Contains(d.Passages[q.Passage].Text, q.Text) {
				t.Errorf("the quotation %q is not of its passage", q.Text)
			}
		}
	}
	if cells == 0 {
		t.Error("there is no table to look at")
	}
}

func TestChainAndChronology(t *testing.T) {
	c := overPages(t, "Why did the Brenner works move, and when were the engine works founded?", map[string]string{
		"guild/brenner.md": "# Brenner\n\nBy Ada Stolz\n\nThe fire of 1923 led to the move of the Brenner works to Linden.\n\nThe strike of 1931 resulted in the closure of the Brenner foundry.\n\nThe Brenner engine works were founded in 1891.\n",
	})
	c.Request.Template = "industry"
	d, _, rec := digestOf(t, c)
	var codes []string
	for _, s := range d.Sections {
		for _, g := range s.Diagrams {
			codes = append(codes, g.Code)
		}
	}
	all := strings.Join(codes, "\n")
	if strings.Contains(all, "timeline") || len(d.Timeline) == 0 {
		t.Errorf("the timeline is printed once, and not drawn beside: %v, %v", codes, d.Timeline)
	}
	if !audited(t, d, rec) {
		t.Error("the record does not hold")
	}
	p := &printer{desk: &desk{run: &run{}}, d: &d, index: map[string]int{"s": 0}}
	cs := []saidClaim{}
	for _, w := range []string{"The fire of 1923 led to the move of the works.", "The works closed because of the strike of 1931.", "Nothing here."} {
		cs = append(cs, saidClaim{Claim: research.Claim{Text: w, Source: "s"}, words: text.Fold(w)})
	}
	got := p.chain(cs)
	if len(got) != 1 || !strings.Contains(got[0].Code, `n1["The fire of 1923"]`) || !strings.Contains(got[0].Code, `n3["the strike of 1931"]`) || !strings.Contains(got[0].Code, "n3 --> n4") {
		t.Errorf("chain %+v", got)
	}
	// An arrow whose words do not stand in the passage is none.
	cs[0].words, cs[1].words = "something else", "something else"
	if got := p.chain(cs); got != nil {
		t.Errorf("drawn without ground: %+v", got)
	}
}

func TestLabel(t *testing.T) {
	for _, s := range []string{`a"]; click n1 "javascript:alert(1)"`, "<img src=x onerror=alert(1)>", "```\nflowchart", "a --> b|c|", "%%{init: {}}%%"} {
		if l := label(s, 60); strings.ContainsAny(l, "\"`<>{}[]()|;#&\\:%\n") {
			t.Errorf("label(%q) = %q", s, l)
		}
	}
}

func TestTemplatesAreWhole(t *testing.T) {
	names := intent.TemplateNames()
	for _, want := range []string{"enterprise", "person", "technology", "industry", "policy", "literature", "general"} {
		if !slices.Contains(names, want) {
			t.Errorf("no template %s", want)
		}
	}
	for _, n := range names {
		tpl := intent.TemplateOf(research.Understanding{Template: n, TemplateWhy: "asked", Intent: research.CausalAnalysis})
		if tpl.Name != n || len(tpl.Parts) == 0 || tpl.Parts[0] != "chain" {
			t.Errorf("template %s: %+v", n, tpl)
		}
		for _, lang := range []string{"en", "zh"} {
			for _, p := range tpl.Parts {
				if intent.PartTitle(p, lang) == "" {
					t.Errorf("part %s has no title in %s", p, lang)
				}
			}
			for _, r := range tpl.Requires {
				if intent.RequirementTitle(r, lang) == "" {
					t.Errorf("requirement %s has no words in %s", r, lang)
				}
			}
			for _, s := range tpl.Sections {
				if s.Title(lang) == "" || s.CuesEN == "" || s.CuesZH == "" {
					t.Errorf("section %s of %s is not whole", s.ID, n)
				}
			}
		}
	}
	for q, want := range map[string]string{"Who was Ada Stolz?": "person", "How large is the market for barges?": "industry", "What does the tax law say of barges?": "policy", "How deep is the bay?": "general"} {
		u := intent.Understand(q, "en", research.ShapeAuto, research.Quick, testNow(t))
		if got, why := intent.ChooseTemplate(u, ""); got != want || why != "domain" {
			t.Errorf("%s: %s by %s, want %s", q, got, why, want)
		}
		if got, why := intent.ChooseTemplate(u, "literature"); got != "literature" || why != "asked" {
			t.Errorf("%s: %s by %s", q, got, why)
		}
	}
	// A question for one fact asks for no aspects.
	if tpl := intent.TemplateOf(research.Understanding{Template: "person", TemplateWhy: "domain", Intent: research.FactQuery}); len(tpl.Sections) > 0 {
		t.Errorf("sections %+v", tpl.Sections)
	}
}
