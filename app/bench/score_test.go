package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/library"
	"assay/engine/research"
)

// TestScorer marks as the bench does, question by question.
func TestScorer(t *testing.T) {
	b, err := os.ReadFile("testdata/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	o := options{data: "testdata/questions.jsonl", corpus: "testdata/corpus", out: t.TempDir(), depth: "quick", json: true}
	qs, err := questions(o)
	if err != nil {
		t.Fatal(err)
	}
	var lib *library.Library
	if lib, _, err = ingest(context.Background(), t.TempDir(), o, qs); err != nil {
		t.Fatal(err)
	}
	var labels []string
	for line := range strings.Lines(string(b)) {
		if strings.TrimSpace(line) != "" {
			labels = append(labels, line)
		}
	}
	score := Scorer("testdata/corpus")
	for i, q := range qs {
		a, err := answer(context.Background(), o, lib, q)
		if err != nil {
			t.Fatal(err)
		}
		want := scoreOne(q, a, &corpusFiles{root: o.corpus, text: map[string]string{}})
		marks, err := score(labels[i], digestOf(t, o.out, q.ID))
		if err != nil {
			t.Fatal(err)
		}
		if marks["points"] != want.points || marks["points_concise"] != want.pointsConcise {
			t.Errorf("%s: marks %v, the bench says %v and %v", q.ID, marks, want.points, want.pointsConcise)
		}
		if _, ok := marks["facet_recall"]; ok != (len(q.Gold) > 0) {
			t.Errorf("%s: facet_recall is marked: %v", q.ID, ok)
		}
		if p, ok := marks["citation_precision"]; ok != (want.cited > 0) || ok && p != 1 {
			t.Errorf("%s: citation_precision %v, %v of %d citations", q.ID, p, ok, want.cited)
		}
	}
	none := labels[0]
	marks, err := score(none, digestOf(t, o.out, "T4")) // a report that found nothing
	if err != nil || marks["points"] != 0 {
		t.Errorf("marks of an empty report: %v, %v", marks, err)
	}
	if _, err := score("{", digestOf(t, o.out, "T1")); err == nil {
		t.Error("a label that is no JSON was taken")
	}
}

// digestOf reads the digest that the bench wrote for a question.
func digestOf(t *testing.T, out, id string) (d research.Digest) {
	t.Helper()
	readJSON(t, filepath.Join(out, "full", id, "digest.json"), &d)
	return d
}
