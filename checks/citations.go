package checks

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a citation mark: how many bytes one may take, how large a number is still an index (more is a year or a
// count), and how many indices a range may stand for.
const (
	maxMark   = 96
	maxIndex  = 999
	maxMarked = 32
)

// ParseCitations takes the citation marks out of one text of a model's answer and returns the clean text and the numbers
// they hold, each once, in order of first use. The numbers are as written: whether they are in range is citationindexrange's
// business. It reads [3], [1, 2], [1-3], [^4], [3](http://...), the full-width ［3］ and 【3】, 【3†source】 with whatever
// follows the dagger, <sup>3</sup>, and superscript digits after a word of four letters or more or after punctuation. It
// leaves alone what stands in `code`, numbers above 999, and superscripts that are units or powers (m², 10³).
//
// It is for prose. Of an answer that is JSON, decode first and parse each string. Parsing a clean text changes nothing.
func ParseCitations(text string) (clean string, refs []int) {
	p := citationParser{in: text, seen: map[int]bool{}}
	for p.at < len(p.in) {
		p.next()
	}
	return string(p.out), p.refs
}

// citationParser builds the clean text from left to right. Because a mark is recognised at its closing character, by
// looking back over what is already clean, no mark can be left over by taking out another.
type citationParser struct {
	in   string
	at   int
	out  []byte
	refs []int
	seen map[int]bool
	code bool
	cut  bool // a mark was just taken out: the spaces around it become one
}

func (p *citationParser) next() {
	r, size := utf8.DecodeRuneInString(p.in[p.at:])
	switch {
	case r == '`':
		p.code = !p.code
	case p.code:
	case superscript(r) >= 0:
		if p.superscripts() {
			return
		}
		// A run that is no mark is copied whole, so that its tail is not read as one.
		end := p.at
		for end < len(p.in) {
			r, n := utf8.DecodeRuneInString(p.in[end:])
			if superscript(r) < 0 {
				break
			}
			end += n
		}
		size = end - p.at
	case r == ']' || r == '］' || r == '】' || r == '>':
		if p.closes(r) {
			p.at += size
			if r == ']' {
				p.skipLink()
			}
			return
		}
	}
	if p.cut {
		p.tidy(r)
		p.cut = false
	}
	p.out = append(p.out, p.in[p.at:p.at+size]...)
	p.at += size
}

// tidy drops the space before a taken-out mark when what follows needs none.
func (p *citationParser) tidy(next rune) {
	if unicode.IsSpace(next) || strings.ContainsRune(".,;:!?)。，；：！？）", next) {
		p.trim()
	}
}

// trim drops the blanks at the end of what is clean so far.
func (p *citationParser) trim() {
	for len(p.out) > 0 && (p.out[len(p.out)-1] == ' ' || p.out[len(p.out)-1] == '\t') {
		p.out = p.out[:len(p.out)-1]
	}
}

// closes takes a mark off the end of the clean text when the closing rune r completes one.
func (p *citationParser) closes(r rune) bool {
	from := max(0, len(p.out)-maxMark)
	tail := string(p.out[from:])
	var open int
	var numbers []int
	switch r {
	case '>':
		open = strings.LastIndex(tail, "<sup>")
		body, ok := "", false
		if open >= 0 {
			body, ok = strings.CutSuffix(tail[open+len("<sup>"):], "</sup")
		}
		if !ok {
			return false
		}
		if body == "" { // what it held was a mark of its own, and is gone
			p.take(nil, from+open)
			return true
		}
		numbers = markNumbers(body)
	default:
		open = strings.LastIndexAny(tail, "[［【")
		if open < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(tail[open:])
		numbers = markNumbers(tail[open+size:])
	}
	if len(numbers) == 0 {
		return false
	}
	p.take(numbers, from+open)
	return true
}

// take notes the numbers and cuts the clean text back to where their mark began.
func (p *citationParser) take(numbers []int, from int) {
	for _, n := range numbers {
		if !p.seen[n] {
			p.seen[n] = true
			p.refs = append(p.refs, n)
		}
	}
	p.out = p.out[:from]
	p.cut = true
}

// skipLink passes over the address of [3](http://...).
func (p *citationParser) skipLink() {
	rest := p.in[p.at:]
	if !strings.HasPrefix(rest, "(http://") && !strings.HasPrefix(rest, "(https://") {
		return
	}
	if end := strings.IndexAny(rest, ")` \n"); end >= 0 && rest[end] == ')' {
		p.at += end + 1
	}
}

// superscripts takes a run of superscript digits that stands where a citation would.
func (p *citationParser) superscripts() bool {
	if !p.marksHere() {
		return false
	}
	end, body := p.at, []byte(nil)
	for end < len(p.in) && len(body) <= maxMark {
		r, size := utf8.DecodeRuneInString(p.in[end:])
		d := superscript(r)
		if d < 0 {
			break
		}
		body = append(body, "0123456789,-"[d])
		end += size
	}
	numbers := markNumbers(string(body))
	if len(numbers) == 0 {
		return false
	}
	p.take(numbers, len(p.out))
	p.at = end
	return true
}

// marksHere reports whether a superscript here is a citation: after punctuation, after a CJK character, or after a word of
// four letters or more, which no unit in use with a power is.
func (p *citationParser) marksHere() bool {
	letters := 0
	for end := len(p.out); end > 0; {
		r, size := utf8.DecodeLastRune(p.out[:end])
		if letters == 0 && (strings.ContainsRune(".,;:!?)\"'”’»。，；：！？）」』", r) || unicode.Is(unicode.Han, r)) {
			return true
		}
		if !unicode.IsLetter(r) {
			break
		}
		if letters++; letters >= 4 {
			return true
		}
		end -= size
	}
	return false
}

// superscript returns 0 to 9 for a superscript digit, 10 and 11 for the comma and the minus of a list, -1 for any other.
func superscript(r rune) int {
	switch r {
	case '⁰':
		return 0
	case '¹':
		return 1
	case '²':
		return 2
	case '³':
		return 3
	case '⁴', '⁵', '⁶', '⁷', '⁸', '⁹':
		return int(r - '⁰')
	case '˒':
		return 10
	case '⁻':
		return 11
	}
	return -1
}

// markNumbers reads the inside of a mark: numbers and ranges, separated by commas or semicolons, then perhaps a dagger and
// anything. It returns nil when it is none.
func markNumbers(body string) []int {
	body = strings.TrimPrefix(foldWidth(body), "^")
	body, tail, _ := strings.Cut(body, "†")
	if strings.ContainsAny(tail, "`\n") || body == "" {
		return nil
	}
	var out []int
	for _, part := range strings.FieldsFunc(body, func(r rune) bool { return r == ',' || r == ';' }) {
		lo, hi, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, ok := index(lo)
		if !ok {
			return nil
		}
		b := a
		if isRange {
			if b, ok = index(hi); !ok || b < a || b-a >= maxMarked {
				return nil
			}
		}
		for n := a; n <= b; n++ {
			out = append(out, n)
		}
	}
	if len(out) > maxMarked {
		return nil
	}
	return out
}

// foldWidth turns full-width digits and separators, and the long dashes, into their plain forms.
func foldWidth(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '，' || r == '、':
			return ','
		case r == '；':
			return ';'
		case r == '–' || r == '—' || r == '－' || r == '‑':
			return '-'
		case r == '　' || r == '\u00a0':
			return ' '
		}
		return r
	}, s)
}

// index reads a number of up to three digits.
func index(s string) (int, bool) {
	s = strings.TrimSpace(s)
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > maxIndex {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, s != "" && n <= maxIndex && len(s) <= 3
}
