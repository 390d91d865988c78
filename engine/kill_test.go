package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
	"assay/engine/store"
)

var errKilled = errors.New("killed")

// dying is a record whose program dies at its n-th append: with after, the event is on disk and the program never learns
// of it. Nothing can be appended later.
type dying struct {
	Record
	after bool

	mu   sync.Mutex
	left int // appends until the end
}

func (d *dying) Append(ev research.Event) (research.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left--
	if d.left < 0 || d.left == 0 && !d.after {
		return ev, errKilled
	}
	ev, err := d.Record.Append(ev)
	if d.left == 0 {
		err = errKilled
	}
	return ev, err
}

// witness stands before a model, a provider and a reader and lists every step that is done although the record held it.
type witness struct {
	rec      Record
	model    Model
	provider Provider
	reader   Reader

	mu    sync.Mutex
	calls int
	again []string
}

func (w *witness) see(kind string, in any) {
	key, err := research.EffectKey(kind, in)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if _, held := w.rec.Get(key); held || err != nil {
		w.again = append(w.again, key)
	}
}

func (w *witness) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	w.see(research.EventModel, c)
	return w.model.Chat(ctx, c)
}

func (w *witness) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return w.model.Embed(ctx, texts)
}

func (w *witness) Limits() research.Limits { return w.model.Limits() }

func (w *witness) Name() string { return w.provider.Name() }

func (w *witness) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	w.see(research.EventSearch, searchInput{w.Name(), q})
	return w.provider.Search(ctx, q)
}

func (w *witness) Read(ctx context.Context, location string) (research.Document, error) {
	w.see(research.EventRead, map[string]string{"location": location})
	return w.reader.Read(ctx, location)
}

// watched returns c with a witness before everything that costs.
func watched(c Config, rec Record) (Config, *witness) {
	w := &witness{rec: rec, model: c.Model, provider: c.Providers[0], reader: c.Reader}
	c.Model, c.Providers, c.Reader = w, []Provider{w}, w
	return c, w
}

