package engine

import (
	"slices"
	"strconv"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

const (
	// rivalShare is the share of a line's stem weight that a place must hold to be compared word by word, of the stems that stand in
	// more than one line.
	rivalShare = 0.5
	// maxDisputes bounds the contradictions that are looked for in the pages, of one claim and of a run.
	disputesPerClaim, maxDisputes = 3, 60
	// altered is the share of the shorter text's runs of words from which two texts are one, but for what was changed in it.
	altered     = 0.5
	alteredRuns = 3   // words of such a run
	alteredLeft = 700 // bytes on each side of a place that are compared
)

// dispute holds every line that a chosen claim is printed with against the places of other pages that are its sentence but for what
// stands in one place: another date, number, name or word. What stands there is a claim too, so that both sides are told. Two sentences of one form may speak of two
// things, as the counts of two towns do; a difference is one only where both speak of the same: see [weigher.oneThing].
func (w *weigher) dispute(chosen []candidateClaim, known []research.Claim, contested bool) (others []research.Claim, found []research.Contradiction) {
	d := disputes{weigher: w, known: known, claims: map[string]research.Claim{}, pairs: map[[2]string]bool{}, done: map[[2]int]bool{}}
	d.ctx = evidence.Context{Sources: w.sources, Contested: contested}
	for _, k := range chosen {
		d.claims[k.claim.ID] = k.claim
	}
	for _, k := range chosen {
		fi := facetIndex(w.meaning.Facets, k.claim.Facet)
		if fi < 0 {
			continue
		}
		for line := k.lo; line <= k.hi; line++ { // all that is printed of it
			if at := [2]int{k.page, line}; !d.done[at] {
				d.done[at] = true
				d.line(k.page, line, fi, anyPage)
			}
		}
	}
	d.copies(chosen)
	for fi, f := range w.meaning.Facets {
		d.rivals(fi, d.linesOf(f, chosen))
	}
	return d.others, d.found
}

// linesOf lists the lines that the chosen claims of a facet are printed with, and those of all that was read for it.
func (d *disputes) linesOf(f research.Facet, chosen []candidateClaim) [][2]int {
	var lines [][2]int
	seen := map[[2]int]bool{}
	put := func(page, line int) {
		if at := [2]int{page, line}; line >= 0 && !seen[at] {
			seen[at] = true
			lines = append(lines, at)
		}
	}
	for _, k := range chosen {
		if k.claim.Facet == f.ID {
			for line := k.lo; line <= k.hi; line++ {
				put(k.page, line)
			}
		}
	}
	for _, c := range d.known {
		if page := d.pageOf(c.Source); page >= 0 && c.Facet == f.ID {
			put(page, d.pages[page].LineAt(c.Start))
		}
	}
	return lines
}

func anyPage(int) bool { return true }

// disputes are the contradictions of a run as they are found.
type disputes struct {
	*weigher
	ctx    evidence.Context
	known  []research.Claim
	claims map[string]research.Claim // those that a contradiction may point at
	pairs  map[[2]string]bool
	done   map[[2]int]bool
	others []research.Claim // claims that were added
	found  []research.Contradiction
}

// line looks for what other pages say in the place of what a line says; only says whether a page is one of them.
func (d *disputes) line(page, line, facet int, only func(page int) bool) {
	n := 0
	var shared []string // what stands in one line only is what is exchanged, or nothing to find others by
	for _, t := range wordsAlone(d.pages[page].Text(line), d.meaning.Lang) {
		if d.body.Seen(t) > 1 {
			shared = append(shared, t)
		}
	}
	for _, p := range d.body.Near(shared, rivalShare, places) {
		if p.Page == page || n == disputesPerClaim || !only(p.Page) {
			continue
		}
		if x, when, ok := d.exchanged(page, line, facet, p.Page, p.Line); ok && d.add(page, line, p.Page, p.Line, facet, x, when) {
			n++
		}
	}
}

// add records that two lines have one thing in the place of another, and reports whether that is new.
func (d *disputes) add(page, line, otherPage, otherLine, facet int, x evidence.Exchanged, when evidence.Times) bool {
	if len(d.found) >= maxDisputes {
		return false
	}
	if !sameUnit(d.pages[page].Text(line), x.A, d.pages[otherPage].Text(otherLine), x.B) {
		return false
	}
	a, b := d.side(page, line, facet, x.A), d.side(otherPage, otherLine, facet, x.B)
	if a.ID == "" || b.ID == "" || d.pairs[[2]string{a.ID, b.ID}] {
		return false
	}
	d.pairs[[2]string{a.ID, b.ID}], d.pairs[[2]string{b.ID, a.ID}] = true, true
	d.found = append(d.found, evidence.Dispute(a, b, when, reasonOf(x), d.ctx))
	return true
}

// Bounds of the comparison of whole pages.
const (
	copyPages = 60      // pages that are compared
	copyBytes = 6 << 10 // a longer one is compared where its claims stand
	copyLines = 60
)

// copies compares the pages that are copies of each other but for what was changed, whole: the change may stand where nothing was
// chosen from. Each facet that asks for such a thing is held against it.
func (d *disputes) copies(chosen []candidateClaim) {
	var short []int
	runs := map[int]map[uint64]bool{}
	for i, p := range d.pages {
		if len(p.Doc.Text) <= copyBytes && len(short) < copyPages {
			short = append(short, i)
			runs[i] = text.Shingles(p.Doc.Text, alteredRuns)
		}
	}
	told := map[int]bool{} // pages that something was chosen from
	for _, k := range chosen {
		told[k.page] = true
	}
	for i, a := range short {
		for _, b := range short[i+1:] {
			if !told[a] && !told[b] || max(text.ShingleContainment(runs[a], runs[b]), text.ShingleContainment(runs[b], runs[a])) < altered {
				continue
			}
			for line := 0; line < min(len(d.pages[a].Lines), copyLines); line++ {
				for fi, f := range d.meaning.Facets {
					if typedWant(f.Want) {
						d.line(a, line, fi, func(page int) bool { return page == b })
					}
				}
			}
		}
	}
}

// side returns the claim that has these words in a line, which becomes one of the run when it is none yet.
func (d *disputes) side(page, line, facet int, words string) research.Claim {
	c, fresh := d.claimAt(page, line, facet, words, d.claims, d.known)
	if c.ID != "" && fresh {
		d.weigh(&c)
		d.claims[c.ID] = c
		d.others = append(d.others, c)
	}
	return c
}

// sameUnit reports whether two figures count the same thing, as far as their sentences say what they count: two CDs and a thousand developers
// are no two values of one thing.
func sameUnit(line, figure, other, otherFigure string) bool {
	a, b := figureIn(line, figure), figureIn(other, otherFigure)
	return a == nil || b == nil || evidence.SameCounted(line, *a, other, *b)
}

// figureIn is the number of a line that is printed as a figure is, or else the first of which the figure is a part; nil when there is none.
func figureIn(line, figure string) *research.Quantity {
	all := text.Quantities(line)
	for _, same := range []func(q string) bool{
		func(q string) bool { return q == figure },
		func(q string) bool { return strings.Contains(figure, q) },
		func(q string) bool { return strings.Contains(q, figure) },
	} {
		for i := range all {
			if same(all[i].Text) {
				return &all[i]
			}
		}
	}
	return nil
}

func reasonOf(x evidence.Exchanged) string {
	return "one has " + strconv.Quote(x.A) + " where the other has " + strconv.Quote(x.B)
}

// exchanged returns what a place has where a claim has something else, and whether the two speak of different times.
func (w *weigher) exchanged(own, ownLine, facet, page, line int) (x evidence.Exchanged, when evidence.Times, ok bool) {
	want := w.meaning.Facets[facet].Want
	all := evidence.Exchanges(w.pages[own].Text(ownLine), w.pages[page].Text(line))
	if len(all) == 0 {
		return x, when, false
	}
	value, period := -1, false
	for i, e := range all {
		if e.Kind == research.AnswerDate && (want != research.AnswerDate || e.AsOf) {
			period = true // another time is another fact
			continue
		}
		if value < 0 || fitsWant(e.Kind, want) && !fitsWant(all[value].Kind, want) {
			value = i
		}
	}
	if value < 0 || typedWant(want) && !fitsWant(all[value].Kind, want) {
		return x, when, false
	}
	if !w.oneThing(own, ownLine, page, line, all, value) {
		return x, when, false
	}
	switch {
	case period:
		when = evidence.OtherPeriod
	case lasting(w.meaning.Facets[facet]):
		when = evidence.ForGood
	}
	return all[value], when, true
}

// fitsWant reports whether what is exchanged may be the answer that is asked for.
func fitsWant(kind, want research.AnswerType) bool {
	switch want {
	case research.AnswerDate, research.AnswerQuantity:
		return kind == want
	case research.AnswerPerson, research.AnswerOrg, research.AnswerPlace, research.AnswerName:
		return kind == research.AnswerName || kind == research.AnswerAny
	}
	return true
}

// oneThing reports whether a claim and a place speak of the same thing: their texts are one but for what was changed, or the sentence
// names the subject of the question and differs in nothing but the answer and the time.
func (w *weigher) oneThing(own, ownLine, page, line int, all []evidence.Exchanged, value int) bool {
	a, b := w.window(own, ownLine), w.window(page, line)
	x, y := text.Shingles(a, alteredRuns), text.Shingles(b, alteredRuns)
	if max(text.ShingleContainment(x, y), text.ShingleContainment(y, x)) >= altered {
		// Two sentences that both stand in both texts were not changed: they are two sentences.
		return !strings.Contains(text.Fold(b), text.Fold(w.pages[own].Text(ownLine))) || !strings.Contains(text.Fold(a), text.Fold(w.pages[page].Text(line)))
	}
	if w.ambiguous() {
		return false
	}
	for i, e := range all {
		if i != value && (e.Kind != research.AnswerDate || len(temporal.Dates(e.A)) == 0) {
			return false
		}
	}
	return w.namesSubject(w.pages[own].Text(ownLine)) && w.namesSubject(w.pages[page].Text(line))
}

// window is the text around a line.
func (w *weigher) window(page, line int) string {
	t, at := w.pages[page].Doc.Text, w.pages[page].Lines[line].Span
	lo, hi := max(0, at.Start-alteredLeft), min(len(t), at.End+alteredLeft)
	return strings.ToValidUTF8(t[lo:hi], "")
}

// namesSubject reports whether words name the subject of the question: one of its names, or where it has none most of its words.
func (w *weigher) namesSubject(words string) bool {
	folded := text.Fold(words)
	for _, e := range w.meaning.Entities {
		if slices.ContainsFunc(forms(e), func(f string) bool { return strings.Contains(folded, text.Fold(f)) }) {
			return true
		}
	}
	return len(w.meaning.Entities) == 0 && containedShare(w.meaning.Terms, text.TermSet(words, w.meaning.Lang)) >= measured
}

// claimAt returns the claim that stands in a line, or makes it of the words there, those around the given ones when it is long.
func (w *weigher) claimAt(page, line, facet int, words string, claims map[string]research.Claim, known []research.Claim) (c research.Claim, made bool) {
	p, src := w.pages[page], w.lens.sources[page]
	span := p.Lines[line].Span
	holds := func(c research.Claim) bool {
		return c.Source == src.ID && c.Start < span.End && span.Start < c.End && strings.Contains(c.Text, strings.Join(strings.Fields(words), " "))
	}
	for _, id := range sortedIDs(claims) {
		if holds(claims[id]) {
			return claims[id], false
		}
	}
	for _, c := range known {
		if holds(c) {
			return c, true
		}
	}
	at := max(strings.Index(p.Text(line), words), 0)
	cut, _, _ := p.Excerpt(line, at)
	start, end := max(cut.Start, span.Start), min(cut.End, span.End)
	s := strings.Join(strings.Fields(p.Doc.Text[start:end]), " ")
	if spare(s) {
		return c, false
	}
	c = research.Claim{
		Text: s, Facet: w.meaning.Facets[facet].ID, Source: src.ID, Start: start, End: end, Grade: research.Secondary, Published: src.Published,
		By: extractiveName, Quantities: text.Quantities(s), Dates: []string{}, Names: []string{}, Bias: src.Bias,
	}
	_, c.Relevance = w.relevance(page, line, facet)
	c.ID = research.ID("c", c.Source, strconv.Itoa(c.Start), strconv.Itoa(c.End), c.Text)
	for _, d := range temporal.Dates(s) {
		c.Dates = append(c.Dates, d.ISO)
	}
	for _, n := range text.Names(s) {
		c.Names = append(c.Names, n.Text)
	}
	c.AsOf = w.asOf(page, line, facet, c.Dates)
	return c, true
}

func sortedIDs(m map[string]research.Claim) []string {
	out := make([]string, 0, len(m))
	for id := range m {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// onceOnly are the stems of what happens to a thing once: a later report of it does not bring another day.
var onceOnly = stemSet("en", "born birth die died death dead founded establish established founding formed formation created creation built construction invented discovered introduced introduction incorporated founder")

// lasting reports whether a facet asks when something happened that happens once.
func lasting(f research.Facet) bool {
	return f.Want == research.AnswerDate && slices.ContainsFunc(text.Terms(f.Text, "en"), func(t string) bool { return onceOnly[t] })
}
