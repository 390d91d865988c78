package evidence

import (
	"regexp"
	"strings"

	"assay/engine/text"
)

// leaning are words by which a text speaks well or ill of a thing, as they begin. They are of the general kind that reviews and
// debates use; none is of one subject.
var leaning = map[string]map[int][]string{
	"en": {
		1:  strings.Fields(`advantage benefit benefic better best good recommend improv secure safe stable stability reliab robust easy easier easily fast faster efficient effective useful prefer suitable success successful popular flexible powerful simple simpler helps helpful protect gain ideal trust excellent mature proven superior worthwhile worth strength favour favor`),
		-1: strings.Fields(`drawback disadvantage problem risk danger insecure unsafe unstable broken break breaks fail failure difficult slow slower worse worst bad bug bugs crash complain criticis criticiz critic oppose controvers limitation lack deprecat obsolete outdated overrated harm damage lose loss lost expensive complex complicated confus warn warning caution discourage unsupported vulnerab incompatib conflict unsuitable reject delay weakness trouble painful stale older regress wrong useless ineffective`),
	},
	"zh": {
		1:  strings.Fields(`优点 优势 好处 更好 推荐 建议使用 安全 稳定 可靠 容易 方便 高效 有效 适合 改进 改善 有利 有益 灵活 成熟 最好`),
		-1: strings.Fields(`缺点 劣势 问题 风险 危险 不安全 不稳定 困难 失败 崩溃 批评 反对 限制 不足 过时 弃用 避免 有害 损害 伤害 复杂 不推荐 不建议 冲突 不适合 陈旧 麻烦 无效 昂贵`),
	},
}

// deniers turn a word of [leaning] round; remedies do so only to blame: a fixed bug is no drawback.
var (
	deniers  = map[string]bool{"not": true, "no": true, "never": true, "without": true, "hardly": true, "cannot": true, "nor": true, "neither": true, "fewer": true, "less": true, "nothing": true, "isn": true, "doesn": true, "aren": true, "won": true, "didn": true, "wasn": true, "weren": true}
	remedies = regexp.MustCompile(`^(?:fix|correct|prevent|avoid|resolv|solv|reduc|limit|remov|eliminat|detect|report|protect|against|overcom|debug|lower|cut|lessen)`)
	// losing turns what is praised behind it into blame: to reduce safety.
	losing = regexp.MustCompile(`^(?:reduc|lower|lessen|undermin|weaken|impair|los[et]|lack)`)
	// telling is how a text tells the reader what to do; what is good to do says nothing of the thing.
	telling = regexp.MustCompile(`(?i)\b(?:you (?:should|can|may|must|might|will|need)|please|make sure|it is (?:a )?(?:best|better|good|recommended|safe|easy|easier|possible|useful)(?: \w+)? to|(?:good|best|easy|easier|safe) (?:way|idea|practice)|for (?:more|best|better) )`)
)

// Bounds of what a word of [leaning] reaches, in words: how far before it a denial stands, half the length up to which a sentence that
// names nothing is of what its heading names, and how far behind it the name of what it is said of may stand.
const (
	denialReach = 4
	nameReach   = 7
	nameBehind  = 4
)

// leansEN is 1 for a word of praise, -1 for one of blame, 0 for any other.
func leansEN(norm string) int {
	v := 0
	for _, sign := range []int{1, -1} {
		for _, cue := range leaning["en"][sign] {
			if norm == cue || len(cue) >= 4 && strings.HasPrefix(norm, cue) {
				v = sign
			}
		}
	}
	return v
}

// Leaning reports whether a stem is one of praise or blame, which two texts may share without speaking of one thing.
func Leaning(stem string) bool {
	for _, sign := range []int{1, -1} {
		for _, lang := range []string{"en", "zh"} {
			for _, cue := range leaning[lang][sign] {
				if stem == cue || len(stem) >= 4 && (strings.HasPrefix(cue, stem) || strings.HasPrefix(stem, cue)) {
					return true
				}
			}
		}
	}
	return false
}

