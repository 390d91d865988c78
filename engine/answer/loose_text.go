package answer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookahead bounds in bytes how far a quote is followed into what comes after it.
const lookahead = 200

// quote returns the class of the quotation mark at i and its length, 0 when none stands there. A string that a plain mark
// opened ends with the same mark; typographic marks of one class end one another.
func (p *loose) quote(i int) (class byte, n int) {
	if i >= len(p.s) {
		return 0, 0
	}
	switch p.s[i] {
	case '"', '\'':
		return p.s[i], 1
	case '`':
		if strings.HasPrefix(p.s[i:], "```") {
			return 0, 0
		}
		return 's', 1
	}
	if p.s[i] < utf8.RuneSelf {
		return 0, 0
	}
	switch r, n := utf8.DecodeRuneInString(p.s[i:]); r {
	case '“', '”', '„', '‟':
		return 'd', n
	case '‘', '’', '‚', '´':
		return 's', n
	}
	return 0, 0
}

// closes reports whether a mark of one class can end a string that one of another class opened.
func closes(opened, mark byte) bool {
	switch opened {
	case 'd':
		return mark == 'd' || mark == '"'
	case 's':
		return mark == 's' || mark == '\''
	}
	return mark == opened
}

// joined reads a string and those that a plus sign adds to it.
func (p *loose) joined(at place) (any, bool) {
	s, ok := p.text(at)
	for ok && p.left >= 0 {
		i := p.spaceFrom(p.i)
		if i >= len(p.s) || p.s[i] != '+' {
			break
		}
		i = p.spaceFrom(i + 1)
		if _, n := p.quote(i); n == 0 {
			break
		}
		p.i = i
		more, _ := p.text(at)
		s += more
	}
	return s, ok
}

// fenced reads the JSON in a code fence that a string consists of.
func (p *loose) fenced() (any, bool) {
	_, n := p.quote(p.i)
	if !strings.HasPrefix(p.s[p.i+n:], "```") {
		return nil, false
	}
	q := *p
	q.i += n
	q.skipFence()
	q.space()
	if q.i >= len(q.s) || q.s[q.i] != '{' && q.s[q.i] != '[' {
		return nil, false
	}
	v, ok := q.value(atRoot)
	q.space()
	if !ok || hollow(v) || !strings.HasPrefix(q.s[q.i:], "```") {
		p.left = q.left
		return nil, false
	}
	q.i += 3
	q.space()
	if _, n := q.quote(q.i); n > 0 {
		q.i += n
	}
	*p = q
	return v, true
}

// text reads a quoted string; false when the text ends right after its opening mark, unless a colon stood before it.
func (p *loose) text(at place) (string, bool) {
	class, n := p.quote(p.i)
	p.i += n
	if p.i >= len(p.s) {
		p.cut = true
		return "", at == atValue
	}
	// A mark written twice: ""name"".
	if c, m := p.quote(p.i); m > 0 && c == class {
		if i := p.i + m; i < len(p.s) && (letter(p.s[i]) || digit(p.s[i]) || p.s[i] >= utf8.RuneSelf) {
			p.i = i
		}
	}
	start := p.i
	var in nested
	for j := start; j < len(p.s) && p.left >= 0; {
		p.left--
		if p.s[j] == '\\' {
			j += 2
			continue
		}
		c, m := p.quote(j)
		if m == 0 || !closes(class, c) {
			in.note(p.s[j])
			_, n := utf8.DecodeRuneInString(p.s[j:])
			j += n
			continue
		}
		end, next, ok := p.ends(start, j, j+m, at, in)
		if ok {
			p.i = next
			return plainText(p.s[start:end]), true
		}
		in.marks++
		j += m
	}
	return p.unclosed(start, at), true
}

// nested counts the brackets that are open inside a string, and the marks that did not end it.
type nested struct{ round, square, curly, marks int }

func (n *nested) note(b byte) {
	switch b {
	case '(':
		n.round++
	case ')':
		n.round = max(0, n.round-1)
	case '[':
		n.square++
	case ']':
		n.square = max(0, n.square-1)
	case '{':
		n.curly++
	case '}':
		n.curly = max(0, n.curly-1)
	}
}

