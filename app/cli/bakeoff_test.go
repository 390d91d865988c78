package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/app/desk"
	"assay/engine/enginetest"
)

// refusing is a server whose model keeps a schema when it is looked at and refuses to work.
func refusing(t *testing.T) *enginetest.Server {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "bad", Context: 32768}}
	s.Fault = func(_ int, r enginetest.ChatRequest) enginetest.Fault {
		if strings.Contains(r.Prompt(), "sentence about the sea") {
			return enginetest.Good
		}
		return enginetest.Refuses
	}
	return s
}

var entryForm = regexp.MustCompile(`\bv[0-9a-f]{12}\b`)

// TestBakeoffCommand goes from the first run of a model to its discard, as a person would.
func TestBakeoffCommand(t *testing.T) {
	x := newTerminal(t)
	x.ollama = refusing(t).URL
	dir := docs(t)
	x.want(0, "no bake-offs yet", "bakeoff", "list")
	x.want(0, "no verdicts yet", "bakeoff", "log")
	x.want(0, "--models", "bakeoff")
	args := []string{"bakeoff", "--models", "bad", "--questions", "What is the melting point of gold?", "--library", dir, "--clock", clock, "--kv", "f16"}
	out := x.want(0, "ollama:bad: INFORMATIONAL", args...)
	for _, want := range []string{"1 model against extractive as every role, 1 question, depth quick", "baseline", "Rule 4 (a discard needs two runs): its one run failed", "--runs 2", "tasks had to be done without it"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	var list []desk.BakeoffInfo
	if err := json.Unmarshal([]byte(x.want(0, "", "bakeoff", "list", "--json")), &list); err != nil || len(list) != 1 {
		t.Fatalf("bakeoff list --json = %+v, %v", list, err)
	}
	id := list[0].ID
	x.want(2, "is done already", "bakeoff", "--resume", id)
	x.want(0, "ollama:bad: DISCARD", "bakeoff", "--resume", id, "--runs", "2")
	x.want(0, "done", "bakeoff", "list")

	log := x.want(0, "no: superseded by", "bakeoff", "log")
	if !strings.Contains(log, "supersedes") || !strings.Contains(log, "ollama 0.17.4") || strings.Contains(log, "\x1b") || strings.Count(log, "\n") != 4 {
		t.Errorf("bakeoff log:\n%s", log)
	}
	x.want(0, "discard", "bakeoff", "log", "--model", "bad")
	x.want(0, "no verdicts yet", "bakeoff", "log", "--model", "other")
	var changes desk.Changelog
	if err := json.Unmarshal([]byte(x.want(0, "", "bakeoff", "log", "--json")), &changes); err != nil || len(changes.Lines) != 3 || changes.Version != "0.17.4" {
		t.Errorf("bakeoff log --json = %+v, %v", changes, err)
	}

	show := x.want(0, "Records: "+x.home, "bakeoff", "show", id[:15])
	if !strings.Contains(show, "superseded by") || strings.Count(show, "ollama:bad  ") != 2 {
		t.Errorf("bakeoff show:\n%s", show)
	}
	var view desk.BakeoffView
	if err := json.Unmarshal([]byte(x.want(0, "", "bakeoff", "show", id, "--json")), &view); err != nil || len(view.Rows) != 3 || len(view.Trials[1].Proof.Exchanges) != 4 {
		t.Errorf("bakeoff show --json: %v", err)
	}
	x.want(0, " 0 differ", "audit", filepath.Join(x.home, "bakeoffs", view.Trials[1].Answers[0].Record))

	x.want(2, "takes one argument", "bakeoff", "rm")
	x.want(2, "there is no bake-off", "bakeoff", "rm", "x", "--yes")
	x.want(2, "its verdicts stay in the changelog, with the word that their data were removed: not confirmed; say yes with --yes", "bakeoff", "rm", id)
	x.want(0, "Deleted the data of bake-off "+id, "bakeoff", "rm", id[:15], "--yes")
	x.want(0, "no bake-offs yet", "bakeoff", "list")
	log = x.want(0, "data of bake-off "+id+" removed", "bakeoff", "log")
	if strings.Count(log, "its data were removed") != 2 || strings.Count(log, "\n") != 5 {
		t.Errorf("bakeoff log:\n%s", log)
	}
}

// TestBakeoffSupersede marks a verdict by hand and finds what was tampered with.
func TestBakeoffSupersede(t *testing.T) {
	x := newTerminal(t)
	x.ollama = refusing(t).URL
	args := []string{"bakeoff", "--models", "bad", "--questions", "What is the melting point of gold?", "--library", docs(t), "--clock", clock}
	var ids []string
	for range 2 {
		out := x.want(0, "ollama:bad:", args...)
		ids = append(ids, entryForm.FindString(out))
	}
	x.want(2, "name the corrected verdict with --retest", "bakeoff", "supersede", ids[0])
	x.want(2, "no entry", "bakeoff", "supersede", ids[0], "--retest", "vx", "--reason", "why")
	x.want(2, "later verdict", "bakeoff", "supersede", ids[1], "--retest", ids[0], "--reason", "why")
	x.want(0, "its retest is "+ids[1], "bakeoff", "supersede", ids[0], "--retest", ids[1], "--reason", "a bug of\x1b[31m the server")
	log := x.want(0, "retest "+ids[1], "bakeoff", "log")
	if strings.Contains(log, "\x1b") {
		t.Errorf("a reason steers the terminal: %q", log)
	}
	x.want(2, "superseded already", "bakeoff", "supersede", ids[0], "--retest", ids[1], "--reason", "again")

	name := filepath.Join(x.home, "bakeoffs", "verdicts.jsonl")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for text, want := range map[string]string{
		lines[0]: "lacks entry " + ids[1],
		lines[0] + strings.Replace(lines[1], `"outcome":"`, `"outcome":"x`, 1): "line 2: it was changed after it was written",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out := x.want(1, want, "bakeoff", "log")
		if !strings.Contains(out, ids[0]) {
			t.Errorf("the lines before the damage are not shown:\n%s", out)
		}
	}
	x.want(1, "line 2", args...)
}

// TestBakeoffLabels scores questions with right answers by the qa bench's rules.
func TestBakeoffLabels(t *testing.T) {
	x := newTerminal(t)
	x.ollama = refusing(t).URL
	for _, library := range []string{"../bench/testdata/corpus", "../bench/testdata/corpus/office"} {
		args := []string{"bakeoff", "--models", "bad", "--questions", "../bench/testdata/questions.jsonl", "--limit", "2", "--library", library, "--clock", clock, "--json"}
		var v desk.BakeoffView
		if err := json.Unmarshal([]byte(x.want(0, "", args...)), &v); err != nil {
			t.Fatal(err)
		}
		if len(v.Request.Questions) != 2 || v.Rows[0].Points == nil || *v.Rows[0].Points != 1 || v.Rows[0].Total.Marks["citation_precision"] != 1 {
			t.Errorf("%s: the baseline has %v", library, v.Rows[0].Total.Marks)
		}
	}
}

func TestBakeoffUsage(t *testing.T) {
	dir := docs(t)
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "q.jsonl")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"no model", []string{"--questions", "why gold?", "--library", dir}, "no model to try"},
		{"no question", []string{"--models", "a", "--library", dir}, "there is no question"},
		{"nothing to search", []string{"--models", "a", "--questions", "why gold?"}, "--library DIR"},
		{"missing folder", []string{"--models", "a", "--questions", "why gold?", "--library", dir + "x"}, "does not exist"},
		{"missing file", []string{"--models", "a", "--questions", dir + "/none", "--library", dir + "x"}, "does not exist"},
		{"runs", []string{"--models", "a", "--questions", "why gold?", "--library", dir, "--runs", "x"}, "not a number"},
		{"role", []string{"--models", "a", "--questions", "why gold?", "--library", dir, "--role", "judge"}, "analyst, planner"},
		{"itself", []string{"--models", "a", "--baseline", "ollama:a", "--questions", "why gold?", "--library", dir}, "against itself"},
		{"a misspelt file", []string{"--models", "a", "--questions", filepath.Join(dir, "none.jsonl"), "--library", dir}, "there is no such file"},
		{"a folder", []string{"--models", "a", "--questions", dir, "--library", dir}, "it is a folder"},
		{"no text", []string{"--models", "a", "--questions", file("why?\n\x00\xff\x01"), "--library", dir}, "line 2: it is not text in UTF-8"},
		{"limit", []string{"--models", "a", "--questions", "why gold?", "--library", dir, "--limit", "-3"}, "limit -3"},
		{"empty file", []string{"--models", "a", "--questions", file(" \n"), "--library", dir}, "holds no question"},
		{"damaged file", []string{"--models", "a", "--questions", file("why gold?\n{\"id\":"), "--library", dir}, "line 2: its end is missing"},
		{"long line", []string{"--models", "a", "--questions", file(strings.Repeat("x", maxQuestionLine+9)), "--library", dir}, "longer than"},
		{"resume of nothing", []string{"--resume", "2026"}, "no bake-off"},
		{"show nothing", []string{"show", "2026"}, "no bake-off"},
		{"show without an id", []string{"show"}, "takes one argument"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, errOut, code := newTerminal(t).run(append([]string{"bakeoff"}, tc.args...)...)
			if code != 2 || !strings.Contains(errOut, tc.want) || strings.Count(errOut, "\n") != 1 || out != "" {
				t.Errorf("code %d, want 2 and one sentence with %q\nout: %s\nerr: %s", code, tc.want, out, errOut)
			}
		})
	}
	x := newTerminal(t)
	x.want(4, "127.0.0.1:1", "bakeoff", "--models", "a", "--questions", "why gold?", "--library", dir)
	x.want(0, "failed", "bakeoff", "list")
	x.ollama = refusing(t).URL
	x.want(4, "no model a", "bakeoff", "--models", "a", "--questions", "why gold?", "--library", dir)
}

