package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// TestPrintJSON holds that a name in a line of --json cannot steer a terminal and is still the same name.
func TestPrintJSON(t *testing.T) {
	for _, s := range []string{"\u009b31m", "\x1b[31m", "\u202a", "\u202e", "\u2066", "\u2069", "\u200f", "\u061c", "\x7f", "\u0085", "<plain> 灯塔"} {
		var b bytes.Buffer
		if err := printJSON(&b, map[string]string{"file": "a" + s + "b"}); err != nil {
			t.Fatal(err)
		}
		line := strings.TrimSuffix(b.String(), "\n")
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%q holds a sign that steers", line)
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(line), &back); err != nil || back["file"] != "a"+s+"b" {
			t.Errorf("%q reads as %q, %v", line, back["file"], err)
		}
	}
}
