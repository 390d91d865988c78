package engine

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"assay/engine/document"
	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/temporal"
	"assay/engine/text"
)

// extractInput is what was opened so far; Sources carry no passages yet.
type extractInput struct {
	Round   int                    `json:"round"`
	Meaning research.Understanding `json:"meaning"`
	Sources []research.Source      `json:"sources"`
}

const (
	// linesPerFacet is how many of the most relevant lines of a facet have their passages read; see [lens.lines].
	linesPerFacet = 60
	// borrowed is what a stem of the question counts in a facet that does not name it: the subject usually stands in the
	// first part of a question only.
	borrowed = 0.5
	// titleRoom is what the instructions of a reader take of its window, in bytes.
	titleRoom = 2500
	// claimsPerFacet is how many claims of a facet are kept, most relevant first; see [lens.kept].
	claimsPerFacet = 40
)

// extractiveName is how the channel without a model signs; a statement of its own making is always verbatim.
const extractiveName = "extractive"

// extract is stage 5: the pages are searched line by line for what speaks to each facet, the passages around the best lines
// are read, and what the reader claims is held against the passage before it is recorded.
func (r *run) extract(ctx context.Context, in extractInput) (extracted, error) {
	out := extracted{Passages: []research.Passage{}, Claims: []research.Claim{}, Dropped: []research.Issue{}}
	l, err := r.lens(ctx, in.Meaning, in.Sources)
	if err != nil || len(l.pages) == 0 {
		return out, err
	}
	calls := l.windows(r.Model.Limits())
	answers := make([]readAnswer, len(calls))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.atOnce())
	for i, c := range calls {
		g.Go(func() error {
			var err error
			answers[i].by, err = r.ask(gctx, research.Reader, c.input, &answers[i].said)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return out, err
	}
	claims, err := r.settle(ctx, l, calls, answers, &out)
	if err != nil {
		return out, err
	}
	claims = append(claims, l.cells()...)
	seen := map[string]bool{}
	for _, c := range claims {
		if !seen[c.ID] {
			seen[c.ID] = true
			out.Claims = append(out.Claims, c)
		}
	}
	out.Claims = l.best(out.Claims)
	return out, nil
}

// lens is a run's pages seen through its facets.
type lens struct {
	meaning research.Understanding
	pages   []*subject.Page
	sources []research.Source // as pages
	body    *subject.Body
	asks    []subject.Ask            // as facets
	marks   []map[int][]subject.Mark // by facet: page index -> marks in line order
	anchors []anchor                 // what the names of the question mean
}

// lens opens what the run has kept of the verified sources; nothing is read from its place again.
func (r *run) lens(ctx context.Context, u research.Understanding, sources []research.Source) (*lens, error) {
	l := &lens{meaning: u}
	for _, s := range sources {
		if s.Verdict != research.Verified {
			continue
		}
		d, err := r.read(ctx, s.Location)
		if err != nil {
			return nil, err
		}
		l.pages = append(l.pages, r.shelf.page(d))
		l.sources = append(l.sources, s)
	}
	l.body = subject.NewBody(l.pages)
	if !r.without(withoutLock) {
		l.anchors = anchors(u, l.sources, func(i int) string { return l.pages[i].Doc.Text })
	}
	aliases := aliasesOf(u, l.body.Aliases(u.Terms))
	for _, f := range u.Facets {
		l.asks = append(l.asks, ask(u, f, aliases))
	}
	for _, a := range l.asks {
		byPage := map[int][]subject.Mark{}
		for i, p := range l.pages {
			byPage[i] = l.body.Score(p, a)
		}
		l.marks = append(l.marks, byPage)
	}
	return l, nil
}

// ask weighs the stems of a facet in full and what it borrows from the question in part.
func ask(u research.Understanding, f research.Facet, aliases map[string]subject.Alias) subject.Ask {
	var a subject.Ask
	seen := map[string]bool{}
	kin := intent.Kin(f.Text, u.Lang)
	add := func(stem string, share float64) {
		if seen[stem] {
			return
		}
		seen[stem] = true
		t := subject.AskTerm{Stem: stem, Share: share, Alias: aliases[stem].Stems, Kin: kin[stem]}
		a.Terms = append(a.Terms, t)
		for _, p := range aliases[stem].Phrases {
			a.Phrases = append(a.Phrases, subject.Phrase{Term: len(a.Terms) - 1, Stems: p})
		}
	}
	for _, t := range f.Terms {
		add(t, 1)
	}
	for _, t := range u.Terms {
		add(t, borrowed)
	}
	if manner := kin[""]; len(manner) > 0 { // "how often": no word of it stands in a text, and the answer has one of these
		a.Terms = append(a.Terms, subject.AskTerm{Stem: manner[0], Share: borrowed, Kin: manner[1:]})
	}
	return a
}

// window is one reader call: passages of one source.
type window struct {
	page  *subject.Page
	index int // of the page
	input research.ReaderInput
}

// windows picks the passages that hold the most relevant lines of each facet and packs them, source by source in the order
// of relevance, into calls that fit the model's window.
func (l *lens) windows(lim research.Limits) []window {
	type place struct {
		page, line int
		score      float64
	}
	want := map[int]map[int]bool{} // page -> line
	var order []int
	for fi := range l.asks {
		var top []place
		for pi := range l.pages {
			for _, m := range l.marks[fi][pi] {
				top = append(top, place{pi, m.Line, m.Score})
			}
		}
		sort.Slice(top, func(a, b int) bool {
			if top[a].score != top[b].score {
				return top[a].score > top[b].score
			}
			return top[a].page < top[b].page || top[a].page == top[b].page && top[a].line < top[b].line
		})
		taken, lines, said := 0, l.lines(l.meaning.Facets[fi]), map[string]bool{}
		for _, t := range top {
			if taken == lines {
				break
			}
			// What a page says again and again is read once, or it would take the place of everything else.
			key := strings.Join(l.pages[t.page].Lines[t.line].Stems(), " ")
			if l.meaning.Shape != research.ShapeDebate { // there a copy elsewhere is no point of its own either
				key = strconv.Itoa(t.page) + " " + key
			}
			if said[key] {
				continue
			}
			said[key] = true
			taken++
			if want[t.page] == nil {
				want[t.page] = map[int]bool{}
				order = append(order, t.page)
			}
			want[t.page][t.line] = true
		}
	}
	var out []window
	for _, pi := range order {
		p := l.pages[pi]
		var chosen []research.Passage
		for _, ps := range document.Passages(p.Doc, l.sources[pi].ID) {
			for i := p.LineAt(ps.Start); i >= 0 && i < len(p.Lines) && p.Lines[i].Span.Start < ps.End; i++ {
				if want[pi][i] {
					chosen = append(chosen, ps)
					break
				}
			}
		}
		for _, group := range fit(chosen, lim) {
			out = append(out, window{p, pi, research.ReaderInput{
				Lang: l.meaning.Lang, Question: l.meaning.Question, Facets: l.facetsFor(), Weights: l.weights(), Source: l.sources[pi].Title, Passages: group,
			}})
		}
	}
	return out
}

// facetsFor gives the reader each facet with what it borrows, so that a passage about the subject is not passed over.
func (l *lens) facetsFor() []research.Facet {
	out := append([]research.Facet{}, l.meaning.Facets...)
	for i, a := range l.asks {
		out[i].Terms = nil
		for _, t := range a.Terms {
			out[i].Terms = append(append(out[i].Terms, t.Stem), t.Alias...)
		}
	}
	return out
}

func (l *lens) weights() map[string]float64 {
	w := map[string]float64{}
	for _, a := range l.asks {
		for _, t := range a.Terms {
			for _, s := range append([]string{t.Stem}, t.Alias...) {
				w[s] = max(w[s], t.Share*l.body.Weight(t.Stem))
			}
		}
	}
	return w
}

// passagesACall is how many passages a channel without a window reads at once: it takes three claims from each at most, and the schema of a
// reader's answer has room for twenty-four.
const passagesACall = 8

// fit splits passages so that each group, with the instructions and the answer, stays within the window.
func fit(ps []research.Passage, lim research.Limits) [][]research.Passage {
	if len(ps) == 0 {
		return nil
	}
	if lim.NumCtx == 0 {
		return slices.Collect(slices.Chunk(ps, passagesACall))
	}
	perByte := lim.TokensPerByte
	if perByte == 0 {
		perByte = 1
	}
	room := float64(lim.NumCtx-budgets[research.Reader])/perByte - titleRoom
	var out [][]research.Passage
	used := 0.0
	for _, p := range ps {
		size := float64(len(p.Text) + len(p.Heading) + 16)
		if len(out) == 0 || used+size > room {
			out, used = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], p)
		used += size
	}
	return out
}

