package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/app/desk"
)

// TestUnreadIsNamed: what a folder holds and is not read is named with the reason wherever the folder is spoken of.
func TestUnreadIsNamed(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	for name, text := range map[string]string{"empty.txt": "", "sheet.xls": "x", "old.doc": "x", "a.png": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "a/table.md")); err != nil {
		t.Fatal(err)
	}
	added := x.want(0, "4 documents (4 new", "library", "add", dir)
	listed := x.want(0, "NOT READ", "library", "list")
	out := filepath.Join(t.TempDir(), "report")
	x.want(0, "", "research", "What is the melting point of gold?", "--model", "extractive", "--clock", clock, "--out", out)
	report, err := os.ReadFile(filepath.Join(out, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{added, listed, string(report)} {
		for _, want := range []string{"empty.txt is empty", "sheet.xls is of a format that is not read; save it as", "old.doc is of a format"} {
			if !strings.Contains(where, want) {
				t.Errorf("%q is not in\n%s", want, where)
			}
		}
	}
	if !strings.Contains(added, "1 file left out that is no document: 1 .png") || !strings.Contains(added, "1 new passage,") {
		t.Errorf("library add said\n%s", added)
	}
	x.want(0, " 0 differ", "audit", filepath.Join(out, "run.json"))
	x.want(0, "identical digest", "replay", filepath.Join(out, "run.json"), "--strict")
	x.want(0, "Formats that are read: HTML (.html", "library", "add", "--help")
	x.want(0, "4 documents, 3 not read", "doctor")
}

// TestIngestLines: a line comes when files were read, or when a large one moves and a while has passed.
func TestIngestLines(t *testing.T) {
	now := time.Unix(0, 0)
	var out bytes.Buffer
	v := &ingestLines{out: &out, now: func() time.Time { return now }}
	for _, tick := range []struct {
		t    desk.IngestTick
		wait time.Duration
	}{
		{desk.IngestTick{Done: 1, Total: 900, Passages: 3}, 0},
		{desk.IngestTick{Done: 1, Total: 900, Passages: 1003}, 2 * ingestPause},
		{desk.IngestTick{Done: 1, Total: 900, Passages: 1003}, 2 * ingestPause}, // nothing moved
		{desk.IngestTick{Done: 600, Total: 900, Passages: 2000}, 0},
	} {
		now = now.Add(tick.wait)
		v.tick(tick.t)
	}
	if got := out.String(); got != "Library: 1 of 900 files, 1,003 passages\nLibrary: 600 of 900 files, 2,000 passages\n" {
		t.Errorf("said\n%s", got)
	}
}

// TestIngestInterrupted: a signal tells how many files are kept.
func TestIngestInterrupted(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	for i := range 2000 { // more than is read before the signal is seen
		name := filepath.Join(dir, fmt.Sprintf("%04d.txt", i))
		if err := os.WriteFile(name, fmt.Appendf(nil, "Bar %d of the store was weighed and found to be gold.\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x.signals <- os.Interrupt
	_, errOut, code := x.run("library", "add", dir)
	if code != 5 || !strings.Contains(errOut, "kept, and the same command goes on there") {
		t.Errorf("code %d\n%s", code, errOut)
	}
}

// TestWordsOfUse asks that what is used wrongly is answered in words, and that no command is listed twice.
func TestWordsOfUse(t *testing.T) {
	x := newTerminal(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"library", "set"}, "takes two arguments and was given 0: write it as assay library set NAME VALUE"},
		{[]string{"library", "search", ""}, "holds no word to search for"},
		{[]string{"library", "search", "***"}, "holds no word to search for"},
		{[]string{"web", "authority", ""}, "is not the name of a host"},
		{[]string{"web", "authority", "two words"}, "is not the name of a host"},
	} {
		x.want(2, tc.want, tc.args...)
	}
	seen := map[string]bool{}
	for _, c := range (&program{}).root().Commands() {
		if seen[c.Name()] {
			t.Errorf("%s is listed twice", c.Name())
		}
		seen[c.Name()] = true
	}
}
