package answer

import (
	"strings"
)

// candidate is a stretch of text that may be the object.
type candidate struct {
	text   string
	closed bool   // its brackets match
	inner  bool   // it begins inside an earlier one whose brackets do not match
	how    Repair // Extracted when other text stood around it
}

// cut reports whether the text was cut off inside the candidate. One whose brackets do not match but which ends with one is
// broken in another way.
func (c candidate) cut() bool {
	end := strings.TrimRight(c.text, " \t\r\n`")
	return !c.closed && !strings.HasSuffix(end, "}") && !strings.HasSuffix(end, "]")
}

// candidates lists the outermost bracketed stretches of body in order. One whose brackets never match runs to the end.
func candidates(body string) []candidate {
	var out []candidate
	starts, open := 0, false
	for i := 0; i < len(body) && starts < maxStarts; i++ {
		if body[i] != '{' && body[i] != '[' {
			continue
		}
		starts++
		end, closed := match(body[i:])
		if end == 0 { // nested deeper than any form
			i = max(i, strings.LastIndexAny(body, "{["))
			continue
		}
		c := candidate{text: body[i : i+end], closed: closed, inner: open}
		open = open || !closed
		if strings.TrimSpace(body[:i]) != "" || strings.TrimSpace(body[i+end:]) != "" {
			c.how = Extracted
		}
		out = append(out, c)
		if closed {
			i += end - 1
		}
	}
	return out
}

// match returns the length of the bracketed value that s begins with, and whether its brackets match. When they do not, the
// length is that of s. It is 0 when s is nested deeper than maxNesting, on which parsers take time without bound.
func match(s string) (int, bool) {
	var stack []byte
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '"':
			j := stringEnd(s, i)
			if j < 0 {
				return len(s), false
			}
			i = j
		case '{', '[':
			if stack = append(stack, b); len(stack) > maxNesting {
				return 0, false
			}
		case '}', ']':
			if stack[len(stack)-1] != b-2 { // '{'+2 is '}' and '['+2 is ']'
				return len(s), false
			}
			stack = stack[:len(stack)-1]
			if len(stack) == 0 {
				return i + 1, true
			}
		}
	}
	return len(s), false
}

// stringEnd returns the index of the quote that closes the string opened at i, or -1.
func stringEnd(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return j
		}
	}
	return -1
}

// closings returns ways to end a text that was cut inside its object, the longest first: after each complete list element,
// and after each complete property as long as no list is open, with the brackets closed that are open there.
func closings(s string) []string {
	type cut struct {
		at    int
		close string
	}
	var cuts []cut
	var stack []byte
	note := func(at int) {
		if len(stack) == 0 || (stack[len(stack)-1] == '{' && strings.IndexByte(string(stack), '[') >= 0) {
			return
		}
		var b strings.Builder
		for k := len(stack) - 1; k >= 0; k-- {
			b.WriteByte(stack[k] + 2)
		}
		cuts = append(cuts, cut{at, b.String()})
		if len(cuts) > maxCuts {
			cuts = cuts[1:]
		}
	}
scan:
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '"':
			j := stringEnd(s, i)
			if j < 0 {
				break scan
			}
			i = j
		case '{', '[':
			stack = append(stack, b)
		case '}', ']':
			if len(stack) == 0 || stack[len(stack)-1] != b-2 {
				break scan
			}
			stack = stack[:len(stack)-1]
			note(i + 1)
		case ',':
			note(i)
		}
	}
	out := make([]string, 0, len(cuts))
	for k := len(cuts) - 1; k >= 0; k-- {
		out = append(out, s[:cuts[k].at]+cuts[k].close)
	}
	return out
}

func hex4(s string) bool {
	if len(s) < 4 {
		return false
	}
	for i := range 4 {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(s[i])) {
			return false
		}
	}
	return true
}