// accept turns what a reader said into a claim, or says why not. The quote must stand in the passage; the statement may hold
// no number, name or date that the passage lacks.
func (l *lens) accept(w window, said research.ReadClaim, by string) (research.Claim, string) {
	if said.Passage < 1 || said.Passage > len(w.input.Passages) {
		return research.Claim{}, "names a passage that was not shown"
	}
	p := w.input.Passages[said.Passage-1]
	start, end, ok := locate(p.Text, said.Quote)
	if !ok {
		return research.Claim{}, "its quotation does not stand in the passage"
	}
	statement := strings.Join(strings.Fields(said.Statement), " ")
	quote := p.Text[start:end]
	if statement == "" || by == extractiveName {
		statement = strings.Join(strings.Fields(quote), " ")
	} else if why := unlike(statement, p.Text, l.sources[w.index].Published, l.meaning.Lang); why != "" {
		return research.Claim{}, why
	}
	if spare(statement) {
		return research.Claim{}, "says nothing: an address, a path or a label"
	}
	if why := l.meansAnother(w.index, p.Text); why != "" {
		return research.Claim{}, why
	}
	facet := said.Facet
	fi := facetIndex(l.meaning.Facets, facet)
	if fi < 0 {
		fi = 0
	}
	line := w.page.LineAt(p.Start + start)
	if line < 0 {
		return research.Claim{}, "its quotation is no sentence"
	}
	if by == extractiveName {
		line = l.sharpestLine(w.index, line, p.Start+end, fi)
	}
	fi, score := l.relevance(w.index, line, fi)
	if by == extractiveName {
		// A sentence too long to be read as an answer is cut; the claim is then what is printed, not what was left out.
		span := w.page.Lines[line].Span
		cut, _, _ := w.page.Excerpt(line, l.sharpest(w.index, line, l.meaning.Facets[fi].ID))
		if span.Start >= p.Start+start && span.End <= p.Start+end { // of several stretches in the quotation, this one whole
			cut.Start, cut.End = max(cut.Start, p.Start+start), min(cut.End, p.Start+end)
		}
		if cut.Start >= p.Start+start && cut.End <= p.Start+end {
			start, end = cut.Start-p.Start, cut.End-p.Start
			statement = strings.Join(strings.Fields(w.page.Doc.Text[cut.Start:cut.End]), " ")
		}
	}
	if x := l.leftOut(statement); x != "" {
		return research.Claim{}, "it speaks of what the question leaves out: " + x
	}
	if captioned(w.page.Doc.Text[:p.Start+start]) {
		return research.Claim{}, aCaption
	}
	if why := noStatement(statement); why != "" && (why != aByline || l.meaning.Facets[fi].Want != research.AnswerPerson) {
		return research.Claim{}, why
	}
	if titleOf(statement, w.page.Doc) && l.meaning.Facets[fi].Want != research.AnswerPerson {
		return research.Claim{}, aTitle
	}
	c := research.Claim{
		Text: statement, Facet: l.meaning.Facets[fi].ID, Source: p.Source, Start: p.Start + start, End: p.Start + end,
		Grade: research.Secondary, Published: l.sources[w.index].Published, Relevance: score, By: by,
		Quantities: text.Quantities(statement), Dates: []string{}, Names: []string{}, Bias: l.sources[w.index].Bias,
	}
	c.ID = research.ID("c", c.Source, strconv.Itoa(c.Start), strconv.Itoa(c.End), c.Text)
	c.Passage = research.ID("p", w.page.Doc.SHA256, strconv.Itoa(c.Start), strconv.Itoa(c.End))
	for _, d := range temporal.Dates(statement) {
		c.Dates = append(c.Dates, d.ISO)
	}
	for _, n := range text.Names(statement) {
		c.Names = append(c.Names, n.Text)
	}
	c.AsOf = l.asOf(w.index, line, fi, c.Dates)
	c.Subject, c.Key = l.key(w.index, line, fi, c)
	return c, ""
}

