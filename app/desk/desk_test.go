package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// TestMain also serves as the program that reads PDFs, which the desk starts as a child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	// The index starts its workers once a program and keeps them.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// env is an environment with one home and nothing else.
func env(home string) func(string) string {
	return func(name string) string {
		if name == "ASSAY_HOME" {
			return home
		}
		return ""
	}
}

// engineFunc stands in for the engine.
type engineFunc func(context.Context, engine.Config, engine.Record) (research.Digest, error)

// testDesk opens a desk on a new home whose engine is run.
func testDesk(t *testing.T, run engineFunc) *Desk {
	t.Helper()
	d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: env(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	d.wire.run = run
	d.wire.ollama = func(context.Context, string, research.Egress, pinnedLoad, told) (Channel, error) {
		return Channel{}, fmt.Errorf("no server answers at %s: %w", d.ollamaURL(), research.ErrUnavailable)
	}
	d.wire.embed = func(context.Context, bool) (*embedding, error) { return nil, &wordsAlone{"this is a test"} }
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// folder is a library of one document.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "docs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gold.txt"), []byte("Gold melts at 1064 degrees Celsius. Silver melts at 962 degrees.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func request(dir string) research.Request {
	return research.Request{Question: "When does gold melt?", Libraries: []string{dir}, Now: "2026-01-02T03:04:05Z", Model: "extractive"}
}

func testDigest() research.Digest {
	return research.Digest{Schema: research.SchemaVersion, Lang: "en", Title: "Gold & silver", Topic: "When does gold melt?", Date: "2026-01-02",
		Sections: []research.Section{{ID: "s1", Title: "Melting", Findings: []research.DigestFinding{{ID: "f", Text: "Gold melts at 1064 degrees."}}}},
		Model:    research.ModelUse{Channel: "extractive"}}
}

// succeed records one effect and ends well.
func succeed(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
	ev, err := rec.Append(research.Event{Kind: research.EventModel, Key: "model/1", Payload: json.RawMessage(`{"text":"x","by":"extractive"}`)})
	if err != nil {
		return research.Digest{}, err
	}
	cfg.Watch(ev)
	return testDigest(), nil
}

// hang records one effect and waits for the end of its context.
func hang(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
	if _, err := succeed(ctx, cfg, rec); err != nil {
		return research.Digest{}, err
	}
	<-ctx.Done()
	return research.Digest{}, ctx.Err()
}

func start(t *testing.T, d *Desk, req research.Request, opt StartOptions) *Job {
	t.Helper()
	j, err := d.Start(t.Context(), req, opt)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func wait(t *testing.T, j *Job) Result {
	t.Helper()
	res, err := j.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestStartWritesTheReport(t *testing.T) {
	d := testDesk(t, succeed)
	out := filepath.Join(t.TempDir(), "new", "out")
	j := start(t, d, request(folder(t)), StartOptions{Out: out})
	res := wait(t, j)
	if res.Exit != ExitDone || res.Err != nil || res.State.State != "done" {
		t.Fatalf("Result = %+v", res)
	}
	for _, dir := range []string{out, j.Dir()} {
		for _, name := range []string{FileHTML, FileMarkdown, FileDigest, FileRun} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	run, err := d.ReadRun(filepath.Join(out, FileRun))
	if err != nil {
		t.Fatal(err)
	}
	if run.State.State != "done" || run.Digest == nil || run.Digest.Title != "Gold & silver" {
		t.Errorf("run.json = %+v", run.State)
	}
	byID, err := d.ReadRun(j.ID()[:15])
	if err != nil || !reflect.DeepEqual(byID, run) {
		t.Errorf("the run by its id differs from its file: %v", err)
	}
	digest, err := os.ReadFile(filepath.Join(out, FileDigest))
	if err != nil {
		t.Fatal(err)
	}
	want, err := EncodeDigest(*run.Digest)
	if err != nil || !bytes.Equal(digest, want) {
		t.Errorf("digest.json is not the digest of run.json: %v", err)
	}
	info, err := d.Run(j.ID())
	if err != nil || info.State != "done" || info.Findings != 1 || info.Holder != "" {
		t.Errorf("Run = %+v, %v", info, err)
	}
	if page, err := d.ReportPage(j.ID()); err != nil || !bytes.Contains(page, []byte("1064")) {
		t.Errorf("ReportPage: %v", err)
	}
	if _, err := d.Resume(t.Context(), j.ID(), StartOptions{}); err == nil {
		t.Error("a run that is done was resumed")
	}
	var setup research.Setup
	for _, ev := range run.Events {
		if ev.Kind == research.EventSetup {
			if err := json.Unmarshal(ev.Payload, &setup); err != nil {
				t.Fatal(err)
			}
		}
	}
	if setup.Model != "extractive" || !slices.Equal(setup.Providers, []string{"library"}) {
		t.Errorf("setup = %+v", setup)
	}
	remain, err := d.DeleteRun(j.ID())
	if err != nil || len(remain) != 2 {
		t.Errorf("DeleteRun = %q, %v", remain, err)
	}
}

func TestStartRefuses(t *testing.T) {
	dir := folder(t)
	file := filepath.Join(dir, "gold.txt")
	for _, tc := range []struct {
		name string
		edit func(*research.Request, *StartOptions)
		want string
	}{
		{"empty question", func(r *research.Request, _ *StartOptions) { r.Question = " \n" }, "question is empty"},
		{"emoji only", func(r *research.Request, _ *StartOptions) { r.Question = "\x1b ?! \U0001F600" }, "no letter"},
		{"long question", func(r *research.Request, _ *StartOptions) { r.Question = strings.Repeat("why ", 2000) }, "may have 4000"},
		{"no library", func(r *research.Request, _ *StartOptions) { r.Libraries = nil }, "--library"},
		{"missing folder", func(r *research.Request, _ *StartOptions) { r.Libraries = []string{dir + "x"} }, "does not exist"},
		{"folder that is a file", func(r *research.Request, _ *StartOptions) { r.Libraries = []string{file} }, "is a file"},
		{"unnamed folder", func(r *research.Request, _ *StartOptions) { r.Libraries = []string{""} }, "no name"},
		{"missing file", func(r *research.Request, _ *StartOptions) { r.Attach = []string{file + "x"} }, "does not exist"},
		{"file that is a folder", func(r *research.Request, _ *StartOptions) { r.Attach = []string{dir} }, "it is a folder"},
		{"clock", func(r *research.Request, _ *StartOptions) { r.Now = "noon" }, "2026-01-31T12:00:00Z"},
		{"depth", func(r *research.Request, _ *StartOptions) { r.Depth = "abyss" }, "quick, standard or deep"},
		{"model", func(r *research.Request, _ *StartOptions) { r.Model = "gpt" }, "ollama:NAME"},
		{"shape", func(r *research.Request, _ *StartOptions) { r.Shape = "round" }, "survey"},
		{"language", func(r *research.Request, _ *StartOptions) { r.Lang = "de" }, "zh"},
		{"record", func(r *research.Request, _ *StartOptions) { r.Model = "recorded:none.json" }, "does not exist"},
		{"out is a file", func(_ *research.Request, o *StartOptions) { o.Out = file }, "is a file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := testDesk(t, succeed)
			req, opt := request(dir), StartOptions{}
			tc.edit(&req, &opt)
			_, err := d.Start(t.Context(), req, opt)
			var ue *UsageError
			if !errors.As(err, &ue) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Start = %v, want one usage sentence with %q", err, tc.want)
			}
			if runs, err := d.Runs(); err != nil || len(runs) != 0 {
				t.Errorf("a refused request left %d runs, %v", len(runs), err)
			}
		})
	}
}

func TestHowARunEnds(t *testing.T) {
	short := &engine.ShortfallError{Missing: []string{"15 voices wanted, 2 found"}}
	for _, tc := range []struct {
		name    string
		err     error
		digest  bool
		partial bool
		exit    int
		state   string
		files   bool
	}{
		{"done", nil, true, false, ExitDone, "done", true},
		{"nothing found", engine.ErrNoFinding, true, false, ExitNoFinding, "done", true},
		{"nothing found, allowed", engine.ErrNoFinding, true, true, ExitDone, "done", true},
		{"under its floors", fmt.Errorf("run: %w", short), true, false, ExitNoFinding, "done", true},
		{"no model", fmt.Errorf("x: %w", engine.ErrModelUnavailable), false, false, ExitModel, "failed", false},
		{"model missing", fmt.Errorf("x: %w", research.ErrMissing), false, false, ExitModel, "failed", false},
		{"fault", errors.New("broken"), false, false, ExitFault, "failed", false},
		{"disk full", store.ErrDiskFull, false, false, ExitFault, "failed", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := testDesk(t, func(context.Context, engine.Config, engine.Record) (research.Digest, error) {
				if tc.digest {
					return testDigest(), tc.err
				}
				return research.Digest{}, tc.err
			})
			req := request(folder(t))
			req.AllowPartial = tc.partial
			j := start(t, d, req, StartOptions{})
			res := wait(t, j)
			if res.Exit != tc.exit || res.State.State != tc.state || (len(res.Files) > 0) != tc.files {
				t.Errorf("Result = %+v, want exit %d, %s", res, tc.exit, tc.state)
			}
			if info, err := d.Run(j.ID()); err != nil || info.State != tc.state {
				t.Errorf("the list says %q, %v, want %s", info.State, err, tc.state)
			}
		})
	}
}

func TestAPanicEndsTheRunOnly(t *testing.T) {
	d := testDesk(t, func(_ context.Context, _ engine.Config, rec engine.Record) (research.Digest, error) {
		var none []int
		return testDigest(), errors.New(fmt.Sprint(none[0]))
	})
	j := start(t, d, request(folder(t)), StartOptions{})
	if res := wait(t, j); res.Exit != ExitFault || !strings.Contains(res.Err.Error(), "app/desk.TestAPanicEndsTheRunOnly") {
		t.Errorf("Result = %+v, want exit 1 and the place", res)
	}
	if info, err := d.Run(j.ID()); err != nil || info.State != "failed" {
		t.Errorf("Run = %+v, %v", info, err)
	}
}

func TestPauseCancelInterruptResume(t *testing.T) {
	for _, tc := range []struct {
		name  string
		end   func(*Job)
		state string
	}{
		{"pause", (*Job).Pause, "paused"},
		{"cancel", (*Job).Cancel, "stopped"},
		{"interrupt", (*Job).Interrupt, "interrupted"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := testDesk(t, hang)
			j := start(t, d, request(folder(t)), StartOptions{})
			awaitKind(t, j, research.EventModel)
			if d.Job(j.ID()) != j {
				t.Error("the desk does not know its run")
			}
			tc.end(j)
			if res := wait(t, j); res.Exit != ExitInterrupted || res.State.State != tc.state {
				t.Fatalf("Result = %+v, want %s", res, tc.state)
			}
			if d.Job(j.ID()) != nil {
				t.Error("the desk still holds the run")
			}
			var had bool
			d.wire.run = func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
				_, had = rec.Get("model/1")
				return succeed(ctx, cfg, rec)
			}
			again, err := d.Resume(t.Context(), j.ID(), StartOptions{Out: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if res := wait(t, again); res.Exit != ExitDone || !had {
				t.Errorf("after resume: %+v, what was recorded held: %v", res, had)
			}
		})
	}
}

// awaitKind follows a run until an event of this kind was told.
func awaitKind(t *testing.T, j *Job, kind string) {
	t.Helper()
	errSeen := errors.New("seen")
	err := j.Follow(t.Context(), 0, func(events []research.Event) error {
		for _, ev := range events {
			if ev.Kind == kind {
				return errSeen
			}
		}
		return nil
	})
	if !errors.Is(err, errSeen) {
		t.Fatalf("no event %q: %v", kind, err)
	}
}

func TestCloseInterruptsWhatRuns(t *testing.T) {
	home := t.TempDir()
	d, err := Open(Options{Program: "window", Version: "1.0", Getenv: env(home)})
	if err != nil {
		t.Fatal(err)
	}
	d.wire.run = hang
	j := start(t, d, request(folder(t)), StartOptions{})
	awaitKind(t, j, research.EventModel)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Start(t.Context(), request(folder(t)), StartOptions{}); err == nil {
		t.Error("a closed desk started a run")
	}
	again, err := Open(Options{Program: "window", Version: "1.0", Getenv: env(home)})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := again.Run(j.ID()); err != nil || info.State != "interrupted" {
		t.Errorf("Run after close = %+v, %v", info, err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFollowTellsEveryEventOnce(t *testing.T) {
	const n = 3*batch + 7
	release := make(chan struct{})
	var once sync.Once
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		for i := range n {
			if i == n/2 {
				<-release
			}
			ev, err := rec.Append(research.Event{Kind: research.EventNote, Payload: json.RawMessage(`{"level":"info","text":"x"}`)})
			if err != nil {
				return research.Digest{}, err
			}
			cfg.Watch(ev)
		}
		return testDigest(), nil
	})
	j := start(t, d, request(folder(t)), StartOptions{})
	var seqs []int64
	err := j.Follow(t.Context(), 0, func(events []research.Event) error {
		for _, ev := range events {
			if ev.Seq > 0 {
				seqs = append(seqs, ev.Seq)
			}
		}
		if len(seqs) >= n/2 {
			once.Do(func() { close(release) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("event %d told has number %d", i, seq)
		}
	}
	all, err := d.Events(j.ID(), 0, 0)
	if err != nil || len(all) != len(seqs) {
		t.Errorf("told %d of %d events, %v", len(seqs), len(all), err)
	}
	snap, err := d.Snapshot(j.ID())
	if err != nil || snap.Seq != seqs[len(seqs)-1] || snap.Here {
		t.Errorf("Snapshot: seq %d, here %v, %v", snap.Seq, snap.Here, err)
	}
	var late int
	if err := j.Follow(t.Context(), snap.Seq-2, func(events []research.Event) error { late += len(events); return nil }); err != nil || late < 2 {
		t.Errorf("a late follower was told %d events, %v, want the last 2", late, err)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	d := testDesk(t, hang)
	j := start(t, d, request(folder(t)), StartOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	if err := j.Follow(ctx, 0, func([]research.Event) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Follow = %v", err)
	}
	j.Cancel()
	wait(t, j)
}

func TestAutoSaysWhichAndWhy(t *testing.T) {
	d := testDesk(t, succeed)
	ch, err := d.Channel(t.Context())
	if err != nil || ch.Name != "extractive" || !strings.Contains(ch.Why, "http://127.0.0.1:11434") {
		t.Errorf("Channel = %+v, %v", ch, err)
	}
	req := request(folder(t))
	req.Model = "ollama:none"
	if res := wait(t, start(t, d, req, StartOptions{})); res.Exit != ExitModel {
		t.Errorf("Result with a model that is asked for and absent = %+v, want exit 4", res)
	}
	d.wire.ollama = func(context.Context, string, research.Egress, pinnedLoad, told) (Channel, error) {
		return Channel{Name: "ollama:m", Why: "It answers.", model: extractive.Model{}}, nil
	}
	if ch, err := d.Channel(t.Context()); err != nil || ch.Name != "ollama:m" {
		t.Errorf("Channel = %+v, %v", ch, err)
	}
}

func TestUnreadFilesAreNamed(t *testing.T) {
	dir := folder(t)
	if err := os.WriteFile(filepath.Join(dir, "bad.html"), []byte("<html><body></body></html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := testDesk(t, succeed)
	j := start(t, d, request(dir), StartOptions{})
	wait(t, j)
	events, err := d.Events(j.ID(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, ev := range events {
		found = found || ev.Kind == research.EventNote && strings.Contains(string(ev.Payload), "bad.html")
	}
	if !found {
		t.Error("a file that cannot be read is not named")
	}
}
