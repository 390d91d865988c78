package evidence

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// CitationState is what is known of a cited work after it was looked up.
type CitationState string

const (
	CitationConfirmed  CitationState = "confirmed"   // a catalogue has the work as it is cited
	CitationMismatch   CitationState = "mismatch"    // the work exists, and the reference says something else of it
	CitationNotFound   CitationState = "not found"   // those who looked know neither the identifier nor the title
	CitationNotChecked CitationState = "not checked" // nobody could look: no verdict
)

// CitationVerdict is the judgement of a lookup with what it rests on.
type CitationVerdict struct {
	State   CitationState
	Reasons []string // in clauses; empty when confirmed
	// Identity says that the reasons are about who and what the work is: its identifier, its authors, its year or its title (G29).
	// Otherwise they are about lesser fields: the venue, a title worded otherwise, authors left out.
	Identity bool
	Looked   int // catalogues that looked
}

// Thresholds of G29.
const (
	titleAlike   = 0.6 // share of words two titles have in common, as Jaccard, subtitles taken off where one lacks it
	yearsApart   = 1   // a preprint and its publication
	leastLooked  = 2   // catalogues that must have looked before a work counts as not found
	fewestShared = 0.5 // share of the cited authors that the work has to have
	cutList      = 100 // authors from which the list of a catalogue may be cut
)

// JudgeCitation says whether what the catalogues answered bears a reference out. Of author, year and title two have to hold, and no
// first author may be contradicted (G29); an identifier must lead to the work it stands beside. A surname is compared word by word
// with each name of the work, never with the whole line. Catalogues that could not look count for nothing.
func JudgeCitation(l research.CitationLookup) CitationVerdict {
	v := CitationVerdict{State: CitationNotChecked}
	var matches []WorkMatch
	var unknown []string
	for _, a := range l.Answers {
		if a.Fault != "" {
			continue
		}
		v.Looked++
		if a.IDUnknown {
			unknown = append(unknown, a.Catalogue)
		}
		if a.ByID != nil {
			m := MatchWork(l.Reference, *a.ByID)
			if l.Reference.Title != "" && m.Title < titleAlike { // the identifier leads to another work
				v.State, v.Identity = CitationMismatch, true
				v.Reasons = []string{fmt.Sprintf("its identifier is that of %q", m.Work.Title)}
				continue
			}
			m.byID = true
			matches = append(matches, m)
		}
		for _, w := range a.Works {
			if m := MatchWork(l.Reference, w); m.Title >= titleAlike {
				matches = append(matches, m)
			}
		}
	}
	switch {
	case v.Looked == 0 || v.State == CitationMismatch:
	case len(matches) == 0:
		if v.Looked >= leastLooked || len(unknown) > 0 {
			v.State, v.Identity = CitationNotFound, true
			v.Reasons = []string{fmt.Sprintf("%d catalogues looked and none has a work of that title", v.Looked)}
		}
	default:
		v.State = CitationConfirmed
		best := joined(matches)
		v.Reasons, v.Identity = best.faults(l.Reference)
		if !anyByID(l.Answers) && len(unknown) >= leastLooked {
			v.Reasons = append(v.Reasons, "no catalogue knows its identifier")
			v.Identity = true
		}
		if len(v.Reasons) > 0 {
			v.State = CitationMismatch
		}
	}
	return v
}

// joined is the likeliest match, with what the other records of the same work say: catalogues keep a preprint and its publication apart, and
// one of them may have fewer authors or another year. What one record bears out is borne out.
func joined(matches []WorkMatch) WorkMatch {
	best := &matches[0]
	for i := range matches[1:] {
		best = better(best, &matches[i+1])
	}
	out := *best
	for _, m := range matches {
		if m.Title < best.Title || m.Exact != best.Exact || m.Known && best.Known && m.First != best.First {
			continue
		}
		if m.Years >= 0 && (out.Years < 0 || m.Years < out.Years) {
			out.Years = m.Years
		}
		if m.Known && len(m.Other) < len(out.Other) {
			out.Other, out.Shared = m.Other, m.Shared
		}
		if m.Known && m.LeftOut < out.LeftOut {
			out.LeftOut = m.LeftOut
		}
		if m.Venue == VenueSame || m.Venue == VenueOther && out.Venue == VenueUnknown {
			out.Venue, out.where = m.Venue, m.Work.Venue
		}
	}
	return out
}