// leastWords is how many words a claim has beside addresses; fewer say nothing that could be checked.
const leastWords = 3

func spare(statement string) bool {
	s := statement
	for _, sp := range slices.Backward(text.URLs(s)) {
		s = s[:sp.Start] + s[sp.End:]
	}
	n := 0
	for _, t := range text.Tokens(s) {
		if r := []rune(t.Text)[0]; unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n < leastWords
}

// relevance returns the facet that a line speaks to most and how much, 0..1. What the reader said is kept when the two are
// close.
func (l *lens) relevance(page, line, said int) (facet int, rel research.Ratio) {
	best, bestScore := said, -1.0
	for fi := range l.asks {
		ms := l.marks[fi][page]
		i := sort.Search(len(ms), func(i int) bool { return ms[i].Line >= line })
		s := 0.0
		if i < len(ms) && ms[i].Line == line {
			s = ms[i].Score / l.body.Most(l.asks[fi])
		}
		if fi == said {
			s *= 1.05
		}
		if s > bestScore {
			best, bestScore = fi, s
		}
	}
	return best, micro(bestScore)
}

// sharpestLine returns the line from the given one to byte offset end that is most relevant to a facet. A quotation without
// a model is one line, but for running text without sentence ends, of which it may hold several stretches.
func (l *lens) sharpestLine(page, line, end, facet int) int {
	ms := l.marks[facet][page]
	best, most := line, -1.0
	for i := sort.Search(len(ms), func(i int) bool { return ms[i].Line >= line }); i < len(ms) && l.pages[page].Lines[ms[i].Line].Span.Start < end; i++ {
		if ms[i].Score > most {
			best, most = ms[i].Line, ms[i].Score
		}
	}
	return best
}

// micro is a share in millionths, as an exact number.
func micro(f float64) research.Ratio {
	r, err := research.ParseDecimal(strconv.FormatFloat(min(max(f, 0), 1), 'f', 6, 64))
	if err != nil {
		return "0"
	}
	return r
}

func facetIndex(fs []research.Facet, id string) int {
	for i, f := range fs {
		if f.ID == id {
			return i
		}
	}
	return -1
}

// best keeps the most relevant claims of each facet, in the order of relevance.
func (l *lens) best(claims []research.Claim) []research.Claim {
	sortClaims(claims)
	n := map[string]int{}
	out := []research.Claim{}
	said := map[string]bool{}
	for _, c := range claims {
		if l.meaning.Shape == research.ShapeDebate { // copies of a sentence take the place of no other
			key := c.Facet + " " + text.Fold(c.Text)
			if said[key] {
				continue
			}
			said[key] = true
		}
		if n[c.Facet]++; n[c.Facet] <= l.kept(c.Facet) {
			out = append(out, c)
		}
	}
	return out
}

func sortClaims(claims []research.Claim) {
	rel := map[string]float64{}
	for _, c := range claims {
		rel[c.ID] = c.Relevance.Float()
	}
	sort.SliceStable(claims, func(i, j int) bool {
		if a, b := rel[claims[i].ID], rel[claims[j].ID]; a != b {
			return a > b
		}
		return claims[i].ID < claims[j].ID
	})
}

// unlike says in which way a statement goes beyond its passage, "" when it does not. At least half of its stems must stand
// there: below that a statement is about something else.
func unlike(statement, passage, published, lang string) string {
	if m := evidence.MatchQuantities(statement, passage); !m.OK {
		return "its passage lacks the number: " + m.Reason
	}
	if m := evidence.MatchDates(statement, passage, published); !m.OK {
		return "its passage lacks the date: " + m.Reason
	}
	if m := evidence.MatchNames(statement, passage); !m.OK {
		return "its passage lacks the name: " + m.Reason
	}
	st := text.TermSet(statement, lang)
	if len(st) < 2 {
		return "says nothing"
	}
	if text.Containment(st, text.TermSet(passage, lang)) < wordsShared {
		return "its words do not stand in its passage"
	}
	if m := evidence.Polarity(statement, passage); !m.OK {
		return "says the opposite of its passage: " + m.Reason
	}
	if m := evidence.Coined(statement, passage); !m.OK {
		return "speaks of another kind than its passage: " + m.Reason
	}
	if m := evidence.Direction(statement, passage); !m.OK {
		return "turns the direction of its passage round: " + m.Reason
	}
	return ""
}

// wordsShared is the least share of a statement's stems in its evidence. Prose that rests on a passage has more; noise of
// the passage's own words may have as much, which is why numbers, names and dates are held against it as well.
const wordsShared = 0.5

// locate finds a quotation in a passage: as it is, or apart from case, quotation marks, dashes and white space.
func locate(passage, quote string) (start, end int, ok bool) {
	quote = strings.TrimSpace(quote)
	if len(quote) < 2 {
		return 0, 0, false
	}
	if i := strings.Index(passage, quote); i >= 0 {
		return i, i + len(quote), true
	}
	// Compare word by word: tokens carry their offsets.
	pt, qt := text.Tokens(passage), text.Tokens(quote)
	if len(qt) < 2 {
		return 0, 0, false
	}
	for i := 0; i+len(qt) <= len(pt); i++ {
		same := true
		for j := range qt {
			if pt[i+j].Norm != qt[j].Norm {
				same = false
				break
			}
		}
		if same {
			return pt[i].Start, pt[i+len(qt)-1].End, true
		}
	}
	return 0, 0, false
}
