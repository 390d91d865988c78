package engine

import (
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// The sides of a contested proposition. Which side a finding speaks for is told by code from its words: what praises the thing that the
// proposition is about speaks for it, what names a drawback speaks against it; of two things that are compared, what praises the other
// one speaks against it. A finding that does neither is on no side and stands in its section only.

// thesis is a contested proposition as its question words it.
type thesis struct {
	lang string
	a, b map[string]bool // stems that only one of two compared things is named by; b empty: one thing
	an   []string        // the same as written, folded, for Chinese
	bn   []string
	flip bool // the question says the first is worse
	own  map[string]bool
}

var (
	thanEN = regexp.MustCompile(`(?i)^(?:is|are|was|were|does|do)\s+(?:an?\s+|the\s+|using\s+)?(.+?)\s+(?:really\s+|still\s+|actually\s+|work\s+|be\s+|a\s+)*((?:better|worse)(?:\s+\w+){0,2}|(?:more|less)\s+\w+(?:\s+\w+)?|\w+er)\s+than\s+(?:an?\s+|the\s+|using\s+)?(.+?)(?:\s+(?:for|in|on|as|when|at)\s+.*)?[?.!]*$`)
	overEN = regexp.MustCompile(`(?i)\b(?:should|ought)\b.*?\b(?:use|choose|prefer|run|install|take|pick|buy|adopt|switch to|move to)\s+(?:an?\s+|the\s+)?(.+?)\s+(?:instead of|rather than|over|and not|or)\s+(?:an?\s+|the\s+)?(.+?)(?:\s+(?:for|in|on|as|when)\s+.*)?[?.!]*$`)
	thanZH = regexp.MustCompile(`^(.+?)(?:是否|真的|是不是)?比(.+?)(?:更|要|还)?(?:好|安全|快|稳定|容易|可靠|合适|适合|便宜|差|慢|危险|有害)`)
	overZH = regexp.MustCompile(`应(?:该|当)?(?:不应该)?(?:使用|选择|用|采用|改用)(.+?)(?:而不是|还是|代替|取代)(.+?)[？?。]?$`)
	worse  = regexp.MustCompile(`(?i)^(?:worse|slower|weaker|less\b)|差|慢|危险|有害`)
)

// thesisOf reads the proposition in a question.
func thesisOf(u research.Understanding) thesis {
	t := thesis{lang: u.Lang, own: text.TermSet(u.Question, u.Lang)}
	forms := []*regexp.Regexp{thanEN, overEN}
	if u.Lang == "zh" {
		forms = []*regexp.Regexp{thanZH, overZH}
	}
	for i, re := range forms {
		m := re.FindStringSubmatch(strings.TrimSpace(u.Question))
		if m == nil {
			continue
		}
		a, b := m[1], m[len(m)-1]
		if i == 0 {
			how := m[2]
			if u.Lang == "zh" {
				how = m[0]
			}
			t.flip = worse.MatchString(how)
		}
		t.a, t.b = text.TermSet(a, u.Lang), text.TermSet(b, u.Lang)
		for s := range t.a {
			if t.b[s] {
				delete(t.a, s)
				delete(t.b, s)
			}
		}
		t.an, t.bn = []string{text.Fold(a)}, []string{text.Fold(b)}
		break
	}
	return t
}

// leaning are words by which a passage speaks well or ill of a thing, as they begin. They are of the general kind that reviews and
// debates use; none is of one subject.
var leaning = map[string]map[int][]string{
	"en": {
		1:  strings.Fields(`advantage benefit better best good recommend improv secure safe stable stability reliab robust easy easier easily fast faster efficient useful prefer suitable success successful popular flexible powerful simple simpler helps helpful protect gain ideal trust excellent mature proven superior worthwhile strength favour favor`),
		-1: strings.Fields(`drawback disadvantage problem risk danger insecure unsafe unstable broken break breaks fail failure difficult slow slower worse worst bad bug bugs crash complain criticis criticiz critic oppose controvers limitation lack deprecat obsolete outdated harm damage lose loss lost expensive complex complicated confus warn warning caution discourage unsupported vulnerab incompatib conflict unsuitable reject delay weakness trouble painful stale older regress`),
	},
	"zh": {
		1:  strings.Fields(`优点 优势 好处 更好 推荐 建议使用 安全 稳定 可靠 容易 方便 高效 适合 改进 有利 灵活 成熟 最好`),
		-1: strings.Fields(`缺点 劣势 问题 风险 危险 不安全 不稳定 困难 失败 崩溃 批评 反对 限制 不足 过时 弃用 避免 有害 损害 复杂 不推荐 不建议 冲突 不适合 陈旧 麻烦`),
	},
}

// deniers turn a word of [leaning] round; remedies do so only to blame: a fixed bug is no drawback.
var (
	deniers  = map[string]bool{"not": true, "no": true, "never": true, "without": true, "hardly": true, "cannot": true, "nor": true, "fewer": true, "less": true, "nothing": true, "isn": true, "doesn": true, "aren": true, "won": true}
	remedies = regexp.MustCompile(`^(?:fix|correct|prevent|avoid|resolv|solv|reduc|limit|remov|eliminat|detect|report|protect|against|overcom|debug)`)
)

// Bounds of what a word of [leaning] reaches, in words: how far before it a denial stands, and how far from it the name of what it is
// said of.
const (
	denialReach = 4
	nameReach   = 7
)

// side says whether words speak for the proposition (more than 0), against it, or neither (0), and gives the sentence that does so most
// plainly. About, a heading and a title, says which of two compared things is meant where a sentence names none.
func (t thesis) side(words, about string) (side int, sentence string) {
	type said struct {
		sum int
		s   string
	}
	var all []said
	for _, sp := range text.Sentences(words) {
		s := strings.TrimSpace(words[sp.Start:sp.End])
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
			continue
		}
		n := 0
		if t.lang == "zh" {
			n = t.sideZh(s, about)
		} else {
			n = t.sideOf(s, about)
		}
		if t.flip {
			n = -n
		}
		if n != 0 {
			all = append(all, said{n, s})
			side += n
		}
	}
	most := 0
	for _, x := range all {
		if x.sum*side > 0 && max(x.sum, -x.sum) > most {
			most, sentence = max(x.sum, -x.sum), x.s
		}
	}
	return side, sentence
}

