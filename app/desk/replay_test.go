package desk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/engine"
	"assay/engine/research"
	"assay/engine/store"
)

func TestReplay(t *testing.T) {
	req := request(folder(t))
	m := store.NewMemory(req, "1.0")
	for kind, payload := range map[string]any{
		research.EventSetup: research.Setup{Model: "ollama:m", Why: "It answers.", Limits: research.Limits{NumCtx: 8192}, Providers: []string{"library"}},
		research.EventModel: research.Answer{Text: "held"},
	} {
		b, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Append(research.Event{Kind: kind, Key: kind, Payload: b}); err != nil {
			t.Fatal(err)
		}
	}
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		if _, ok := rec.Get(research.EventModel); !ok || cfg.Model.Limits().NumCtx != 8192 || cfg.ModelWhy != "It answers." || cfg.Providers[0].Name() != "library" {
			t.Errorf("the replay does not stand on the record: %+v", cfg)
		}
		if _, err := cfg.Reader.Read(ctx, "b/2"); err != nil && cfg.Fallback != nil {
			t.Errorf("Read = %v", err)
		}
		if _, err := cfg.Providers[0].Search(ctx, research.Query{Text: "q"}); err != nil && cfg.Fallback != nil {
			t.Errorf("Search = %v", err)
		}
		if _, err := cfg.Model.Chat(ctx, research.Call{Role: research.Reader}); !errors.Is(err, research.ErrUnrecorded) {
			t.Errorf("Chat = %v", err)
		}
		return testDigest(), engine.ErrNoFinding
	})
	res, err := d.Replay(t.Context(), m.Run(), ReplayOptions{})
	if err != nil || len(res.Misses) != 3 || !slices.IsSorted(res.Misses) || res.Digest.Title == "" {
		t.Errorf("Replay = %+v, %v", res.Misses, err)
	}
	if _, err := d.Replay(t.Context(), m.Run(), ReplayOptions{Strict: true}); !errors.Is(err, research.ErrUnrecorded) {
		t.Errorf("strict Replay = %v, want ErrUnrecorded", err)
	}
	if _, err := d.Replay(t.Context(), store.NewMemory(req, "1.0").Run(), ReplayOptions{}); err == nil {
		t.Error("a record without a setup was replayed")
	}
}

func TestAttachedFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/note.txt": "Gold melts at 1064 degrees Celsius.", "b/note.txt": "Silver melts at 962 degrees Celsius.", "c.txt": "Nothing of the kind.",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		hits, err := cfg.Providers[0].Search(ctx, research.Query{Text: "silver melts", Lang: "en"})
		if err != nil || len(hits) != 2 || hits[0].Location != "attached/note-2.txt" {
			t.Errorf("Search = %+v, %v", hits, err)
			return testDigest(), nil
		}
		doc, err := cfg.Reader.Read(ctx, hits[0].Location)
		if err != nil || doc.Text[hits[0].Start:hits[0].End] != hits[0].Snippet {
			t.Errorf("Read = %+v, %v", doc, err)
		}
		lib, err := cfg.Reader.Read(ctx, "docs/gold.txt")
		if err != nil || !strings.Contains(lib.Text, "1064") {
			t.Errorf("Read of the library = %+v, %v", lib, err)
		}
		return testDigest(), nil
	})
	req := request(folder(t))
	req.Attach = []string{filepath.Join(dir, "a/note.txt"), filepath.Join(dir, "b/note.txt"), filepath.Join(dir, "c.txt")}
	if res := wait(t, start(t, d, req, StartOptions{})); res.Exit != ExitDone {
		t.Errorf("Result = %+v", res)
	}
}
