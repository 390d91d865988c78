package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/library"
	"assay/engine/store"
)

// TestRepetitionHidesNothing: a document that says one thing hundreds of times leaves room for another that says it once, and what it
// says is heard too.
func TestRepetitionHidesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bridge")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.txt":   "The Arnheim bridge was opened in 1982 by a mayor.\n",
		"rep.txt": strings.Repeat("The Arnheim bridge was opened in 1990. ", 500) + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := library.Open(t.TempDir(), library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Add(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	scope, err := l.Within(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, "When was the Arnheim bridge opened?")
	c.Providers, c.Reader = []Provider{scope}, scope
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	if err != nil {
		t.Fatal(err)
	}
	if said := printed(d); !strings.Contains(said, "1982") || !strings.Contains(said, "1990") {
		t.Errorf("findings:\n%s", said)
	}
}