// sideOf reads one sentence.
func (t thesis) sideOf(s, about string) int {
	toks := text.Tokens(s)
	sum := 0
	for i, tok := range toks {
		v := 0
		for _, sign := range []int{1, -1} {
			for _, cue := range leaning["en"][sign] {
				if tok.Norm == cue || len(cue) >= 4 && strings.HasPrefix(tok.Norm, cue) {
					v = sign
				}
			}
		}
		// A word of the proposition itself says nothing of it, nor does a name that happens to praise, as Stable does.
		if v == 0 || t.own[text.Stem(tok.Norm, t.lang)] || i > 0 && tok.Text != strings.ToLower(tok.Text) {
			continue
		}
		turned := 0
		for j := max(0, i-denialReach); j < i; j++ {
			if deniers[toks[j].Norm] || strings.HasSuffix(toks[j].Norm, "n't") || v < 0 && remedies.MatchString(toks[j].Norm) {
				turned++
			}
		}
		if turned%2 == 1 {
			v = -v
		}
		sum += v * t.whose(toks, i, about)
	}
	return sum
}

// bothSides puts the claims that speak for a contested proposition and those that speak against it before those that do neither, in turn,
// so that neither side is crowded out; on each side they keep their order.
func (l *lens) bothSides(of []candidateClaim) []candidateClaim {
	t := thesisOf(l.meaning)
	var sides [3][]candidateClaim // for, against, neither
	for _, k := range of {
		p := l.pages[k.page]
		n, _ := t.side(l.excerptText(k), p.HeadingAt(p.Lines[k.line].Span.Start)+"\n"+p.Doc.Title)
		switch {
		case n > 0:
			sides[0] = append(sides[0], k)
		case n < 0:
			sides[1] = append(sides[1], k)
		default:
			sides[2] = append(sides[2], k)
		}
	}
	out := make([]candidateClaim, 0, len(of))
	for i := 0; i < max(len(sides[0]), len(sides[1])); i++ {
		for _, s := range sides[:2] {
			if i < len(s) {
				out = append(out, s[i])
			}
		}
	}
	return append(out, sides[2]...)
}

// whose is 1 when the word at i is said of the thing of the proposition, -1 when it is said of the other one, and 0 when that cannot be
// told. Of one thing any word of the proposition near by is enough.
func (t thesis) whose(toks []text.Token, i int, about string) int {
	at := func(j int) int { // whom a word names
		if j < 0 || j >= len(toks) {
			return 0
		}
		stem := text.Stem(toks[j].Norm, t.lang)
		switch {
		case len(t.b) == 0 && t.own[stem], t.a[stem]:
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
		if n := at(i + d); n != 0 {
			return n
		}
	}
	if len(t.b) == 0 || len(toks) > 2*nameReach {
		return 0 // a long sentence that names neither near by speaks of something else
	}
	return t.names(about)
}

// names is which of two compared things a heading names alone.
func (t thesis) names(about string) int {
	have := text.TermSet(about, t.lang)
	n := 0
	for s := range have {
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

// sideZh is side for Chinese, which is read by its signs.
func (t thesis) sideZh(words, about string) int {
	folded := text.Fold(words)
	sum := 0
	masked := folded
	// What speaks ill first: a word of praise may stand in one of blame (不推荐).
	for _, sign := range []int{-1, 1} {
		for _, cue := range leaning["zh"][sign] {
			for from := 0; ; {
				k := strings.Index(masked[from:], cue)
				if k < 0 {
					break
				}
				k += from
				v := sign
				before := masked[max(0, k-9):k]
				if strings.HasSuffix(before, "不") || strings.HasSuffix(before, "没有") || strings.HasSuffix(before, "并非") || strings.HasSuffix(before, "不太") {
					v = -v
				}
				sum += v * t.whoseZh(folded, k, about)
				masked = masked[:k] + strings.Repeat("\x00", len(cue)) + masked[k+len(cue):]
				from = k + len(cue)
			}
		}
	}
	return sum
}

func (t thesis) whoseZh(folded string, k int, about string) int {
	if len(t.bn) == 0 {
		return 1 // a sentence of Chinese that was chosen for a question names what it asks about by pairs of signs
	}
	near := func(names []string) int {
		best := -1
		for _, n := range names {
			if i := strings.LastIndex(folded[:k], n); i >= 0 && (best < 0 || k-i < best) {
				best = k - i
			}
			if i := strings.Index(folded[k:], n); i >= 0 && (best < 0 || i+1 < best) {
				best = i + 1
			}
		}
		return best
	}
	a, b := near(t.an), near(t.bn)
	switch {
	case a < 0 && b < 0:
		return t.names(about)
	case b < 0 || a >= 0 && a <= b:
		return 1
	}
	return -1
}
