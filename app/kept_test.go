package app

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

// keptDigest is a digest with one source and one passage of whole.
func keptDigest(whole string, start, end int) research.Digest {
	return research.Digest{
		Sources:  []research.DigestSource{{ID: "s", Title: "T", URL: "docs/t.txt", SHA256: research.SHA256(whole)}},
		Passages: map[string]research.Passage{"p": {ID: "p", Source: "s", Start: start, End: end, Text: whole[start:end]}, "lost": {ID: "lost", Source: "gone"}},
	}
}

func TestKeptPage(t *testing.T) {
	const whole = "First paragraph, 第一段。\n\nSecond one holds the passage here. And more.\n\nThird 第三段 paragraph."
	start := strings.Index(whole, "the passage here.")
	end := start + len("the passage here.")
	d := keptDigest(whole, start, end)
	text := func(string) (string, error) { return whole, nil }
	for around := -1; around < len(whole)+5; around++ {
		k, err := keptPage(d, "p", around, text)
		if err != nil {
			t.Fatal(err)
		}
		joined := k.Before + k.Passage + k.After
		if !strings.Contains(whole, joined) || k.Passage != whole[start:end] || !utf8.ValidString(joined) {
			t.Fatalf("keptPage(around %d) = %q", around, joined)
		}
		if k.CutBefore != !strings.HasPrefix(whole, joined) || k.CutAfter != !strings.HasSuffix(whole, joined) {
			t.Errorf("keptPage(around %d) says it is cut: %v, %v", around, k.CutBefore, k.CutAfter)
		}
	}
	k, err := keptPage(d, "p", 24, text)
	if err != nil || k.Before != "Second one holds " || k.After != " And more." {
		t.Errorf("keptPage stops at %q and %q, %v; want the paragraph", k.Before, k.After, err)
	}
}

func TestKeptPageFaults(t *testing.T) {
	const whole = "one two three"
	d := keptDigest(whole, 4, 7)
	for _, tc := range []struct {
		name, id string
		text     func(string) (string, error)
		want     string
	}{
		{"no such passage", "x", nil, "holds no passage"},
		{"source outside", "lost", nil, "outside the appendix"},
		{"text is gone", "p", func(string) (string, error) { return "", errors.New("blob is gone") }, "blob is gone"},
		{"text differs", "p", func(string) (string, error) { return "one tow three", nil }, "recompute"},
		{"text is shorter", "p", func(string) (string, error) { return "one", nil }, "recompute"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := keptPage(d, tc.id, 10, tc.text); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("keptPage = %v, want %q in it", err, tc.want)
			}
		})
	}
}

func FuzzWindow(f *testing.F) {
	f.Add("a\n\nb 段 c\n\nd", 4, 6, 3)
	f.Fuzz(func(t *testing.T, whole string, start, end, around int) {
		if start < 0 || end < start || end > len(whole) || around < 0 || around > maxAround {
			return
		}
		from, to := window(whole, start, end, around)
		if from < 0 || from > start || to < end || to > len(whole) {
			t.Errorf("window(%q, %d, %d, %d) = %d, %d", whole, start, end, around, from, to)
		}
	})
}
