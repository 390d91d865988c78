package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeak looks through one made report, and a raw one of our own in which one line narrates and one does not.
func TestLeak(t *testing.T) {
	dir := t.TempDir()
	raw := `{"id": 7, "prompt": "港口的疏浚花了多少钱？", "article": "让我继续搜索更多资料：\n# 报告\n港口在2021年疏浚到九米。"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "raw.jsonl"), []byte(raw), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := bench(t, "leak", "--limit", "1", "--data", dir, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s leakScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 4 || s.Found != 1 || s.Clean != 1 || s.CleanFires != 0 {
		t.Errorf("%d mutants, %v found, %d of %d clean reports flagged; want 4, all, none of 1", s.N, s.Found, s.CleanFires, s.Clean)
	}
	if s.Raw != 1 || s.Flagged != 1 || s.Unjudged != 1 || s.Lines[0].Line != 1 || !strings.HasPrefix(s.Lines[0].Said, "让我") {
		t.Errorf("raw: %d reports, %d flagged, %d not judged: %+v", s.Raw, s.Flagged, s.Unjudged, s.Lines)
	}
	if n := len(judgments()); n < 70 {
		t.Errorf("%d judged sentences", n)
	}
}
