package engine

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

const (
	// sharedRuns is the least share of the runs of words of the shorter text that two formats of one document share. A PDF
	// breaks some of them with running heads and hyphens; texts that are not of one document share next to none.
	sharedRuns = 0.3
	runWords   = 4
	// runSample: of a long text every so many-th run is compared, by its hash, which bounds what is held.
	runSample, longText = 16, 1 << 20

	// sharedMarks is the least share of what a translation leaves as it is: numbers, names, commands.
	sharedMarks = 0.5
	fewMarks    = 3 // of names and numbers together
	// manyNumbers is from how many numbers on they decide alone.
	manyNumbers = 8
	// A translation is at most so many times as long, in bytes, as what it was made from.
	maxLonger = 3
	// maxMarks bounds the marks of a text that are compared.
	maxMarks = 5000
)

// sameDocument reports whether two texts whose files have one name, apart from format and language, are one document: the
// name alone says little, as b.txt and b.de.txt may hold two things. In one language they share runs of words. Between two
// languages they are about as long and share most of their numbers, names and commands; where there are too few of those,
// as many lines and headings.
func sameDocument(a, b research.Document) bool {
	if a.SHA256 == b.SHA256 {
		return true
	}
	numbersA, namesA := marks(a.Text)
	numbersB, namesB := marks(b.Text)
	if n := min(len(numbersA), len(numbersB)); n > 0 && share(numbersA, numbersB) < sharedMarks {
		return false // whatever else they share, they tell of other years or other figures
	}
	if a.Lang == b.Lang || a.Lang == "" || b.Lang == "" {
		if share(runsOf(a.Text), runsOf(b.Text)) >= sharedRuns {
			return true
		}
		// The names of two editions hint at a translation; a text so mixed that its language is mistaken is still judged as one.
		if provenance.EditionLang(a.Location) == provenance.EditionLang(b.Location) {
			return false
		}
	}
	if min(len(a.Text), len(b.Text))*maxLonger < max(len(a.Text), len(b.Text)) {
		return false
	}
	if min(len(numbersA), len(numbersB)) >= manyNumbers {
		return true // so many do not agree by chance; capitals are used otherwise in every language
	}
	for n := range numbersA {
		namesA[n] = true
	}
	for n := range numbersB {
		namesB[n] = true
	}
	if min(len(namesA), len(namesB)) >= fewMarks {
		return share(namesA, namesB) >= sharedMarks
	}
	lines := func(d research.Document) int { return strings.Count(strings.TrimSpace(d.Text), "\n") + 1 }
	x, y := lines(a), lines(b)
	return len(a.Headings) == len(b.Headings) && 5*min(x, y) >= 4*max(x, y)
}

// share is how much of the smaller set stands in the other, 0..1; 0 when one is empty.
func share[K comparable](a, b map[K]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// runsOf hashes the runs of words of a text; one that is shorter than a run is a run.
func runsOf(s string) map[uint64]bool {
	out := map[uint64]bool{}
	var last [runWords]string
	n := 0
	put := func(words []string) {
		h := fnv.New64a()
		for _, w := range words {
			_, _ = h.Write([]byte(w)) // a hash takes everything
			_, _ = h.Write([]byte{0})
		}
		if v := h.Sum64(); len(s) < longText || v%runSample == 0 {
			out[v] = true
		}
	}
	for _, t := range text.Tokens(s) {
		copy(last[:], last[1:])
		last[runWords-1] = t.Norm
		if n++; n >= runWords {
			put(last[:])
		}
	}
	if n < runWords {
		put(last[runWords-n:])
	}
	return out
}

// marks are what a translation leaves as it is: numbers of two digits or more, and words in Latin letters that begin with a
// capital or hold one, in lower case.
func marks(s string) (numbers, names map[string]bool) {
	numbers, names = map[string]bool{}, map[string]bool{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf && !unicode.Is(unicode.Latin, r) || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		digits, upper := 0, false
		for _, r := range w {
			if unicode.IsDigit(r) {
				digits++
			}
			upper = upper || unicode.IsUpper(r)
		}
		switch {
		case digits >= 2 && len(numbers) < maxMarks:
			numbers[w] = true
		case digits == 0 && upper && len(w) >= 3 && len(names) < maxMarks:
			names[strings.ToLower(w)] = true
		}
	}
	return numbers, names
}
