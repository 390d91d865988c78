package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibraryBench measures a small library of made words and one of real sentences: what is found is what an exact count finds.
func TestLibraryBench(t *testing.T) {
	corpus := t.TempDir()
	text := "Universities generously organised several conferences about general relativity. The organisation's policies were criticised by " +
		"policemen and politicians. Generations of generals generated general confusion universally. Ponies and horses were walking slowly " +
		"towards the relational databases. Several critics criticise the critical theories of relatives and relations.\n"
	if err := os.WriteFile(filepath.Join(corpus, "a.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		args []string
	}{{"made words", nil}, {"real sentences", []string{"--corpus", corpus}}} {
		t.Run(tc.name, func(t *testing.T) {
			var out, fault bytes.Buffer
			if code := Main(t.Context(), append([]string{"library", "--limit", "400", "--also", filepath.Join(corpus, "absent"), "--json"}, tc.args...), &out, &fault); code != 0 {
				t.Fatalf("code %d: %s", code, fault.String())
			}
			var s libraryScore
			if err := json.Unmarshal(out.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			if s.N < 300 || s.Recall != 1 || len(s.Sizes) != 2 || s.Sizes[1].ExactOf != libraryExact || s.BesideFault == "" {
				t.Errorf("score %+v", s)
			}
		})
	}
	var out, fault bytes.Buffer
	if code := Main(t.Context(), []string{"library", "--limit", "400", "--corpus", t.TempDir()}, &out, &fault); code != 2 || !strings.Contains(fault.String(), "no sentences") {
		t.Errorf("code %d: %s", code, fault.String())
	}
}
