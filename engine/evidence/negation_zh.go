package evidence

import (
	"slices"
	"strings"
	"unicode"

	"assay/engine/text"
)

// zhIdle are words that hold the sign of a negator and negate nothing, and double negatives, which affirm. The longest that
// fits is taken.
var zhIdle = strings.Fields(`不仅 不但 不过 不同 不断 不少 不久 不管 不论 不只 不单 不光 不止 不如 不妨 不禁 不料 不锈 不动产 不等式 不由 不愧 不然 不惜 不时 不幸 不间断 差不多 了不起
	不得不 不能不 不会不 不可不 不无 无不 莫不 无非 不外乎 不外 无论 无线 无穷 无人 未来 未免 未知 未必 未婚 未成年 淹没 沉没 埋没 出没 没收 没落 没药 是否 不可或缺 不在话下 不言而喻`)

// zhNegators are the signs that negate what follows, in two classes: those that do so as a rule, and those that do so only
// in the words of zhOnly, since elsewhere they are the first half of a compound (非交互, 非法, 无线, 无状态).
const zhNegators = "不没未"

// zhOnly are the words in which 非 and 无 negate the predicate.
var zhOnly = strings.Fields("并非 绝非 决非 均非 皆非 亦非 实非 本非 并无 毫无 尚无 均无 暂无 从无 无法 无需 无须 无权")

// zhModal are signs after a negator with which it stands before a predicate, whatever 的 or 式 comes later: 不是, 不能, 没有.
const zhModal = "是会能应要得曾有在被再许允支包提需"

// zhSuffix end an attribute: 不稳定的, 非交互式, 不确定性. The number is how many signs may stand between.
var zhSuffix = map[rune]int{'的': 4, '式': 3, '性': 2, '型': 3, '者': 3}

// zhText is a folded Chinese text without blanks and marks, and without the negators of its predicates.
type zhText struct {
	bare    []string // its other signs, one an element
	negated []int    // places in bare before which a negator stood
	coined  []int    // places in bare of a negating sign that is the first of a compound: 非 of 非交互
}

// readZh takes the negators of the predicates out of a folded clause.
func readZh(r []rune) zhText {
	var t zhText
	for i := 0; i < len(r); {
		if n := longest(r, i, zhIdle); n > 0 {
			for _, x := range r[i : i+n] {
				t.bare = append(t.bare, string(x))
			}
			i += n
			continue
		}
		if lacks(r, i) {
			t.negated = append(t.negated, len(t.bare))
			t.bare = append(t.bare, "有")
			i++
			continue
		}
		n, coined := negatorAt(r, i)
		switch {
		case n > 0:
			t.negated = append(t.negated, len(t.bare))
			i += n
			continue
		case coined:
			t.coined = append(t.coined, len(t.bare))
		}
		if !unicode.IsSpace(r[i]) && !unicode.IsPunct(r[i]) {
			t.bare = append(t.bare, string(r[i]))
		}
		i++
	}
	return t
}

// zhHad are signs before which 无 says that what 有 says is not so: 与此无关 and 与此有关.
const zhHad = "关效害益毒罪望意责用"

// lacks reports whether such a 无 stands at r[i], before no attribute of something else (无效的合同).
func lacks(r []rune, i int) bool {
	return r[i] == '无' && i+1 < len(r) && strings.ContainsRune(zhHad, r[i+1]) && !attribute(r[i+1:])
}

// negatorAt returns how many signs the negator of a predicate at r[i] has, 0 when there is none, and whether a compound
// begins there instead.
func negatorAt(r []rune, i int) (n int, coined bool) {
	switch {
	case strings.ContainsRune("非无", r[i]):
		if i > 0 && longest(r, i-1, zhOnly) > 0 || longest(r, i, zhOnly) > 0 {
			return 1, false
		}
		return 0, true
	case !strings.ContainsRune(zhNegators, r[i]):
		return 0, false
	case i > 0 && i+1 < len(r) && r[i-1] == r[i+1]:
		return 0, false // 是不是, 能不能
	case attribute(r[i+1:]):
		return 0, true
	case r[i] == '没' && i+1 < len(r) && r[i+1] == '有':
		return 2, false
	}
	return 1, false
}

// attribute reports whether what follows a negator is a short word with the suffix of an attribute that goes on: the
// 稳定的 of 不稳定的版本.
func attribute(after []rune) bool {
	if len(after) == 0 || strings.ContainsRune(zhModal, after[0]) {
		return false
	}
	for i, x := range after {
		if most, ok := zhSuffix[x]; ok && i > 0 && i <= most {
			return x != '的' || i+1 < len(after) && (unicode.IsLetter(after[i+1]) || unicode.IsDigit(after[i+1]))
		}
		if i >= 4 || !unicode.Is(unicode.Han, x) {
			return false
		}
	}
	return false
}

// longest returns the length of the longest of the words that stands at r[i], 0 when none does.
func longest(r []rune, i int, words []string) int {
	best := 0
	for _, w := range words {
		x := []rune(w)
		if len(x) > best && i+len(x) <= len(r) && slices.Equal(r[i:i+len(x)], x) {
			best = len(x)
		}
	}
	return best
}

