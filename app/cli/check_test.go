package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
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

// TestCheckRecords: a record without events is not checked in vain, one that another tool wrote again is the same record, and one that
// cannot be read says which file it is, what it is, and what to do; names are taken in letters of any case, and unknown ones come with
// those near them.
func TestCheckRecords(t *testing.T) {
	x := newTerminal(t)
	dir, out := docs(t), filepath.Join(t.TempDir(), "report")
	x.want(0, "--look-up: the works that the report cites are not looked up, because --offline", "research", "What is the melting point of gold?", "--library", dir, "--offline", "--look-up", "--out", out, "--clock", clock, "--yes")
	run := filepath.Join(out, "run.json")
	b, err := os.ReadFile(run)
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&record); err != nil {
		t.Fatal(err)
	}
	write := func(name string, v any) string {
		t.Helper()
		text, err := json.MarshalIndent(v, "", "   ") // keys in order, with white space
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	again := write("again.json", record)
	x.want(0, "0 differ", "audit", again)
	x.want(0, "0 of them blocking", "check", again)
	x.want(0, "(1 of 2)", "check", run, again)

	changed := maps.Clone(record)
	changed["events"] = []any{}
	x.want(1, "nothing was checked", "check", write("events.json", changed))
	changed = maps.Clone(record)
	changed["schema"], changed["a_new_field"] = 99, true
	newer := write("newer.json", changed)
	x.want(1, newer+": read run.json: it was made by a newer Assay", "check", newer)
	deep := filepath.Join(t.TempDir(), "deep.json")
	if err := os.WriteFile(deep, []byte(`{"schema":1,"events":`+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)+"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.want(1, deep+": read run.json: it is not a run record (it nests values", "audit", deep)

	x.want(0, "The digest differs in: callouts", "replay", run, "--without", "g26")
	x.want(0, `"would_not_print":[]`, "replay", run, "--without", "AGING", "--json")
	x.want(2, "did you mean numberunsupported?", "replay", run, "--without", "numberunsuported")
	x.want(2, `without ""`, "ablate", "G31+", "--run", run)
}
