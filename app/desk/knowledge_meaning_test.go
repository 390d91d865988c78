package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestKnowledgeByMeaning looks for claims by the vectors of a real server's model: words that no claim holds find it, the vectors are
// kept and go with their run, and without the server words alone are said to count.
func TestKnowledgeByMeaning(t *testing.T) {
	o := enginetest.StartOllama(t, enginetest.Tiny{Embeds: true, Context: 2048})
	d := testDesk(t, realEngine)
	d.wire.embed = d.embedder
	if err := d.SetSettings(Settings{OllamaURL: o.URL, Offline: true}); err != nil {
		t.Fatal(err)
	}
	j := start(t, d, request(folder(t)), StartOptions{})
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("%+v", res)
	}
	known := func() []research.Known {
		all, err := d.allKnown(t.Context(), "")
		if err != nil || len(all) == 0 {
			t.Fatal(err)
		}
		return all
	}
	all := known()
	search := func() (int, string) {
		t.Helper()
		hits, how, err := d.SearchKnowledge(t.Context(), "temperature", 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(hits), how
	}
	kept := filepath.Join(j.Dir(), fileMeant)
	for range 2 { // the second time with the vectors of the first
		if n, how := search(); n == 0 || !strings.Contains(how, "by meaning (ollama:tiny:latest@") || !strings.Contains(how, "have a vector") || strings.Contains(how, "Search again") {
			t.Errorf("%d claims, %q", n, how)
		}
		if st, err := os.Stat(kept); err != nil || st.Size() < 100 {
			t.Errorf("the vectors are not kept: %v", err)
		}
	}
	if got := d.keptMeant(all, "another"); got != nil {
		t.Error("the vectors of one model are taken for another's")
	}
	if err := os.WriteFile(kept, []byte(`{"model":"x"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, _ := search(); n == 0 {
		t.Error("a damaged file of vectors hides the claims")
	}
	o.Kill()
	if n, how := search(); n != 0 || !strings.Contains(how, "words alone, because no model server answers") {
		t.Errorf("without the server %d claims, %q", n, how)
	}
	if n, how, err := d.SearchKnowledge(t.Context(), "gold melts", 10); err != nil || len(n) == 0 {
		t.Errorf("by words %d, %q, %v", len(n), how, err)
	}
}
