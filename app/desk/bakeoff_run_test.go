package desk

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/engine"
	"assay/engine/bakeoff"
	"assay/engine/enginetest"
	"assay/engine/extractive"
	"assay/engine/ollama"
	"assay/engine/research"
)

// good is a model that answers as the extractive channel does, under a name of its own.
type good struct {
	extractive.Model
	name string
	ctx  int
	asks func(research.Call)
}

func (g good) Limits() research.Limits {
	return research.Limits{Name: g.name, NumCtx: g.ctx, TokensPerByte: 0.3}
}

func (g good) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	a, err := g.Model.Chat(ctx, c)
	if c.Input == nil { // the call that warms
		a, err = research.Answer{Text: "ready"}, nil
	}
	if g.asks != nil {
		g.asks(c)
	}
	a.By, a.PromptTokens, a.AnswerTokens, a.NumCtx = g.name, 200, 20, g.ctx
	return a, err
}

func point[T any](v T) *T { return &v }

// provenMode is what a sound server shows.
func provenMode() ollama.Mode {
	return ollama.Mode{Version: "0.17.4", AskedContext: 8192, HeldContext: point(8192), AskedThinking: "none", Thinking: point(false), ThinkingInText: point(false),
		SchemaKept: point(true), PromptTokens: point(9), Size: point(int64(100)), SizeVRAM: point(int64(100))}
}

// seatsOf opens good models, each changed by edit.
func seatsOf(edit func(name string, s *seat)) seatOpener {
	return func(_ context.Context, name string, numCtx int, _ func(string)) (*seat, error) {
		if name == "extractive" {
			return &seat{about: bakeoff.Candidate{Model: name}, model: extractive.Model{}, close: func() {}}, nil
		}
		s := &seat{
			about:   bakeoff.Candidate{Model: name, Digest: research.SHA256(name), ContextLength: point(32768)},
			model:   good{name: name, ctx: numCtx},
			prove:   func(context.Context) (ollama.Mode, error) { return provenMode(), nil },
			version: func(context.Context) (string, error) { return "0.17.4", nil },
			close:   func() {},
		}
		if edit != nil {
			edit(name, s)
		}
		return s, nil
	}
}

// TestBakeoffKeep: a good model is kept after one clean run, against either kind of baseline.
func TestBakeoffKeep(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	for _, baseline := range []string{"extractive", "ollama:base"} {
		req := bakeoffOf(t, "one", "two")
		req.Baseline = baseline
		req.Questions[0].Label = `{"answer":"1064"}`
		score := func(q BakeoffQuestion, digest research.Digest) (map[string]float64, error) {
			if q.ID != "q1" || q.Label != `{"answer":"1064"}` || len(digest.Sections) == 0 {
				t.Errorf("scored %+v", q)
			}
			return map[string]float64{"points": 0.5}, nil
		}
		b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: seatsOf(nil), Score: score})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"ollama:one", "ollama:two"} {
			v, _ := only(t, d, b.ID, m)
			if v.Outcome != bakeoff.Keep || v.Passed != 1 || v.Baseline.Model != baseline {
				t.Errorf("%s beside %s: %s %v", m, baseline, v.Outcome, v.Reasons)
			}
		}
		view, err := d.Bakeoff(b.ID)
		if err != nil || len(view.Rows) != 3 || *view.Rows[1].Points != 0.5 || !*view.Rows[1].Pass || *view.Rows[1].SizeVRAM != 100 {
			t.Errorf("rows %+v, %v", view.Rows, err)
		}
		if p := view.Rows[0].SizeVRAM; (p == nil) != (baseline == "extractive") {
			t.Errorf("VRAM of %s is %v", baseline, p)
		}
	}
}

// TestBakeoffRole: the role under test goes to the candidate and every other one to the baseline.
func TestBakeoffRole(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	var asked atomic.Int64
	req := bakeoffOf(t, "one")
	req.Role, req.Baseline = research.Reader, "ollama:base"
	open := seatsOf(func(name string, s *seat) {
		g := s.model.(good)
		g.asks = func(c research.Call) {
			if c.Input == nil {
				return
			}
			if (c.Role == research.Reader) != (name == "ollama:one") && asked.Load() > 0 {
				t.Errorf("%s was asked as %s", name, c.Role)
			}
		}
		s.model = g
	})
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: open, Tell: func(k BakeoffTick) {
		if k.Model == "ollama:one" {
			asked.Store(1) // in the baseline's own trial it takes all
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := only(t, d, b.ID, "ollama:one"); v.Outcome != bakeoff.Keep || v.Role != research.Reader {
		t.Errorf("%s %v", v.Outcome, v.Reasons)
	}
	tr := b.Trials[1]
	for _, s := range tr.Setup.Seats {
		if (s.Role == research.Reader) != (s.Model == "ollama:one") {
			t.Errorf("seat %+v", s)
		}
	}
	if s := tr.Total(); s.Tasks == 0 || s.Tasks > 4 {
		t.Errorf("%d tasks of one role", s.Tasks)
	}
	run, err := ReadRunFile(filepath.Join(d.Dirs().Data, "bakeoffs", tr.Answers[0].Record))
	if err != nil || run.Digest.Model.Answered["ollama:one"] == 0 || run.Digest.Model.Answered["ollama:base"] == 0 {
		t.Errorf("answered by %v, %v", run.Digest.Model.Answered, err)
	}
}

// TestBakeoffSwap: a baseline that the candidate pushes out of the card makes the run informational.
func TestBakeoffSwap(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	req := bakeoffOf(t, "one")
	req.Role, req.Baseline = research.Reader, "ollama:base"
	proofs := 0
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: seatsOf(func(name string, s *seat) {
		if name == "ollama:base" {
			s.prove = func(context.Context) (ollama.Mode, error) {
				m := provenMode()
				if proofs++; proofs > 1 {
					m.SizeVRAM = point(int64(40))
				}
				return m, nil
			}
		}
	})})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := only(t, d, b.ID, "ollama:one")
	if v.Outcome != bakeoff.Informational || !strings.Contains(v.Reasons[0].Text, "40 % on the GPU") || v.Reasons[0].Rule != 2 {
		t.Errorf("%s %v", v.Outcome, v.Reasons)
	}
}

