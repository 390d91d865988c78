package text

import (
	"strings"
	"unicode/utf8"
)

// A limit is what the words of a bound mean.
type limit struct {
	words string
	lower bool
	in    bool
}

// limitsBefore stand before a number, the longer ones first; limitsAfter behind it.
var (
	limitsBefore = limitTable(`>: greater than or equal to | bigger than or equal to | more than or equal to | larger than or equal to | higher than or equal to | greater or equal than | bigger or equal than | greater or equal to |
		larger or equal than | more or equal than | no less than | not less than | no fewer than | not fewer than | no lower than | no smaller than | at least | a minimum of | minimum of | min of | minimum | min | >= | > = | ≥ | equal or greater than | equal to or greater than | equal or more than |
		不小于 | 不少于 | 不低于 | 大于等于 | 大于或等于 | 大于或者等于 | 高于等于 | 至少有 | 至少 | 最少有 | 最少 | 起码有 | 起码 | 至少为 | 最低`,
		`>!: in excess of | more than | greater than | larger than | bigger than | higher than | upwards of | better than | surpassing | exceeding | exceeds | exceed | exceeded | beyond | above | over | > | 大于 | 超过 | 高于 | 多于 | 超出 | 逾 | 超`,
		`<: less than or equal to | smaller than or equal to | lower than or equal to | fewer than or equal to | less or equal than | smaller or equal than | less or equal to | no more than | not more than | no greater than | not greater than | no larger than | no bigger than | no higher than | not exceeding | not over |
		not above | at most | a maximum of | maximum of | max of | maximum | max | up to | <= | < = | ≤ | equal or less than | equal to or less than | 不大于 | 不超过 | 不多于 | 不高于 | 小于等于 | 小于或等于 | 小于或者等于 | 低于等于 | 至多为 | 至多 | 最多为 | 最多有 | 最多 | 最高`,
		`<!: less than | fewer than | smaller than | lower than | under | below | < | 小于 | 少于 | 低于 | 不到 | 不足 | 未满`)
	limitsAfter = limitTable(`>: or more | or above | or higher | or greater | or larger | or bigger | or over | and above | and up | and over | and more | and higher | or upwards | 或者以上 | 或以上 | 及以上 | 或者更多 | 或更多 | 或以上`,
		`<: or less | or below | or fewer | or lower | or smaller | or under | and below | and under | and less | 或者以下 | 或以下 | 及以下 | 或者更少 | 或更少`,
		`>!: 以上 | 之上 | 多 | 余`, `<!: 以下 | 之下 | 以内 | 之内`)
	approximators = []string{"approximately", "exactly", "precisely", "roughly", "around", "about", "almost", "nearly", "close to", "circa", "just over", "~", "大约", "大概", "约为", "约", "差不多", "将近", "接近", "近"}
)

func limitTable(lines ...string) []limit {
	var out []limit
	for _, line := range lines {
		head, words, _ := strings.Cut(line, ": ")
		for _, w := range strings.Split(words, "|") {
			out = append(out, limit{strings.TrimSpace(w), head[0] == '>', !strings.HasSuffix(head, "!")})
		}
	}
	return out
}

// maxLimit is how many bytes before a number are looked at for its bound.
const maxLimit = 48

// bound reads the words that bound an amount.
func bound(s string, a Amount) Amount {
	start := max(0, a.Start-maxLimit)
	before := strings.TrimRight(s[start:a.Start], " ")
	lower := asciiLower(before)
	if strings.HasSuffix(lower, "等于") && !strings.HasSuffix(lower, "小于等于") && !strings.HasSuffix(lower, "大于等于") && !strings.HasSuffix(lower, "不等于") && !strings.HasSuffix(lower, "低于等于") && !strings.HasSuffix(lower, "高于等于") && !strings.Contains(lower, "或") {
		a.Range, a.PhraseStart = true, start+len(before)-len("等于")
		return a
	}
	if l, at := lastLimit(lower); at >= 0 {
		a = a.limited(l)
		a.PhraseStart = start + at
		if l.words == "=" {
			a.PhraseStart = a.Start
		}
	}
	after := s[a.PhraseEnd:min(len(s), a.PhraseEnd+maxLimit)]
	trimmed := strings.TrimLeft(after, " ")
	skipped := len(after) - len(trimmed)
	low := asciiLower(trimmed)
	for _, w := range [...]string{"or equal to", "or equal"} {
		if strings.HasPrefix(low, w) && a.Range {
			a.LowIn, a.HighIn = a.Low != "", a.High != ""
			a.PhraseEnd += skipped + len(w)
			return a
		}
	}
	for _, l := range limitsAfter {
		n := len(l.words)
		k := 0
		if !strings.HasPrefix(low, l.words) {
			if l.words != "以上" && l.words != "以下" { // 20万次以上
				continue
			}
			c, w := utf8.DecodeRuneInString(low)
			if !strings.ContainsRune("个次人名条岁件", c) || !strings.HasPrefix(low[w:], l.words) {
				continue
			}
			k = w
		}
		if c := low[min(len(low), n):]; l.words[0] < utf8.RuneSelf && c != "" && (isASCIILetter(c[0]) || strings.HasPrefix(l.words, "or ") && strings.HasPrefix(c, " than") || strings.HasPrefix(l.words, "and ") && !strings.ContainsRune(".,;!?)", rune(c[0]))) || (l.words == "多" || l.words == "余") && (strings.HasPrefix(low, "多少") || a.Unit != "") {
			continue
		}
		a = a.limited(l)
		a.PhraseEnd += skipped + n + k
		return a
	}
	for _, w := range [...]string{"左右", "上下", "or so", "approximately"} {
		if strings.HasPrefix(low, w) {
			a.Approximate = true
			a.PhraseEnd += skipped + len(w)
			return a
		}
	}
	return approximate(s, a)
}

