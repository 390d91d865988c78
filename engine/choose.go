package engine

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode"

	"assay/engine/document"
	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// How many findings a report has. A question with one part gets up to ten excerpts; more parts share fifteen, at least four
// each. Beyond that a reader does better with the sources themselves.
const (
	findingsAlone  = 10
	findingsShared = 15
	findingsLeast  = 4
	// typed is what a claim gains that holds the kind of expression the facet asks for, and counted what it gains again
	// when what it counts is what is asked for.
	typed   = 0.35
	counted = 0.35
	// farBehind leaves out a claim whose relevance is less than this share of the best one's.
	farBehind = 0.25
	// otherPage is the same share for the first claim of a page that holds what is asked for: another source may give another answer.
	otherPage = 0.1
)

// candidateClaim is a claim with its place and its rank.
type candidateClaim struct {
	claim research.Claim
	page  int
	line  int // its own
	lo    int // lines of the excerpt
	hi    int
	score float64
	fits  bool   // it holds what the facet asks for
	tells bool   // it answers the facet: see answersFacet
	words string // of the excerpt, folded
}

// choose picks for each facet the claims that a report may rest on, most relevant first, no two from the same lines.
// Where the question's subject or period is missing, nothing is picked.
func (l *lens) choose(claims []research.Claim) []candidateClaim {
	var chosen []candidateClaim
	n := findingsAlone
	if f := len(l.meaning.Facets); f > 1 {
		n = max(findingsLeast, findingsShared/f)
	}
	years := intent.Years(l.meaning.Question)
	used := map[string]int{} // folded text of a claim, and of its excerpt -> index into chosen
	taken := map[int][][2]int{}
	for _, f := range l.meaning.Facets {
		if missing := l.absent(f); missing != "" {
			continue
		}
		var of []candidateClaim
		for _, c := range claims {
			if c.Facet == f.ID {
				if k, ok := l.rank(c, f, years); ok {
					of = append(of, k)
				}
			}
		}
		sort.SliceStable(of, func(i, j int) bool {
			if of[i].score != of[j].score {
				return of[i].score > of[j].score
			}
			return of[i].claim.ID < of[j].claim.ID
		})
		best := 0.0
		if len(of) > 0 {
			best = of[0].score
		}
		if l.meaning.Shape == research.ShapeDebate {
			of = l.bothSides(of)
		}
		got := 0
		var printed *candidateClaim // the best one that stands in an excerpt of another facet
		for _, k := range of {
			if got >= n {
				break
			}
			if k.score < farBehind*best && !(typedWant(f.Want) && k.fits && len(taken[k.page]) == 0 && k.score >= otherPage*best) {
				continue
			}
			if within(taken[k.page], k.line) {
				if printed == nil {
					printed = &k
				}
				continue
			}
			j, dup := used[text.Fold(k.claim.Text)]
			if !dup {
				j, dup = used[k.words]
			}
			if dup {
				if html(l, k.page) && !html(l, chosen[j].page) {
					k.score = chosen[j].score
					chosen[j] = k
				}
				continue
			}
			used[text.Fold(k.claim.Text)], used[k.words] = len(chosen), len(chosen)
			taken[k.page] = append(taken[k.page], [2]int{k.lo, k.hi})
			chosen = append(chosen, k)
			got++
		}
		// One paragraph may answer two parts: a part is not told as missing when its answer stands under another one.
		if got == 0 && printed != nil {
			chosen = append(chosen, *printed)
		}
	}
	return l.chooseMore(chosen, claims, years, taken)
}

// sameLine is the share of a line's stem weight by which a page of HTML holds the line too. Where a PDF joins the cells of a
// table in another order, the words are still those.
const sameLine = 0.85

// inHTML reports whether an HTML page of the same voice has what this line of another format says.
func (l *lens) inHTML(page, line int) bool {
	if !l.alsoHTML(page) {
		return false
	}
	for _, p := range l.body.Near(l.pages[page].Lines[line].Stems(), sameLine, places) {
		if p.Page != page && html(l, p.Page) && l.sources[p.Page].Voice == l.sources[page].Voice {
			return true
		}
	}
	return false
}

// looseRow reports whether a line is a row of cells in a format that only places words on a page, though HTML of the same voice was
// read: which cells make a row is then a guess, and the HTML knows it.
func (l *lens) looseRow(page, line int) bool {
	p, at := l.pages[page], l.pages[page].Lines[line].Span
	row := strings.Contains(p.Doc.Text[at.Start:at.End], document.CellBreak) || hanCells(p.Doc.Text[at.Start:at.End])
	for _, t := range p.Doc.Tables {
		row = row || t.Start <= at.Start && at.Start < t.End
	}
	return row && l.alsoHTML(page)
}

