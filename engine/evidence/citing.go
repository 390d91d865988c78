package evidence

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Reasons of an edge that holds for one claim only (CHECKS 4.2, edges 5 and 6).
const (
	whyCiting = "citing" // one names or links the other as where the value comes from
	whyError  = "error"  // both have a value that most others contradict
)

// Place is a passage that voted, as it stands in its source.
type Place struct {
	Text  string
	Links []string // addresses that links in it lead to
}

// Dependence returns edges, which hold whatever is claimed, together with those that hold for this claim alone: of two sources that say
// the same of it, one names or links the other as where it has the value from; or both have a value that three or more other voices
// contradict, and fewer share, because a common mistake is a sign of copying (Dong, Berti-Equille, Srivastava 2009).
//
// places gives the passages of ev by their identifiers; one that is absent says nothing of its origin. edges is not changed.
func Dependence(claim research.Claim, ev []research.Evidence, sources map[string]research.Source, edges []research.Edge, places map[string]Place) []research.Edge {
	out := slices.Concat(edges, citing(claim, ev, sources, places))
	return append(out, sharedError(claim, ev, sources, out)...)
}

// citing returns an edge for each two sources of one stance of which one names or links the other beside the value.
func citing(claim research.Claim, ev []research.Evidence, sources map[string]research.Source, places map[string]Place) []research.Edge {
	done := map[[2]string]bool{}
	var out []research.Edge
	for _, from := range ev {
		place := places[from.Passage]
		b, known := sources[from.Source]
		if from.Stance == research.Neutral || place.Text == "" || !known {
			continue
		}
		for _, to := range ev {
			a, known := sources[to.Source]
			pair := [2]string{min(from.Source, to.Source), max(from.Source, to.Source)}
			if !known || from.Source == to.Source || to.Stance != from.Stance || done[pair] || a.Voice != "" && a.Voice == b.Voice {
				continue
			}
			said := linked(place, a, claim, from.Stance, places[to.Passage].Text)
			if said == "" {
				said = attributed(place.Text, namesOf(a), claim, from.Stance, places[to.Passage].Text)
			}
			if said != "" {
				done[pair] = true
				out = append(out, research.Edge{A: pair[0], B: pair[1], Why: whyCiting, Score: "1", Said: said})
			}
		}
	}
	return out
}

// linked returns the address by which a place leads to a source, "" when none does or the place does not have the value.
func linked(p Place, to research.Source, claim research.Claim, stance research.Stance, other string) string {
	for _, l := range p.Links {
		if sameAddress(l, to.Location) && sameValue(p.Text, claim, stance, other) {
			return l
		}
	}
	return ""
}

// sameAddress reports whether two addresses are one in their canonical spelling.
func sameAddress(a, b string) bool {
	x, err := text.CanonicalURL(a)
	if err != nil {
		return false
	}
	y, err := text.CanonicalURL(b)
	return err == nil && x == y
}

// commonNames are publishers' names that are said of anything else as well.
var commonNames = setOf(strings.Fields("news blog home website site journal research report press today world data the post admin staff science nature times index docs wiki 新闻 网站 首页 官网"))

// namesOf lists how a source's publisher may be called, letters and digits only: its own name, and the first part of its domain.
func namesOf(s research.Source) []string {
	var out []string
	add := func(name string) {
		if n := squash(name); utf8.RuneCountInString(n) >= 2 && (len(n) >= 3) && !commonNames[n] && !slices.Contains(out, n) {
			out = append(out, n)
			if bare := strings.TrimPrefix(n, "the"); len(bare) >= 4 && !commonNames[bare] {
				out = append(out, bare)
			}
		}
	}
	add(s.Publisher)
	if u, err := url.Parse(s.Location); err == nil && u.Host != "" {
		label, _, _ := strings.Cut(text.RegistrableDomain(u.Hostname()), ".")
		add(label)
	}
	return out
}

// squash is a name without its spaces and signs, in lower case.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// nameTokens is the most words of a publisher's name.
const nameTokens = 6

// What stands before and after a name that a report is laid at the door of. Between cue and name there is room for a title ("the
// newspaper"), not for a second name.
var (
	cueBefore = regexp.MustCompile(`(?i)(?:\b(?:according to|as reported (?:by|in)|reported (?:by|in)|citing|cited by|quot(?:ing|ed by)|told|published (?:by|in)|(?:data|figures?|numbers?|estimates?|statistics|a report|a study|a survey|report|study|survey) (?:from|by|of)|source:|via|per|as per)\s+(?:the |a |an )?(?:\p{Ll}+ ){0,3}["“]?|(?:据|援引|引用|引述|根据|来自|转引自?|转载自)[^，。；]{0,6})$`)
	cueAfter  = regexp.MustCompile(`(?i)^(?:["”]?(?:'s|’s)?,?\s+(?:\p{Ll}+ ){0,2}(?:said|says|report(?:s|ed)?|wr(?:ites|ote)|found|finds|estimate[sd]?|announce[sd]|published|puts?|note[sd]|state[sd]|claim(?:s|ed)|confirm(?:s|ed)|calculate[sd]|counted|revealed|reveals|data|figures|numbers|survey|study|statistics)\b|[^，。；]{0,6}(?:报道|称|表示|指出|发布|公布|统计|数据|报告|显示|披露|写道))`)
)

// cueRoom is how far around a name its cue is looked for, in bytes.
const cueRoom = 60

