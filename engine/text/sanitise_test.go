package text

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sinks are what a sanitised text may not hold: anything that a reader of Markdown or of HTML would load, run or follow.
var sinks = regexp.MustCompile(`(?i)!\[[^\]]*\]\(|\]\([^)]*\)|(?m:^\s{0,3}\[[^\]\n]+\]:\s*\S)|<(?:script|img|iframe|svg|a|object|embed|form|meta|link|style|base|video|audio|body|input|math|details|button|image)(?:[\s/>]|$)|` +
	`<[a-z][a-z0-9+.\-]+:[^<>\s]*>|javascript:\S|vbscript:\S|data:text/html[;,]|\bon(?:error|load|click)\s*=\s*\S+\s*>|<!--|[\x{202A}-\x{202E}\x{2066}-\x{2069}\x{200B}-\x{200F}\x{E0000}-\x{E007F}]`)

// payloads reads the corpus: one a line, "\n" for a line end, lines of # and empty ones aside.
func payloads(t testing.TB) []string {
	f, err := os.Open(filepath.Join("testdata", "sinks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if l := lines.Text(); l != "" && !strings.HasPrefix(l, "# ") {
			out = append(out, strings.NewReplacer(`\n`, "\n", `\u202e`, "\u202e", `\u200b`, "\u200b", `\U000e0041`, "\U000e0041").Replace(l))
		}
	}
	return out
}

func TestSanitiseCorpus(t *testing.T) {
	list := payloads(t)
	if len(list) < 80 {
		t.Errorf("%d payloads, want 80", len(list))
	}
	for _, p := range list {
		for _, s := range []string{p, "The depth is nine metres. " + p + " It was dredged.", p + p, "**" + p + "**", "> " + p} {
			clean, removed := Sanitise(s)
			if m := sinks.FindString(clean); m != "" {
				t.Errorf("Sanitise(%q) = %q, which holds %q", s, clean, m)
			}
			if clean != s && len(removed) == 0 {
				t.Errorf("Sanitise(%q) took something out and does not say so", s)
			}
			if again, _ := Sanitise(clean); again != clean {
				t.Errorf("Sanitise(%q) = %q, and again %q", s, clean, again)
			}
		}
	}
}

func TestSanitiseLeaves(t *testing.T) {
	for _, s := range []string{
		"The harbour is nine metres deep [3].", "Two sources say so [1][2].", "Install <harbour-tools> or <package-name>.", "a < b and c > d", "5 < 6 > 4", "港口在1950年疏浚到九米[1]。",
		"See https://port.harbour.net/depth for the depth.", "data: five items", "The file: a list", "[the company] paid", "It costs [about] 5", "map[string]int", "`code` and **strong**", "x^2 [^4]", "Line one\nline two\n\n- a\n- b", "",
	} {
		if clean, removed := Sanitise(s); clean != s || len(removed) > 0 {
			t.Errorf("Sanitise(%q) = %q, %v", s, clean, removed)
		}
	}
	clean, removed := Sanitise("The [depth](https://x.invalid/d) is ![nine](https://x.invalid/p.png) metres.")
	if clean != "The depth is nine metres." || len(removed) != 2 || removed[0].Kind != "image" || removed[1].Kind != "link" {
		t.Errorf("%q, %v", clean, removed)
	}
}

func FuzzSanitise(f *testing.F) {
	for _, p := range payloads(f) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, removed := Sanitise(s)
		if again, _ := Sanitise(clean); again != clean {
			t.Fatalf("Sanitise(%q) = %q, and again %q", s, clean, again)
		}
		if len(removed) > maxRemoved {
			t.Fatalf("%d removals", len(removed))
		}
		if m := sinks.FindString(clean); m != "" && !strings.HasPrefix(m, "](") {
			t.Fatalf("Sanitise(%q) = %q, which holds %q", s, clean, m)
		}
	})
}