// valueEn adds up what an English sentence says well and ill of the thing.
func (t Proposition) valueEn(s, about string) int {
	if telling.MatchString(s) || refuted.MatchString(s) {
		return 0
	}
	toks := text.Tokens(s)
	if len(toks) > maxSentence {
		return 0
	}
	ws := wordsOf(s)
	if len(t.b) == 0 && !t.spoken(ws, about) {
		return 0
	}
	sum := 0
	for i, tok := range toks {
		v := leansEN(tok.Norm)
		judged := t.judge[text.Stem(tok.Norm, t.lang)]
		// What would follow of what ought to be done is an argument; what would be if a thing were so is no statement that it is.
		// A word of the proposition itself says nothing of it unless it is what is asked, nor does a name that happens to praise, as Stable does.
		if v == 0 || !judged && (t.own[text.Stem(tok.Norm, t.lang)] || t.byName(text.Stem(tok.Norm, t.lang))) || i > 0 && tok.Text != strings.ToLower(tok.Text) || t.judge != nil && open(ws, i) {
			continue
		}
		if i > 0 && (ws[i-1].norm == "as" && ws[i].norm == "opposed") || i > 1 && v < 0 && ws[i-1].norm == "no" && ws[i-2].norm == "with" {
			continue // "as opposed to" opposes nothing, and "one with no faults" tells which is meant
		}
		turned := 0
		for j := max(0, i-denialReach); j < i; j++ {
			if ws[j].opens && j < i-1 && ws[i].opens {
				continue
			}
			if deniers[toks[j].Norm] && !idle(ws[j+1:]) || strings.HasSuffix(toks[j].Norm, "n't") || v < 0 && remedies.MatchString(toks[j].Norm) || v > 0 && losing.MatchString(toks[j].Norm) {
				turned++
			}
		}
		if i+1 < len(ws) && (ws[i+1].norm == "less" || ws[i+1].norm == "rarely" || ws[i+1].norm == "seldom") {
			turned++ // "it breaks less often"
		}
		if turned%2 == 1 {
			v = -v
		}
		sum += v * t.whose(toks, ws, i, about)
	}
	return sum
}

// whose is 1 when the word at i is said of the thing of the proposition, -1 when it is said of the other one, and 0 when that cannot be
// told: the first name in front of it in its clause, or one close behind; of a clause without a subject of its own, or with a pronoun, the
// first name of the sentence, else what the heading names. Of an act that does away with the thing what is said of the act itself is said
// of the opposite. What stands behind "than" is what is compared with.
func (t Proposition) whose(toks []text.Token, ws []word, i int, about string) int {
	at := func(j int) int { // whom a word names
		if j > 0 && standard[ws[j-1].norm] || j > 1 && standard[ws[j-2].norm] {
			return 0
		}
		stem, norm := text.Stem(toks[j].Norm, t.lang), toks[j].Norm
		switch {
		case t.ending && t.act[stem]:
			return -1
		case len(t.b) == 0 && t.thing[stem], t.a[stem] && sameForm(t.an, norm):
			return 1
		case t.b[stem] && sameForm(t.bn, norm):
			return -1
		}
		return 0
	}
	from, to := 0, len(ws)
	for _, c := range clauses(ws) {
		if to = from + len(c); i < to {
			break
		}
		from = to
	}
	for j := from; j < i; j++ {
		if n := at(j); n != 0 {
			return n
		}
	}
	for j := i + 1; j < min(to, i+nameBehind+1); j++ {
		if n := at(j); n != 0 {
			return n
		}
	}
	named := false
	for j := range ws {
		named = named || at(j) != 0
	}
	leans := elliptic(ws, from, i)
	for j := from; j < i; j++ {
		leans = leans || pronouns[ws[j].norm]
	}
	if leans {
		for j := range from {
			if n := at(j); n != 0 {
				return n
			}
		}
	}
	switch {
	case named || t.plain || !leans && len(toks) > 2*nameReach:
		return 0 // it is said of something else
	case len(t.b) == 0:
		if leans {
			return 1 // the heading names it
		}
		return 0
	}
	return t.names(about)
}

// standard are words behind which stands what something is compared with.
var standard = wordSet("than unlike versus")

// sameForm keeps a name that is a verb's form, as Testing is, from being found in other forms of the verb.
func sameForm(name, norm string) bool {
	for _, n := range strings.Fields(name) {
		if strings.HasSuffix(n, "ing") && strings.HasPrefix(norm, n[:len(n)-3]) {
			return norm == n
		}
	}
	return true
}

// byName reports whether a word of praise or blame is the name of a thing here, or made of one: where Stable is one, unstable says nothing.
func (t Proposition) byName(stem string) bool {
	for _, set := range []map[string]bool{t.a, t.b, t.thing} {
		for s := range set {
			if Leaning(s) && !t.judge[s] && strings.Contains(stem, s) {
				return true
			}
		}
	}
	return false
}

// names is which of two compared things a heading names alone.
func (t Proposition) names(about string) int {
	n := 0
	for s := range text.TermSet(about, t.lang) {
		if t.a[s] {
			n |= 1
		}
		if t.b[s] {
			n |= 2
		}
	}
	switch n {
	case 1:
		return 1
	case 2:
		return -1
	}
	return 0
}
