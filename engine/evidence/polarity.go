package evidence

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/text"
)

// negators turn the next content word round. Lexical ones (failed to, lacks, without) stand beside "not", so that a
// paraphrase with one of them is not taken for a flip.
var negators = wordSet(`not no never neither nor none cannot without fail fails failed failing refuse refuses refused lack lacks lacked lacking unable
	can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't mustn't needn't mightn't ain't nothing nobody hardly barely
	don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn`)

// lexical are the negators that only keep a flip from being found: what follows "failed to" or "without" is too often not the
// word that "not" would stand with.
var lexical = wordSet(`without fail fails failed failing refuse refuses refused lack lacks lacked lacking unable hardly barely nothing nobody`)

// contractionStems are those negators that are the first half of a contraction whose "t" is a token of its own.
var contractionStems = wordSet(`don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn`)

// notNegation are words after which a negator does not negate: "not only", "no doubt", "not until", "nothing but".
var notNegation = wordSet("only just merely simply solely alone doubt matter less fewer least until unless but except")

// overstating are verbs after which "cannot" or "can hardly" praises: "its worth cannot be overstated".
var overstating = wordSet("overstated overestimated overemphasized overemphasised exaggerated overrated overstate overestimate overemphasize overemphasise exaggerate understated underestimated")

// bounding are words that make a bound of a negator when "than" follows: "no longer than a day", "no later than May", "none
// other than".
var bounding = wordSet("longer later more earlier sooner higher lower larger smaller greater older newer other better worse")

// negationReach is how many tokens after a negator its head may stand.
const negationReach = 4

// Polarity looks for a dropped or added negation. It fires (OK is false) only when a sentence of the source is close to the
// claim (see nearContainment), a word negated on one side stands un-negated on the other, and no close sentence agrees
// with the claim. Of a claim of fewer than six content words a whole sentence must have all words, as [Flipped] says; one of fewer than
// three, and any paraphrase, is left alone.
func Polarity(claim, source string) Match {
	for _, c := range sentencesOf(claim) {
		if m := eachReading(c, func(c string) Match { return polarityOf(c, source) }); !m.OK {
			return m
		}
	}
	return Match{OK: true}
}

func polarityOf(claim, source string) Match {
	if langOf(claim) == "zh" {
		return polarityZh(claim, source)
	}
	cw := regular(wordsOf(claim))
	stems := contentStems(cw)
	if len(stems) < minShortNegation {
		return Match{OK: true}
	}
	negClaim := negated(cw)
	flip := ""
	for _, s := range sentencesOf(source) {
		for _, sw := range nearest(clauses(regular(wordsOf(s))), stems, contentStems) {
			head, side := unlike(negClaim, negated(sw), stems, contentStems(sw))
			if head == "" {
				return Match{OK: true, Reason: "a close sentence agrees"}
			}
			if flip == "" && (len(stems) >= minNegationLen || flippedEn(claim, s)) {
				flip = fmt.Sprintf("%q is negated in the %s only", asWritten(head, cw), side)
			}
		}
	}
	return Match{OK: flip == "", Reason: flip}
}

// negation is what is negated in a sentence.
type negation struct {
	heads map[string]bool // stems that a plain "not", "no", "never" turns round
	reach map[string]bool // stems anywhere behind a negator of any kind: "does not provide protection" reaches protection
}

// negated reads the negations of a sentence. A word behind two negators is not a head.
func negated(words []word) negation {
	n := negation{heads: map[string]bool{}, reach: map[string]bool{}}
	for i, w := range words {
		if !negators[w.norm] {
			continue
		}
		if contractionStems[w.norm] && (i+1 >= len(words) || words[i+1].norm != "t") {
			continue // "won", "don" and the like as words of their own
		}
		if idle(words[i+1:]) {
			continue
		}
		first := true
		for j := i + 1; j < len(words) && j <= i+negationReach; j++ {
			// What a comma or the like keeps apart from its negator is in its reach and no head: "if not, the shell is ...".
			if words[j].opens {
				first = false
			}
			if !words[j].content || words[j].norm == "t" {
				continue
			}
			stem := words[j].stem
			switch {
			case first && n.heads[stem]:
				delete(n.heads, stem) // "did not fail to approve"
			case first && !lexical[w.norm]:
				n.heads[stem] = true
			}
			n.reach[stem] = true
			first = false
		}
	}
	return n
}