// attributed returns the words in which a text lays a value at the door of one of the names, in the sentence of the value or one beside
// it; "" when it does not.
func attributed(s string, names []string, claim research.Claim, stance research.Stance, other string) string {
	if len(names) == 0 {
		return ""
	}
	sentences := text.Sentences(s)
	for i, sp := range sentences {
		said := attributedIn(s[sp.Start:sp.End], names)
		if said == "" {
			continue
		}
		around := s[sentences[max(i-1, 0)].Start:sentences[min(i+1, len(sentences)-1)].End]
		if sameValue(around, claim, stance, other) {
			return said
		}
	}
	return ""
}

// attributedIn finds a name with a cue in one sentence and returns both, as they stand.
func attributedIn(sentence string, names []string) string {
	for _, sp := range namedAt(sentence, names) {
		from := max(0, sp.Start-cueRoom)
		for from < sp.Start && !utf8.RuneStart(sentence[from]) {
			from++
		}
		if m := cueBefore.FindStringIndex(sentence[from:sp.Start]); m != nil {
			return strings.TrimSpace(sentence[from+m[0] : sp.End])
		}
		if m := cueAfter.FindStringIndex(sentence[sp.End:min(len(sentence), sp.End+cueRoom)]); m != nil {
			return strings.TrimSpace(sentence[sp.Start : sp.End+m[1]])
		}
	}
	return ""
}

// namedAt returns where a sentence writes one of the names: words that begin with a capital or a digit, or Chinese signs.
func namedAt(sentence string, names []string) []research.Span {
	var out []research.Span
	tokens := text.Tokens(sentence)
	for i, t := range tokens {
		first, _ := utf8.DecodeRuneInString(t.Text)
		if !unicode.IsUpper(first) && !unicode.IsDigit(first) {
			continue
		}
		got := ""
		for j := i; j < min(len(tokens), i+nameTokens); j++ {
			word := tokens[j].Text
			for _, own := range []string{"'s", "’s", ""} { // whose it is, told apart from the name
				if bare, cut := strings.CutSuffix(word, own); cut && slices.Contains(names, got+squash(bare)) {
					out = append(out, research.Span{Start: t.Start, End: tokens[j].End - len(own)})
					break
				}
			}
			got += squash(word)
		}
	}
	for _, n := range names {
		if r, _ := utf8.DecodeRuneInString(n); unicode.Is(unicode.Han, r) {
			if at := strings.Index(sentence, n); at >= 0 {
				out = append(out, research.Span{Start: at, End: at + len(n)})
			}
		}
	}
	return out
}

// sameValue reports whether a text has what the two sources have in common: for sources that confirm the claim one of its numbers or
// dates, for such as contradict it a number that the other has too. What has neither number nor date goes by its words.
func sameValue(s string, claim research.Claim, stance research.Stance, other string) bool {
	if stance == research.Contradicts {
		have := map[string]bool{}
		for _, q := range text.Quantities(other) {
			have[valueKey(q)] = q.Kind != research.Year
		}
		for _, q := range claim.Quantities {
			delete(have, valueKey(q))
		}
		return slices.ContainsFunc(text.Quantities(s), func(q research.Quantity) bool { return have[valueKey(q)] })
	}
	valued := false
	for _, q := range claim.Quantities {
		if q.Kind == research.Year {
			continue
		}
		if valued = true; MatchQuantities(q.Text, s).OK {
			return true
		}
	}
	for _, d := range claim.Dates {
		if valued = true; MatchDates(d, s, "").OK {
			return true
		}
	}
	return !valued && text.Containment(setOf(text.Terms(claim.Text, langOf(claim.Text))), text.TermSet(s, langOf(s))) >= wordsOfClaim
}

// wordsOfClaim is the share of the words of a claim without a value that must stand beside the name: that from which a window
// addresses a claim (CHECKS 4.1).
const wordsOfClaim = 0.6

func valueKey(q research.Quantity) string {
	v, unit := text.Canonical(q)
	return string(v) + " " + unit
}

// leastAgainst is how many other voices must contradict a value before sharing it tells of copying (CHECKS 4.2, edge 6).
const leastAgainst = 3

// sharedError joins the voices that confirm a claim with a value when three or more contradict it and they are fewer than those.
func sharedError(claim research.Claim, ev []research.Evidence, sources map[string]research.Source, edges []research.Edge) []research.Edge {
	if len(claim.Dates) == 0 && !slices.ContainsFunc(claim.Quantities, func(q research.Quantity) bool { return q.Kind != research.Year }) {
		return nil
	}
	s := Support(claim, slices.Clone(ev), sources, edges)
	against := s.N - s.K
	if s.K < 2 || against < leastAgainst || s.K >= against {
		return nil
	}
	confirms := map[string]bool{claim.Source: true}
	for _, e := range ev {
		if e.Stance == research.Confirms {
			confirms[e.Source] = true
		}
	}
	first := ""
	var out []research.Edge
	for _, c := range s.Clusters {
		if c.Stance != research.Confirms {
			continue
		}
		speaker := c.Sources[max(0, slices.IndexFunc(c.Sources, func(id string) bool { return confirms[id] }))]
		if first == "" {
			first = speaker
			continue
		}
		out = append(out, research.Edge{A: min(first, speaker), B: max(first, speaker), Why: whyError, Score: research.NewRatio(int64(against), int64(s.N))})
	}
	return out
}