// ends decides whether the mark between j and after ends the string that began at start. It returns where the text of the
// string ends and where to read on, which is before the mark when the mark opens the next string and the string's own is
// missing.
func (p *loose) ends(start, j, after int, at place, in nested) (end, next int, ok bool) {
	i := p.spaceFrom(after)
	if i >= len(p.s) {
		return j, after, true
	}
	blank := i > after
	prev := strings.TrimRight(p.s[max(start, j-lookahead):j], " \t\r\n")
	last := byte(0)
	if prev != "" {
		last = prev[len(prev)-1]
	}
	if _, n := p.quote(i); n > 0 {
		next = p.endOfQuotes(after, i, n)
		if at == atValue {
			return j, next, p.keyAhead(i) || !blank && p.followed(i+n)
		}
		return j, next, in.marks%2 == 0
	}
	c := p.s[i]
	word := letter(c) || digit(c) || c >= utf8.RuneSelf || c == '-'
	// The string's own mark is missing before a comma, or before the colon of a name: this one opens the next string.
	if word && start < j {
		cut := start + strings.LastIndexByte(p.s[start:j], last)
		switch {
		case at == atKey && last == ':':
			return cut, cut, true
		case last == ',' && (at == atItem && p.itemAhead(j) || at == atValue && p.keyAhead(j)):
			return cut, cut, true
		}
	}
	switch c {
	case ':':
		return j, after, at == atKey || at == atItem || at == atRoot
	case '=':
		return j, after, at == atKey
	case ',':
		return j, after, p.goesOn(i+1, at)
	case '}':
		return j, after, p.within('{') && (in.curly == 0 || p.closedAfter(i))
	case ']':
		return j, after, p.within('[') && (in.square == 0 || p.closedAfter(i)) || at == atValue && in.square == 0 && p.closedAfter(i)
	case ')':
		return j, after, p.within('(') && in.round == 0
	case '{', '[':
		return j, after, at != atValue && in.marks%2 == 0
	case '+':
		_, n := p.quote(p.spaceFrom(i + 1))
		return j, after, n > 0
	case ';':
		return j, after, at == atRoot
	case '`':
		return j, after, strings.HasPrefix(p.s[i:], "```")
	}
	switch at {
	case atKey: // a missing colon
		return j, after, literal(p.s[i:]) || digit(c) || c == '-'
	case atItem:
		if digit(c) || literal(p.s[i:]) {
			return j, after, p.followed(i + strings.IndexFunc(p.s[i:]+",", func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' }))
		}
	}
	// Words follow: the mark is inside the string, unless none is left that could end it.
	return j, after, !strings.ContainsAny(p.s[i:min(len(p.s), i+2*lookahead)], `"'”’`)
}

// endOfQuotes is where to read on after a mark: behind its double when it was written twice.
func (p *loose) endOfQuotes(after, i, n int) int {
	if i == after && p.followed(i+n) {
		return i + n
	}
	return after
}

// itemAhead reports whether a quoted string stands at i and an element's end after it.
func (p *loose) itemAhead(i int) bool {
	class, n := p.quote(i)
	for j := i + n; j < len(p.s) && j-i < lookahead; j++ {
		p.left--
		if c, m := p.quote(j); m > 0 && closes(class, c) {
			return p.followed(j + m)
		}
	}
	return true
}

// followed reports whether a comma, colon, closing bracket or the end of the text follows.
func (p *loose) followed(i int) bool {
	i = p.spaceFrom(min(i, len(p.s)))
	return i >= len(p.s) || strings.IndexByte(",:}]", p.s[i]) >= 0
}

// closedAfter reports whether the closing bracket at i is followed by what can follow one: the end, a comma, another one, a
// name.
func (p *loose) closedAfter(i int) bool {
	for i < len(p.s) && strings.IndexByte("}])", p.s[i]) >= 0 && p.left >= 0 {
		i = p.spaceFrom(i + 1)
	}
	return i >= len(p.s) || p.s[i] == ',' || p.s[i] == ';' || strings.HasPrefix(p.s[i:], "```") || p.keyAhead(i)
}

// goesOn reports whether what follows a comma can be the next element or member.
func (p *loose) goesOn(i int, at place) bool {
	i = p.spaceFrom(i)
	if i >= len(p.s) {
		return true
	}
	c := p.s[i]
	if strings.IndexByte("}][{,.", c) >= 0 {
		return true
	}
	if at == atValue || at == atRoot && p.within('{') {
		return p.keyAhead(i) || p.remarkAhead(i)
	}
	if _, n := p.quote(i); n > 0 || digit(c) || c == '-' || c == '(' || literal(p.s[i:]) {
		return true
	}
	// A bare word: it is part of the string when a mark comes after it.
	return !strings.ContainsAny(p.s[i:min(len(p.s), i+lookahead)], `"'`)
}

// keyAhead reports whether a name and a colon stand at i.
func (p *loose) keyAhead(i int) bool {
	if i >= len(p.s) {
		return false
	}
	class, n := p.quote(i)
	j := i + n
	for ; j < len(p.s) && j-i < lookahead/2; j++ {
		p.left--
		if n == 0 {
			if b := p.s[j]; !letter(b) && !digit(b) && b != '-' && b < utf8.RuneSelf {
				break
			}
			continue
		}
		if p.s[j] == '\n' || p.s[j] == ',' || p.s[j] == ':' && n > 0 {
			break
		}
		if c, m := p.quote(j); m > 0 && closes(class, c) {
			j += m
			break
		}
	}
	if j == i+n && n == 0 {
		return false
	}
	if n > 0 && j < len(p.s) && p.s[j] == '"' { // written twice
		j++
	}
	for end := min(len(p.s), j+lookahead/4); j < end && (p.s[j] == ' ' || p.s[j] == '\t'); {
		j++
	}
	return j < len(p.s) && p.s[j] == ':' && (n > 0 || !strings.HasPrefix(p.s[j:], "://"))
}

// remarkAhead reports whether one bare word and a quoted name after it stand at i: "a": 1, SEE "b": 2.
func (p *loose) remarkAhead(i int) bool {
	j := i
	for j < len(p.s) && j-i < lookahead/4 && letter(p.s[j]) {
		j++
	}
	if j == i {
		return false
	}
	for j < len(p.s) && p.s[j] == ' ' {
		j++
	}
	_, n := p.quote(j)
	return n > 0 && p.keyAhead(j)
}

// unclosed reads a string whose closing mark is missing: up to the next member or element, else without the brackets that
// close the text.
func (p *loose) unclosed(start int, at place) string {
	end := len(p.s)
	stops := ""
	switch at {
	case atKey:
		stops = ":,}\n"
	case atItem:
		stops = ",]\n"
		if u := p.url(start); u > start {
			end, stops = u, ""
		}
	}
	if at := strings.IndexAny(p.s[start:], stops); at >= 0 {
		end = start + at
	}
	if at == atValue {
		end = p.memberEnd(start)
	}
	p.cut = p.cut || end == len(p.s)
	p.left -= end - start
	p.i = end
	return strings.TrimRight(plainText(p.s[start:end]), " \t\r\n")
}

// memberEnd is where the value of a member that began at start ends when nothing marks it: before the next member, else
// before the brackets that close the text.
func (p *loose) memberEnd(start int) int {
	end := len(p.s)
	for i := start; i < len(p.s) && p.left >= 0; i++ {
		p.left--
		if b := p.s[i]; b == ',' || b == '\n' {
			k := p.spaceFrom(i + 1)
			if p.keyAhead(k) || b == '\n' && k < len(p.s) && (p.s[k] == '}' || p.s[k] == ']') {
				end = i
				break
			}
			i = max(i, k-1)
		}
	}
	body := strings.TrimRight(p.s[start:end], " \t\r\n`")
	for range p.open {
		if !strings.HasSuffix(body, "}") && !strings.HasSuffix(body, "]") {
			return end
		}
		body = strings.TrimRight(body[:len(body)-1], " \t\r\n")
		end = start + len(body)
	}
	return end
}

// url returns where an address that begins at start ends; start when none does.
func (p *loose) url(start int) int {
	rest := p.s[start:]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "ftp://") {
		return start
	}
	if n := strings.IndexAny(rest, " \t\r\n,\"'<>[]{}|\\^`"); n >= 0 {
		return start + n
	}
	return len(p.s)
}

// drive is the beginning of a path on Windows.
var drive = regexp.MustCompile(`^[A-Za-z]:\\`)

// plainText resolves the escapes of a string. A backslash before two letters or more is kept, because that is LaTeX or a
// path; before anything else that needs none it is dropped. White space after a last line break is the layout of the text.
func plainText(s string) string {
	if strings.HasSuffix(strings.TrimRight(s, " \t\r"), "\n") {
		s = strings.TrimRight(s, " \t\r\n")
	}
	if !strings.Contains(s, `\`) {
		return s
	}
	if drive.MatchString(s) && (strings.Count(s, `\`) > 1 || !strings.Contains(s, " ")) {
		return strings.ReplaceAll(s, `\\`, `\`)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if i >= len(s) {
			break
		}
		if at := strings.IndexByte(`bfnrt`, s[i]); at >= 0 {
			b.WriteByte("\b\f\n\r\t"[at])
			continue
		}
		if s[i] == 'u' {
			if r, n := escaped(s[i-1:]); n > 0 {
				b.WriteRune(r)
				i += n - 2
				continue
			}
			if rest := s[i+1:]; len(rest) < 4 && strings.Trim(rest, "0123456789abcdefABCDEF") == "" {
				break // the text was cut inside it
			}
		}
		if letter(s[i]) && i+1 < len(s) && letter(s[i+1]) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escaped reads \uXXXX, or a surrogate pair of them, at the beginning of s and returns its length, 0 when there is none.
func escaped(s string) (rune, int) {
	unit := func(s string) (rune, bool) {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' || !hex4(s[2:]) {
			return 0, false
		}
		var r rune
		for _, c := range s[2:6] {
			r = r<<4 | rune(strings.IndexRune("0123456789abcdef", unicode.ToLower(c)))
		}
		return r, true
	}
	hi, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if hi >= 0xd800 && hi < 0xdc00 {
		if lo, ok := unit(s[6:]); ok && lo >= 0xdc00 && lo < 0xe000 {
			return 0x10000 + (hi-0xd800)<<10 + lo - 0xdc00, 12
		}
	}
	if hi >= 0xd800 && hi < 0xe000 {
		hi = utf8.RuneError
	}
	return hi, 6
}
