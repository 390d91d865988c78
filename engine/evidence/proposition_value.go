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
		1:  strings.Fields(`advantage benefit better best good recommend improv secure safe stable stability reliab robust easy easier easily fast faster efficient effective useful prefer suitable success successful popular flexible powerful simple simpler helps helpful protect gain ideal trust excellent mature proven superior worthwhile worth strength favour favor`),
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

// Bounds of what a word of [leaning] reaches, in words: how far before it a denial stands, how far behind the name of what it is said of
// it may stand, and how far before.
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
		if v == 0 || !judged && t.own[text.Stem(tok.Norm, t.lang)] || i > 0 && tok.Text != strings.ToLower(tok.Text) || t.judge != nil && open(ws, i) {
			continue
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
		if turned%2 == 1 {
			v = -v
		}
		sum += v * t.whose(toks, ws, i, about)
	}
	return sum
}

// whose is 1 when the word at i is said of the thing of the proposition, -1 when it is said of the other one, and 0 when that cannot be
// told: the nearest name in front of it, or one close behind. Of an act that does away with the thing what is said of the act itself is
// said of the opposite.
func (t Proposition) whose(toks []text.Token, ws []word, i int, about string) int {
	at := func(j int) int { // whom a word names
		if j < 0 || j >= len(toks) {
			return 0
		}
		stem := text.Stem(toks[j].Norm, t.lang)
		switch {
		case t.ending && t.act[stem]:
			return -1
		case len(t.b) == 0 && t.thing[stem], t.a[stem]:
			return 1
		case t.b[stem]:
			return -1
		}
		return 0
	}
	for d := 1; d <= nameReach; d++ { // the nearest name; before it rather than behind it
		if n := at(i - d); n != 0 {
			return n
		}
		if n := at(i + d); n != 0 && (len(t.b) > 0 || d <= nameBehind) {
			return n
		}
	}
	if len(t.b) == 0 || len(toks) > 2*nameReach {
		return 0 // a long sentence that names neither near by speaks of something else
	}
	return t.names(about)
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
