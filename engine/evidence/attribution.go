package evidence

import (
	"regexp"
	"strings"
)

// saying are verbs with which a text gives what follows to somebody without a judgement of it. Verbs that turn it (denied,
// doubted) are none.
const (
	saying   = `(?:said|says|reported|reports|stated|states|wrote|writes|found|finds|noted|notes|announced|announces|shows?|showed|argued|argues|added|adds|explained|explains|observed|observes|concluded|concludes|confirmed|confirms|recorded|records|told \w+(?: \w+)?)`
	sayingZH = `(?:表示|指出|说道?|报告|报道|写道|认为|介绍|透露|称|统计|记载|证实|强调|公布|(?:的数据)?显示)`
)

var (
	toldBefore   = regexp.MustCompile(`^(?:According to [^,;:]{2,90}, |As [^,;:]{2,90} ` + saying + `, |[^,;:]{2,90}? ` + saying + ` that )`)
	toldBehind   = regexp.MustCompile(`(?:,? according to [^,;:]{2,90}|, (?:as )?[^,;:]{2,90} ` + saying + `)\W*$`)
	toldBeforeZH = regexp.MustCompile(`^(?:(?:根?据|按照?)[^，。；：]{2,30}[，：]|[^，。；：]{2,30}` + sayingZH + `[，：])`)
	toldBehindZH = regexp.MustCompile(`，[^，。；：]{2,30}` + sayingZH + `[。！]?$`)
)

// withoutAttribution returns a sentence without the words that say who says so; as it is when there are none, or when they
// hold a negation, which is then not about what is said.
func withoutAttribution(sentence string) string {
	before, behind := toldBefore, toldBehind
	if langOf(sentence) == "zh" {
		before, behind = toldBeforeZH, toldBehindZH
	}
	out := strings.TrimSpace(sentence)
	if at := before.FindStringIndex(out); at != nil && !denies(out[:at[1]]) {
		out = out[at[1]:]
	}
	if at := behind.FindStringIndex(out); at != nil && !denies(out[at[0]:]) {
		out = out[:at[0]]
	}
	return out
}

func denies(words string) bool {
	if strings.ContainsAny(words, "不没未否非无") {
		return true
	}
	for _, w := range wordsOf(words) {
		if negators[w.norm] {
			return true
		}
	}
	return false
}

// eachReading asks a matcher of a claim, and of the claim without the words that say who says so when it has found no sentence
// that speaks of the claim as it stands.
func eachReading(claim string, ask func(claim string) Match) Match {
	m := ask(claim)
	if !m.OK || m.Reason != "" {
		return m
	}
	if bare := withoutAttribution(claim); bare != strings.TrimSpace(claim) {
		return ask(bare)
	}
	return m
}