// idle reports whether the words behind a negator show that it negates nothing.
func idle(behind []word) bool {
	if len(behind) == 0 {
		return true
	}
	if notNegation[behind[0].norm] || bounding[behind[0].norm] && len(behind) > 1 && behind[1].norm == "than" {
		return true
	}
	for _, w := range behind[:min(len(behind), negationReach)] {
		if overstating[w.norm] {
			return true
		}
	}
	return false
}

// unlike returns a word that is negated on one side and stands plain on the other, and the side where it is negated.
func unlike(inClaim, inSource negation, claim, source []string) (head, side string) {
	for _, h := range claim {
		switch {
		case inClaim.heads[h] && !inSource.reach[h] && slices.Contains(source, h):
			return h, "claim"
		case inSource.heads[h] && !inClaim.reach[h]:
			return h, "source"
		}
	}
	return "", ""
}

func runesOf(s string) []string {
	var out []string
	for _, r := range s {
		if r != ' ' && !strings.ContainsRune("，。、；：！？,.;:!?", r) {
			out = append(out, string(r))
		}
	}
	return out
}

func wordSet(words string) map[string]bool { return setOf(strings.Fields(words)) }

// oppositePairs are words that turn a statement round when exchanged, in the forms in which they occur.
var oppositePairs = []string{
	"rise fall", "rose fell", "risen fallen", "rising falling", "increase decrease", "increased decreased", "grow shrink", "grew shrank", "gain loss", "gained lost",
	"up down", "higher lower", "high low", "highest lowest", "more less", "more fewer", "most least", "above below", "before after", "earlier later", "early late", "first last",
	"import export", "buy sell", "bought sold", "win lose", "won lost", "accept reject", "accepted rejected", "allow forbid", "allowed forbidden", "permit prohibit",
	"enable disable", "enabled disabled", "open close", "opened closed", "start stop", "started stopped", "begin end", "began ended", "include exclude", "included excluded",
	"exceed trail", "larger smaller", "largest smallest", "bigger smaller", "faster slower", "fastest slowest", "longer shorter", "longest shortest", "older newer",
	"oldest newest", "older younger", "oldest youngest", "better worse", "best worst", "stronger weaker", "maximum minimum", "positive negative", "support oppose", "supported opposed",
	"confirm deny", "confirmed denied", "approve reject", "approved rejected", "add remove", "added removed", "expand contract", "expanded contracted",
	"surplus deficit", "profit loss", "majority minority", "north south", "northern southern", "east west", "eastern western", "inside outside", "safe unsafe",
	"stable unstable", "legal illegal", "successful unsuccessful", "required optional", "always never", "all none", "over under", "with without", "import export",
	"widen narrow", "widened narrowed", "improve worsen", "improved worsened", "improve deteriorate", "strengthen weaken", "strengthened weakened", "lengthen shorten", "accelerate slow",
	"speed slow", "double halve", "advance retreat", "tighten loosen", "tightened loosened", "appreciate depreciate", "wider narrower", "deeper shallower", "richer poorer", "heavier lighter",
	"upgrade downgrade", "upgraded downgraded", "true false", "private public", "hot cold", "win defeat", "guilty innocent", "likely unlikely",
}

// risingWords and fallingWords are opposites of each other, each of each.
const (
	risingWords  = `rise rose risen increase increased grow grew grown climb climbed gain gained jump jumped surge surged soar soared`
	fallingWords = `fall fell fallen decrease decreased decline declined drop dropped shrink shrank shrunk sink sank slump slumped plunge plunged dip dipped slip slipped`
)

