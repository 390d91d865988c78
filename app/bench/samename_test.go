package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writePairs writes pairs of texts as a set of the bench.
func writePairs(t *testing.T, lines ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pairs.jsonl"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSamename(t *testing.T) {
	long := strings.Repeat(" It was told by those who had been there and was written down by many hands in the years that followed.", 4)
	pair := func(id, a, b string, same bool) string {
		b0, err := json.Marshal(map[string]any{"id": id, "surface": "Kelso", "a": a + long, "b": b + long, "same": same, "sets": []string{}})
		if err != nil {
			t.Fatal(err)
		}
		return string(b0)
	}
	dir := writePairs(t,
		pair("team", "Born in Kelso, Ohio, he left for the river mill.", "Standings of the league matches : Alva 20 9 7 4 29 21 34 Kelso 20 7 7 6 18 18 28 Dunmore 21 7 6 8 28 22 27", false),
		pair("town", "The council of Kelso and mayor Ashby met the bridge company of Dunmore on Friday about the road to Alva.", "Mayor Ashby of Kelso said that the bridge to Dunmore would be paid by the road company of Alva.", true),
		`{"id": "other", "text": "a line of another set"}`)
	predictions := filepath.Join(t.TempDir(), "said.jsonl")
	var out, errs bytes.Buffer
	if code := Main(context.Background(), []string{"samename", "--data", dir, "--json", "--predictions", predictions}, &out, &errs); code != 0 {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	var r samenameResult
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.N != 2 || r.F1 != 1 || r.FalseMerges != 0 || r.WrongSplits != 0 {
		t.Errorf("%+v", r.samenameScore)
	}
	b, err := os.ReadFile(predictions)
	if err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("predictions: %v %s", err, b)
	}
	if code := Main(context.Background(), []string{"samename", "--data", writePairs(t, `{"id": "x"}`)}, &out, &errs); code != 1 {
		t.Errorf("a folder without pairs: code %d", code)
	}
}

func TestNameIn(t *testing.T) {
	for _, tc := range []struct {
		s, name string
		at      int
	}{
		{"Kelso met Kelso and Kelso left", "Kelso", 10},
		{"Kelsoland is near Kelso", "Kelso", 18},
		{"no such name", "Kelso", 0},
		{"", "Kelso", 0},
	} {
		if got := nameIn(tc.s, tc.name); got.Start != tc.at || got.End > len(tc.s) {
			t.Errorf("nameIn(%q, %q) = %v, want %d", tc.s, tc.name, got, tc.at)
		}
	}
}
