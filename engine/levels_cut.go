package engine

import (
	"regexp"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// cut makes level 1 without a model: of each finding the first sentence of its claim that can be cut at its verb. Subject, action and
// object together are that sentence, so that nothing is lost by the cut; a sentence in which the verb cannot be told is left out.
func (l *leveller) cut() []research.LevelFact {
	out := []research.LevelFact{}
	for _, b := range l.blocks {
		if len(out) >= mostFacts {
			break
		}
		for _, sp := range text.Sentences(b.Text) {
			s, a, o, ok := triple(b.Text[sp.Start:sp.End], l.lang)
			f := research.LevelFact{Subject: s, Action: a, Object: o, Findings: []string{b.ID}}
			if ok && l.fact(&f, []research.Block{b}) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

const (
	longestSubject  = 9  // words
	longestSentence = 36 // words; a longer one has more than one thing to say
	longestZh       = 90 // characters
	longestZhSubj   = 24
)

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

var (
	// copulas carry the tense of an English sentence and are hardly ever anything but its verb.
	copulas = wordsOf(`is are was were has have had became becomes consists contains includes`)
	// behindCopula may stand between a copula and its participle.
	behindCopula = wordsOf(`not also first been being now still already later originally`)
	// participles that do not end in -ed.
	participles = wordsOf(`built made written known held found given taken begun led set kept sold run born sent left brought bought shown drawn grown won lost paid put cut seen
		chosen spoken frozen hidden broken laid bound cast read sought taught thought told understood worn`)
	// noSubject are the words that a sentence does not begin with when what stands before its verb is its subject and can be understood alone.
	noSubject = wordsOf(`it they he she we you i this these those that there here who which what when where why how if whether while although though because since as in on at by for
		from with after before during under over to of and or but so yet then thus hence also however such its their his her our your my one both each either neither none another other
		not only even just most some many all any see note according unlike like between among without within until unless once more less`)
	// noneIn are words that open a clause of its own inside a subject.
	noneIn = wordsOf(`which who whom whose that where when while because if whether although and or`)
)

// triple cuts a sentence at its verb; ok is false when that cannot be done soundly.
func triple(sentence, lang string) (subject, action, object string, ok bool) {
	sentence = strings.TrimSpace(sentence)
	if strings.HasPrefix(sentence, "…") || strings.HasSuffix(sentence, "…") || strings.ContainsAny(sentence, "?？;；\t\n\"“”「」|") {
		return "", "", "", false
	}
	if lang == "zh" {
		return tripleZh(sentence)
	}
	return tripleEn(sentence)
}

func tripleEn(s string) (subject, action, object string, ok bool) {
	ts := text.Tokens(s)
	if len(ts) < 3 || len(ts) > longestSentence || !strings.HasSuffix(s, ".") || noSubject[ts[0].Norm] || strings.HasSuffix(ts[0].Norm, "ing") || !unicode.IsUpper([]rune(ts[0].Text)[0]) {
		return "", "", "", false
	}
	at := 1
	for at < len(ts) && !copulas[ts[at].Norm] {
		if at >= longestSubject || noneIn[ts[at].Norm] || strings.HasSuffix(ts[at].Norm, "ing") {
			return "", "", "", false
		}
		at++
	}
	if at+1 >= len(ts) || strings.ContainsAny(s[:ts[at].Start], ",:()—–[]") {
		return "", "", "", false
	}
	end := at + 1
	for end < len(ts) && behindCopula[ts[end].Norm] {
		end++
	}
	if end < len(ts)-1 && (strings.HasSuffix(ts[end].Norm, "ed") || participles[ts[end].Norm]) {
		end++
	}
	if end >= len(ts) || strings.ContainsAny(s[ts[at].Start:ts[end-1].End], ",:()") {
		return "", "", "", false
	}
	subject, action = strings.TrimSpace(s[:ts[at].Start]), strings.TrimSpace(s[ts[at].Start:ts[end-1].End])
	object = strings.TrimRight(strings.TrimSpace(s[ts[end-1].End:]), ". ")
	return subject, action, object, object != "" && !strings.ContainsAny(object[:1], ",:;()")
}

var (
	// verbsZh are verbs that are hardly ever a part of a longer word before which a subject stands.
	verbsZh = regexp.MustCompile(`始建于|建于|建成于|成立于|创建于|发布于|位于|属于|源于|毕业于|是由|拥有|包含|包括|提供|支持|采用|发布了|推出了|设有|共有|是`)
	// notSubjectZh opens a sentence whose subject stands elsewhere or cannot be understood alone.
	notSubjectZh = regexp.MustCompile(`^(?:它|他|她|这|那|该|其|此|但|如|若|当|因|由|虽|在|从|对|为|与|和|而|并|也|还|又|则|只|不|无|最|有|每|各|目前|同时|另|以|就|所|即|可|您|你|我|请|于|后|前)`)
	// yesZh are words that end in 是 and are none, or have another meaning.
	yesZh = regexp.MustCompile(`[但于还可若只总不就也都仍乃正凡要或如算而便本既老倒自像更]$`)
)

func tripleZh(s string) (subject, action, object string, ok bool) {
	rs := []rune(s)
	if len(rs) < 5 || len(rs) > longestZh || !strings.HasSuffix(s, "。") || notSubjectZh.MatchString(s) {
		return "", "", "", false
	}
	m := verbsZh.FindStringIndex(s)
	if m == nil || m[0] == 0 || len([]rune(s[:m[0]])) > longestZhSubj || strings.ContainsAny(s[:m[0]], "，、：（）,:()的") {
		return "", "", "", false
	}
	if yesZh.MatchString(s[:m[0]]) || strings.HasPrefix(s[m[1]:], "否") {
		return "", "", "", false
	}
	subject, action, object = strings.TrimSpace(s[:m[0]]), s[m[0]:m[1]], strings.TrimSpace(strings.TrimSuffix(s[m[1]:], "。"))
	return subject, action, object, len([]rune(object)) > 1 && !strings.HasPrefix(object, "，")
}