// zhOpposites are the Chinese pairs, looked for as text.
var zhOpposites = [][2]string{{"上升", "下降"}, {"增加", "减少"}, {"增长", "下降"}, {"高于", "低于"}, {"大于", "小于"}, {"超过", "低于"}, {"之前", "之后"}, {"进口", "出口"},
	{"支持", "反对"}, {"允许", "禁止"}, {"最高", "最低"}, {"最大", "最小"}, {"盈利", "亏损"}, {"上涨", "下跌"}, {"扩大", "缩小"}, {"开始", "结束"}, {"顺差", "逆差"}, {"多于", "少于"},
	{"提高", "降低"}, {"升高", "降低"}, {"提升", "下降"}, {"提高", "下降"}, {"上升", "下滑"}, {"上升", "降低"}, {"增长", "减少"}, {"增长", "下滑"}, {"增加", "下降"}, {"增多", "减少"}, {"上涨", "下降"}, {"攀升", "下滑"}, {"回升", "回落"}, {"上调", "下调"},
	{"加快", "放缓"}, {"加速", "减速"}, {"加速", "放缓"}, {"扩张", "收缩"}, {"增强", "减弱"}, {"加强", "削弱"}, {"改善", "恶化"}, {"好转", "恶化"}, {"赞成", "反对"}, {"同意", "拒绝"}, {"批准", "否决"}, {"接受", "拒绝"}, {"买入", "卖出"}, {"流入", "流出"},
	{"放宽", "收紧"}, {"延长", "缩短"}, {"领先", "落后"}, {"早于", "晚于"}, {"优于", "劣于"}, {"快于", "慢于"}, {"强于", "弱于"}, {"最多", "最少"}, {"最快", "最慢"}, {"最早", "最晚"}, {"最好", "最差"}, {"最强", "最弱"}, {"最长", "最短"},
	{"以前", "以后"}, {"以上", "以下"}, {"盈余", "赤字"}, {"成功", "失败"}, {"合法", "非法"}, {"乐观", "悲观"}, {"高估", "低估"}, {"变宽", "变窄"}, {"变快", "变慢"}, {"升至", "降至"}, {"增至", "减至"}, {"涨到", "跌到"}, {"升到", "降到"}}

var opposites = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	put := func(a, b string) {
		if m[a] == nil {
			m[a] = map[string]bool{}
		}
		m[a][b] = true
	}
	pairs := oppositePairs
	for _, up := range strings.Fields(risingWords) {
		for _, down := range strings.Fields(fallingWords) {
			pairs = append(pairs, up+" "+down)
		}
	}
	for _, p := range pairs {
		a, b, _ := strings.Cut(p, " ")
		a, b = text.Stem(a, "en"), text.Stem(b, "en")
		put(a, b)
		put(b, a)
	}
	return m
}()

// Direction looks for a word exchanged for its opposite: rose for fell, before for after. It fires (OK is false) only when a
// sentence of the source is the claim in nearly the same order with exactly one such exchange, and no close sentence
// agrees with the claim. A turned comparison (A above B, B below A) is not in the same order and is left alone.
func Direction(claim, source string) Match {
	for _, c := range sentencesOf(claim) {
		if m := eachReading(c, func(c string) Match { return directionOf(c, source) }); !m.OK {
			return m
		}
	}
	return Match{OK: true}
}

func directionOf(claim, source string) Match {
	if langOf(claim) == "zh" {
		return directionZh(claim, source)
	}
	cw := wordsOf(claim)
	stems := directed(cw)
	if len(stems) < minDirectionLen {
		return Match{OK: true}
	}
	flip := ""
	for _, s := range sentencesOf(source) {
		sw := wordsOf(s)
		other := directed(sw)
		if near(stems, other) && float64(common(stems, other)) >= float64(len(stems))-0.5 {
			return Match{OK: true, Reason: "a close sentence agrees"}
		}
		a, b := exchanged(stems, other)
		if a == "" || negated(cw).reach[a] || negated(sw).reach[b] {
			continue // "did not rise" for "fell" is no flip
		}
		if flip == "" {
			flip = fmt.Sprintf("%q where the source has %q", a, b)
		}
	}
	return Match{OK: flip == "", Reason: flip}
}

// directed returns the content stems and, with them, the words of direction that are otherwise dropped as stop words.
func directed(words []word) []string {
	var out []string
	for _, w := range words {
		if w.content || opposites[w.stem] != nil && !negators[w.norm] {
			out = append(out, w.stem)
		}
	}
	return out
}

