package checks

import (
	"fmt"
	"strconv"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var academicidentitymismatch = &Check{
	ID: "G29", Name: "academicidentitymismatch", Title: "AcademicIdentityMismatch", Tier: Grounding, Class: Advisory,
	Scope: lookupKeys, Eval: evalAcademicIdentityMismatch, Advise: Annotate,
}

const (
	// minTitle is the least likeness of two titles of one work, as shared words to all words (CHECKS G29).
	minTitle = 0.6
	// yearSlack is how far the years of a preprint and its publication lie apart.
	yearSlack = 1
)

// lookupKeys returns a key for each reference that was looked up.
func lookupKeys(v View) []Key {
	var keys []Key
	for i := range v.Lookups {
		keys = append(keys, Key{KeyLookup, strconv.Itoa(i)})
	}
	return keys
}

func evalAcademicIdentityMismatch(v View, k Key) []Hit {
	i, err := strconv.Atoi(k.ID)
	if err != nil || i < 0 || i >= len(v.Lookups) || !v.Lookups[i].Checked() {
		return nil // no answer is no verdict
	}
	l := v.Lookups[i]
	where := l.Reference.Of
	if where == "" {
		where = k.ID
	}
	code, why := misidentified(l)
	if why == "" {
		return nil
	}
	return []Hit{{Where: where, Code: code, What: "academic_citation_unverified: " + why}}
}

// misidentified says how a reference is not a work that a catalogue knows; empty when one knows it.
func misidentified(l research.CitationLookup) (code, why string) {
	ref := l.Reference
	var closest *research.Work
	unknown := ""
	for _, a := range l.Answers {
		if a.Fault != "" {
			continue
		}
		if a.IDUnknown {
			unknown = a.Catalogue
		}
		if w := a.ByID; w != nil {
			if same(ref, *w) {
				return "", ""
			}
			return "identifier", fmt.Sprintf("its identifier is that of %q (%d) in %s", w.Title, w.Year, a.Catalogue)
		}
		for _, w := range a.Works {
			if same(ref, w) {
				return "", ""
			}
			if closest == nil && titleLikeness(ref.Title, w.Title) >= minTitle {
				closest = &w
			}
		}
	}
	switch {
	case closest != nil:
		return "attributes", fmt.Sprintf("%s has %q by %s (%d)", closest.Catalogue, closest.Title, strings.Join(closest.Authors[:min(3, len(closest.Authors))], ", "), closest.Year)
	case unknown != "":
		return "identifier", fmt.Sprintf("%s has no work under its identifier", unknown)
	}
	return "unknown", fmt.Sprintf("no catalogue that was asked has %q", head(ref.Title, 120))
}

// same reports whether a reference and a work are one: two of title, first author and year hold, the title or its author among
// them, and no name contradicts.
func same(ref research.CitedWork, w research.Work) bool {
	title := titleLikeness(ref.Title, w.Title) >= minTitle
	year := ref.Year == 0 || w.Year == 0 || max(ref.Year-w.Year, w.Year-ref.Year) <= yearSlack
	author, contradicted := authorsAgree(ref, w)
	n := 0
	for _, ok := range []bool{title, year, author} {
		if ok {
			n++
		}
	}
	return n >= 2 && title && !contradicted
}

// authorsAgree compares authors by the tokens of their names, never by a likeness of whole strings: the first author's surname
// must be a word of some author of the work. It is contradicted when both name authors and one of the reference is none of
// the work's.
func authorsAgree(ref research.CitedWork, w research.Work) (agree, contradicted bool) {
	if len(ref.Authors) == 0 || len(w.Authors) == 0 {
		return false, false
	}
	known := map[string]bool{}
	for _, a := range w.Authors {
		for _, t := range text.Tokens(text.Fold(a)) {
			known[t.Norm] = true
		}
	}
	for i, a := range ref.Authors {
		found := false
		for _, t := range text.Tokens(text.Fold(a)) {
			found = found || len([]rune(t.Norm)) > 1 && known[t.Norm]
		}
		if !found {
			return false, true
		}
		agree = agree || i == 0
	}
	return agree, false
}

// titleLikeness is the share of words that two titles have in common, the better of with and without their subtitles.
func titleLikeness(a, b string) float64 {
	words := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, t := range text.Tokens(s) {
			out[t.Norm] = true
		}
		return out
	}
	like := func(a, b string) float64 {
		x, y := words(a), words(b)
		both := 0
		for t := range x {
			if y[t] {
				both++
			}
		}
		if len(x)+len(y) == both {
			return 0
		}
		return float64(both) / float64(len(x)+len(y)-both)
	}
	main := func(s string) string {
		if i := strings.IndexAny(s, ":："); i > 0 {
			return s[:i]
		}
		return s
	}
	best := like(a, b)
	if main(a) != a != (main(b) != b) { // only one of them has its subtitle
		best = max(best, like(main(a), main(b)))
	}
	return best
}
