package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestVerifyDraft(t *testing.T) {
	d, dirs := testDesk(t, succeed), twoVoices(t)
	file := filepath.Join(t.TempDir(), "draft.md")
	draft := "# Gold\n\nGold melts at 1064 degrees Celsius [1]. Gold melts at 1200 degrees Celsius.【2†a】\n\n" +
		"Does it boil? The king of Lydia wore a crown of tin and lead in the year 560.\n" +
		"[1]: https://example.org/what-gold-is-and-what-it-is-not\n\n" + strings.Repeat("gold and ", 1000) + "\n"
	if err := os.WriteFile(file, []byte(draft), 0o644); err != nil {
		t.Fatal(err)
	}
	var heard int
	got, err := d.Verify(t.Context(), VerifyRequest{Draft: file, Libraries: dirs, Each: func(int, int, research.Verification) { heard++ }})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, s := range got.Sentences {
		said = append(said, string(s.Conclusion)+": "+s.Claim)
	}
	want := "supported: Gold melts at 1064 degrees Celsius.|contradicted: Gold melts at 1200 degrees Celsius.|not_found: The king of Lydia wore a crown of tin and lead in the year 560."
	if strings.Join(said, "|") != want || got.Skipped != 3 || got.Cut != 1 || heard != 3 {
		t.Errorf("Verify = %q, %d skipped, %d cut, %d heard", said, got.Skipped, got.Cut, heard)
	}
	if got.Tally() != "1 supported, 1 contradicted, 0 contested, 1 not found" {
		t.Errorf("Tally = %q", got.Tally())
	}
	if got.Sentences[0].Support.N != 2 {
		t.Errorf("Support = %+v, want two voices", got.Sentences[0].Support)
	}
	if runs, err := d.Runs(); err != nil || len(runs) != 0 {
		t.Errorf("a verification left %d runs, %v", len(runs), err)
	}
}

func TestVerifyRefuses(t *testing.T) {
	d, dirs := testDesk(t, succeed), twoVoices(t)
	empty := filepath.Join(t.TempDir(), "empty.md")
	if err := os.WriteFile(empty, []byte("# Only a heading\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]VerifyRequest{
		"no claim": {Libraries: dirs}, "no folder": {Claim: "Gold melts."}, "no such folder": {Claim: "Gold melts.", Libraries: []string{dirs[0] + "x"}},
		"no such draft": {Draft: empty + "x", Libraries: dirs}, "a draft without claims": {Draft: empty, Libraries: dirs}, "an odd clock": {Claim: "Gold melts.", Libraries: dirs, Now: "noon"},
	} {
		if _, err := d.Verify(t.Context(), in); !isUsage(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