// TestBakeoffInterrupt: a signal leaves something to go on with.
func TestBakeoffInterrupt(t *testing.T) {
	x := newTerminal(t)
	s := refusing(t)
	fault := s.Fault
	s.Fault = func(n int, r enginetest.ChatRequest) enginetest.Fault {
		if n == 4 {
			x.signals <- os.Interrupt
			return enginetest.Hangs
		}
		return fault(n, r)
	}
	x.ollama = s.URL
	_, errOut, code := x.run("bakeoff", "--models", "bad", "--questions", "What is the melting point of gold?", "--library", docs(t), "--clock", clock)
	if code != 5 || !strings.Contains(errOut, "go on with: assay bakeoff --resume ") {
		t.Fatalf("code %d, want 5 and how to go on\n%s", code, errOut)
	}
	x.want(0, "interrupted", "bakeoff", "list")
	id := strings.TrimSpace(errOut[strings.LastIndex(errOut, "--resume ")+len("--resume "):])
	x.want(0, "INFORMATIONAL", "bakeoff", "--resume", id)
}

func FuzzQuestionLine(f *testing.F) {
	f.Add("Why is gold soft?")
	f.Add(`{"id":"T1","question":"When?","packages":["a"],"gold":[{}]}`)
	f.Add(`{"kind":"unanswerable"}`)
	f.Fuzz(func(t *testing.T, line string) {
		q, err := questionLine(line, []string{t.TempDir()})
		if err == nil && q.Label != "" && !json.Valid([]byte(q.Label)) {
			t.Errorf("questionLine(%q) has the label %q, which is no JSON", line, q.Label)
		}
		if len(q.Libraries) > 0 {
			for _, dir := range q.Libraries {
				if st, err := os.Stat(dir); err != nil || !st.IsDir() {
					t.Errorf("questionLine(%q) names %q, which is no folder", line, dir)
				}
			}
		}
	})
}
