package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// looseWork bounds how many characters are looked at for one of text: a loose reading looks ahead, but never far, and gives
// up on a text that makes it look ahead again and again.
const looseWork = 48

// place is where a value stands, which decides what may follow it.
type place byte

const (
	atRoot  place = iota
	atKey         // before a colon
	atValue       // after a colon
	atItem        // in a list
)

// loose reads text that means to be JSON as a person would: it takes a quote for the end of a string when what follows could
// follow a string there, and puts in or leaves out whatever bracket, comma or colon makes the rest readable. It looks at each
// character a bounded number of times.
type loose struct {
	s    string
	i    int    // the next byte
	left int    // characters that may still be looked at
	open []byte // the brackets that are open here, outermost first: '{', '[', '('
	next int    // where the next bracket or fence after i is, see nextStart
	cut  bool   // the text ended inside a value
}

// readLoosely reads the value in s and reports whether the text ended inside it. ok is false when there is none, when s is
// nested deeper than maxNesting and when the bound on its work is met.
func readLoosely(s string) (v any, cut, ok bool) {
	p := &loose{s: s, left: looseWork * (len(s) + 64), next: -1}
	vals := p.all()
	if p.left < 0 || len(vals) == 0 {
		return nil, false, false
	}
	return several(vals), p.cut, true
}

// several is the one of vals that says something, the list of them when more do, and the first when none does. Bare words
// and strings beside an object or a list are prose.
func several(vals []any) any {
	built := slices.ContainsFunc(vals, compound)
	var telling []any
	for _, v := range vals {
		if !hollow(v) && (!built || compound(v)) {
			telling = append(telling, v)
		}
	}
	switch len(telling) {
	case 0:
		return vals[0]
	case 1:
		return telling[0]
	}
	return telling
}

func compound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// all reads the values that follow one another, with prose between them left out.
func (p *loose) all() []any {
	var vals []any
	for p.left >= 0 {
		fence := p.between()
		if p.i >= len(p.s) {
			return vals
		}
		switch c := p.s[p.i]; {
		case c == '{' || c == '[' || c == '(' && (fence || p.i == 0):
			if v, ok := p.value(atRoot); ok {
				vals = append(vals, v)
			}
			continue
		case len(vals) > 0 && p.more(vals[len(vals)-1]):
			continue
		}
		_, quoted := p.quote(p.i)
		if at := p.nextStart(); at < len(p.s) && !p.call(p.i) && (quoted == 0 || len(vals) > 0) {
			p.i = at
			continue
		}
		if len(vals) > 0 && compound(vals[0]) {
			return vals // prose after the value
		}
		before := p.i
		if v, ok := p.value(atRoot); ok {
			vals = append(vals, v)
		}
		if p.i == before {
			p.i++
		}
	}
	return vals
}

// nextStart returns where the next bracket or fence is, the end of the text when there is none.
func (p *loose) nextStart() int {
	if p.next >= p.i {
		return p.next
	}
	p.next = len(p.s)
	if at := strings.IndexAny(p.s[p.i:], "{["); at >= 0 {
		p.next = p.i + at
	}
	if at := strings.Index(p.s[p.i:p.next], "```"); at >= 0 {
		p.next = p.i + at
	}
	return p.next
}

// more reads members that follow their object, {"a": 1}, "b": 2}, into it.
func (p *loose) more(v any) bool {
	m, ok := v.(map[string]any)
	if _, quoted := p.quote(p.i); !ok || quoted == 0 || !p.keyAhead(p.i) {
		return false
	}
	p.open = append(p.open, '{')
	p.members(m)
	p.open = p.open[:len(p.open)-1]
	return true
}

// between skips what may stand between two values and reports whether it ended with the opening line of a code fence.
func (p *loose) between() bool {
	fence := false
	for p.left >= 0 {
		p.space()
		switch {
		case strings.HasPrefix(p.s[p.i:], "```"):
			p.skipFence()
			fence = true
		case p.i < len(p.s) && strings.IndexByte(",;}])", p.s[p.i]) >= 0:
			p.i++
			fence = false
		default:
			return fence
		}
	}
	return false
}

// skipFence skips three backticks and the name of a language after them.
func (p *loose) skipFence() {
	p.i += 3
	for p.i < len(p.s) && (letter(p.s[p.i]) || digit(p.s[p.i])) {
		p.i++
	}
}

// space skips white space and comments.
func (p *loose) space() {
	p.i = p.spaceFrom(p.i)
}

// spaceFrom returns where the white space and the comments end that begin at i.
func (p *loose) spaceFrom(i int) int {
	for i < len(p.s) && p.left >= 0 {
		p.left--
		r, n := utf8.DecodeRuneInString(p.s[i:])
		switch {
		case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u180e':
			i += n
		case strings.HasPrefix(p.s[i:], "/*"):
			end := strings.Index(p.s[i+2:], "*/")
			if end < 0 {
				p.left -= len(p.s) - i
				return len(p.s)
			}
			p.left -= end
			i += end + 4
		case strings.HasPrefix(p.s[i:], "//") || r == '#' && lineStart(p.s, i):
			end := strings.IndexByte(p.s[i:], '\n')
			if end < 0 {
				end = len(p.s) - i
			}
			p.left -= end
			i += end
		default:
			return i
		}
	}
	return i
}

// lineStart reports whether only blanks stand before i on its line.
func lineStart(s string, i int) bool {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '\t') {
		i--
	}
	return i == 0 || s[i-1] == '\n'
}

// within reports whether a bracket of this kind is open.
func (p *loose) within(bracket byte) bool {
	for _, b := range p.open {
		if b == bracket {
			return true
		}
	}
	return false
}

