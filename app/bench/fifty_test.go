package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The fifty questions: ten of each kind, and every requirement's span meets it by the scorer's own rule.
func TestFiftyQuestions(t *testing.T) {
	qs, err := questions(options{data: filepath.Join("fifty", "questions.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	kinds, ids, requirements := map[string]int{}, map[string]bool{}, 0
	for _, q := range qs {
		kinds[q.Kind]++
		if ids[q.ID] {
			t.Errorf("%s stands twice", q.ID)
		}
		ids[q.ID] = true
		for _, g := range q.Gold {
			requirements++
			if !states(g.Variants, g.Span) {
				t.Errorf("%s %s: its span does not state %q", q.ID, g.Facet, g.Variants)
			}
		}
	}
	for _, kind := range []string{"organisation", "person", "trend", "field", "policy"} {
		if kinds[kind] != 10 {
			t.Errorf("%d questions of kind %s", kinds[kind], kind)
		}
	}
	if len(qs) != 50 || requirements != 150 {
		t.Errorf("%d questions, %d requirements", len(qs), requirements)
	}
}

// Every span stands in its file, where the packages are installed. Texts that are packed there are left to prepare.sh.
func TestFiftySpans(t *testing.T) {
	if _, err := os.Stat("/usr/share/doc/debian-history/docs"); err != nil {
		t.Skip("the package debian-history is not installed here, so that the spans cannot be looked up")
	}
	qs, err := questions(options{data: filepath.Join("fifty", "questions.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	files := &corpusFiles{root: "/", text: map[string]string{}}
	checked := 0
	for _, q := range qs {
		for _, g := range q.Gold {
			_, name, _ := strings.Cut(g.Path, "/") // behind the package is the path in the system
			if _, err := os.Stat("/" + name); err != nil {
				continue
			}
			checked++
			if !files.holds(name, g.Span) {
				t.Errorf("%s %s: %q does not stand in /%s", q.ID, g.Facet, g.Span, name)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d spans were looked up", checked)
	}
}
