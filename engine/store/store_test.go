package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assay/engine/research"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_CHILD"); dir != "" {
		os.Exit(child(dir))
	}
	goleak.VerifyTestMain(m)
}

func request() research.Request {
	return research.Request{Question: "How old is the <oldest> file?", Libraries: []string{"/data/faq"}, Depth: research.Quick,
		Lang: "en", Model: "extractive", Egress: research.Closed, Now: "2026-01-02T03:04:05Z"}
}

func open(t *testing.T, dir string) *Home {
	t.Helper()
	h, err := Open(dir, "terminal")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func create(t *testing.T, h *Home) *Record {
	t.Helper()
	r, err := h.Create(request(), "1.0")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func appendKeyed(t *testing.T, r *Record, key, payload string) research.Event {
	t.Helper()
	ev, err := r.Append(research.Event{Kind: research.EventModel, Key: key, Payload: json.RawMessage(payload)})
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func TestRecordKeepsWhatItIsGiven(t *testing.T) {
	r := create(t, open(t, t.TempDir()))
	sha, err := r.PutBlob("clean text ☃")
	if err != nil {
		t.Fatal(err)
	}
	if sha != research.SHA256("clean text ☃") {
		t.Errorf("PutBlob = %s", sha)
	}
	first := appendKeyed(t, r, "model/1", `{ "text": "a\nb" }`)
	if first.Seq != 2 || first.AtMs == 0 {
		t.Errorf("Append = %+v, want number 2 (after the request) and a time", first)
	}
	again := appendKeyed(t, r, "model/1", `{"text":"other"}`)
	if again.Seq != 2 || string(again.Payload) != `{"text":"a\nb"}` {
		t.Errorf("Append of a held key = %+v, want the event that holds it", again)
	}
	if got, ok := r.Get("model/1"); !ok || string(got) != `{"text":"a\nb"}` {
		t.Errorf("Get = %s, %v", got, ok)
	}
	if _, ok := r.Get("model/2"); ok {
		t.Error("Get found a key that was never appended")
	}
	appendKeyed(t, r, "model/null", "null")
	if got, ok := r.Get("model/null"); !ok || string(got) != "null" {
		t.Errorf("Get of a null payload = %q, %v", got, ok)
	}
	for range 2 { // news has no key and is never dropped
		if _, err := r.Append(research.Event{Kind: research.EventNote}); err != nil {
			t.Fatal(err)
		}
	}
	events, err := r.Events(0, 0)
	if err != nil || len(events) != 5 {
		t.Fatalf("Events = %d events, %v, want 5", len(events), err)
	}
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Errorf("event %d has number %d", i, ev.Seq)
		}
	}
	if some, err := r.Events(2, 2); err != nil || len(some) != 2 || some[0].Seq != 3 {
		t.Errorf("Events(2, 2) = %v, %v", some, err)
	}
	if text, err := r.Blob(sha); err != nil || text != "clean text ☃" {
		t.Errorf("Blob = %q, %v", text, err)
	}
}

func TestAppendRefuses(t *testing.T) {
	r := create(t, open(t, t.TempDir()))
	if _, err := r.Append(research.Event{Kind: "model", Payload: json.RawMessage(`{"a":`)}); err == nil {
		t.Error("a payload that is not JSON was recorded")
	}
	if _, err := r.PutBlob("\xff"); err == nil {
		t.Error("a text that is not UTF-8 was recorded")
	}
	if _, err := r.Blob(research.SHA256("never put")); err == nil {
		t.Error("Blob found a text that was never put")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(research.Event{Kind: "note"}); !errors.Is(err, errClosed) {
		t.Errorf("Append after Close: %v", err)
	}
	if _, err := r.PutBlob("x"); !errors.Is(err, errClosed) {
		t.Errorf("PutBlob after Close: %v", err)
	}
}

// TestKillAfterEveryAppend takes a copy of the database right after each append returned, which is what a kill at that
// moment leaves, and looks for everything that had been appended.
func TestKillAfterEveryAppend(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	copies := t.TempDir()
	const n = 40
	var shas []string
	for i := range n {
		sha, err := r.PutBlob(strings.Repeat(fmt.Sprint("text ", i, " "), 1+i*300))
		if err != nil {
			t.Fatal(err)
		}
		shas = append(shas, sha)
		appendKeyed(t, r, fmt.Sprint("model/", i), fmt.Sprintf(`{"sha":%q}`, sha))
		copyRun(t, h, r.ID(), filepath.Join(copies, fmt.Sprint(i)))
	}
	for i := range n {
		killed := open(t, filepath.Join(copies, fmt.Sprint(i)))
		info, err := killed.Show(r.ID())
		if err != nil || info.State != "interrupted" {
			t.Fatalf("after append %d: Show = %+v, %v, want interrupted", i, info, err)
		}
		back, err := killed.Resume(r.ID(), "1.0")
		if err != nil {
			t.Fatalf("after append %d: %v", i, err)
		}
		for j := range i + 1 {
			if _, ok := back.Get(fmt.Sprint("model/", j)); !ok {
				t.Errorf("after append %d: event %d is lost", i, j)
			}
			if _, err := back.Blob(shas[j]); err != nil {
				t.Errorf("after append %d: %v", i, err)
			}
		}
		if err := back.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func copyRun(t *testing.T, h *Home, id, to string) {
	t.Helper()
	dir := filepath.Join(to, "runs", id)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"record.db", "info.json", "lock"} {
		b, err := os.ReadFile(filepath.Join(h.Dir(id), name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCutFile cuts a record anywhere; opening it gives a record or a sentence, never a crash.
func TestCutFile(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	for i := range 50 {
		if _, err := r.PutBlob(strings.Repeat(fmt.Sprint(i), 2000)); err != nil {
			t.Fatal(err)
		}
		appendKeyed(t, r, fmt.Sprint("model/", i), `{"text":"x"}`)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(h.db(r.ID()))
	if err != nil {
		t.Fatal(err)
	}
	for size := 0; size < len(b); size += 1021 * 7 {
		cut := open(t, t.TempDir())
		copyRun(t, h, r.ID(), cut.dir)
		if err := os.Truncate(cut.db(r.ID()), int64(size)); err != nil {
			t.Fatal(err)
		}
		err := cut.Export(r.ID(), &bytes.Buffer{})
		if err == nil {
			continue // only free pages were cut
		}
		if !strings.Contains(err.Error(), r.ID()) {
			t.Errorf("cut at %d: %v does not name the run", size, err)
		}
		if _, err := cut.Delete(r.ID()); err != nil {
			t.Errorf("cut at %d: delete: %v", size, err)
		}
	}
}

func TestExportImport(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	if _, err := r.PutBlob("waiting <text>"); err != nil {
		t.Fatal(err)
	}
	appendKeyed(t, r, "model/1", `{"text":"1 < 2 & 3"}`)
	appendKeyed(t, r, "model/2", "null")
	digest := research.Digest{Schema: 1, Title: "T", Topic: "Q", Model: research.ModelUse{Channel: "ollama", Name: "m"},
		Sections: []research.Section{{Findings: make([]research.DigestFinding, 3)}}, Sources: make([]research.DigestSource, 2)}
	if err := r.SetDigest(digest); err != nil {
		t.Fatal(err)
	}
	var live, rest bytes.Buffer
	if err := r.Export(&live); err != nil {
		t.Fatal(err)
	}
	if info := r.Info(); info.Findings != 3 || info.Sources != 2 || info.Model != "ollama:m" {
		t.Errorf("Info = %+v", info)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Export(r.ID(), &rest); err != nil {
		t.Fatal(err)
	}
	if live.String() != rest.String() {
		t.Error("run.json of a live run differs from that of the run at rest")
	}
	run, err := Import(&rest)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Events) != 3 || len(run.Blobs) != 1 || run.Digest == nil || run.Request.Question != request().Question {
		t.Errorf("Import = %+v", run)
	}
	var again, memory bytes.Buffer
	if err := EncodeRun(&again, run); err != nil {
		t.Fatal(err)
	}
	if again.String() != live.String() {
		t.Errorf("import and export again differ:\n%s\n%s", live.String(), again.String())
	}
	if err := FromRun(run, true).Export(&memory); err != nil || memory.String() != live.String() {
		t.Errorf("export of the record in memory differs: %v", err)
	}
	if got, err := h.Digest(r.ID()); err != nil || !reflect.DeepEqual(got.Title, "T") {
		t.Errorf("Digest = %+v, %v", got, err)
	}
}

func TestFromRunKeepsOnlyEffects(t *testing.T) {
	m := NewMemory(request(), "1.0")
	for _, kind := range []string{research.EventRequest, "stage plan", research.EventModel, research.EventNote, research.EventRead,
		research.EventSearch, research.EventFetch, research.EventEmbed, research.EventState} {
		if _, err := m.Append(research.Event{Kind: kind, Key: kind, Payload: json.RawMessage(`1`)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.PutBlob("text"); err != nil {
		t.Fatal(err)
	}
	replay := FromRun(m.Run(), false)
	var kinds []string
	for _, ev := range replay.Run().Events {
		kinds = append(kinds, ev.Kind)
	}
	if got, want := strings.Join(kinds, " "), "request model read search fetch embed"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
	if _, err := replay.Blob(research.SHA256("text")); err != nil {
		t.Error(err)
	}
	if _, ok := replay.Get("stage plan"); ok {
		t.Error("a stage was kept")
	}
}

func TestImportRefuses(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", "not a run record"},
		{"other JSON", `{"a":1}`, "does not belong there"},
		{"newer", `{"schema":99,"code":"9.9"}`, "use version 9.9"},
		{"cut", `{"schema":1,"events":[{`, "not a run record"},
		{"followed", `{"schema":1} {"schema":1}`, "something follows"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Import(strings.NewReader(tc.in)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Import(%q) = %v, want %q in it", tc.in, err, tc.want)
			}
		})
	}
}

func TestConcurrentAppends(t *testing.T) {
	r := create(t, open(t, t.TempDir()))
	var wg sync.WaitGroup
	const workers, each = 16, 20
	seqs := make([][]int64, workers)
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				if _, err := r.PutBlob(fmt.Sprint("text ", w, i)); err != nil {
					t.Error(err)
				}
				ev, err := r.Append(research.Event{Kind: "model", Key: fmt.Sprint(w%8, "/", i), Payload: json.RawMessage(`{}`)})
				if err != nil {
					t.Error(err)
				}
				seqs[w] = append(seqs[w], ev.Seq)
				if _, ok := r.Get(fmt.Sprint(w%8, "/", i)); !ok {
					t.Error("an appended event is not held")
				}
			}
		})
	}
	wg.Wait()
	for w := range 8 {
		if !reflect.DeepEqual(seqs[w], seqs[w+8]) {
			t.Errorf("two that appended the same keys got %v and %v", seqs[w], seqs[w+8])
		}
	}
	if events, err := r.Events(0, 0); err != nil || len(events) != 8*each+1 {
		t.Errorf("%d events, %v, want %d", len(events), err, 8*each+1)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"schema":1,"code":"1","events":[{"seq":1,"kind":"model","key":"a","payload":{"x":"<"}}],"blobs":{"a":"b"}}`))
	f.Add([]byte(`{"schema":1,"events":[{"payload":null}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		run, err := Import(bytes.NewReader(b))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := EncodeRun(&once, run); err != nil {
			t.Fatalf("what was imported is not exported: %v", err)
		}
		again, err := Import(bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("what was exported is not imported: %v", err)
		}
		if err := EncodeRun(&twice, again); err != nil || once.String() != twice.String() {
			t.Errorf("the form is not canonical: %v\n%s\n%s", err, once.String(), twice.String())
		}
		FromRun(run, false)
	})
}

func BenchmarkAppend(b *testing.B) {
	h, err := Open(b.TempDir(), "test")
	if err != nil {
		b.Fatal(err)
	}
	r, err := h.Create(request(), "1.0")
	if err != nil {
		b.Fatal(err)
	}
	payload := json.RawMessage(`{"text":"` + strings.Repeat("x", 2000) + `"}`)
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Append(research.Event{Kind: "note", Payload: payload}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := r.Append(research.Event{Kind: "note", Payload: payload}); err != nil {
					b.Error(err)
				}
			}
		})
	})
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
}
