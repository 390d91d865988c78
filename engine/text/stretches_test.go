package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

func TestStretches(t *testing.T) {
	few := strings.Repeat("a word ", 90)
	for _, tc := range []struct {
		name, s string
		ends    []string // what a stretch must end with
	}{
		{"short", "The ferry leaves at noon, and it returns.", []string{"and it returns."}},
		{"no mark", strings.Repeat("river stone market ", 100), []string{"market"}},
		{"joints", strings.Repeat("they built a high wall of stone along the old river and then they waited for the winter ", 20), []string{"old river", "the winter"}},
		{"commas", strings.Repeat("they built a wall of stone along the old river, they waited there for the coming winter, ", 20), []string{"river,", "winter,"}},
		{"Chinese", strings.Repeat("灯塔建于一八七三年，高四十一米，由工程师设计并且亲自监造，", 40), []string{"，"}},
		{"signs only", strings.Repeat("灯塔山河城市", 200), nil},
		{"no blank", strings.Repeat("QUJD", 5000), nil},
		{"broken", few + "\xff\xfe" + few + few + few, nil},
		{"empty", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spans := Stretches(tc.s)
			checkStretches(t, tc.s, spans)
			if len(spans) == 0 {
				return
			}
			last := tc.s[spans[0].Start:spans[0].End]
			ok := len(tc.ends) == 0
			for _, e := range tc.ends {
				ok = ok || strings.HasSuffix(last, e)
			}
			if !ok {
				t.Errorf("the first stretch is %q, want an end in %q", last, tc.ends)
			}
		})
	}
	if n := len(Stretches(few)); n != 1 {
		t.Errorf("180 words make %d stretches, want 1", n)
	}
}

// TestStretchesAgree cuts a text from one of its own cuts on: what follows is cut at the same places, so that whoever begins
// there sees the same stretches.
func TestStretchesAgree(t *testing.T) {
	s := strings.Repeat("they came to the harbour of the town and they saw seven ships with red sails ", 60)
	all := Stretches(s)
	from := all[2].Start
	for i, sp := range Stretches(s[from:]) {
		if sp.Start+from != all[i+2].Start || sp.End+from != all[i+2].End {
			t.Fatalf("stretch %d begins at %d, want %d", i, sp.Start+from, all[i+2].Start)
		}
	}
}

// checkStretches asks that the stretches are in order, hold all but white space, cut no character, and are short.
func checkStretches(t *testing.T, s string, spans []research.Span) {
	t.Helper()
	at, valid := 0, utf8.ValidString(s)
	for i, sp := range spans {
		if sp.Start < at || sp.End <= sp.Start || sp.End > len(s) {
			t.Fatalf("stretch %d is %v after %d", i, sp, at)
		}
		if strings.TrimSpace(s[at:sp.Start]) != "" {
			t.Fatalf("between %d and %d stands %q", at, sp.Start, s[at:sp.Start])
		}
		if valid && !utf8.RuneStart(s[sp.Start]) {
			t.Fatalf("stretch %d cuts a character", i)
		}
		if n := wordsUpTo(s[sp.Start:sp.End], overlongWords); len(spans) > 1 && n > stretchLeast+stretchMost+1 {
			t.Fatalf("stretch %d has %.1f words", i, n)
		}
		at = sp.End
	}
	if strings.TrimSpace(s[at:]) != "" {
		t.Fatalf("after %d stands %q", at, s[at:min(len(s), at+40)])
	}
}

func FuzzStretches(f *testing.F) {
	f.Add("one two, three ")
	f.Add("灯塔，山河")
	f.Add("x\xff \t1,234.5")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return
		}
		long := strings.Repeat(s, 1+2000/len(s))
		checkStretches(t, long, Stretches(long))
	})
}

// TestStretchesLinear cuts megabytes; in quadratic time it would run into the time limit of the tests.
func TestStretchesLinear(t *testing.T) {
	for _, unit := range []string{"word ", "灯", "x", ", ", "a,", strings.Repeat(" ", 500) + "a", "and "} {
		s := strings.Repeat(unit, 4<<20/len(unit))
		checkStretches(t, s, Stretches(s))
	}
}
