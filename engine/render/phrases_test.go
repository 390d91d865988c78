package render

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"assay/engine/research"
)

// latin finds words of ours: three letters or more in lower case.
var latin = regexp.MustCompile(`[a-z]{3,}`)

// TestPhrases holds that every sentence of the table has a Chinese form, and that none of its words is left English in it.
func TestPhrases(t *testing.T) {
	zh, en := &page{V: words["zh"]}, &page{V: words["en"]}
	for _, p := range phrasesEN {
		s := strings.ReplaceAll(p[0], `(?:claim|source)`, "claim")
		s = strings.ReplaceAll(s, `(?:date|day)`, "date")
		s = strings.ReplaceAll(regexp.MustCompile(`\([^()]*\)`).ReplaceAllString(s, "42"), `\.`, ".")
		got := zh.Phrase(s)
		if latin.MatchString(got) || !strings.ContainsFunc(got, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || strings.Contains(got, "$") {
			t.Errorf("Phrase(%q) = %q in Chinese", s, got)
		}
		if en.Phrase(s) != s {
			t.Errorf("Phrase(%q) = %q in English", s, en.Phrase(s))
		}
	}
}

// TestChinesePage holds that a Chinese page says nothing of its own in English: what is left beside the words of sources, names
// and formulas is Chinese.
func TestChinesePage(t *testing.T) {
	d := research.Digest{
		Lang: "zh", Title: "灯塔", Topic: "灯塔", Date: "2026-01-01", Shape: research.ShapeSurvey,
		Sources: []research.DigestSource{{ID: "s1", Title: "灯塔", URL: "d/a.html", Voice: "d", Verdict: research.Verified, Note: "opened and read; a document the person added, without a byline",
			OriginType: research.Reference, Tier: 2, Angle: "overview", MediaType: "text/html"}},
		Issues: []research.Issue{
			{Kind: "source", Text: "灯塔", Reason: "reject_duplicate: holds the same document as d/a.html", Source: "d/a.pdf"},
			{Kind: "source", Text: "灯塔", Reason: "reject_offsubject: speaks of something else: subject match 0.05, at least 0.10 is asked", Source: "d/b.html"},
			{Kind: "claim", Text: "灯塔", Reason: "confidence 0.33 is in the reject band"},
		},
		Model:       research.ModelUse{Channel: "extractive", Note: "未使用语言模型。", Why: "The extractive channel was asked for."},
		Callouts:    []research.Callout{{Level: "info", Label: "模型", Text: "未使用语言模型。 The extractive channel was asked for."}},
		Contradicts: []research.Contradiction{{Kind: "direct", A: "c1", B: "c2", Reason: "the values are 1 and 2", Resolution: "unresolved"}},
		Claims:      map[string]research.Claim{"c1": {Text: "灯塔高1米。"}, "c2": {Text: "灯塔高2米。"}},
	}
	b, err := HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	md, err := Markdown(d)
	if err != nil {
		t.Fatal(err)
	}
	body := string(b)[strings.Index(string(b), "<body>"):]
	for name, s := range map[string]string{"page": regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, " "), "markdown": string(md)} {
		s = regexp.MustCompile("`assay audit run.json`|<[^>]*>|&#?\\w+;|\\(#s-\\d\\)|d/[ab]\\.\\w+|text/html|assay audit|run\\.json|Assay|mermaid|sha256").ReplaceAllString(s, " ")
		for _, w := range latin.FindAllString(s, -1) {
			i := strings.Index(s, w)
			t.Errorf("the %s says %q in English: …%s…", name, w, s[max(0, i-40):min(len(s), i+40)])
		}
	}
	if strings.Contains(body, "reject_") || strings.Contains(string(md), "reject_") {
		t.Error("a verdict is printed as the record spells it")
	}
}

// A contested question prefers no side: each is shown with the perspective that it speaks from.
func TestPerspectives(t *testing.T) {
	d := fullDigest()
	d.Contradicts[0].Resolution, d.Contradicts[0].Preferred = "contested", ""
	c := d.Claims["c1"]
	c.Bias = []string{"own_product"}
	d.Claims["c1"] = c
	for _, write := range []func(research.Digest) ([]byte, error){HTML, Markdown} {
		b, err := write(d)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(b); !strings.Contains(s, "perspective: ") || !strings.Contains(s, "own product") || !strings.Contains(s, "Contested: both are shown") {
			t.Errorf("no perspective in\n%.400s", s)
		}
	}
}
