package render

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of what a page takes from a digest; a digest beyond them is cut with a mark, never refused.
const (
	maxText    = 16 << 10 // bytes of one field
	maxPassage = 2400     // bytes of one quoted passage on the page; the record holds the whole
	maxTitle   = 300      // bytes of a title or name
	maxTip     = 420      // bytes of a passage in a tooltip
	maxList    = 400      // entries of any one list
	maxData    = 2 << 20  // bytes of one inlined image
)

// clip cuts s to at most n bytes at a rune boundary, with an ellipsis when something was cut. Invalid UTF-8 and control
// characters other than tab and newline are replaced, since neither belongs in a page.
func clip(s string, n int) string {
	cut := len(s) > n
	if cut {
		s = s[:n]
		for i := 0; i < utf8.UTFMax-1 && len(s) > 0; i++ {
			if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size != 1 {
				break
			}
			s = s[:len(s)-1]
		}
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20 || r >= 0x7F && r < 0xA0:
			return -1
		case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069: // direction overrides could make a line read backwards
			return -1
		}
		return r
	}, s)
	if cut {
		return strings.TrimRight(s, " \n\t") + "…"
	}
	return s
}

// line is clip to a title's length with all white space as single spaces.
func line(s string, n int) string { return strings.Join(strings.Fields(clip(s, n)), " ") }

// webLink returns s when it may be a link: an absolute http or https address with a host and without user name. Everything
// else (javascript:, data:, a path in the library) is shown as text.
func webLink(s string) string {
	if len(s) > 2048 {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// imageData returns s when it is a data URL of a picture format that cannot carry script.
func imageData(s string) template.URL {
	if len(s) > maxData {
		return ""
	}
	for _, kind := range []string{"png", "jpeg", "gif", "webp"} {
		rest, ok := strings.CutPrefix(s, "data:image/"+kind+";base64,")
		if ok && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == "" {
			return template.URL(s)
		}
	}
	return ""
}

// prose turns a digest's prose into HTML. It knows paragraphs (a blank line), lists ("- " or "1. "), quotations ("> "),
// **strong**, *emphasis*, `code` and [n] where n is the number of a source; nothing else, so no HTML of the text and no
// link of the text can come through: every character is escaped before a tag is added.
func prose(s string, cite func(n int) template.HTML) template.HTML {
	var b strings.Builder
	for _, block := range strings.Split(strings.ReplaceAll(clip(s, maxText), "\r\n", "\n"), "\n\n") {
		block = strings.Trim(block, "\n")
		if strings.TrimSpace(block) == "" {
			continue
		}
		lines := strings.Split(block, "\n")
		switch {
		case every(lines, isBullet):
			writeList(&b, "ul", lines, cite)
		case every(lines, isNumbered):
			writeList(&b, "ol", lines, cite)
		case every(lines, isQuoted):
			for i := range lines {
				lines[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[i]), ">"))
			}
			b.WriteString("<blockquote><p>" + inline(strings.Join(lines, " "), cite) + "</p></blockquote>\n")
		default:
			for i := range lines { // a heading of the text is a strong line: the page's own outline is not the text's to change
				if h := strings.TrimLeft(lines[i], "#"); h != lines[i] && strings.HasPrefix(h, " ") {
					lines[i] = "**" + strings.ReplaceAll(strings.TrimSpace(h), "*", "") + "**"
				}
			}
			b.WriteString("<p>" + inline(strings.Join(lines, " "), cite) + "</p>\n")
		}
	}
	return template.HTML(b.String())
}

// inlineProse is prose for a text that stands on one line, such as a finding: marks and citations, no paragraphs.
func inlineProse(s string, cite func(n int) template.HTML) template.HTML {
	return template.HTML(inline(line(s, maxText), cite))
}

func every(lines []string, is func(string) bool) bool {
	for _, l := range lines {
		if !is(strings.TrimSpace(l)) {
			return false
		}
	}
	return len(lines) > 0
}

func isBullet(l string) bool { return strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "* ") }
func isQuoted(l string) bool { return strings.HasPrefix(l, ">") }

func isNumbered(l string) bool {
	n, rest, ok := strings.Cut(l, ". ")
	if !ok || rest == "" || len(n) > 3 {
		return false
	}
	_, err := strconv.Atoi(n)
	return err == nil
}

func writeList(b *strings.Builder, tag string, lines []string, cite func(int) template.HTML) {
	b.WriteString("<" + tag + ">")
	for _, l := range lines {
		_, item, _ := strings.Cut(strings.TrimSpace(l), " ")
		b.WriteString("<li>" + inline(item, cite) + "</li>")
	}
	b.WriteString("</" + tag + ">\n")
}

// inline escapes s and then adds the marks. A mark without its partner stays as the character it is.
func inline(s string, cite func(int) template.HTML) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "*`[")
		if i < 0 {
			b.WriteString(template.HTMLEscapeString(s))
			break
		}
		b.WriteString(template.HTMLEscapeString(s[:i]))
		s = s[i:]
		tag, mark := "", ""
		switch {
		case strings.HasPrefix(s, "**"):
			tag, mark = "strong", "**"
		case s[0] == '*':
			tag, mark = "em", "*"
		case s[0] == '`':
			tag, mark = "code", "`"
		}
		if mark != "" {
			if end := strings.Index(s[len(mark):], mark); end > 0 && s[len(mark)] != ' ' && s[len(mark)+end-1] != ' ' {
				inner := s[len(mark) : len(mark)+end]
				b.WriteString("<" + tag + ">" + template.HTMLEscapeString(inner) + "</" + tag + ">")
				s = s[len(mark)+end+len(mark):]
				continue
			}
			b.WriteString(template.HTMLEscapeString(mark))
			s = s[len(mark):]
			continue
		}
		if end := strings.IndexByte(s, ']'); end > 1 && end < 6 && cite != nil {
			if n, err := strconv.Atoi(s[1:end]); err == nil {
				if h := cite(n); h != "" {
					text := strings.TrimRight(b.String(), " ") // the key stands close to its word
					b.Reset()
					b.WriteString(text + string(h))
					s = s[end+1:]
					continue
				}
			}
		}
		b.WriteString("[")
		s = s[1:]
	}
	return b.String()
}