// TestBakeoffResume stops in the middle and goes on: what was finished is not run again.
func TestBakeoffResume(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	var ran []string
	real := d.wire.run
	d.wire.run = func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		ran = append(ran, cfg.Request.Model+" "+cfg.Request.Question)
		return real(ctx, cfg, rec)
	}
	req := bakeoffOf(t, "one")
	req.Questions = append(req.Questions, BakeoffQuestion{Question: "What is the melting point of silver?"}, BakeoffQuestion{Question: "Is pure gold soft?"})
	ctx, cancel := context.WithCancel(t.Context())
	b, err := d.StartBakeoff(ctx, req, BakeoffOptions{open: seatsOf(nil), Tell: func(k BakeoffTick) {
		if k.Model == "ollama:one" && k.Question == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || b.State != "interrupted" {
		t.Fatalf("state %s, %v", b.State, err)
	}
	list, err := d.Bakeoffs()
	if err != nil || len(list) != 1 || list[0].State != "interrupted" || list[0].Done != 1 || list[0].Trials != 2 {
		t.Errorf("Bakeoffs = %+v, %v", list, err)
	}
	if v, err := d.Bakeoff(b.ID); err != nil || len(v.Verdicts) != 0 || len(v.Trials[1].Answers) != 1 {
		t.Errorf("%d verdicts, %+v, %v", len(v.Verdicts), v.Trials, err)
	}
	before := len(ran)
	if b, err = d.ResumeBakeoff(t.Context(), b.ID, 0, BakeoffOptions{open: seatsOf(nil)}); err != nil || b.State != "done" {
		t.Fatalf("state %s, %v", b.State, err)
	}
	want := []string{"ollama:one What is the melting point of silver?", "ollama:one Is pure gold soft?"}
	if !slices.Equal(ran[before:], want) {
		t.Errorf("ran again: %q, want %q", ran[before:], want)
	}
	if v, _ := only(t, d, b.ID, "ollama:one"); v.Outcome != bakeoff.Keep {
		t.Errorf("%s %v", v.Outcome, v.Reasons)
	}
}

// TestBakeoffServerChanges: a trial that was begun under one version and goes on under another is begun again, and one that
// ends under another is dropped.
func TestBakeoffServerChanges(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	req := bakeoffOf(t, "one")
	version := "0.17.4"
	open := seatsOf(func(_ string, s *seat) {
		s.prove = func(context.Context) (ollama.Mode, error) {
			m := provenMode()
			m.Version = version
			return m, nil
		}
		s.version = func(context.Context) (string, error) { return version, nil }
	})
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: open, Tell: func(k BakeoffTick) {
		if k.Model == "ollama:one" && k.Question == 1 {
			version = "0.30.1"
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "from version 0.17.4 to 0.30.1") || b.State != "failed" || len(b.Trials[1].Answers) != 0 || len(b.Trials[1].Notes) == 0 {
		t.Fatalf("state %s, %v, trial %+v", b.State, err, b.Trials[1])
	}
	b, err = d.ResumeBakeoff(t.Context(), b.ID, 0, BakeoffOptions{open: open})
	if err != nil || b.Trials[1].Setup.Version != "0.30.1" {
		t.Fatal(err)
	}
	if v, _ := only(t, d, b.ID, "ollama:one"); v.Outcome != bakeoff.Keep || v.Version != "0.30.1" {
		t.Errorf("%s under %s: %v", v.Outcome, v.Version, v.Reasons)
	}
}

// TestChangelogOfAnotherVersion marks a verdict when the server that answers now is another one.
func TestChangelogOfAnotherVersion(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Version = "0.30.1"
	d := bakeoffDesk(t, s.URL)
	if _, err := d.StartBakeoff(t.Context(), bakeoffOf(t, "one"), BakeoffOptions{open: seatsOf(nil)}); err != nil {
		t.Fatal(err)
	}
	log, err := d.Changelog(t.Context(), "")
	if err != nil || len(log.Lines) != 1 || !strings.Contains(log.Lines[0].Elsewhere, "of another backend version: ollama 0.17.4, and this is ollama 0.30.1") {
		t.Errorf("Changelog = %+v, %v", log, err)
	}
}

// TestBakeoffCorroborated: two bake-offs of one failing run each come to a discard, when nothing differs between them.
func TestBakeoffCorroborated(t *testing.T) {
	d := bakeoffDesk(t, faulty(t, enginetest.Refuses).URL)
	req := bakeoffOf(t, "bad")
	for i, want := range []bakeoff.Outcome{bakeoff.Informational, bakeoff.Discard} {
		b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := only(t, d, b.ID, "ollama:bad"); v.Outcome != want {
			t.Errorf("bake-off %d: %s %v, want %s", i+1, v.Outcome, v.Reasons, want)
		}
	}
	req.Depth = research.Standard
	b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := only(t, d, b.ID, "ollama:bad"); v.Outcome != bakeoff.Informational {
		t.Errorf("another depth: %s %v, want informational", v.Outcome, v.Reasons)
	}
}
