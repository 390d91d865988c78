package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/bakeoff"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// bakeoffDesk opens a desk on a new home, with its model server at url.
func bakeoffDesk(t *testing.T, url string) *Desk {
	t.Helper()
	home := env(t.TempDir())
	d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: func(name string) string {
		if name == "OLLAMA_HOST" {
			return url
		}
		return home(name)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// metals is a library of two documents.
func metals(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "metals")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gold.md":  "# Gold\n\nGold melts at 1064 degrees Celsius. Pure gold is soft and is alloyed with copper.\n",
		"table.md": "# Melting points\n\nThe melting point of gold is 1064 degrees Celsius. The melting point of silver is 962 degrees Celsius.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func bakeoffOf(t *testing.T, models ...string) BakeoffRequest {
	return BakeoffRequest{
		Models: models, Libraries: []string{metals(t)}, Now: "2026-01-02T03:04:05Z", KVType: "f16",
		Questions: []BakeoffQuestion{{Question: "What is the melting point of gold?"}},
	}
}

// only returns the one verdict of a bake-off that stands on a model.
func only(t *testing.T, d *Desk, id, model string) (BakeoffVerdict, VerdictLine) {
	t.Helper()
	v, err := d.Bakeoff(id)
	if err != nil {
		t.Fatal(err)
	}
	var found []VerdictLine
	for _, l := range v.Verdicts {
		if l.Standing && l.Entry.Verdict.Candidate.Model == model {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d verdicts on %s stand, want 1", len(found), model)
	}
	return *found[0].Entry.Verdict, found[0]
}

// TestBakeoffReal holds two tiny models of a real server against the extractive channel, one of them made for a short window.
func TestBakeoffReal(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server answers for a minute; run without -short")
	}
	o := enginetest.StartOllama(t)
	o.Create("short", enginetest.Tiny{Context: 4096, Layers: 1, Seed: 7})
	d := bakeoffDesk(t, o.URL)
	var steps []string
	b, err := d.StartBakeoff(t.Context(), bakeoffOf(t, "tiny", "short"), BakeoffOptions{Tell: func(k BakeoffTick) {
		if k.Step != "library" {
			steps = append(steps, k.Step+" "+k.Model)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if b.State != "done" || len(b.Trials) != 3 {
		t.Fatalf("state %s (%s) with %d trials", b.State, b.Detail, len(b.Trials))
	}
	want := []string{
		"prove extractive", "load extractive", "question extractive",
		"prove ollama:tiny", "load ollama:tiny", "question ollama:tiny", "prove ollama:short", "load ollama:short", "question ollama:short", "judge ",
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	for i, tr := range b.Trials {
		checkTrial(t, d, tr)
		if i == 0 {
			if tr.Proof != nil || !tr.Reference {
				t.Errorf("the baseline's trial has proof %v", tr.Proof)
			}
			continue
		}
		s := tr.Total()
		if missing := tr.Proof.Missing(tr.Setup); len(missing) > 0 || len(tr.Proof.Exchanges) != 4 || tr.Setup.Version != "0.17.4" {
			t.Errorf("%s: proof lacks %q", tr.Candidate.Model, missing)
		}
		if s.Calls == 0 || s.Tasks == 0 || s.PromptTokens == 0 || s.AnswerTokens == 0 || s.BusyMs == 0 || s.Speed() == nil || len(tr.Candidate.Digest) != 64 || tr.Candidate.Quantization == "" {
			t.Errorf("%s: %+v of %+v", tr.Candidate.Model, s, tr.Candidate)
		}
		t.Logf("%s: %d tasks in %d calls, %d replaced, %d unreadable, %d + %d tokens, %d ms", tr.Candidate.Model, s.Tasks, s.Calls, s.Replaced, s.Unreadable, s.PromptTokens, s.AnswerTokens, s.WallMs)
	}
	// The tiny models write noise: one run that failed is no discard, and the short one was tried at its own ceiling.
	for model, ctx := range map[string]int{"ollama:tiny": 8192, "ollama:short": 4096} {
		v, l := only(t, d, b.ID, model)
		if v.Outcome != bakeoff.Informational || v.Failed != 1 || v.NumCtx == nil || *v.NumCtx != ctx || v.Backend != "ollama" || v.Version != "0.17.4" || l.Elsewhere != "" {
			t.Errorf("%s: %s %v, labels %q", model, v.Outcome, v.Reasons, v.Labels)
		}
		if native := slices.Contains(v.Labels, "tried at its native ceiling of 4096 tokens"); native != (ctx == 4096) {
			t.Errorf("%s: labels %q", model, v.Labels)
		}
	}
	if ps := o.Running(); strings.Contains(ps, "digest") {
		t.Errorf("a model was left in memory: %s", ps)
	}
	log, err := d.Changelog(t.Context(), "short")
	if err != nil || len(log.Lines) != 1 || log.Version != "0.17.4" || len(log.Lost) != 0 || log.Fault != "" {
		t.Errorf("Changelog = %+v, %v", log, err)
	}
}

// checkTrial holds the kept records of a trial against it.
func checkTrial(t *testing.T, d *Desk, tr BakeoffTrial) {
	t.Helper()
	if !tr.Done || len(tr.Answers) == 0 {
		t.Errorf("trial %s is not done", tr.ID)
	}
	for _, a := range tr.Answers {
		name := filepath.Join(d.Dirs().Data, "bakeoffs", a.Record)
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if h := sha256.Sum256(b); hex.EncodeToString(h[:]) != a.SHA256 {
			t.Errorf("%s: its hash is not the one kept", a.Record)
		}
		run, err := ReadRunFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if rep := audit.Check(run); !rep.OK() {
			t.Errorf("%s: audit: %v", a.Record, rep.Faults)
		}
		res, err := d.Replay(t.Context(), run, ReplayOptions{})
		if err != nil || len(res.Misses) > 0 || !reflect.DeepEqual(res.Digest, *run.Digest) {
			t.Errorf("%s: the replay differs: %v, misses %q", a.Record, err, res.Misses)
		}
		if a.State != bakeoff.StateOK || a.Scores.Findings == 0 || a.Scores.Findings != a.Scores.Grounded || a.Scores.Faults != 0 || a.Scores.Answered == 0 {
			t.Errorf("%s: %+v", a.Record, a)
		}
	}
}

// faulty is a fault server whose model always answers with the same fault, but for the calls of a proof.
func faulty(t *testing.T, f enginetest.Fault) *enginetest.Server {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "bad", Context: 32768}}
	s.Fault = func(_ int, r enginetest.ChatRequest) enginetest.Fault {
		if strings.Contains(r.Prompt(), "sentence about the sea") {
			return enginetest.Good
		}
		return f
	}
	return s
}

// TestBakeoffDiscard: a model whose answers cannot be used is discarded after its second run and not before.
func TestBakeoffDiscard(t *testing.T) {
	d := bakeoffDesk(t, faulty(t, enginetest.Refuses).URL)
	b, err := d.StartBakeoff(t.Context(), bakeoffOf(t, "bad"), BakeoffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first, line := only(t, d, b.ID, "ollama:bad")
	if first.Outcome != bakeoff.Informational || first.Failed != 1 || first.Reasons[0].Rule != 4 {
		t.Errorf("after one run: %s %v", first.Outcome, first.Reasons)
	}
	if _, err := d.ResumeBakeoff(t.Context(), b.ID, 1, BakeoffOptions{}); err == nil || !strings.Contains(err.Error(), "done already; add to it with --runs 2") {
		t.Errorf("resuming what is done: %v", err)
	}
	b, err = d.ResumeBakeoff(t.Context(), b.ID[:15], 2, BakeoffOptions{})
	if err != nil || len(b.Trials) != 3 {
		t.Fatalf("%d trials, %v", len(b.Trials), err)
	}
	second, standing := only(t, d, b.ID, "ollama:bad")
	if second.Outcome != bakeoff.Discard || second.Failed != 2 {
		t.Errorf("after two runs: %s %v", second.Outcome, second.Reasons)
	}
	log, err := d.Changelog(t.Context(), "bad")
	if err != nil || len(log.Lines) != 3 {
		t.Fatalf("Changelog = %+v, %v", log, err)
	}
	if l := log.Lines[0]; l.Standing || l.Entry.ID != line.Entry.ID || l.SupersededBy != log.Lines[2].Entry.ID || l.Retest != standing.Entry.ID || l.Entry.Verdict.Outcome != bakeoff.Informational {
		t.Errorf("the first verdict is %+v", l)
	}
	// The rows say why.
	v, err := d.Bakeoff(b.ID)
	if err != nil || len(v.Rows) != 3 || !v.Rows[0].Reference || v.Rows[0].Pass != nil || v.Rows[1].Pass == nil || *v.Rows[1].Pass || len(v.Rows[1].Why) == 0 || *v.Rows[1].Unusable < 0.5 {
		t.Errorf("rows %+v, %v", v.Rows, err)
	}
	// A later bake-off under the same setup may lean on these two.
	list, err := d.Bakeoffs()
	if err != nil || len(list) != 1 || list[0].Done != 3 || list[0].State != "done" || list[0].Holder != "" {
		t.Errorf("Bakeoffs = %+v, %v", list, err)
	}
}

// TestBakeoffHardware plays a machine that cannot hold the window.
func TestBakeoffHardware(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*enginetest.Server)
		want bakeoff.Outcome
		rule int
		says string
	}{
		{"less was given", func(s *enginetest.Server) { s.Models[0].LoadedContext = 4096 }, bakeoff.DiscardOutright, 6, "4096 were given"},
		{"no memory", func(s *enginetest.Server) { s.Next(enginetest.Memory500, enginetest.Memory500) }, bakeoff.DiscardOutright, 6, "does not fit into memory"},
		{"no memory once", func(s *enginetest.Server) { s.Next(enginetest.Memory500) }, bakeoff.Informational, 4, "needs a second"},
		{"made for no more", func(s *enginetest.Server) { s.Models[0].Context = 4096 }, bakeoff.Informational, 6, "own limit is 4096"},
		{"schema not kept", func(s *enginetest.Server) { s.Next(enginetest.Good, enginetest.ProseAround) }, bakeoff.Untested, 1, "did not keep the schema"},
		{"refused", func(s *enginetest.Server) { s.Next(enginetest.Status500, enginetest.Status500) }, bakeoff.Untested, 1, "status 500"},
		{"server without a version", func(s *enginetest.Server) { s.Version = "0.0.0" }, bakeoff.Informational, 3, "which version"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := faulty(t, enginetest.Refuses)
			tc.edit(s)
			d := bakeoffDesk(t, s.URL)
			req := bakeoffOf(t, "bad")
			req.Runs = 1
			b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{})
			if err != nil || b.State != "done" {
				t.Fatal(b.State, err)
			}
			v, _ := only(t, d, b.ID, "ollama:bad")
			found := slices.ContainsFunc(v.Reasons, func(r bakeoff.Reason) bool { return r.Rule == tc.rule && strings.Contains(r.Text, tc.says) })
			if v.Outcome != tc.want || !found {
				t.Errorf("%s %v, want %s for %q", v.Outcome, v.Reasons, tc.want, tc.says)
			}
			if tr := b.Trials[1]; (v.Outcome == bakeoff.Untested || v.Outcome == bakeoff.DiscardOutright) && (tr.Done || len(tr.Answers) > 0 || len(tr.Notes) == 0) {
				t.Errorf("the benchmark was run without proof: %+v", tr)
			}
		})
	}
}

// TestBakeoffServerFaults: what the server breaks is not held against the model.
func TestBakeoffServerFaults(t *testing.T) {
	s := faulty(t, enginetest.Status500)
	s.Fault = func(n int, r enginetest.ChatRequest) enginetest.Fault {
		if strings.Contains(r.Prompt(), "BEGIN EVIDENCE") || strings.Contains(r.Prompt(), "hypotheses") {
			return enginetest.Status500
		}
		return enginetest.Good
	}
	d := bakeoffDesk(t, s.URL)
	req := bakeoffOf(t, "bad")
	req.Runs = 2
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := only(t, d, b.ID, "ollama:bad")
	if v.Outcome != bakeoff.Untested || !slices.ContainsFunc(v.Reasons, func(r bakeoff.Reason) bool { return r.Rule == 3 }) || b.Trials[1].Total().Broken == 0 {
		t.Errorf("%s %v, %+v", v.Outcome, v.Reasons, b.Trials[1].Total())
	}
}

// TestBakeoffManaged: with a server of our own the cache type is known, and it is part of the setup.
func TestBakeoffManaged(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server answers for some seconds; run without -short")
	}
	d := newPlace(t).open(t, "terminal")
	managedOn(t, d)
	set := d.Settings()
	set.KVType = "f16"
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	makeTiny(t, d)
	req := bakeoffOf(t, "tiny")
	req.Role, req.KVType = research.Reader, "q8_0" // what the server was told counts, not what the person says
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s := b.Trials[1].Setup; s.KVType != "f16" || s.Version != "0.17.4" || !b.Trials[1].Done {
		t.Errorf("setup %+v, notes %q", s, b.Trials[1].Notes)
	}
	log, err := d.Changelog(t.Context(), "tiny")
	if err != nil || len(log.Lines) != 1 || log.Version != "0.17.4" || log.Lines[0].Elsewhere != "" {
		t.Errorf("Changelog = %+v, %v", log, err)
	}
}
