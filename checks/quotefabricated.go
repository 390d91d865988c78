package checks

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

var quotefabricated = &Check{
	ID: "G17", Name: "quotefabricated", Title: "QuoteFabricated", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalQuoteFabricated, Advise: Issues,
}

const (
	// minQuoteWords is the shortest quotation that is looked up; shorter ones are terms and titles more often than words
	// that someone said. A CJK character counts as a word, so twice as many are asked for.
	minQuoteWords    = 5
	minQuoteCJKRunes = 2 * minQuoteWords
	// maxInsert is how many words of the source a bracketed insertion may stand for.
	maxInsert = 4
	// attributionReach is how far from a quotation its verb of saying may stand, in bytes.
	attributionReach = 160
	// maxQuoteText bounds the source text that one quotation is looked up in, in bytes.
	maxQuoteText = 4 << 20
)

func evalQuoteFabricated(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	var sources [][]string
	for _, q := range quotations(b) {
		if sources == nil {
			sources = v.quoteSources(b)
		}
		found := false
		for _, words := range sources {
			found = found || quoted(q, words)
		}
		if !found {
			hits = append(hits, Hit{Where: b.ID, What: fmt.Sprintf("no cited source holds the words %q", head(q, 160))})
		}
	}
	return hits
}

// quoteSources returns the words of each source a block rests on: its passages and its whole text.
func (v View) quoteSources(b research.Block) [][]string {
	g := v.groundOf(b)
	out := [][]string{quoteWords(head(g.text, maxQuoteText))}
	for _, s := range g.sources {
		out = append(out, quoteWords(head(v.Texts[s.SHA256], maxQuoteText)))
	}
	return out
}

// titled stands before what is the name of a work.
var titled = regexp.MustCompile(`(?i)(?:\b(?:called|titled|entitled|named|headlined|the (?:book|song|film|paper|article|report|album|essay|novel|play))|《|题为|名为)[\s,:]*$`)

// quotations returns the quotations of a block that claim that someone said so: a block of kind quote as a whole, else those
// with a verb of saying near them. Titles are left out.
func quotations(b research.Block) []string {
	quotes := text.Quotes(b.Text)
	if b.Kind == research.BlockQuote && len(quotes) == 0 {
		return longEnough(strings.TrimSpace(strings.TrimLeft(b.Text, "> ")))
	}
	var out []string
	for _, q := range quotes {
		before := b.Text[max(0, q.Start-attributionReach):q.Start]
		after := b.Text[q.End:min(len(b.Text), q.End+attributionReach)]
		said := b.Kind == research.BlockQuote || sayings.MatchString(before) || sayings.MatchString(after) || spoken(b.Text, q)
		opened := strings.TrimRight(before, `"“„«「『`)
		if said && !titled.MatchString(opened) && !titleCase(q.Text) {
			out = append(out, longEnough(q.Text)...)
		}
	}
	return out
}

// sayings are verbs and phrases by which a text gives words to someone; the list is wider than what makes a sentence worth checking.
var sayings = regexp.MustCompile(`(?i)\b(?:said|says|say|saying|told|tells|stated?|states|stating|reported|reports|wrote|writes|writing|announced|announces|argued?|argues|arguing|claimed|claims|noted|notes|noting|added|adds|explained|explains|warned|warns|declared|declares|testified|insist(?:s|ed|ing)|maintain(?:s|ed)|remark(?:s|ed)|observ(?:es|ed)|repl(?:y|ies|ied)|answer(?:s|ed)|admit(?:s|ted)|complain(?:s|ed)|recall(?:s|ed)|acknowledg(?:es|ed)|comment(?:s|ed)|respond(?:s|ed)|stress(?:es|ed)|emphasi[sz](?:es|ed)|point(?:s|ed) out|call(?:s|ed) it|described?|describes|put(?:s)? it|quip(?:s|ped)|ask(?:s|ed)|criticis(?:es|ed)|criticiz(?:es|ed)|counter(?:s|ed)|object(?:s|ed)|caution(?:s|ed)|conced(?:es|ed)|boast(?:s|ed)|lament(?:s|ed)|believ(?:es|ed)|promis(?:es|ed)|predict(?:s|ed)|quoted|according to|in the words of|words of|told reporters|concluded|judg(?:es|ed)|summ(?:ed|ing) (?:it )?up)\b|强调|透露|坦言|直言|解释|回应|回答|补充|提到|谈到|答道|感叹|抱怨|警告|呼吁|回忆|反驳|声明|批评|承认|坦承|评价|形容|坚称|主张|反问|提醒|自述|原话|告诉|介绍|表示|指出|认为|宣布|报道|写道|称|说|道|看来`)