// alsoHTML reports whether an HTML page of the same voice was read.
func (l *lens) alsoHTML(page int) bool {
	for i, s := range l.sources {
		if i != page && html(l, i) && s.Voice == l.sources[page].Voice {
			return true
		}
	}
	return false
}

// hanCells reports whether a text is words of a script without spaces that stand apart all the same, and no sentence: the cells of a row, run
// together.
func hanCells(s string) bool {
	if strings.ContainsAny(s, "。！？；，.!?;") {
		return false
	}
	n := 0
	for _, f := range strings.Fields(s) {
		if strings.ContainsFunc(f, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			n++
		}
	}
	return n >= 3
}

// passedOver reports whether a claim of a PDF or plain text stands where no provider named it, though HTML of the same voice
// was read: a library does not name what its HTML has in better form.
func (l *lens) passedOver(page int, c research.Claim) bool {
	s := l.sources[page]
	if len(s.Named) == 0 {
		return false
	}
	for _, n := range s.Named {
		if c.Start < n.End && n.Start < c.End {
			return false
		}
	}
	for i := range l.pages {
		if html(l, i) && l.sources[i].Voice == s.Voice {
			return true
		}
	}
	return false
}

func html(l *lens, page int) bool { return l.pages[page].Doc.MediaType == "text/html" }

// within reports whether a line stands in an excerpt that is printed already.
func within(taken [][2]int, line int) bool {
	for _, t := range taken {
		if t[0] <= line && line <= t[1] {
			return true
		}
	}
	return false
}

// rank scores a claim for its facet. A figure asked for in a year counts only where the year stands.
func (l *lens) rank(c research.Claim, f research.Facet, years []string) (candidateClaim, bool) {
	k := candidateClaim{claim: c, page: -1}
	for i, s := range l.sources {
		if s.ID == c.Source {
			k.page = i
		}
	}
	if k.page < 0 {
		return k, false
	}
	p := l.pages[k.page]
	line := p.LineAt(c.Start)
	if line < 0 {
		return k, false
	}
	k.line = line
	if l.body.Furniture(p, line) {
		return k, false
	}
	if !html(l, k.page) && (l.inHTML(k.page, line) || l.passedOver(k.page, c) || l.looseRow(k.page, line)) {
		return k, false // the HTML of the same document is cited
	}
	_, k.lo, k.hi = p.Excerpt(line, l.sharpest(k.page, line, c.Facet))
	if f.Want == research.AnswerQuantity && len(years) > 0 && !p.Near(line, years) {
		return k, false
	}
	words := l.excerptText(k)
	k.words = text.Fold(words)
	k.score = c.Relevance.Float()
	if p.Doc.Lang != "" && p.Doc.Lang != l.meaning.Lang {
		k.score *= otherLang
	}
	answers, counts := intent.Answers(f, words, l.meaning.Lang)
	k.fits, k.tells = answers, l.answersFacet(facetIndex(l.meaning.Facets, f.ID), k.page, line, words)
	if answers {
		k.score *= 1 + typed
	}
	if counts {
		k.score *= 1 + counted
	}
	return k, true
}

// excerptText is what a claim is printed with.
func (l *lens) excerptText(k candidateClaim) string {
	if span, _ := l.excerpt(k.page, k.claim); span.End > span.Start {
		return l.pages[k.page].Doc.Text[span.Start:span.End]
	}
	return k.claim.Text
}

// absent names what a facet asks about and no page mentions, so that whatever the pages say is about something else: a designation
// with capitals inside or digits, which has no other spelling; a proper name; or the larger part of the facet's words by weight.
// What the facet itself does not name it borrows from the question.
func (l *lens) absent(f research.Facet) string {
	names := intent.Designations(f.Text)
	if len(names) == 0 {
		names = intent.Designations(l.meaning.Question)
	}
	one := len(names) // these have one spelling only
	for i, n := range append(names, intent.ProperNames(f.Text)...) {
		found := true
		for _, s := range text.Terms(n, l.meaning.Lang) {
			found = found && (l.body.Seen(s) > 0 || i >= one && l.body.Like(s))
		}
		if !found && !l.body.Initials(n) && !l.otherwise(n) {
			return n
		}
	}
	return l.unknownWords(f)
}

// unknownShare is the share of a facet's weight in words that no page has from which the pages speak of something else. Of the
// questions that documents answer in other words the largest share was .57.
const unknownShare = 0.6