// exchanged returns the word of the claim, and its opposite in the sentence, when putting the one for the other makes the
// sentence close to the claim and this is the only such exchange.
func exchanged(claim, sentence []string) (a, b string) {
	base := common(claim, sentence)
	for _, w := range claim {
		if opposites[w] == nil || slices.Contains(sentence, w) {
			continue
		}
		for j, o := range sentence {
			if !opposites[w][o] || slices.Contains(claim, o) {
				continue
			}
			turned := slices.Clone(sentence)
			turned[j] = w
			// The exchange must stand in its place: it makes the common order one longer.
			if common(claim, turned) == base+1 && near(claim, turned) {
				if a != "" {
					return "", "" // two exchanges: a different statement
				}
				a, b = w, o
				break
			}
		}
	}
	return a, b
}

// directionZh exchanges each pair in the claim and looks for the result in the source.
func directionZh(claim, source string) Match {
	c := runesOf(text.Fold(claim))
	if len(c) < 2*minDirectionLen {
		return Match{OK: true}
	}
	flip := ""
	for _, s := range sentencesOf(source) {
		folded := text.Fold(s)
		other := runesOf(folded)
		if len(other) > maxSentence {
			continue
		}
		agrees, turned := false, ""
		for _, p := range zhOpposites {
			for _, q := range [][2]string{p, {p[1], p[0]}} {
				if !strings.Contains(claim, q[0]) || strings.Contains(claim, q[1]) {
					continue
				}
				switch {
				case strings.Contains(folded, q[0]) && near(c, other):
					agrees = true
				case strings.Contains(folded, q[1]) && !strings.Contains(folded, q[0]) && near(c, runesOf(strings.ReplaceAll(folded, q[1], q[0]))):
					turned = q[0] + " where the source has " + q[1]
				}
			}
		}
		switch { // a sentence with two such words agrees only when neither is turned
		case turned != "":
			flip = turned
		case agrees:
			return Match{OK: true, Reason: "a close sentence agrees"}
		}
	}
	return Match{OK: flip == "", Reason: flip}
}

// Bounds of a flip that is certain: two sentences with the same content words in the same order.
const (
	certainContainment = 0.9
	certainOrder       = 0.9
)

// Flipped reports whether a claim is certainly a sentence of the source turned round: [Polarity] fires for one of its sentences, and a
// whole sentence of the source has the same content words, both ways and in order, and one negation more or less.
func Flipped(claim, source string) bool {
	for _, c := range sentencesOf(claim) {
		if polarityOf(c, source).OK {
			continue
		}
		for _, s := range sentencesOf(source) {
			if langOf(c) == "zh" && flippedZh(c, s) || langOf(c) != "zh" && flippedEn(c, s) {
				return true
			}
		}
	}
	return false
}

func flippedEn(claim, sentence string) bool {
	cw, sw := regular(wordsOf(claim)), regular(wordsOf(sentence))
	a, b := contentStems(cw), contentStems(sw)
	if len(a) == 0 || len(b) == 0 || text.Containment(setOf(a), setOf(b)) < certainContainment || text.Containment(setOf(b), setOf(a)) < certainContainment {
		return false
	}
	n := negations(cw) - negations(sw)
	return (n == 1 || n == -1) && float64(common(a, b)) >= certainOrder*float64(max(len(a), len(b)))
}

// negations counts the plain negators of a sentence that turn something round.
func negations(words []word) int {
	n := 0
	for i, w := range words {
		if !negators[w.norm] || contractionStems[w.norm] && (i+1 >= len(words) || words[i+1].norm != "t") || idle(words[i+1:]) {
			continue
		}
		n++
	}
	return n
}

func flippedZh(claim, sentence string) bool {
	a, b := readZh([]rune(text.Fold(claim))), readZh([]rune(text.Fold(sentence)))
	if len(a.bare) == 0 || len(b.bare) == 0 || len(a.bare) > maxSentence || len(b.bare) > maxSentence {
		return false
	}
	n := len(a.negated) - len(b.negated)
	return (n == 1 || n == -1) && float64(common(a.bare, b.bare)) >= certainOrder*float64(max(len(a.bare), len(b.bare)))
}
