package engine

import (
	"strings"
	"testing"
	"time"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
)

// TestAnswersFacet holds that a part of a question counts as answered only by what is about it and holds the kind of thing
// that it asks for.
func TestAnswersFacet(t *testing.T) {
	for _, tc := range []struct {
		name, question string
		facet          string // a piece of the facet's text
		passage        string
		want           bool
	}{
		{"names of companies, another matter", "Why is there no Debian 1.0, and which company is to blame?", "company", "Some of the companies closed down. Corel sold its Linux division in 2001 and Stormix declared bankruptcy.", false},
		{"the company of the matter", "Why is there no Debian 1.0, and which company is to blame?", "company", "InfoMagic, a vendor of CDs, was to blame for it.", true},
		{"the matter, no company", "Why is there no Debian 1.0, and which company is to blame?", "company", "The project said later who was to blame for it.", false},
		{"only a name of the question", "Which company built the tower of Arle?", "company", "A company built the tower of Arle.", false},
		{"a reason needs no kind", "Why is there no Debian 1.0, and which company is to blame?", "Why", "A vendor shipped a development release as Debian 1.0.", true},
		{"person", "Who built the tower on the reef?", "Who", "The tower on the reef was built by Agnes Calder.", true},
		{"person, no name", "Who built the tower on the reef?", "Who", "The tower on the reef was built in 1874.", false},
		{"person, another matter", "Who built the tower on the reef?", "Who", "Agnes Calder kept bees in the village.", false},
		{"date", "When was the tower on the reef built?", "When", "The tower on the reef was built in May 1874.", true},
		{"date, another matter", "When was the tower on the reef built?", "When", "The village was flooded in May 1874.", false},
		{"date, none", "When was the tower on the reef built?", "When", "The tower on the reef was built long ago.", false},
		{"figure", "How many steps lead up the tower on the reef?", "How", "In the tower on the reef 312 steps lead up to the lamp.", true},
		{"figure, another matter", "How many steps lead up the tower on the reef?", "How", "The village has 312 people.", false},
		{"place", "Where was the keeper of the lamp buried?", "Where", "The keeper of the lamp was buried in Port Ellery.", true},
		{"place, none", "Where was the keeper of the lamp buried?", "Where", "The keeper of the lamp was buried far away.", false},
		{"chinese date", "灯塔何时建成？", "何时", "灯塔于1874年建成。", true},
		{"chinese date, another matter", "灯塔何时建成？", "何时", "村庄在1874年被淹。", false},
		{"chinese company", "哪家公司建造了灯塔？", "哪家", "灯塔由海港工程公司建造。", true},
		{"chinese company, none", "哪家公司建造了灯塔？", "哪家", "灯塔由一家公司建造。", false},
		{"anything", "How is the lamp lit?", "How", "The lamp is lit with oil.", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := intent.Understand(tc.question, "auto", research.ShapeAuto, research.Standard, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			p := subject.Read(research.Document{Text: tc.passage, Lang: u.Lang})
			l := &lens{meaning: u, pages: []*subject.Page{p}, body: subject.NewBody([]*subject.Page{p})}
			fi := -1
			for i, f := range u.Facets {
				l.asks = append(l.asks, ask(u, f, nil))
				if strings.Contains(f.Text, tc.facet) {
					fi = i
				}
			}
			if fi < 0 {
				t.Fatalf("no part of %+v has %q", u.Facets, tc.facet)
			}
			if got := l.answersFacet(fi, 0, 0, tc.passage); got != tc.want {
				t.Errorf("answersFacet(%q, %s, terms %q) = %v, want %v", tc.passage, u.Facets[fi].Want, u.Facets[fi].Terms, got, tc.want)
			}
		})
	}
}