// introduces stands right before words that are quoted: "his verdict: “...”".
var introduces = regexp.MustCompile(`[:：,，][\s"“„«「『]*$`)

// spoken reports whether a quotation without a verb of saying is given to someone all the same: its sentence names somebody, or a colon or
// comma hands over to it.
func spoken(s string, q text.Quote) bool {
	if introduces.MatchString(s[max(0, q.Start-12):q.Start]) {
		return true
	}
	for _, span := range text.Sentences(s) {
		if span.End <= q.Start || span.Start >= q.End {
			continue
		}
		rest := s[span.Start:max(span.Start, q.Start)] + " " + s[min(span.End, q.End):span.End]
		if len(text.Names(rest)) > 0 || len(text.ChineseNames(rest)) > 0 {
			return true
		}
	}
	return false
}

func longEnough(q string) []string {
	least := minQuoteWords
	if isCJK(q) {
		least = minQuoteCJKRunes
	}
	if len(quoteWords(q)) < least {
		return nil
	}
	return []string{q}
}

// titleCase reports whether every word of more than three letters begins with a capital.
func titleCase(q string) bool {
	long := 0
	for _, w := range strings.Fields(q) {
		r := []rune(strings.TrimFunc(w, unicode.IsPunct))
		if len(r) <= 3 {
			continue
		}
		if !unicode.IsUpper(r[0]) {
			return false
		}
		long++
	}
	return long > 0
}

// quoteWords returns the words of s without case, punctuation, and the style of dashes and quotes; each CJK character is one.
func quoteWords(s string) []string {
	return strings.FieldsFunc(spreadCJK(text.Fold(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func spreadCJK(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// gaps are where a quotation leaves words out, or puts its own in brackets.
var gaps = regexp.MustCompile(`\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|…+|\.{3,}|\[[^\]]*\]`)

// quoted reports whether the parts of a quotation stand in words in order: any distance apart at an ellipsis, at most
// maxInsert words apart at a bracketed insertion.
func quoted(q string, words []string) bool {
	type part struct {
		words []string
		reach int // words that may lie before it; -1 for any number
	}
	var parts []part
	reach, from := -1, 0
	for _, m := range append(gaps.FindAllStringIndex(q, -1), []int{len(q), len(q)}) {
		if w := quoteWords(q[from:m[0]]); len(w) > 0 {
			parts = append(parts, part{w, reach})
			reach = 0
		}
		if gap := q[m[0]:m[1]]; strings.HasPrefix(gap, "[") && !strings.ContainsAny(gap, ".…") {
			if reach >= 0 {
				reach += maxInsert
			}
		} else {
			reach = -1
		}
		from = m[1]
	}
	var match func(at, i int) bool
	match = func(at, i int) bool {
		if i == len(parts) {
			return true
		}
		p := parts[i]
		last := len(words) - len(p.words)
		if p.reach >= 0 {
			last = min(last, at+p.reach)
		}
		for ; at <= last; at++ {
			if !hasPrefix(words[at:], p.words) {
				continue
			}
			if match(at+len(p.words), i+1) {
				return true
			}
			if i+1 < len(parts) && parts[i+1].reach < 0 {
				return false // a later start leaves less to find the rest in
			}
		}
		return false
	}
	return len(parts) > 0 && match(0, 0)
}

func hasPrefix(words, prefix []string) bool {
	for i, w := range prefix {
		if words[i] != w {
			return false
		}
	}
	return true
}
