package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJSON scores nine cases of our own: each way to be right, each way to be left out, three ways to be wrong.
func TestJSON(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	code, stdout, stderr := bench(t, "json", "--data", "testdata/json", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s jsonScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 6 || s.Parses != 5.0/6 || s.SameValue["own-syntax"] != 1 || s.SameValue["own-policy"] != 0 {
		t.Errorf("score %+v, want 5 of 6 read, all of own-syntax and none of own-policy the same", s)
	}
	for _, why := range []string{"must fail", "asks for an option", "expects nothing"} {
		if s.LeftOut[why] != 1 {
			t.Errorf("left out %v, want one that %s", s.LeftOut, why)
		}
	}
	for _, kind := range []string{"own-policy: null for an empty string", "own-policy: other length of a list", "own-policy: nothing read"} {
		if s.Failures[kind] != 1 {
			t.Errorf("failures %v, want one of %q", s.Failures, kind)
		}
	}
	b, err := os.ReadFile(said)
	if err != nil || strings.Count(string(b), "\n") != 6 {
		t.Errorf("predictions %q, %v, want 6 lines", b, err)
	}
	if code, stdout, _ := bench(t, "json", "--data", "testdata/json"); code != 0 || !strings.Contains(stdout, "own-syntax     3 of 3") || !strings.Contains(stdout, "T5") {
		t.Errorf("exit %d, printed %q, want the counts and the failures", code, stdout)
	}
}

func TestValueDifference(t *testing.T) {
	for _, tc := range []struct{ want, got, kind string }{
		{`{"a": [1, "x", null, true]}`, `{"a": [1.0, "x", null, true]}`, ""},
		{`1e2`, `100`, ""}, {`12345678901234567890`, `12345678901234567891`, "another number"}, {`1`, `"1"`, "not a number"},
		{`{"a": 1}`, `[1]`, "not an object"}, {`{"a": 1}`, `{"b": 1}`, "other names"}, {`[1]`, `{"a": 1}`, "not a list"}, {`[1]`, `[1, 2]`, "other length of a list"},
		{`"a"`, `"b"`, "another string"}, {`"a"`, `null`, "not a string"}, {`""`, `null`, "null for an empty string"}, {`null`, `""`, "another word"}, {`true`, `false`, "another word"},
	} {
		var want, got any
		if err := unmarshal(tc.want, &want); err != nil {
			t.Fatal(err)
		}
		if err := unmarshal(tc.got, &got); err != nil {
			t.Fatal(err)
		}
		if kind := valueDifference(want, got); kind != tc.kind {
			t.Errorf("difference of %s and %s: %q, want %q", tc.want, tc.got, kind, tc.kind)
		}
	}
}