// zhClauses cuts a folded sentence after the marks that end a clause; 、 only joins.
func zhClauses(s string) [][]rune {
	var out [][]rune
	for _, c := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("，；：。！？（）,;:!?()", r) }) {
		out = append(out, []rune(c))
	}
	return out
}

// polarityZh compares a Chinese claim with the clauses that speak of it after taking the negators of the predicates out of
// both: alike without them, and an odd number of negators more on one side before words that both have, is a flip.
func polarityZh(claim, source string) Match {
	c := readZh([]rune(text.Fold(claim)))
	if len(c.bare) < 2*minShortNegation {
		return Match{OK: true}
	}
	flip := ""
	for _, s := range sentencesOf(source) {
		for _, run := range nearZh(c, s) {
			if (c.heads(run)-run.heads(c))%2 == 0 {
				return Match{OK: true, Reason: "a close sentence agrees"}
			}
			if len(c.bare) < 2*minNegationLen && !flippedZh(claim, s) {
				continue
			}
			flip = "one of claim and source is negated"
		}
	}
	return Match{OK: flip == "", Reason: flip}
}

// nearZh returns the clauses of a sentence that speak of a claim; none of a sentence that is too long to be one.
func nearZh(c zhText, sentence string) []zhText {
	cs := zhClauses(text.Fold(sentence))
	n := 0
	for _, x := range cs {
		n += len(x)
	}
	if n > maxSentence {
		return nil
	}
	var out []zhText
	for _, run := range nearest(cs, c.bare, func(r []rune) []string { return readZh(r).bare }) {
		out = append(out, readZh(run))
	}
	return out
}

// heads counts the negators of t before words that the other text has too: a negator of anything else is not about what both
// speak of.
func (t zhText) heads(other zhText) int {
	n := 0
	for _, at := range t.negated {
		if at < len(t.bare) && holds(other.bare, t.bare[at:min(at+2, len(t.bare))]) {
			n++
		}
	}
	return n
}

// holds reports whether the signs stand one after the other in a text.
func holds(in, signs []string) bool {
	for i := 0; i+len(signs) <= len(in); i++ {
		if slices.Equal(in[i:i+len(signs)], signs) {
			return true
		}
	}
	return false
}

// Coined looks for a sentence that speaks of the negative kind of what the claim speaks of, or the other way round: 非交互式 or
// "non-interactive" where the other has 交互式 or "interactive". That is no denial, and no confirmation either. It fires (OK
// is false) only when a sentence is close to the claim in this way and no other close one has the claim's own word.
func Coined(claim, source string) Match {
	other := ""
	for _, c := range sentencesOf(claim) {
		zh := langOf(c) == "zh"
		var said zhText
		var words []word
		if zh {
			said = readZh([]rune(text.Fold(c)))
		} else {
			words = wordsOf(c)
		}
		found, agrees := "", false
		for _, s := range sentencesOf(source) {
			var kinds []string
			if zh {
				for _, run := range nearZh(said, s) {
					kinds = append(kinds, unlikeKind(said.kinds(), said.bare, run.kinds(), run.bare))
				}
			} else {
				for _, run := range nearest(clauses(wordsOf(s)), contentStems(words), contentStems) {
					kinds = append(kinds, unlikeKind(kindsOf(words), stemsOf(words), kindsOf(run), stemsOf(run)))
				}
			}
			for _, k := range kinds {
				agrees = agrees || k == ""
				if found == "" {
					found = k
				}
			}
		}
		if found != "" && !agrees {
			other = found
		}
	}
	if other == "" {
		return Match{OK: true}
	}
	return Match{Reason: "only one of claim and source speaks of " + other, Missing: []string{other}}
}

// kinds lists the words behind the negating signs of compounds, two signs each.
func (t zhText) kinds() []kind {
	var out []kind
	for _, at := range t.coined {
		if at+3 <= len(t.bare) {
			out = append(out, kind{strings.Join(t.bare[at:at+3], ""), t.bare[at+1 : at+3]})
		}
	}
	return out
}

// kind is a compound with a negating first part, and the rest of it.
type kind struct {
	name string
	rest []string
}

// kindsOf lists the compounds with "non" of an English clause.
func kindsOf(words []word) []kind {
	var out []kind
	for i := 0; i+1 < len(words); i++ {
		if words[i].norm == "non" {
			out = append(out, kind{"non-" + words[i+1].norm, []string{words[i+1].stem}})
		}
	}
	return out
}

func stemsOf(words []word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.stem)
	}
	return out
}

// unlikeKind names a compound of one side whose rest the other side has without the negating part.
func unlikeKind(a []kind, inA []string, b []kind, inB []string) string {
	for _, x := range []struct {
		have, lack []kind
		other      []string
	}{{a, b, inB}, {b, a, inA}} {
		for _, k := range x.have {
			same := func(o kind) bool { return slices.Equal(o.rest, k.rest) }
			if !slices.ContainsFunc(x.lack, same) && holds(x.other, k.rest) {
				return k.name
			}
		}
	}
	return ""
}
