package enginetest

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// Matching returns a string that an expression matches but for its assertions, written at random from the expression itself. It is for
// tests of what stands before a slow search: whatever the expression finds must get that far.
func Matching(r *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	generate(r, re, &b)
	return b.String()
}

func generate(r *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	times := func(low, high int) {
		for range low + r.IntN(high-low+1) {
			generate(r, re.Sub[0], b)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		at := 2 * r.IntN(len(re.Rune)/2)
		b.WriteRune(re.Rune[at] + rune(r.IntN(int(min(re.Rune[at+1]-re.Rune[at], 50))+1)))
	case syntax.OpAlternate:
		generate(r, re.Sub[r.IntN(len(re.Sub))], b)
	case syntax.OpConcat, syntax.OpCapture:
		for _, s := range re.Sub {
			generate(r, s, b)
		}
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 3)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			high = re.Min + 3
		}
		times(re.Min, high)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	}
}