func anyByID(answers []research.CatalogueAnswer) bool {
	return slices.ContainsFunc(answers, func(a research.CatalogueAnswer) bool { return a.Fault == "" && a.ByID != nil })
}

// WorkMatch is a reference held against one work.
type WorkMatch struct {
	Work research.Work
	// Title is the share of words the titles have in common (Jaccard), a subtitle that one lacks taken off.
	Title float64
	// Exact says that the titles have the same words, whatever their case, marks and order of subtitles.
	Exact bool
	// Shared is the share of the cited authors whose surname is a word of an author of the work; 1 when none is cited or known.
	Shared float64
	// First says that the first cited author is an author of the work. Known says that both sides name authors.
	First, Known bool
	// LeftOut counts the work's authors that the reference does not name although it does not say "et al.".
	LeftOut int
	// Other are cited authors who are none of the work.
	Other []string
	// Years is how far apart the years are; -1 when one is unknown.
	Years int
	// Venue says how the venues compare.
	Venue VenueMatch
	where string // the venue that Venue speaks of
	byID  bool
}

// MatchWork holds a reference against a work of a catalogue.
func MatchWork(ref research.CitedWork, w research.Work) WorkMatch {
	m := WorkMatch{Work: w, Years: -1, Shared: 1}
	m.Title, m.Exact = titleMatch(ref.Title, w.Title)
	if ref.Year > 0 && w.Year > 0 {
		m.Years = max(ref.Year-w.Year, w.Year-ref.Year)
	}
	m.Venue, m.where = matchVenue(ref.Venue, w), w.Venue
	m.matchAuthors(ref, w)
	return m
}

// better prefers the work with the likelier title, then authors, year, venue, and the one found by the identifier.
func better(a, b *WorkMatch) *WorkMatch {
	worth := func(m *WorkMatch) float64 {
		v := 8*m.Title + 4*m.Shared + 2*flag(m.Exact) + flag(m.byID)
		v -= float64(min(m.LeftOut, 3)) * 0.5
		if m.Years >= 0 && m.Years <= yearsApart {
			v += 2 - float64(m.Years)
		}
		if m.Venue == VenueSame {
			v++
		}
		return v
	}
	if worth(b) > worth(a) {
		return b
	}
	return a
}

// faults says what the reference has otherwise than the work, and whether that is its identity.
func (m *WorkMatch) faults(ref research.CitedWork) (reasons []string, identity bool) {
	authors := !m.Known || m.First && m.Shared >= fewestShared
	year := m.Years < 0 || m.Years <= yearsApart
	if !authors {
		identity = true
		reasons = append(reasons, fmt.Sprintf("%s is no author of it", strings.Join(m.Other[:min(len(m.Other), 2)], " nor ")))
	} else if len(m.Other) > 0 {
		reasons = append(reasons, fmt.Sprintf("%s is no author of it", strings.Join(m.Other[:min(len(m.Other), 2)], " nor ")))
	}
	if !year {
		identity = true
		reasons = append(reasons, fmt.Sprintf("it is of %d, not of %d", m.Work.Year, ref.Year))
	}
	if !m.Exact {
		reasons = append(reasons, fmt.Sprintf("its title is %q", m.Work.Title))
	}
	if m.LeftOut > 0 {
		reasons = append(reasons, fmt.Sprintf("it has %d more authors", m.LeftOut))
	}
	if m.Venue == VenueOther {
		reasons = append(reasons, fmt.Sprintf("it came out in %s", m.where))
	}
	return reasons, identity
}

// titleMatch compares titles by their words. A subtitle that only one of them has is taken off first.
func titleMatch(a, b string) (share float64, exact bool) {
	x, y := titleWords(a), titleWords(b)
	if len(x) == 0 || len(y) == 0 {
		return 0, false
	}
	if slices.Equal(x, y) || strings.Join(x, "") == strings.Join(y, "") {
		return 1, true
	}
	share = jaccard(x, y)
	ha, ta := subtitle(a)
	hb, tb := subtitle(b)
	if (ta == "") != (tb == "") {
		p, q := titleWords(ha), titleWords(hb)
		if len(p) >= 2 && len(q) >= 2 {
			share = max(share, jaccard(p, q))
			exact = slices.Equal(p, q)
		}
	}
	return share, exact
}

// subtitle parts a title at its first colon, dash or question mark.
func subtitle(s string) (head, tail string) {
	for _, mark := range []string{": ", " - ", " – ", " — ", "? "} {
		if h, t, ok := strings.Cut(s, mark); ok && strings.TrimSpace(h) != "" {
			return h, strings.TrimSpace(t)
		}
	}
	return s, ""
}