// unknownWords names the words of a facet that no page has, when they are the larger part of it; "" otherwise. Texts without spaces
// are left out: their stems are pairs of characters, of which a new one says little.
func (l *lens) unknownWords(f research.Facet) string {
	if l.meaning.Lang == "zh" || l.meaning.Lang == "ja" {
		return ""
	}
	all, unseen, count := 0.0, 0.0, 0
	var words []string
	kind := kindNouns(f.Text)
	for i, t := range text.Tokens(f.Text) {
		if text.StopWord(t.Norm, l.meaning.Lang) || kind[i] {
			continue
		}
		stem := text.Stem(t.Norm, l.meaning.Lang)
		w := l.body.Weight(stem)
		all += w
		count++
		if l.body.Seen(stem) == 0 && !l.body.Like(stem) {
			unseen += w
			words = append(words, t.Text)
		}
	}
	if len(words) == 0 || 2*len(words) < count || unseen < unknownShare*all { // by number as well: in few lines every word that is there is common
		return ""
	}
	return strings.Join(words, ", ")
}

// ofKind begins what follows the words for the kind of an answer: "the profession of Ann Roe", "what sport is Ann Roe associated with".
var ofKind = regexp.MustCompile(`(?i)^\s*(?:(?:what|which)\s+(?:is|are|was|were)\s+(?:the\s+)?(.+?)\s+of\b|who\s+(?:is|are|was|were)\s+(?:the\s+)?(.+?)\s+of\b|(?:what|which)\s+(.+?)\s+(?:is|are|was|were|did|does|do|has|have|had|can)\b)`)

// linking are the words that join the subject of a question to the kind of its answer; a page says it in other words.
var linking = map[string]bool{"associated": true, "affiliated": true, "known": true, "called": true, "named": true, "refer": true, "refers": true, "related": true, "considered": true}

// kindNouns returns which tokens of a part of a question name the kind of its answer and not its subject, where the part names its
// subject: a page says football or sculptor and need not say sport or profession.
func kindNouns(part string) map[int]bool {
	out := map[int]bool{}
	if len(intent.ProperNames(part)) == 0 && len(intent.Designations(part)) == 0 && len(text.Quotes(part)) == 0 {
		return out
	}
	from, to := 0, 0
	if m := ofKind.FindStringSubmatchIndex(part); m != nil {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				from, to = m[g], m[g+1]
			}
		}
	}
	for i, t := range text.Tokens(part) {
		lower := unicode.IsLower([]rune(t.Text)[0])
		out[i] = lower && (t.Start >= from && t.End <= to || linking[t.Norm])
	}
	return out
}

// findings makes the sentences that a report may print: for each chosen claim its own words with those around them, and
// for each derived claim what follows.
func (l *lens) findings(chosen []candidateClaim, derived []research.Claim) []research.Finding {
	out := []research.Finding{}
	add := func(c research.Claim, words string) {
		f := research.Finding{Facet: c.Facet, Text: strings.Join(strings.Fields(words), " "), Claims: []string{c.ID}, By: c.By}
		f.Confidence, f.Lower, f.Band, f.Label = evidence.FindingConfidence([]research.Claim{c})
		f.ID = research.ID("f", c.ID, f.Text)
		out = append(out, f)
	}
	printed := map[[2]int]bool{} // by page and line
	for _, k := range chosen {
		words := k.claim.Text
		if span, ok := l.excerpt(k.page, k.claim); ok {
			span, lo, hi := l.unprinted(k, span, printed)
			words = l.pages[k.page].Marked(span, lo, hi)
		}
		add(k.claim, words)
	}
	for _, d := range derived {
		add(d, d.Text)
	}
	return out
}

// unprinted is the part of an excerpt around its own line that no finding before it has printed, and marks it as printed: two claims of
// one paragraph are each told with their own sentences. One whose own line is printed already answers another part too, and stays whole.
func (l *lens) unprinted(k candidateClaim, span research.Span, printed map[[2]int]bool) (cut research.Span, lo, hi int) {
	lo, hi, cut = k.lo, k.hi, span
	lines := l.pages[k.page].Lines
	if !printed[[2]int{k.page, k.line}] {
		for i := k.line - 1; i >= lo; i-- {
			if printed[[2]int{k.page, i}] {
				lo, cut.Start = i+1, lines[i+1].Span.Start
			}
		}
		for i := hi; i > k.line; i-- {
			if printed[[2]int{k.page, i}] {
				hi, cut.End = i-1, lines[i-1].Span.End
			}
		}
	}
	for i := lo; i <= hi; i++ {
		printed[[2]int{k.page, i}] = true
	}
	return cut, lo, hi
}

// gapName is what a gap is called in the language of the report.
func gapName(u research.Understanding, en, zh string, args ...any) string {
	if u.Lang == "zh" {
		return fmt.Sprintf(zh, args...)
	}
	return fmt.Sprintf(en, args...)
}
