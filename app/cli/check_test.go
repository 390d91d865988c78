package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCheck: a report as it was made passes the bank; one whose printed confidence was changed does not; a result compares with
// itself; and a replay without a check or a mechanism says what it was made without.
func TestCheck(t *testing.T) {
	x := newTerminal(t)
	dir, out := docs(t), filepath.Join(t.TempDir(), "report")
	x.want(0, "Report: ", "research", "What is the melting point of gold?", "--library", dir, "--offline", "--model", "extractive", "--out", out, "--clock", clock, "--yes")
	run := filepath.Join(out, "run.json")
	x.want(0, "0 of them blocking", "check", run)
	x.want(0, "Academic references: not checked.", "check", run)
	printed := x.want(0, `"blocking":0`, "check", run, "--json")
	before := filepath.Join(t.TempDir(), "before.json")
	if err := os.WriteFile(before, []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	x.want(0, "Nothing differs", "check", run, "--diff", before)
	forged := forgeFinding(t, run)
	x.want(3, "G31 ConfidenceBand", "check", forged)
	x.want(3, "Fires newly: ", "check", forged, "--diff", before)
	x.want(2, "is no result of assay check", "check", run, "--diff", run)
	x.want(2, "cannot be read", "check", run, "--diff", before+".gone")
	x.want(1, "it is a digest", "check", filepath.Join(out, "digest.json"))

	for _, name := range []string{"G31", "unfetchedurl", "aging", "salvage", "review", "normalisers", "per_facet", "fresh_context", "sentence_repair", "facet_repair", "terminal"} {
		x.want(0, "", "replay", run, "--without", name)
	}
	x.want(2, "there is no such check or mechanism", "replay", run, "--without", "luck")
	banner := filepath.Join(t.TempDir(), "ablated")
	x.want(0, "The digest differs", "replay", run, "--without", "aging", "--out", banner)
	page, err := os.ReadFile(filepath.Join(banner, "report.md"))
	if err != nil || !bytes.Contains(page, []byte("made without aging")) {
		t.Errorf("the report does not say what it was made without: %v", err)
	}
}

// forgeFinding changes the confidence that the first finding of the digest prints.
func forgeFinding(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(b, []byte(`"digest":`))
	for _, mark := range []string{`"sections":`, `"findings":`, `"confidence":"`} {
		i := bytes.Index(b[at:], []byte(mark))
		if i < 0 {
			t.Fatalf("the digest holds no %s", mark)
		}
		at += i + len(mark)
	}
	b[at] = '1' + (b[at]-'0')%9
	forged := filepath.Join(t.TempDir(), "forged.json")
	if err := os.WriteFile(forged, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return forged
}
