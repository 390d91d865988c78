package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

var (
	// RFC pages end in "Author   Informational   [Page 3]" and begin, after a form feed, with "RFC 791   Title   May 2001".
	rfcFoot = regexp.MustCompile(`\[Page \d+\]\s*$`)
	rfcHead = regexp.MustCompile(`^(RFC|Internet-Draft|INTERNET-DRAFT)\b.*\d{4}\s*$`)
	// infoNode is the first line of a node of an info file.
	infoNode = regexp.MustCompile(`^File: \S+,\s+Node: `)
	infoMenu = regexp.MustCompile(`^\* [^:]+::`)
	// numbered is a section number at the start of a line on its own: "1.2.  Releases", "Appendix A.  Names".
	numbered  = regexp.MustCompile(`^(?:(?:Chapter|CHAPTER|Section|SECTION|Appendix|APPENDIX)\s+[\dA-Z]+[.:]?|(\d{1,2}(?:\.\d{1,2}){0,4})\.?)\s+(\S.*)$`)
	plainItem = regexp.MustCompile(`^\s*(?:[-*+•·o]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S`)
)

// readPlain reads plain text: hard-wrapped paragraphs become one line each, underlined, numbered and capital lines that
// stand alone become headings, page breaks of RFCs and the frames of info nodes are dropped.
func readPlain(src string) research.Document {
	var doc research.Document
	lines := frames(src)
	out := newBuilder()
	for len(lines) > 0 {
		if strings.TrimSpace(lines[0]) == "" {
			lines = lines[1:]
			continue
		}
		n := 1
		for n < len(lines) && strings.TrimSpace(lines[n]) != "" {
			n++
		}
		plainBlock(out, lines[:n])
		lines = lines[n:]
	}
	out.into(&doc)
	return doc
}

// frames splits the text into clean lines without the frames of pages and nodes.
func frames(src string) []string {
	raw := strings.Split(strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n"), "\n")
	lines := make([]string, 0, len(raw))
	skipTable := false
	for i, line := range raw {
		if strings.HasPrefix(line, "\x1f") { // info: a node, the tag table or the end
			skipTable = i+1 < len(raw) && (strings.HasPrefix(raw[i+1], "Tag Table:") || strings.HasPrefix(raw[i+1], "End Tag Table") || strings.HasPrefix(raw[i+1], "Indirect:") || strings.HasPrefix(raw[i+1], "Local Variables:"))
			lines = append(lines, "")
			continue
		}
		fed := strings.Contains(line, "\f")
		line = strings.TrimRight(strings.ReplaceAll(clean(strings.ReplaceAll(line, "\f", "")), "\t", "        "), " \n")
		if skipTable || rfcFoot.MatchString(line) || rfcHead.MatchString(line) && (fed || i > 0 && strings.Contains(raw[i-1], "\f")) ||
			infoNode.MatchString(line) || infoMenu.MatchString(line) || line == "* Menu:" {
			// A paragraph that runs over a page break goes on: the blank lines around the frame are dropped with it.
			continue
		}
		lines = append(lines, strings.ReplaceAll(line, "\n", " "))
	}
	return lines
}

// plainBlock lays a run of lines without a blank one.
func plainBlock(out *builder, lines []string) {
	if len(lines) >= 2 && ruler(lines[1]) != 0 && len(lines[0]) <= 120 {
		out.heading(rulerLevel(ruler(lines[1])), collapse(lines[0]))
		if lines = lines[2:]; len(lines) == 0 {
			return
		}
	}
	if len(lines) == 1 {
		if level := aloneHeading(lines[0]); level > 0 {
			out.heading(level, collapse(lines[0]))
			return
		}
	}
	if listing(lines) {
		for i, line := range lines {
			if i == 0 {
				out.para(line)
			} else {
				out.line(line)
			}
		}
		return
	}
	var cur []string
	first := true
	flush := func() {
		if len(cur) == 0 {
			return
		}
		s := unwrap(cur)
		if first {
			out.para(s)
		} else {
			out.line(s)
		}
		first, cur = false, nil
	}
	for _, line := range lines {
		if ruler(line) != 0 {
			continue
		}
		if plainItem.MatchString(line) {
			flush()
		}
		cur = append(cur, line)
	}
	flush()
}

// ruler returns the character a line of at least three of them is made of, or 0.
func ruler(line string) byte {
	t := strings.TrimSpace(line)
	if len(t) < 3 || !strings.ContainsRune("=*~.^#\"+-_", rune(t[0])) || strings.Trim(t, t[:1]) != "" {
		return 0
	}
	return t[0]
}

// rulerLevel follows texinfo and reStructuredText habit.
func rulerLevel(c byte) int {
	switch c {
	case '*', '#':
		return 1
	case '=':
		return 2
	case '-', '_':
		return 3
	}
	return 4
}

// aloneHeading returns the level of a heading that stands alone between blank lines, or 0: a section number before it, or
// nothing but capitals.
func aloneHeading(line string) int {
	t := strings.TrimSpace(line)
	if len(t) > 80 || len(line)-len(strings.TrimLeft(line, " ")) > 3 || strings.Contains(t, "....") || strings.ContainsAny(t[len(t)-1:], ".,;:") {
		return 0
	}
	if m := numbered.FindStringSubmatch(t); m != nil {
		if m[1] == "" {
			return 1
		}
		if r, _ := utf8.DecodeRuneInString(m[2]); unicode.IsUpper(r) || han(r) {
			return 1 + strings.Count(m[1], ".")
		}
		return 0
	}
	letters := 0
	for _, r := range t {
		if unicode.IsLower(r) || han(r) {
			return 0
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters >= 4 {
		return 2
	}
	return 0
}

// listing reports whether the lines are drawn rather than written: columns, code, art. They keep their line ends.
func listing(lines []string) bool {
	drawn := 0
	for _, line := range lines {
		t := strings.TrimLeft(line, " ")
		if strings.Contains(strings.TrimRight(t, " "), "   ") || strings.ContainsAny(t, "{}|\\") && !strings.Contains(t, ". ") || strings.HasPrefix(t, "$ ") || strings.HasPrefix(t, "# ") {
			drawn++
		}
	}
	return drawn*2 > len(lines) && !(len(lines) == 1 && drawn == 0)
}

// unwrap joins the lines of a paragraph. A word broken by a hyphen at the line's end keeps it: in plain text it is nearly
// always the word's own.
func unwrap(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return collapse(b.String())
}
