package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/app/desk"
	"assay/engine/audit"
	"assay/engine/research"
)

func bench(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(context.Background(), args, &o, &e)
	return code, o.String(), e.String()
}

// TestQA answers five questions over four documents, as the bench is used.
func TestQA(t *testing.T) {
	out := t.TempDir()
	code, stdout, stderr := bench(t, "qa", "--data", "testdata/questions.jsonl", "--corpus", "testdata/corpus", "--out", out, "--depth", "quick", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var score map[string]any
	if err := json.Unmarshal([]byte(stdout), &score); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	for _, key := range []string{"n", "points", "points_concise", "facet_recall", "facet_recall_strict", "facet_recall_concise", "on_point", "citation_precision", "citations",
		"unanswerable_honest", "unanswerable", "conflict_surfaced", "conflict", "false_not_found", "answerable", "by_kind", "missed", "seconds_median", "ingest_seconds", "ingest_pages", "peak_mib"} {
		if _, ok := score[key]; !ok {
			t.Errorf("the result has no %q", key)
		}
	}
	for key, want := range map[string]float64{"n": 5, "points": 1, "points_concise": 1, "citation_precision": 1, "unanswerable_honest": 1, "unanswerable": 1, "conflict_surfaced": 1, "conflict": 1, "answerable": 4, "false_not_found": 0, "ingest_pages": 4} {
		if got := score[key]; got != want {
			t.Errorf("%s = %v, want %v (missed: %v)", key, got, want, score["missed"])
		}
	}
	checkAnswers(t, out)
}

// checkAnswers reads what the bench wrote for each question.
func checkAnswers(t *testing.T, out string) {
	t.Helper()
	for _, id := range []string{"T1", "T2", "T3", "T4", "T5"} {
		var a answered
		readJSON(t, filepath.Join(out, id+".json"), &a)
		want := "ok"
		if id == "T4" {
			want = "not_found"
		}
		if a.ID != id || a.Status != want || (want == "not_found") != (len(a.Findings) == 0) {
			t.Errorf("%s: %+v, want status %s", id, a, want)
		}
		for _, f := range a.Findings {
			for _, c := range f.Citations {
				if _, err := os.Stat(filepath.Join("testdata/corpus", c.Path)); err != nil {
					t.Errorf("%s cites %q, which is no file of the corpus", id, c.Path)
				}
			}
		}
		var run research.Run
		readJSON(t, filepath.Join(out, "full", id, "run.json"), &run)
		if r := audit.Check(run); !r.OK() {
			t.Errorf("%s: the audit of the full run: %v", id, r.Faults)
		}
		page, err := os.ReadFile(filepath.Join(out, "full", id, "report.html"))
		if err != nil || !bytes.Contains(page, []byte("<html")) {
			t.Errorf("%s: the report: %v", id, err)
		}
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestMainRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	empty, broken := write("empty.jsonl", "\n\n"), write("broken.jsonl", "{\"id\":\"a\"}\nnonsense\n")
	lost := write("lost.jsonl", `{"id":"a","question":"Where?","packages":["nowhere"]}`)
	for _, tc := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no bench", nil, 2, "name one of"},
		{"a flag first", []string{"--json"}, 2, "qa"},
		{"unknown bench", []string{"poems"}, 2, `no bench "poems"`},
		{"unknown flag", []string{"qa", "--colour"}, 2, "colour"},
		{"nothing given", []string{"qa"}, 2, "--data"},
		{"another model", []string{"qa", "--data", empty, "--corpus", dir, "--out", dir, "--model", "ollama:x"}, 2, "ollama:x"},
		{"missing data", []string{"qa", "--data", filepath.Join(dir, "none"), "--corpus", dir, "--out", dir}, 1, "no such file"},
		{"no question", []string{"qa", "--data", empty, "--corpus", dir, "--out", dir}, 1, "holds no question"},
		{"broken line", []string{"qa", "--data", broken, "--corpus", dir, "--out", dir}, 1, "line 2"},
		{"missing folder", []string{"qa", "--data", lost, "--corpus", dir, "--out", dir}, 1, "nowhere"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, _, stderr := bench(t, tc.args...)
			if code != tc.code || !strings.Contains(stderr, tc.says) {
				t.Errorf("exit %d, %q; want %d with %q", code, stderr, tc.code, tc.says)
			}
		})
	}
	if !slices.Contains(Names(), "qa") {
		t.Errorf("benches %q", Names())
	}
}

func TestQuestions(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    options
		want string
	}{
		{"all", options{}, "T1 T2 T3 T4 T5"}, {"first two", options{limit: 2}, "T1 T2"}, {"only", options{only: "T5,T2"}, "T2 T5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.data = "testdata/questions.jsonl"
			qs, err := questions(tc.o)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, q := range qs {
				ids = append(ids, q.ID)
			}
			if got := strings.Join(ids, " "); got != tc.want {
				t.Errorf("questions %s, want %s", got, tc.want)
			}
		})
	}
}

// TestStrike takes each source out of a finished run.
func TestStrike(t *testing.T) {
	home := t.TempDir()
	d, err := desk.Open(desk.Options{Program: "terminal", Version: "1.0", Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": home, "OLLAMA_HOST": "127.0.0.1:1"}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := filepath.Abs("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Start(t.Context(), research.Request{Question: "When did the Larkrise ferry begin its service, and how many passengers does it carry?", Libraries: []string{corpus}, Model: "extractive", Now: "2026-01-02T03:04:05Z", AllowPartial: true}, desk.StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.Wait(t.Context())
	if err = errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := bench(t, "strike", "--data", filepath.Join(j.Dir(), desk.FileRun), "--json")
	var got strikeResult
	if err := json.Unmarshal([]byte(stdout), &got); code != 0 || err != nil || got.N == 0 || got.Equal != got.N || got.Moved == 0 {
		t.Errorf("exit %d, %v: %+v\n%s", code, err, got, stderr)
	}
	if code, _, stderr := bench(t, "strike"); code != 2 || !strings.Contains(stderr, "RUN.json") {
		t.Errorf("without a run: exit %d: %s", code, stderr)
	}
}
