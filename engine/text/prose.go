package text

import (
	"strings"
	"unicode/utf8"
)

// Quote is text within quotation marks; Start and End are without the marks.
type Quote struct {
	Text  string
	Start int
	End   int
}

// maxQuote is the longest quotation that is read, in bytes. A mark that is not closed within it was not a quotation.
const maxQuote = 4000

// Quotes returns the texts within double quotation marks of any style ("", “”, «», „“, 「」, 『』) in order. A quotation ends at
// the first mark that closes it, and does not cross a blank line.
func Quotes(s string) []Quote {
	var out []Quote
	barren := map[rune]int{} // no mark that closes this one before here
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && c != '"' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		closers, ok := quoteClose[r]
		if !ok || r == '"' && !opensQuote(s, i) {
			i += n
			continue
		}
		end, width := closeQuote(s, max(i+n, barren[r]), min(len(s), i+maxQuote), closers)
		if width == 0 {
			barren[r] = end
			i += n
			continue
		}
		if end > i+n {
			out = append(out, Quote{Text: s[i+n : end], Start: i + n, End: end})
		}
		i = end + width
	}
	return out
}

// quoteClose maps an opening mark to the marks that close it.
var quoteClose = map[rune]string{'"': "\"", '“': "”\"", '„': "“”", '«': "»", '「': "」", '『': "』"}

// opensQuote tells an opening straight mark from an inch mark or a closing one.
func opensQuote(s string, i int) bool {
	if i > 0 && (isDigit(s[i-1]) || isASCIILetter(s[i-1])) {
		return false
	}
	return i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '\n'
}

// closeQuote returns where the first of the closers between i and stop stands, and its width; width 0 and where the search
// ended when there is none or a blank line comes first.
func closeQuote(s string, i, stop int, closers string) (end, width int) {
	for i < stop {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError && strings.ContainsRune(closers, r) {
			return i, n
		}
		if r == '\n' && blankLineAt(s, i) {
			break
		}
		i += n
	}
	return i, 0
}

// blankLineAt reports whether the line after the newline at i holds only white space.
func blankLineAt(s string, i int) bool {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// ProseOnly returns what a Markdown text says in its own words: fenced and indented code, inline code, block quotations, text
// within quotation marks, table rows, images, the addresses of links, link definitions and everything under a heading of
// references are left out. The lines that stay are in order; offsets into the original are not kept.
func ProseOnly(markdown string) string {
	var b strings.Builder
	b.Grow(len(markdown))
	fence, refs, blank := "", false, true
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		body := strings.TrimSpace(line)
		if mark := fenceMark(body); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		if title, ok := headingTitle(body); ok {
			refs = refHeads[Fold(title)]
		}
		indented := blank && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !listMarker(body)
		blank = body == ""
		if refs || indented || notProse(body) {
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	out := stripInline(b.String())
	return strings.TrimSpace(stripQuotes(out))
}

// fenceMark returns the run of three or more back quotes or tildes that opens the line, or "".
func fenceMark(body string) string {
	for _, mark := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(body, mark) {
			n := len(body) - len(strings.TrimLeft(body, mark[:1]))
			return body[:n]
		}
	}
	return ""
}

func headingTitle(body string) (string, bool) {
	t := strings.TrimLeft(body, "#")
	if len(t) == len(body) || len(body)-len(t) > 6 || !strings.HasPrefix(t, " ") {
		return "", false
	}
	return strings.Trim(t, " #*:"), true
}

var refHeads = map[string]bool{"references": true, "reference": true, "sources": true, "bibliography": true, "works cited": true, "citations": true,
	"参考文献": true, "参考资料": true, "来源": true, "资料来源": true, "引用": true}

// notProse reports whether a line is a quotation, a table row, a rule, a link definition or an entry of a list of references.
func notProse(body string) bool {
	switch {
	case strings.HasPrefix(body, ">"), strings.HasPrefix(body, "|"), strings.Count(body, " | ") >= 2:
		return true
	case strings.HasPrefix(body, "["):
		label, rest, ok := strings.Cut(body[1:], "]")
		return ok && (strings.HasPrefix(rest, ":") || isNumeric(strings.TrimPrefix(label, "^")) && strings.Contains(rest, "://"))
	}
	return false
}

func isNumeric(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// stripInline removes inline code, images and the addresses of links, keeping the words of a link.
func stripInline(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '`':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			para := s[i+n : paragraphEnd(s, i+n)]
			if j := strings.Index(para, s[i:i+n]); j >= 0 {
				b.WriteByte(' ')
				i += n + j + n
				continue
			}
			b.WriteString(s[i : i+n])
			i += n
		case c == '!' && strings.HasPrefix(s[i:], "!["):
			if end := linkEnd(s, i+1); end > 0 {
				i = end
				continue
			}
			b.WriteByte(c)
			i++
		case c == ']' && strings.HasPrefix(s[i:], "]("):
			if j := strings.IndexAny(s[i:min(len(s), i+maxURL)], ")\n"); j > 0 && s[i+j] == ')' {
				b.WriteByte(']')
				i += j + 1
				continue
			}
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// linkEnd returns the end of the "[words](address)" at i, or 0.
func linkEnd(s string, i int) int {
	line := s[i:min(len(s), i+maxURL)]
	if j := strings.IndexByte(line, '\n'); j >= 0 {
		line = line[:j]
	}
	j := strings.Index(line, "](")
	if j < 0 {
		return 0
	}
	k := strings.IndexByte(line[j:], ')')
	if k < 0 {
		return 0
	}
	return i + j + k + 1
}

func paragraphEnd(s string, i int) int {
	stop := min(len(s), i+maxQuote)
	if j := strings.Index(s[i:stop], "\n\n"); j >= 0 {
		return i + j
	}
	return stop
}

// stripQuotes removes the texts within quotation marks and keeps the marks.
func stripQuotes(s string) string {
	quotes := Quotes(s)
	if len(quotes) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, q := range quotes {
		b.WriteString(s[at:q.Start])
		at = q.End
	}
	b.WriteString(s[at:])
	return b.String()
}
