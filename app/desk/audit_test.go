package desk

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuditHoldsTheFilesAgainstTheRecord changes each file of a delivered report and wants the audit, by id and by file, to name it.
func TestAuditHoldsTheFilesAgainstTheRecord(t *testing.T) {
	d, out := testDesk(t, realWiring(nil).run), filepath.Join(t.TempDir(), "out")
	j := start(t, d, request(folder(t)), StartOptions{Out: out})
	if res := wait(t, j); res.Digest == nil {
		t.Fatalf("Result = %+v", res)
	}
	id, own := j.ID(), d.RunDir(j.ID())
	clean := func(name string) {
		t.Helper()
		if a, err := d.Audit(name, false); err != nil || !a.OK() || len(a.NotCompared) > 0 {
			t.Fatalf("Audit(%s) = %v, %v, %v", name, a.Faults, a.NotCompared, err)
		}
	}
	clean(id)
	clean(filepath.Join(out, FileRun))
	if err := d.RenameRun(id, "Another title"); err != nil {
		t.Fatal(err)
	}
	clean(id)
	for _, tc := range []struct {
		dir, name, file string
		old, new        string
	}{
		{own, id, FileRun, `"state":"done"`, `"state":"dome"`},
		{own, id, FileRun, `"title"`, `"titel"`},
		{own, id, FileDigest, `"byline": "Assay"`, `"byline": "Essay"`},
		{own, id, FileHTML, "</html>", "<p>More.</p></html>"},
		{own, id, FileMarkdown, "#", "##"},
		{out, filepath.Join(out, FileRun), FileHTML, "</html>", "<p>More.</p></html>"},
		{out, filepath.Join(out, FileRun), FileMarkdown, "#", "##"},
		{out, filepath.Join(out, FileRun), FileDigest, `"byline": "Assay"`, `"byline": "Essay"`},
	} {
		name := filepath.Join(tc.dir, tc.file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(text, []byte(tc.old), []byte(tc.new), 1)
		if bytes.Equal(changed, text) {
			t.Fatalf("%s does not hold %q", tc.file, tc.old)
		}
		if err := os.WriteFile(name, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := d.Audit(tc.name, false)
		if err != nil || a.OK() || !strings.HasPrefix(a.Faults[0].Where, tc.file) {
			t.Errorf("%s changed in %s: Audit = %v, %v", tc.file, tc.dir, a.Faults, err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		clean(tc.name)
	}
}
