package checks

import (
	"bytes"
	"compress/flate"
	"fmt"
	"strings"
)

var degeneraterepetition = &Check{
	ID: "C07", Name: "degeneraterepetition", Title: "DegenerateRepetition", Tier: Completion, Class: Advisory,
	Scope: func(v View) []Key { return append(dispatchKeys(v), sectionKeys(v)...) }, Eval: evalDegenerateRepetition, Advise: Annotate,
}

// The bounds of a loop. On 100 real reports the largest share was 0.124 and the least ratio 0.375 (CHECKS 1A).
const (
	gramWords      = 8    // words of a run that is looked for again
	gramRunes      = 20   // the same in CJK characters
	minGrams       = 24   // runs that a text needs before a share is taken
	maxShare       = 0.20 // share of the runs that were there before
	tailBytes      = 1500 // of the end of a text that is compressed
	maxCompression = 0.20 // of the compressed tail to the tail; less is a loop
	loopWords      = 6    // words of a sentence that counts
	loopTimes      = 4    // times in succession
	maxLoopText    = 1 << 18
)

func evalDegenerateRepetition(v View, k Key) []Hit {
	s := ""
	if k.Kind == KeySection {
		sec, _ := v.section(k)
		s = v.written(sec)
	} else if d, ok := v.dispatch(k); ok {
		s = answerText(d)
	}
	if why := loops(withoutRows(s[:min(len(s), maxLoopText)])); why != "" {
		return []Hit{{Where: k.ID, What: why}}
	}
	return nil
}

// withoutRows drops lines that are rows of a table: a column repeats its unit.
func withoutRows(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "|") || strings.Count(t, "\t") >= 2 || strings.Count(t, " | ") >= 2 {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "")
}

// loops says how a text goes round in circles; empty when it does not.
func loops(s string) string {
	n, unit := gramWords, strings.Fields(strings.ToLower(s))
	sep := " "
	if isCJK(s) && s != "" {
		n, sep = gramRunes, ""
		unit = unit[:0]
		for _, r := range s {
			if r > ' ' {
				unit = append(unit, string(r))
			}
		}
	}
	seen, again, total := map[string]bool{}, 0, 0
	for i := 0; i+n <= len(unit); i++ {
		g := strings.Join(unit[i:i+n], sep)
		if total++; seen[g] {
			again++
		}
		seen[g] = true
	}
	if total >= minGrams && float64(again) >= maxShare*float64(total) {
		return fmt.Sprintf("%d of %d runs of %d words were there before", again, total, n)
	}
	if r := tailRatio(s); r < maxCompression {
		return fmt.Sprintf("its last %d bytes compress to %.0f %%", tailBytes, 100*r)
	}
	last, run := "", 1
	for _, sentence := range sentencesOf(s) {
		norm := strings.Join(strings.Fields(strings.ToLower(sentence)), " ")
		words := len(strings.Fields(norm))
		if isCJK(norm) {
			words = len([]rune(norm)) / 2
		}
		if norm != last || words < loopWords {
			last, run = norm, 1
			continue
		}
		if run++; run >= loopTimes {
			return fmt.Sprintf("one sentence stands %d times in succession", run)
		}
	}
	return ""
}

// tailRatio returns how far the end of a text can be compressed; 1 for a text shorter than that end.
func tailRatio(s string) float64 {
	if len(s) < tailBytes {
		return 1
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return 1
	}
	if _, err := w.Write([]byte(s[len(s)-tailBytes:])); err != nil || w.Close() != nil {
		return 1
	}
	return float64(b.Len()) / tailBytes
}
