package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStates: digits and words have ends, separators of thousands and spaces make no difference.
func TestStates(t *testing.T) {
	for _, tc := range []struct {
		variant, text string
		want          bool
	}{
		{"48", "carries 48 passengers", true}, {"48", "carries 148 passengers", false}, {"48", "carries 480 passengers", false},
		{"48", "in 48.5 minutes", false}, {"48", "in 1.48 minutes", false}, {"48", "It is 48.", true}, {"48", "48, then", true},
		{"1200", "about 1,200 litres", true}, {"1,200", "about 1200 litres", true}, {"1234567", "of 1,234,567 files", true}, {"1200", "about 1,2001", false},
		{"0.4 MB", "takes 0.4MB of disk", true}, {"0.4 MB", "takes 10.4 MB of disk", false},
		{"Holm", "the yard of Edda Holm & Sons", true}, {"Holm", "in Stockholm", false}, {"Holm", "Holmes", true}, {"Holm", "Holmen", false}, {"Holm", "HOLM'S yard", true}, {"engine", "two engines", true}, {"box", "two boxes", true},
		{"4 June 1921", "on 4  June\n1921", true}, {"Edda Holm", "EddaHolm", false}, {"café", "the CAFE", true},
		{"48名", "可以运载 48 名乘客", true}, {"48名", "可以运载49名乘客", false},
		{"re:4\\d passengers", "it carries 48 passengers", true}, {"re:^48", "it carries 48", false}, {"re:(?<!not )ready", "not ready", false}, {"re:(", "(", false},
		{"", "anything", false}, {"C++", "written in C++ today", true},
	} {
		if got := states([]string{tc.variant}, tc.text); got != tc.want {
			t.Errorf("states(%q, %q) = %v, want %v", tc.variant, tc.text, got, tc.want)
		}
	}
	if states(nil, "text") {
		t.Error("no variant is stated")
	}
}

func TestSigns(t *testing.T) {
	for s, want := range map[string]float64{"": 0, "two words": 5, "渡轮 48": 4.5} {
		if got := signs(s); got != want {
			t.Errorf("signs(%q) = %g, want %g", s, got, want)
		}
	}
	sixty := strings.TrimSpace(strings.Repeat("word ", 60))
	if signs(sixty) > maxStated || signs(sixty+" more") <= maxStated {
		t.Errorf("sixty words are %g signs of %d", signs(sixty), maxStated)
	}
}

func TestWordsIn(t *testing.T) {
	for _, tc := range []struct {
		span, quote string
		want        float64
	}{{"The ferry carries 48", "the FERRY, 48", 0.75}, {"渡轮", "渡船", 0.5}, {"", "x", 0}, {"a b", "", 0}} {
		if got := wordsIn(tc.span, tc.quote); got != tc.want {
			t.Errorf("wordsIn(%q, %q) = %g, want %g", tc.span, tc.quote, got, tc.want)
		}
	}
}

func TestHolds(t *testing.T) {
	c := &corpusFiles{root: "testdata/corpus", text: map[string]string{}}
	for _, tc := range []struct {
		path, quote string
		want        bool
	}{
		{"office/ferry.html", "built by the yard of Edda Holm & Sons and carries 48 passengers", true},
		{"office/ferry.html", "carries  48\npassengers", true},
		{"office/ferry.html", "carries 49 passengers", false},
		{"office/ferry.html", "color", false}, // a style sheet is not read
		{"office/ferry.html", "", false},
		{"office/engine.txt", "320 horsepower", true},
		{"yamen/dudu.md", "可以运载48名乘客", true},
		{"office/none.html", "carries", false},
	} {
		if got := c.holds(tc.path, tc.quote); got != tc.want {
			t.Errorf("holds(%q, %q) = %v, want %v", tc.path, tc.quote, got, tc.want)
		}
	}
	if c.unread != 1 {
		t.Errorf("%d files could not be read, want 1", c.unread)
	}
}

