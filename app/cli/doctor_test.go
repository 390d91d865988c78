package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctorFindsDamage spoils what a home holds, one thing at a time: the doctor names it, says what to do, and ends with 1.
func TestDoctorFindsDamage(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	x.want(0, "2 documents", "library", "add", dir)
	x.want(0, "", "research", "What is the melting point of gold?", "--model", "extractive", "--clock", clock)
	x.want(0, "1 run\n", "doctor")
	for _, tc := range []struct {
		name, glob, text string
		spoil            func([]byte) []byte
	}{
		{"settings", "settings.json", "correct the file or remove it", func([]byte) []byte { return []byte("{") }},
		{"a byte of the index", "library/index/store/*.zap", "library index is damaged", flip},
		{"a kept text cut", "library/texts/*/*", "is damaged; add its folder again", func(b []byte) []byte { return b[:len(b)/2] }},
		{"a kept text emptied", "library/texts/*/*", "is damaged; add its folder again", func([]byte) []byte { return nil }},
		{"a page of a record", "runs/*/record.db", "runs rm", func(b []byte) []byte {
			at := strings.Index(string(b), "Gold melts at 1064")
			if at < 0 {
				t.Fatal("the record does not hold the text")
			}
			for ; at >= 0; at = strings.Index(string(b), "Gold melts at 1064") { // it may stand in a page that is no longer used too
				b[at] = 'C'
			}
			return b
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(x.home, tc.glob))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: no files, %v", tc.glob, err)
			}
			for _, f := range files {
				before, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(f, tc.spoil(append([]byte(nil), before...)), 0o600); err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := os.WriteFile(f, before, 0o600); err != nil {
						t.Error(err)
					}
				}()
			}
			x.want(1, tc.text, "doctor")
			x.want(1, `"level":"wrong"`, "doctor", "--json")
		})
	}
	x.want(0, "1 run\n", "doctor")
}

func flip(b []byte) []byte {
	b[len(b)/2] ^= 0x40
	return b
}
