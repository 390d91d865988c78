package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// A transcript, or a text whose marks were lost, has no sentence ends. Its stretches are about as long as a sentence, so that
// a statement and its neighbours are found, weighed and quoted as sentences are.
const (
	// overlongWords is the length from which a sentence is taken for running text without sentence ends. The longest
	// sentences of law books have some 150 words.
	overlongWords = 200
	// A stretch has stretchLeast to stretchMost words, the last one of a text up to the sum of both.
	stretchLeast = 12
	stretchMost  = 30
	// signWords is what a character of a script without spaces counts: 30 words are 70 signs.
	signWords = 0.43
	// runBytes of a run without white space count as one more word: an encoded file is not one word.
	runBytes = 64
)

// Places where a stretch may end, the best last.
const (
	cutAnywhere = 1 + iota
	cutWord     // between words, or between signs of a script without spaces
	cutJoint    // before a word that joins clauses
	cutClause   // after a mark that ends a clause
)

// joints are words that begin a clause more often than they stand within one.
var joints = wordSet(`and but so because although while whereas then however therefore which who when where if also well okay
	y pero porque und aber weil dann et mais donc puis`)

// Stretches cuts a sentence of more than 200 words (470 signs of a script without spaces) into stretches of 12 to 30 words,
// at a mark that ends a clause where there is one, else before a word that joins clauses, else between words. A shorter
// sentence is one stretch. The spans are in order, trimmed of white space, and hold all else. It takes linear time.
func Stretches(s string) []research.Span {
	if wordsUpTo(s, overlongWords) <= overlongWords {
		return appendTrimmed(nil, s, 0, len(s))
	}
	var out []research.Span
	start := 0
	for start < len(s) {
		end := stretchEnd(s, start)
		if n := len(out); n > 0 && end == len(s) && wordsUpTo(s[start:], stretchLeast) < stretchLeast {
			out = appendTrimmed(out[:n-1], s, out[n-1].Start, end)
			break
		}
		out = appendTrimmed(out, s, start, end)
		start = end
	}
	return out
}

// stretchEnd returns where the stretch that begins at start ends: at the last of the best places within its length.
func stretchEnd(s string, start int) int {
	m := meter{}
	best, rank := 0, 0
	for at := start; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if m.words >= stretchLeast {
			if k := cutRank(s, at, r); k >= rank {
				best, rank = at, k
			}
		}
		at += size
		if m.add(r, size); m.words > stretchMost {
			if best > start {
				return best
			}
			return at
		}
	}
	return len(s)
}

// cutRank says how good a place to end a stretch the offset before r is.
func cutRank(s string, at int, r rune) int {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	switch {
	case strings.ContainsRune("，、；：。！？,;:", r):
		return 0 // the mark belongs to what it ends
	case strings.ContainsRune("；：，、。！？", before), before == '\t', unicode.IsSpace(r) && strings.ContainsRune(",;:.!?…", before):
		return cutClause
	case unicode.IsSpace(r):
		next := nextWord(strings.TrimLeft(s[at:min(len(s), at+64)], " \t\n"))
		if joints[strings.ToLower(next)] && !joints[strings.ToLower(lastWord(s[:at]))] {
			return cutJoint
		}
		return cutWord
	case isCJK(r) && isCJK(before):
		return cutWord
	case isCJK(r) != isCJK(before):
		return 0 // a number and its unit, a name and its title
	}
	return cutAnywhere
}

// meter counts words, and signs of scripts without spaces as parts of words.
type meter struct {
	words float64
	run   int // bytes since the last white space or sign
}

func (m *meter) add(r rune, size int) {
	switch {
	case unicode.IsSpace(r):
		m.run = 0
		return
	case isCJK(r):
		m.words, m.run = m.words+signWords, 0
		return
	case m.run == 0:
		m.words++
	}
	if m.run += size; m.run >= runBytes {
		m.run = 0
	}
}

// wordsUpTo counts the words of s until there are more than limit.
func wordsUpTo(s string, limit float64) float64 {
	m := meter{}
	for i := 0; i < len(s) && m.words <= limit; {
		r, size := utf8.DecodeRuneInString(s[i:])
		m.add(r, size)
		i += size
	}
	return m.words
}
