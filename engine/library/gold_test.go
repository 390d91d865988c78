package library

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"assay/engine/research"
)

func fold(s string) string {
	r := strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", " | ", " ", "¶", "")
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(r.Replace(s)))), "")
}

// TestGoldRetrieval measures in how many facets of the question set one of the first ten passages holds the first half of
// the gold span or an accepted answer. It needs ASSAY_QA and ASSAY_CORPUS, as the test of gold spans in package document.
func TestGoldRetrieval(t *testing.T) {
	set, corpus := os.Getenv("ASSAY_QA"), os.Getenv("ASSAY_CORPUS")
	if set == "" || corpus == "" {
		t.Skip("ASSAY_QA and ASSAY_CORPUS are not set: the question set is not here")
	}
	f, err := os.Open(set)
	if err != nil {
		t.Skipf("the question set is not here: %v", err)
	}
	defer f.Close()
	ctx := context.Background()
	l, err := Open(t.TempDir(), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		g, err := l.Add(ctx, filepath.Join(corpus, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d files, %d passages, unread %d, skipped %d %v", e.Name(), g.Files, g.Passages, g.Unread, g.Skipped, g.Problems)
	}
	var facets, span, answer, lit int
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var q struct {
			ID, Question string
			Literal      string `json:"question_literal"`
			Packages     []string
			Gold         []struct {
				Path, Span string
				Also       []string
				Variants   []string
			}
		}
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		scope, err := l.Within(q.Packages...)
		if err != nil {
			t.Fatal(err)
		}
		hits, err := scope.Search(ctx, research.Query{Text: q.Question, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		lits, err := scope.Search(ctx, research.Query{Text: q.Literal, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range q.Gold {
			facets++
			key := []rune(fold(g.Span))
			key = key[:max(len(key)/2, 1)]
			in := func(hits []research.Hit) (a, s bool) {
				for _, h := range hits {
					x := fold(h.Snippet)
					s = s || strings.Contains(x, string(key))
					if h.Location == g.Path || contains(g.Also, h.Location) {
						for _, v := range g.Variants {
							a = a || strings.Contains(x, fold(v))
						}
					}
				}
				return
			}
			a, s := in(hits)
			_, ls := in(lits)
			if s {
				span++
			}
			if a {
				answer++
			}
			if ls {
				lit++
			}
		}
	}
	t.Logf("first ten passages: span %d, answer in a gold file %d, span with the literal question %d, of %d facets", span, answer, lit, facets)
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