func titleWords(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if w := strings.Trim(t.Norm, "'’"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func jaccard(a, b []string) float64 {
	x, y := setOf(a), setOf(b)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return ratio(float64(both), float64(len(x)+len(y)-both))
}

// matchAuthors compares the authors name by name.
func (m *WorkMatch) matchAuthors(ref research.CitedWork, w research.Work) {
	m.Known = len(ref.Authors) > 0 && len(w.Authors) > 0
	if !m.Known {
		return
	}
	taken := make([]bool, len(w.Authors))
	shared := 0
	for i, cited := range ref.Authors {
		at := -1
		for k, a := range w.Authors {
			if samePerson(cited, a) && (at < 0 || taken[at] && !taken[k]) { // two authors may share a name
				at = k
			}
		}
		if at < 0 {
			m.Other = append(m.Other, cited)
			continue
		}
		taken[at] = true
		shared++
		if i == 0 {
			m.First = true
		}
	}
	m.Shared = float64(shared) / float64(len(ref.Authors))
	if len(w.Authors) >= cutList { // the rest of them may stand behind its end
		if m.First {
			m.Other, m.Shared = nil, 1
		}
		return
	}
	if !ref.Partial {
		for _, t := range taken {
			if !t {
				m.LeftOut++
			}
		}
	}
}

// samePerson reports whether two spellings of a name may be one person: the surname of the one is a word of the other, and the first
// names do not gainsay each other ("A. Ayer" and "Ann Ayer" may, "Ann" and "Bob" do).
func samePerson(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x.family) == 0 || len(y.family) == 0 {
		return false
	}
	x.widen(y)
	y.widen(x)
	if !slices.Contains(y.all, x.family) && !slices.Contains(x.all, y.family) && strings.Join(x.all, "") != strings.Join(y.all, "") {
		return false
	}
	if x.family != y.family { // the order of the names differs between languages
		return slices.Contains(x.all, y.family) && slices.Contains(y.all, x.family) || len(x.all) == 1 || len(y.all) == 1
	}
	return agree(x.given, y.given)
}

// personName is a name in its words, folded.
type personName struct {
	family string
	given  []string
	all    []string
}

// widen takes the last two words for the surname where the other name has them as one: "Hernandez Lobato" for "Hernández-Lobato".
func (n *personName) widen(other personName) {
	if len(n.given) > 0 && n.given[len(n.given)-1]+n.family == other.family {
		n.family = other.family
		n.given = n.given[:len(n.given)-1]
		n.all = append(slices.Clone(n.given), n.family)
	}
}

// nameSuffixes are no surnames.
var nameSuffixes = wordSet("jr sr ii iii iv phd md")

func nameWords(s string) personName {
	var n personName
	family, given, comma := strings.Cut(s, ",")
	words := func(s string) []string {
		var out []string
		for _, t := range text.Tokens(strings.NewReplacer(".", " ", "-", "", "’", "", "'", "").Replace(s)) {
			if !nameSuffixes[t.Norm] && t.Norm != "" && strings.Trim(t.Norm, "0123456789") != "" { // catalogues number people of one name
				out = append(out, t.Norm)
			}
		}
		return out
	}
	if comma && len(words(given)) > 0 {
		f := words(family)
		if len(f) > 0 {
			n.family, n.given = f[len(f)-1], append(words(given), f[:len(f)-1]...)
		}
	} else if f := words(family); len(f) > 0 {
		n.family, n.given = f[len(f)-1], f[:len(f)-1]
	}
	n.all = append(slices.Clone(n.given), n.family)
	return n
}

// agree reports whether first names may be those of one person: the first of each begins with the other, or is its initial.
func agree(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	one := func(x, y string) bool {
		if utf8.RuneCountInString(x) == 1 || utf8.RuneCountInString(y) == 1 {
			return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
		}
		return strings.HasPrefix(x, y) || strings.HasPrefix(y, x) || len(x) >= 4 && len(y) >= 4 && x[:3] == y[:3]
	}
	if one(a[0], b[0]) || strings.Join(a, "") == strings.Join(b, "") {
		return true
	}
	// "J. Michael" and "Michael": one goes by a later name.
	return slices.ContainsFunc(a[1:], func(x string) bool { return len(x) > 1 && x == b[0] }) ||
		slices.ContainsFunc(b[1:], func(x string) bool { return len(x) > 1 && x == a[0] })
}