func TestPlainText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "latin.HTML")
	if err := os.WriteFile(name, []byte("<meta charset=iso-8859-1><p>caf\xe9 <b>48</b> &lt;tag&gt;</p><script>no()</script><!-- no -->"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := plainText(name)
	if err != nil || strings.Join(strings.Fields(got), " ") != "café 48 <tag>" {
		t.Errorf("plainText = %q, %v", got, err)
	}
}

const ferry = "office/ferry.html"

var seats = gold{Facet: "seats", Variants: []string{"48 passengers"}, Path: ferry, Also: []string{"guild/boats.md"}, Span: "carries 48 passengers across the sound"}

func said(text string, cites ...saidCitation) saidFinding {
	return saidFinding{Text: text, Citations: cites}
}

func TestScoreOne(t *testing.T) {
	quote := "carries 48 passengers across the sound"
	long := "It carries 48 passengers. " + strings.Repeat("And more. ", 40)
	for _, tc := range []struct {
		name                 string
		kind                 string
		gold                 []gold
		claims               []string
		a                    answered
		hit, strict, concise int
		points, tight        float64
		citedOK              int
	}{
		{"right", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said("It carries 48 passengers.", saidCitation{ferry, quote})}}, 1, 1, 1, 1, 1, 1},
		{"another file of the same words", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said("48 passengers", saidCitation{"office/engine.txt", quote})}}, 1, 0, 1, 1, 1, 0},
		{"forged quotation", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said("48 passengers", saidCitation{ferry, "surely 48 passengers"})}}, 1, 0, 1, 1, 1, 0},
		{"uncited", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said("48 passengers")}}, 0, 0, 0, 0, 0, 0},
		{"wrong number", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said("It carries 49 passengers.", saidCitation{ferry, quote})}}, 0, 0, 0, 0, 0, 1},
		{"a pasted passage", "plain", []gold{seats}, nil, answered{Findings: []saidFinding{said(long, saidCitation{ferry, quote})}}, 1, 1, 0, 1, 0, 1},
		{"half of the facets", "multi", []gold{seats, {Facet: "yard", Variants: []string{"Holm"}, Path: ferry}}, nil, answered{Findings: []saidFinding{said("48 passengers", saidCitation{ferry, quote})}}, 1, 1, 1, 0.5, 0.5, 1},
		{"one side of a conflict", "conflict", []gold{seats, {Facet: "guild", Variants: []string{"52"}, Path: "guild/boats.md"}}, nil, answered{Findings: []saidFinding{said("48 passengers", saidCitation{ferry, quote})}}, 1, 1, 1, 0, 0, 1},
		{"no run", "plain", []gold{seats}, nil, answered{}, 0, 0, 0, 0, 0, 0},
		{"honest", "unanswerable", nil, []string{`\bsaint\b`}, answered{Gaps: []string{"Not found: the saint"}}, 0, 0, 0, 1, 1, 0},
		{"honest with another finding", "unanswerable", nil, []string{`\bsaint\b`}, answered{Gaps: []string{"g"}, Findings: []saidFinding{said("The ferry is old.", saidCitation{ferry, "began its service"})}}, 0, 0, 0, 1, 1, 1},
		{"a lie", "unanswerable", nil, []string{`\bsaint\b`}, answered{Gaps: []string{"g"}, Findings: []saidFinding{said("The saint is Olaf.")}}, 0, 0, 0, 0, 0, 0},
		{"says that it is not there", "unanswerable", nil, []string{`\bsaint\b`}, answered{Gaps: []string{"g"}, Findings: []saidFinding{said("The documents do not name the saint.")}}, 0, 0, 0, 1, 1, 0},
		{"silent without a gap", "unanswerable", nil, []string{`\bsaint\b`}, answered{}, 0, 0, 0, 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := &corpusFiles{root: "testdata/corpus", text: map[string]string{}}
			r := scoreOne(question{ID: "x", Kind: tc.kind, Gold: tc.gold, Claims: tc.claims}, tc.a, files)
			if r.hit != tc.hit || r.strict != tc.strict || r.concise != tc.concise || r.points != tc.points || r.pointsConcise != tc.tight || r.citedOK != tc.citedOK {
				t.Errorf("hit %d strict %d concise %d points %g %g cited %d; want %d %d %d %g %g %d",
					r.hit, r.strict, r.concise, r.points, r.pointsConcise, r.citedOK, tc.hit, tc.strict, tc.concise, tc.points, tc.tight, tc.citedOK)
			}
		})
	}
}

func TestScoreQA(t *testing.T) {
	qs := []question{{ID: "a", Kind: "plain", Gold: []gold{seats}}, {ID: "b", Kind: "unanswerable", Claims: []string{"x"}}, {ID: "c", Kind: "plain", Gold: []gold{{Facet: "yard", Variants: []string{"Holm"}, Path: ferry}}}}
	got := scoreQA(qs, map[string]answered{
		"a": {Findings: []saidFinding{said("48 passengers", saidCitation{ferry, "carries 48 passengers"}), said("Gulls.", saidCitation{ferry, "nowhere"})}},
		"b": {Gaps: []string{"g"}, Findings: []saidFinding{said("It rains.")}},
	}, "testdata/corpus")
	for key, want := range map[string]any{"n": 3, "points": 0.6667, "facet_recall": 0.5, "on_point": 0.5, "citation_precision": 0.5, "citations": 2, "unanswerable_honest": 1, "unanswerable": 1,
		"false_not_found": 1, "answerable": 2, "conflict": 0} {
		if got[key] != want {
			t.Errorf("%s = %v, want %v", key, got[key], want)
		}
	}
	if missed := got["missed"].([]string); len(missed) != 1 || missed[0] != "c yard" {
		t.Errorf("missed %q", missed)
	}
	if empty := aggregate(nil); empty["points"] != 0.0 {
		t.Errorf("no questions give %v", empty)
	}
}