// lastLimit returns the bound that the text before a number ends with, and where it begins; -1 for none.
func lastLimit(before string) (limit, int) {
	trimmed := before
	for _, w := range [...]string{"about", "around", "the", "有", "为", "是", "了"} {
		if t := strings.TrimSuffix(trimmed, w); t != trimmed {
			trimmed = strings.TrimRight(t, " ")
		}
	}
	best, at := limit{}, -1
	for _, text := range [...]string{before, trimmed} {
		compact := text
		for _, l := range limitsBefore {
			if len(l.words) <= len(best.words) || !strings.HasSuffix(compact, l.words) {
				continue
			}
			k := len(compact) - len(l.words)
			if isASCIILetter(l.words[0]) && k > 0 && isASCIILetter(compact[k-1]) || k > 0 && strings.IndexByte("<>=", compact[k-1]) >= 0 {
				continue
			}
			best, at = l, k
		}
		// the spaced Chinese form: 小于 或 等于
		if at < 0 {
			if k := strings.LastIndex(compact, "小于 或 等于"); k >= 0 && k+len("小于 或 等于") == len(compact) {
				best, at = limit{"小于等于", false, true}, k
			}
			if k := strings.LastIndex(compact, "大于 或 等于"); k >= 0 && k+len("大于 或 等于") == len(compact) {
				best, at = limit{"大于等于", true, true}, k
			}
		}
	}
	return best, at
}

// limited opens one end of the amount.
func (a Amount) limited(l limit) Amount {
	a.Range = true
	if l.lower {
		a.High, a.LowIn, a.HighIn = "", l.in, false
	} else {
		a.Low, a.HighIn, a.LowIn = "", l.in, false
	}
	return a
}

// approximate reads "about", 大约 before an amount.
func approximate(s string, a Amount) Amount {
	start := max(0, a.PhraseStart-maxLimit)
	before := strings.TrimRight(s[start:a.PhraseStart], " ")
	lower := asciiLower(before)
	for _, w := range approximators {
		if !strings.HasSuffix(lower, w) {
			continue
		}
		k := len(lower) - len(w)
		if isASCIILetter(w[0]) && k > 0 && isASCIILetter(lower[k-1]) || strings.HasSuffix(lower[:k], "how ") || strings.HasSuffix(lower[:k], "what ") {
			continue
		}
		a.Approximate, a.PhraseStart = true, start+k
		break
	}
	return a
}

// asciiLower lowers ASCII letters and keeps every offset, also in text that is cut within a character.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// joinBounds makes one range of two bounds that belong together: "greater than 30 and less than 40", 大于10小于20.
func joinBounds(s string, in []Amount) []Amount {
	out := in[:0:0]
	for _, a := range in {
		if n := len(out); n > 0 {
			p := out[n-1]
			mid := strings.TrimSpace(asciiLower(s[min(p.PhraseEnd, a.PhraseStart):a.PhraseStart]))
			behind := p.PhraseStart == p.Start && a.PhraseStart == a.Start && p.PhraseEnd > p.End && a.PhraseEnd > a.End
			joins := (mid == "，" || mid == ",") && behind || mid == "and" || mid == "but" || mid == "" || mid == "且" || mid == "并" || mid == "并且" || mid == "同时" || mid == "的同时" || mid == "而" || mid == "而且"
			lower, upper := p, a
			if p.Low == "" {
				lower, upper = a, p
			}
			if joins && p.Range && a.Range && lower.High == "" && upper.Low == "" && lower.Low.Known() && upper.High.Known() && lower.Low.Cmp(upper.High) < 0 {
				p.Low, p.LowIn, p.High, p.HighIn = lower.Low, lower.LowIn, upper.High, upper.HighIn
				p.End, p.PhraseEnd, p.Parts = a.End, a.PhraseEnd, append(p.Parts, a.Parts...)
				p.Text = s[p.Start:p.End]
				out[n-1] = p
				continue
			}
		}
		out = append(out, a)
	}
	return out
}
