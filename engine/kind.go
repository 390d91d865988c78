package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/text"
)

// subjectShare is the share of what a facet says beside its question word, by weight, that a passage must hold to be about
// it. Under it the passage stands near the subject and answers something else: a sentence with the names of companies does
// not say which of them is to blame. Measured on the development half of the documentation questions; see answersFacet.
const subjectShare = 0.5

// askingWords are the words by which a question says what kind of thing it wants. They say nothing of its subject.
var askingWords = map[string]map[string]bool{
	"en": stemSet("en", `who whom whose when where which what how why many much long large big old often far tall high fast heavy deep wide soon
		company firm organisation organization vendor university agency institution bank party person people author developer city country place town state region
		day date year month week decade century name number size share percentage proportion age amount rate ratio come came`),
	"zh": stemSet("zh", `谁 哪位 哪家 哪家公司 公司 哪个机构 机构 何时 什么时候 哪年 哪一年 哪几年 哪天 日期 哪里 哪儿 何处 哪个国家 哪个城市 多少 多大 几个 几位 多长 多高 什么 哪个`),
}

func stemSet(lang, words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		for _, t := range text.Terms(w, lang) {
			out[t] = true
		}
	}
	return out
}

// zhAsking are signs that make a pair of signs a part of the question, not of what it is about.
const zhAsking = "谁哪何几吗呢么"

// answersFacet reports whether a passage answers a facet that asks for a kind of thing (who, when, how many, where, which
// company): it must be about what the facet says, and hold something of that kind which the question does not name itself.
// A facet that asks for anything, or for a reason, is answered by what speaks of it.
func (l *lens) answersFacet(fi, page, line int, words string) bool {
	f := l.meaning.Facets[fi]
	if !kindAsked(f.Want) {
		return true
	}
	return l.holdsKind(f, words) && l.about(fi, page, line, words)
}

// kindAsked reports whether code can tell an answer to such a question from something else.
func kindAsked(w research.AnswerType) bool { return typedWant(w) && w != research.AnswerName }

// about reports whether a passage speaks of what the facet says, with the headings above it and the title.
func (l *lens) about(fi, page, line int, words string) bool {
	lang := l.meaning.Lang
	p := l.pages[page]
	in := text.TermSet(strings.Join([]string{words, p.HeadingAt(p.Lines[line].Span.Start), p.Doc.Title}, "\n"), lang)
	held, total := 0.0, 0.0
	for pass := 0; pass < 2 && total == 0; pass++ { // the facet's own words; those of the question when it has none
		for _, t := range l.asks[fi].Terms {
			if pass == 0 && t.Share < 1 || asking(t.Stem, lang) || lang == "zh" && l.straddles(fi, t.Stem) {
				continue
			}
			w := l.body.Weight(t.Stem)
			total += w
			if in[t.Stem] || slices.ContainsFunc(t.Alias, func(a string) bool { return in[a] }) || spoken(l.asks[fi], t, words, lang) {
				held += w
			}
		}
	}
	return total == 0 || held >= subjectShare*total
}

// straddles reports whether a pair of Chinese signs is likely no word but the end of one and the beginning of the next: no page
// has it, and it shares a sign with a pair of the question beside it that pages have.
func (l *lens) straddles(fi int, pair string) bool {
	r := []rune(pair)
	if len(r) != 2 || l.body.Seen(pair) > 0 {
		return false
	}
	return slices.ContainsFunc(l.asks[fi].Terms, func(t subject.AskTerm) bool {
		o := []rune(t.Stem)
		return len(o) == 2 && (o[1] == r[0] || o[0] == r[1]) && l.body.Seen(t.Stem) > 0
	})
}

// spoken reports whether a phrase that stands for a term stands in the words.
func spoken(a subject.Ask, t subject.AskTerm, words, lang string) bool {
	for _, p := range a.Phrases {
		if a.Terms[p.Term].Stem == t.Stem && allIn(p.Stems, text.TermSet(words, lang)) {
			return true
		}
	}
	return false
}

func allIn(stems []string, in map[string]bool) bool {
	return !slices.ContainsFunc(stems, func(s string) bool { return !in[s] })
}

func asking(stem, lang string) bool {
	return askingWords[lang][stem] || lang == "zh" && strings.ContainsAny(stem, zhAsking)
}

// holdsKind reports whether the words hold the kind of thing that a facet asks for.
func (l *lens) holdsKind(f research.Facet, words string) bool {
	fits, _ := intent.Answers(f, words, l.meaning.Lang)
	switch f.Want {
	case research.AnswerPerson:
		return fits && len(l.newNames(words, personName)) > 0
	case research.AnswerOrg:
		return len(l.newNames(words, properName)) > 0 || l.newOrganisation(words)
	case research.AnswerPlace:
		return len(l.newNames(words, properName)) > 0 || strings.Contains(words, "/") // a place of a file
	}
	return fits
}

// newNames lists the names in the words that the question does not hold and that pass.
func (l *lens) newNames(words string, pass func(text.Name) bool) []string {
	asked := text.Fold(l.meaning.Question)
	var out []string
	for _, n := range text.Names(words) {
		if !strings.Contains(asked, text.Fold(n.Text)) && pass(n) {
			out = append(out, n.Text)
		}
	}
	return out
}

// properName reports whether a name may be that of a body or a place: capitals or Chinese signs, and no digits.
func properName(n text.Name) bool {
	first := []rune(n.Text)[0]
	return (unicode.IsUpper(first) || unicode.Is(unicode.Han, first)) && !strings.ContainsFunc(n.Text, unicode.IsDigit)
}

// organisationZh is a Chinese name that says by its end what body it names.
var organisationZh = regexp.MustCompile(`\p{Han}{1,9}[^\P{Han}家个些这该此哪某的类种各间](?:公司|集团|大学|学院|银行|基金会|研究所|研究院|委员会|协会|出版社)`)

func (l *lens) newOrganisation(words string) bool {
	for _, m := range organisationZh.FindAllString(words, -1) {
		if !strings.Contains(l.meaning.Question, m) {
			return true
		}
	}
	return false
}

// personName reports whether a name may be that of a person: two words or more without digits, or Chinese signs.
func personName(n text.Name) bool {
	if strings.ContainsFunc(n.Text, unicode.IsDigit) {
		return false
	}
	return len(strings.Fields(n.Text)) > 1 || strings.ContainsFunc(n.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) || r == '·' })
}
