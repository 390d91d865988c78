package bench

import (
	"strings"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// conflictRow is what the engine made of one case.
type conflictRow struct {
	ID       string   `json:"id"`
	Set      string   `json:"set"`
	Question string   `json:"question"`
	Gold     []string `json:"gold"`
	Stands   []bool   `json:"stands"` // by right answer: it stands in a document that is not made up
	Kept     []bool   `json:"kept"`   // by right answer: a printed finding from such a document says it
	Marked   []bool   `json:"marked"` // by right answer: a printed finding that says it is contested
	Wrong    []string `json:"wrong"`  // by made-up answer: what it is, and what became of it: flagged, printed unmarked, left out
	Fate     []string `json:"fate"`
	Pairs    []string `json:"pairs"` // contradictions by what the two documents are
	Kinds    []string `json:"kinds"` // of the contradictions, for updates
	Reasons  []string `json:"reasons"`
}

// lost says what the report lost or let through; "" when nothing.
func (r conflictRow) lost() string {
	var out []string
	for i, g := range r.Gold {
		if r.Stands[i] && !r.Kept[i] {
			out = append(out, "lost: "+g)
		}
	}
	for i, f := range r.Fate {
		if f != fateFlagged {
			out = append(out, f+": "+r.Wrong[i])
		}
	}
	return strings.Join(out, "; ")
}

// Fates of a made-up answer.
const (
	fateFlagged  = "flagged"
	fateUnmarked = "unmarked"
	fateLeftOut  = "left out"
)

// scoreConflict holds a report against the labels of its case.
func scoreConflict(c conflictCase, d research.Digest) conflictRow {
	r := conflictRow{ID: c.id, Set: c.set, Question: c.question, Gold: c.golds, Fate: []string{}, Pairs: []string{}, Kinds: []string{}, Reasons: []string{}}
	doc := map[string]int{}
	for i := range c.docs {
		doc[research.ID("s", conflictLocation(i))] = i
	}
	printed := map[string]bool{} // claims under a printed finding
	words := map[string]string{} // and the words it is printed with
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				if d.Claims[id].Derivation == nil {
					printed[id], words[id] = true, f.Text+"\n"+d.Claims[id].Text
				}
			}
		}
	}
	marked := map[string]bool{}
	for id, cl := range d.Claims {
		if cl.Support != nil && cl.Support.N > cl.Support.K {
			marked[id] = true
		}
	}
	for _, x := range d.Contradicts {
		r.Kinds, r.Reasons = append(r.Kinds, x.Kind), append(r.Reasons, x.Reason)
		a, b := c.docs[doc[d.Claims[x.A].Source]], c.docs[doc[d.Claims[x.B].Source]]
		r.Pairs = append(r.Pairs, pairOf(a, b))
		if x.Kind != kindOfTime {
			marked[x.A], marked[x.B] = true, true
		}
	}
	for _, g := range c.golds {
		stands, kept, contested := false, false, false
		says := func(words, g string) bool { return says(words, g) || c.long != "" && says(words, c.long) }
		for _, x := range c.docs {
			stands = stands || x.kind != "misinfo" && says(x.text, g)
		}
		for id := range printed {
			if c.docs[doc[d.Claims[id].Source]].kind != "misinfo" && says(words[id], g) {
				kept, contested = true, contested || marked[id]
			}
		}
		for _, x := range d.Contradicts {
			for _, id := range []string{x.A, x.B} {
				if (x.Preferred == "" || x.Preferred == id) && c.docs[doc[d.Claims[id].Source]].kind != "misinfo" && says(d.Claims[id].Text, g) {
					kept, contested = true, contested || marked[id]
				}
			}
		}
		r.Stands, r.Kept, r.Marked = append(r.Stands, stands), append(r.Kept, kept), append(r.Marked, contested)
	}
	r.wrongs(c, d, doc, marked, words)
	return r
}

// wrongs says what became of each made-up answer: of RAMDocs by document, of ConflictNQ by question, as there one story is told in
// several documents.
func (r *conflictRow) wrongs(c conflictCase, d research.Digest, doc map[string]int, marked map[string]bool, words map[string]string) {
	fate := func(of func(cl research.Claim) bool) string {
		out := fateLeftOut
		for id, cl := range d.Claims {
			if cl.Derivation != nil || !of(cl) {
				continue
			}
			if marked[id] {
				return fateFlagged
			}
			out = fateUnmarked
		}
		return out
	}
	if c.set == "conflict_nq" {
		r.Wrong = c.wrongs
		r.Fate = append(r.Fate, fate(func(cl research.Claim) bool { return c.docs[doc[cl.Source]].kind == "misinfo" }))
		return
	}
	for i, x := range c.docs {
		if x.kind == "misinfo" {
			r.Wrong = append(r.Wrong, x.answer)
			r.Fate = append(r.Fate, fate(func(cl research.Claim) bool {
				return doc[cl.Source] == i && (says(cl.Text, x.answer) || says(words[cl.ID], x.answer))
			}))
		}
	}
}

// pairOf names a contradiction by what its two documents are.
func pairOf(a, b conflictDoc) string {
	if a.kind > b.kind {
		a, b = b, a
	}
	p := a.kind + " " + b.kind
	if a.kind == b.kind && a.kind != "noise" {
		if a.answer == b.answer {
			return p + ", one answer"
		}
		return p + ", two answers"
	}
	return p
}

// longAnswer is how many words make an answer a sentence, and sentenceShare the share of its stems that say it.
const (
	longAnswer    = 6
	sentenceShare = 0.6
)

// says reports whether words give an answer: in its words, its date or its number; a sentence, in most of its stems.
func says(words, answer string) bool {
	a := answerWords(answer)
	if len(a) == 0 {
		return false
	}
	if strings.Contains(" "+strings.Join(answerWords(words), " ")+" ", " "+strings.Join(a, " ")+" ") {
		return true
	}
	if ds := temporal.Dates(answer); len(ds) == 1 && ds[0].Start == 0 && ds[0].End == len(answer) {
		for _, d := range temporal.Dates(words) {
			if d.ISO == ds[0].ISO {
				return true
			}
		}
		return false
	}
	if qs := text.Quantities(answer); len(qs) == 1 && qs[0].Start == 0 && len(a) <= 2 && qs[0].Kind != research.Year {
		for _, q := range text.Quantities(words) {
			if q.Value.Cmp(qs[0].Value) == 0 {
				return true
			}
		}
		return false
	}
	return len(a) > longAnswer && text.Containment(text.TermSet(answer, "en"), text.TermSet(words, "en")) >= sentenceShare
}

// answerWords are the words of an answer without case, marks and articles.
func answerWords(s string) []string {
	var out []string
	for _, t := range text.Tokens(text.Fold(s)) {
		if n := strings.TrimSuffix(t.Norm, "'s"); n != "the" && n != "a" && n != "an" && n != "'s" {
			out = append(out, n)
		}
	}
	return out
}