// value reads one value; false when none stands here.
func (p *loose) value(at place) (any, bool) {
	p.space()
	if strings.HasPrefix(p.s[p.i:], "```") {
		p.skipFence()
		p.space()
	}
	if p.i >= len(p.s) || p.left < 0 {
		return nil, false
	}
	switch c := p.s[p.i]; c {
	case '{', '[', '(':
		if len(p.open) >= maxNesting {
			p.left = -1
			return nil, false
		}
		p.open = append(p.open, c)
		defer func() { p.open = p.open[:len(p.open)-1] }()
		p.i++
		if c == '{' {
			return p.object(), true
		}
		return p.list(c), true
	case ',', '}', ']', ')', ':', ';':
		return nil, false
	}
	if _, n := p.quote(p.i); n > 0 {
		if v, ok := p.fenced(); ok {
			return v, true
		}
		return p.joined(at)
	}
	return p.word(at)
}

// object reads the members after an opening brace. Names without any value, {'a', 'b'}, are a list.
func (p *loose) object() any {
	m := map[string]any{}
	names := p.members(m)
	if len(m) == 0 && len(names) > 1 {
		return names
	}
	for _, n := range names {
		if _, has := m[n.(string)]; !has {
			m[n.(string)] = nil
		}
	}
	return m
}

// members reads members into m up to the end of the object and returns the quoted names that had no value.
func (p *loose) members(m map[string]any) (names []any) {
	last := ""
	for p.left >= 0 {
		p.filler()
		if p.i >= len(p.s) {
			p.cut = true
			return names
		}
		switch c := p.s[p.i]; c {
		case '}':
			p.i++
			return names
		case ']', ')':
			if p.within(opening(c)) {
				return names
			}
			p.i++
			continue
		case ':':
			p.i++
			continue
		case '{', '[':
			list, had := m[last].([]any)
			if c == '{' || !had {
				if len(p.open) > 1 || c == '[' && len(m) > 0 {
					return names // it begins the next element
				}
				p.i++
				continue
			}
			if v, ok := p.value(atItem); ok { // "a": [1], [2]
				m[last] = append(list, v.([]any)...)
			}
			continue
		}
		if k, named := p.member(m); named {
			names = append(names, k)
		} else if k != "" {
			last = k
		}
	}
	return names
}

// member reads one member. It returns the name, and whether it is a quoted one that has no value.
func (p *loose) member(m map[string]any) (name string, alone bool) {
	before := p.i
	_, n := p.quote(p.i)
	name, ok := p.name()
	if !ok {
		p.i = max(p.i, before+1)
		return "", false
	}
	p.space()
	if p.i >= len(p.s) {
		if name != "" {
			m[name] = nil // the text was cut
		}
		return name, false
	}
	colon := false
	for p.i < len(p.s) && (p.s[p.i] == ':' || p.s[p.i] == '=' || p.s[p.i] == '>' && colon) {
		colon = true
		p.i++
	}
	if !colon {
		switch {
		case strings.IndexByte(",}]", p.s[p.i]) >= 0:
			return name, n > 0 // a bare word here is a remark
		case n == 0 && p.keyAhead(p.i):
			return "", false // so is one before a name
		}
	}
	v, _ := p.value(atValue)
	m[name] = v
	return name, false
}

// filler skips white space, comments, commas and ellipses.
func (p *loose) filler() {
	for p.left >= 0 {
		p.space()
		switch {
		case p.i < len(p.s) && (p.s[p.i] == ',' || p.s[p.i] == ';'):
			p.i++
		case strings.HasPrefix(p.s[p.i:], "..."):
			p.i += 3
		case strings.HasPrefix(p.s[p.i:], "…"):
			p.i += len("…")
		case strings.HasPrefix(p.s[p.i:], "```"):
			p.skipFence()
		default:
			return
		}
	}
}

// list reads the elements after an opening bracket or parenthesis. A parenthesis around one value is that value, as in
// Python; "name": value in a list is an object.
func (p *loose) list(bracket byte) any {
	out := []any{}
	closing := byte(']')
	if bracket == '(' {
		closing = ')'
	}
	comma, pairs := false, -1
	for p.left >= 0 {
		at := p.i
		p.filler()
		comma = comma || strings.IndexByte(p.s[at:p.i], ',') >= 0
		if p.i >= len(p.s) {
			p.cut = true
			break
		}
		switch c := p.s[p.i]; c {
		case closing:
			p.i++
			if bracket == '(' && len(out) == 1 && !comma {
				return out[0]
			}
			return out
		case '}':
			if p.within('{') {
				return out
			}
			p.i++
			continue
		case ']', ')':
			if c == ']' && p.within('[') {
				return out
			}
			p.i++
			continue
		case ':':
			out, pairs = p.pair(out, pairs)
			continue
		}
		before := p.i
		if v, ok := p.value(atItem); ok {
			out = append(out, v)
		}
		if p.i == before {
			p.i++
		}
	}
	return out
}

// pair turns the last element, which a colon follows, into a member of an object: of the one at pairs, which pair made
// before, when it stands next to it, else of a new one. It returns where that is.
func (p *loose) pair(out []any, pairs int) ([]any, int) {
	p.i++
	at := len(out) - 1
	if at < 0 {
		return out, pairs
	}
	name, ok := out[at].(string)
	if !ok {
		return out, pairs
	}
	v, _ := p.value(atValue)
	if m, ok := out[max(0, at-1)].(map[string]any); ok && at > 0 && pairs == at-1 {
		m[name] = v
		return out[:at], pairs
	}
	out[at] = map[string]any{name: v}
	return out, at
}

// opening is the bracket that a closing one closes.
func opening(closing byte) byte {
	if closing == ')' {
		return '('
	}
	return closing - 2 // '{'+2 is '}' and '['+2 is ']'
}