// TestKillEverywhere ends the program at every append of a run and runs again over the same record.
func TestKillEverywhere(t *testing.T) {
	c := config(t, lighthouse)
	_, want, undisturbed := digestOf(t, c)
	events, err := undisturbed.Events(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) < 30 {
		t.Fatalf("the run has %d events, too few to mean anything", len(events))
	}
	for n := 1; n <= len(events); n += enginetest.Sparse(7) {
		// A record with n events is the same whether the program dies after one append or before the next; what differs is
		// only what was under way beside it, so every fifth moment is tried both ways.
		for _, after := range []bool{false, true}[:1+count(n%5 == 0)] {
			rec := store.NewMemory(c.Request, c.Code)
			cw, w := watched(c, rec)
			if _, err := (&Engine{cw}).Run(context.Background(), &dying{Record: rec, after: after, left: n}); !errors.Is(err, errKilled) {
				t.Fatalf("append %d (after %v): Run returned %v, want the end of the program", n, after, err)
			}
			d, err := (&Engine{cw}).Run(context.Background(), rec)
			if err != nil {
				t.Fatalf("append %d (after %v): the resumed run: %v", n, after, err)
			}
			if got := asJSON(t, d); got != want {
				t.Fatalf("append %d (after %v): the resumed run ends otherwise: %s", n, after, firstDiff(want, got))
			}
			if len(w.again) > 0 {
				t.Fatalf("append %d (after %v): done again although recorded: %v", n, after, w.again)
			}
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestKillOnDisk does the same over the record that is kept on disk, at a few moments.
func TestKillOnDisk(t *testing.T) {
	c := config(t, lighthouse)
	_, want, undisturbed := digestOf(t, c)
	events := len(undisturbed.Run().Events)
	home, err := store.Open(filepath.Join(t.TempDir(), "home"), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { home.Close() })
	for _, n := range []int{1, 2, events / 4, events / 2, events - 1} {
		rec, err := home.Create(c.Request, c.Code)
		if err != nil {
			t.Fatal(err)
		}
		id := rec.ID()
		cw, w := watched(c, rec)
		if _, err := (&Engine{cw}).Run(context.Background(), &dying{Record: rec, left: n}); !errors.Is(err, errKilled) {
			t.Fatalf("append %d: Run returned %v, want the end of the program", n, err)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		if rec, err = home.Resume(id, c.Code); err != nil {
			t.Fatalf("append %d: resume: %v", n, err)
		}
		w.rec = rec
		d, err := (&Engine{cw}).Run(context.Background(), rec)
		if err != nil {
			t.Fatalf("append %d: the resumed run: %v", n, err)
		}
		if got := asJSON(t, d); got != want {
			t.Errorf("append %d: the resumed run ends otherwise: %s", n, firstDiff(want, got))
		}
		if len(w.again) > 0 {
			t.Errorf("append %d: done again although recorded: %v", n, w.again)
		}
		// A third run over the finished record does nothing at all.
		calls := w.calls
		if d, err = (&Engine{cw}).Run(context.Background(), rec); err != nil || asJSON(t, d) != want {
			t.Errorf("append %d: the finished record gives another digest (%v)", n, err)
		}
		if w.calls != calls {
			t.Errorf("append %d: the finished record was worked on again: %d calls", n, w.calls-calls)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplay goes through all stages again from the effects of a record, without a model, a provider or a reader.
func TestReplay(t *testing.T) {
	c := config(t, lighthouse)
	_, want, rec := digestOf(t, c)
	dead := &unusable{t: t, limits: c.Model.Limits()}
	c.Model, c.Providers, c.Reader, c.Fallback = dead, []Provider{dead}, dead, dead
	d, err := (&Engine{c}).Run(context.Background(), store.FromRun(rec.Run(), false))
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if got := asJSON(t, d); got != want {
		t.Errorf("the replay ends otherwise: %s", firstDiff(want, got))
	}
}

// TestKillAndReplayNoise does both over a model whose every answer is noise that fits its form, where substitutes and repairs
// are steps of the record too.
func TestKillAndReplayNoise(t *testing.T) {
	c := config(t, lighthouse)
	c.Model = &scripted{answer: fits}
	_, want, undisturbed := digestOf(t, c)
	for n := 3; n <= len(undisturbed.Run().Events); n += 11 {
		rec := store.NewMemory(c.Request, c.Code)
		cw, w := watched(c, rec)
		if _, err := (&Engine{cw}).Run(context.Background(), &dying{Record: rec, left: n}); !errors.Is(err, errKilled) {
			t.Fatalf("append %d: Run returned %v, want the end of the program", n, err)
		}
		d, err := (&Engine{cw}).Run(context.Background(), rec)
		if err != nil {
			t.Fatalf("append %d: the resumed run: %v", n, err)
		}
		if got := asJSON(t, d); got != want {
			t.Fatalf("append %d: the resumed run ends otherwise: %s", n, firstDiff(want, got))
		}
		if len(w.again) > 0 {
			t.Fatalf("append %d: done again although recorded: %v", n, w.again)
		}
	}
	dead := &unusable{t: t, limits: c.Model.Limits()}
	c.Model, c.Providers, c.Reader, c.Fallback = dead, []Provider{dead}, dead, dead
	d, err := (&Engine{c}).Run(context.Background(), store.FromRun(undisturbed.Run(), false))
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if got := asJSON(t, d); got != want {
		t.Errorf("the replay ends otherwise: %s", firstDiff(want, got))
	}
}

// unusable fails the test when anything is asked of it.
type unusable struct {
	t      *testing.T
	limits research.Limits
}

func (u *unusable) Chat(_ context.Context, c research.Call) (research.Answer, error) {
	u.t.Errorf("the %s was called: %s", c.Role, strings.SplitN(c.Prompt, "\n", 2)[0])
	return research.Answer{}, research.ErrUnrecorded
}

func (u *unusable) Embed(context.Context, []string) ([][]float32, error) {
	u.t.Error("embeddings were asked for")
	return nil, research.ErrUnrecorded
}

func (u *unusable) Limits() research.Limits { return u.limits }
func (u *unusable) Name() string            { return "library" }

func (u *unusable) Search(_ context.Context, q research.Query) ([]research.Hit, error) {
	u.t.Errorf("searched for %q", q.Text)
	return nil, errKilled
}

func (u *unusable) Read(_ context.Context, location string) (research.Document, error) {
	u.t.Errorf("read %s", location)
	return research.Document{}, errKilled
}
