package answer

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// literals are the words that stand for a value in JSON, JavaScript and Python.
var literals = map[string]any{"true": true, "false": false, "null": nil, "none": nil, "undefined": nil, "nan": nil}

// literal reports whether s begins with one of them.
func literal(s string) bool {
	n := 0
	for n < len(s) && n < 12 && letter(s[n]) {
		n++
	}
	_, ok := literals[strings.ToLower(s[:n])]
	return ok && n > 0
}

// callName is the name of a function before its arguments: ObjectId("1"), callback({...}).
var callName = regexp.MustCompile(`^[A-Za-z_$][\w$.]{0,60}[ \t\x{a0}]*\(`)

// call reports whether a function's name and its parenthesis stand at i.
func (p *loose) call(i int) bool {
	return callName.MatchString(p.s[i:min(len(p.s), i+80)])
}

// name reads the name of a member; false when none stands here.
func (p *loose) name() (string, bool) {
	if _, n := p.quote(p.i); n > 0 {
		return p.text(atKey)
	}
	start := p.i
	for p.i < len(p.s) && p.left >= 0 {
		p.left--
		if _, n := p.quote(p.i); n > 0 || strings.IndexByte(":=,{}[]\n", p.s[p.i]) >= 0 {
			break
		}
		p.i++
	}
	name := strings.TrimSpace(p.s[start:p.i])
	return name, name != ""
}

// word reads a value without quotation marks: a literal, a number, a call, else a string.
func (p *loose) word(at place) (any, bool) {
	if p.call(p.i) {
		at := p.i + strings.IndexByte(p.s[p.i:], '(')
		if rest := p.spaceFrom(at + 1); rest < len(p.s) && len(p.open) < maxNesting {
			p.i = at + 1
			p.open = append(p.open, '(')
			v, ok := p.value(atItem)
			p.open = p.open[:len(p.open)-1]
			p.space()
			for p.i < len(p.s) && (p.s[p.i] == ')' || p.s[p.i] == ';') {
				p.i++
			}
			return v, ok
		}
	}
	s, marked := p.bare(at)
	if s == "" {
		return nil, false
	}
	if n, ok := number(s); ok {
		return n, true
	}
	if v, ok := literals[strings.ToLower(s)]; ok && !marked {
		return v, true
	}
	return s, true
}

// bare reads a string that has no opening mark and reports whether it had a closing one. It ends at a bracket or a line
// break, at a comma unless the text plainly goes on, and at a mark.
func (p *loose) bare(at place) (s string, marked bool) {
	start := p.i
	if u := p.url(start); u > start {
		p.i = u
		return p.s[start:u], false
	}
	if p.s[start] == '/' { // a regular expression
		if n := strings.IndexAny(p.s[start+1:min(len(p.s), start+lookahead)], "/\n"); n >= 0 && p.s[start+1+n] == '/' {
			p.i = start + n + 2
			for p.i < len(p.s) && letter(p.s[p.i]) {
				p.i++
			}
			return p.s[start:p.i], false
		}
	}
	curly := 0
	for p.i < len(p.s) && p.left >= 0 {
		p.left--
		b := p.s[p.i]
		if _, n := p.quote(p.i); n > 0 && b != '\'' && b < utf8.RuneSelf {
			if p.keyAhead(p.i) {
				break
			}
			if p.followed(p.i + n) {
				s = strings.TrimSpace(p.s[start:p.i])
				p.i += n
				return s, true
			}
			if at != atValue {
				break
			}
		}
		switch {
		case b == '{' && p.i > start && letter(p.s[p.i-1]) && p.i+1 < len(p.s) && letter(p.s[p.i+1]):
			curly++
		case b == '}' && curly > 0:
			curly--
		case b == '\n' || strings.IndexByte("{}[]", b) >= 0,
			b == ')' && p.within('('),
			b == '/' && (strings.HasPrefix(p.s[p.i:], "/*") || strings.HasPrefix(p.s[p.i:], "//") && (p.i == start || p.s[p.i-1] != ':')),
			b == ',' && (at != atValue || !p.bareGoesOn(p.i+1)):
			return strings.TrimSpace(p.s[start:p.i]), false
		}
		p.i++
	}
	return strings.TrimSpace(p.s[start:p.i]), false
}

// bareGoesOn reports whether a string without an opening mark goes on after a comma: the mark that closes it is still to come
// on the line, before any name.
func (p *loose) bareGoesOn(i int) bool {
	words := false
	for n := 0; i < len(p.s) && n < lookahead && p.left >= 0; i, n = i+1, n+1 {
		p.left--
		switch b := p.s[i]; {
		case b == '"':
			return words && !p.keyAhead(i) && p.followed(i+1)
		case letter(b) || b >= utf8.RuneSelf:
			words = true
		case strings.IndexByte("\n{}[]:", b) >= 0:
			return false
		}
	}
	return false
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b == '$' }
func digit(b byte) bool  { return b >= '0' && b <= '9' }

// number is s as a JSON number, with what people add or leave out put right: 1_000, .5, 5., +5, 2e. It reports false for
// what is only like one: 007, 1/3, 1.2.3.
func number(s string) (json.Number, bool) {
	if s == "" || !digit(s[0]) && strings.IndexByte("+-.", s[0]) < 0 {
		return "", false
	}
	s = strings.TrimPrefix(s, "+")
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '_' && (!digit(s[i-1]) || !digit(s[i+1])) {
			return "", false
		}
	}
	s = strings.ReplaceAll(s, "_", "")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	mantissa, exponent, exp := strings.Cut(strings.ToLower(s), "e")
	if strings.HasSuffix(mantissa, ".") {
		mantissa += "0"
	}
	if mantissa == "" {
		if sign == "" || exp {
			return "", false
		}
		mantissa = "0"
	}
	s = sign + mantissa
	if exp {
		if exponent == "" || exponent == "+" || exponent == "-" {
			exponent += "0"
		}
		s += "e" + exponent
	}
	if !json.Valid([]byte(s)) {
		return "", false
	}
	return json.Number(s), true
}
