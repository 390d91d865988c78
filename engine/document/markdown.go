package document

import (
	"html"
	"regexp"
	"strings"

	"assay/engine/research"
)

var (
	mdHeading   = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	mdItem      = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$`)
	mdRule      = regexp.MustCompile(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	mdTableRule = regexp.MustCompile(`^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)+\|?\s*$`)
	mdReference = regexp.MustCompile(`^ {0,3}\[[^\]]{1,200}\]:\s+\S+`)
	mdFence     = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	mdImage     = regexp.MustCompile(`!\[[^\]]*\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^\]]*\])`)
	mdLink      = regexp.MustCompile(`\[([^\[\]]+)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\)|\[[^\]]*\])`)
	mdAuto      = regexp.MustCompile(`<((?:https?|ftp|mailto):[^<>\s]+)>`)
	mdTag       = regexp.MustCompile(`</?[A-Za-z][^<>]{0,500}>`)
	mdComment   = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	mdStrong    = regexp.MustCompile(`(\*\*|__)([^\s*_](?:.*?[^\s])?)(\*\*|__)`)
	mdEmph      = regexp.MustCompile(`(^|[^\w*])\*([^\s*](?:[^*]*[^\s*])?)\*`)
	mdUnder     = regexp.MustCompile(`(^|[^\w])_([^\s_](?:[^_]*[^\s_])?)_($|[^\w])`)
	mdStrike    = regexp.MustCompile(`~~([^~]+)~~`)
	mdEscape    = regexp.MustCompile("\\\\([\\\\`*_{}\\[\\]()#+.!|<>~-])")
)

// readMarkdown reads CommonMark with tables and front matter. Marks are dropped, the words stay.
func readMarkdown(src string) research.Document {
	var doc research.Document
	src = frontMatter(clean(src), &doc)
	src = mdComment.ReplaceAllString(src, "")
	m := &markdown{out: newBuilder()}
	lines := strings.Split(src, "\n")
	for i := 0; i < len(lines); {
		i += m.block(lines[i:])
	}
	m.flush()
	m.out.into(&doc)
	return doc
}

// frontMatter reads title, author, date and lang from a YAML head and returns what follows it.
func frontMatter(src string, doc *research.Document) string {
	src = strings.TrimLeft(src, "\n")
	if !strings.HasPrefix(src, "---\n") {
		return src
	}
	head, rest, ok := strings.Cut(src[4:], "\n---")
	if !ok || len(head) > 16<<10 {
		return src
	}
	for _, line := range strings.Split(head, "\n") {
		key, val, ok := strings.Cut(line, ":")
		val = strings.Trim(strings.TrimSpace(val), `"'`)
		if !ok || val == "" {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			doc.Title = val
		case "author":
			doc.Byline = person(strings.Trim(val, "[]"))
		case "date", "published":
			doc.Published = isoDate(val)
		case "lang", "language":
			doc.Lang = val
		case "publisher":
			doc.Publisher = val
		}
	}
	if _, after, ok := strings.Cut(rest, "\n"); ok {
		return after
	}
	return ""
}

// markdown lays blocks; para collects the lines of the open paragraph or item.
type markdown struct {
	out    *builder
	para   []string
	item   bool // the open block is a list item
	inList bool // the block before was one
}

func (m *markdown) flush() {
	if len(m.para) == 0 {
		return
	}
	s := mdInline(strings.Join(m.para, "\n"))
	m.para = nil
	if m.item && m.inList {
		m.out.line(s)
	} else {
		m.out.para(s)
	}
	m.inList = m.item
	m.item = false
}

// block lays what the first line begins and returns how many lines it took, at least one.
func (m *markdown) block(lines []string) int {
	line := lines[0]
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		m.flush()
		return 1
	case mdFence.MatchString(line):
		m.flush()
		m.inList = false
		return m.fenced(lines)
	case len(m.para) == 0 && strings.HasPrefix(line, "    ") && !m.inList:
		return m.indented(lines)
	}
	if h := mdHeading.FindStringSubmatch(line); h != nil {
		m.flush()
		m.inList = false
		m.out.heading(len(h[1]), mdInline(h[2]))
		return 1
	}
	if len(m.para) > 0 && !m.item && (strings.Trim(trimmed, "=") == "" || strings.Trim(trimmed, "-") == "") {
		level := 1
		if trimmed[0] == '-' {
			level = 2
		}
		m.out.heading(level, mdInline(strings.Join(m.para, " ")))
		m.para, m.inList = nil, false
		return 1
	}
	if mdRule.MatchString(line) || len(m.para) == 0 && mdReference.MatchString(line) {
		m.flush()
		return 1
	}
	if len(lines) > 1 && strings.Contains(line, "|") && mdTableRule.MatchString(lines[1]) {
		m.flush()
		m.inList = false
		return m.table(lines)
	}
	if it := mdItem.FindStringSubmatch(line); it != nil {
		m.flush()
		m.item = true
		m.para = []string{it[1]}
		return 1
	}
	for strings.HasPrefix(trimmed, ">") {
		trimmed = strings.TrimSpace(trimmed[1:])
	}
	if strings.HasSuffix(line, "  ") {
		trimmed += string(brk)
	}
	m.para = append(m.para, trimmed)
	return 1
}

// fenced lays a listing up to its closing fence or the end.
func (m *markdown) fenced(lines []string) int {
	fence := mdFence.FindStringSubmatch(lines[0])[1]
	i := 1
	for ; i < len(lines); i++ {
		if t := strings.TrimSpace(lines[i]); strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
			m.listing(lines[1:i])
			return i + 1
		}
	}
	m.listing(lines[1:])
	return len(lines)
}

func (m *markdown) indented(lines []string) int {
	i := 0
	for i < len(lines) && strings.HasPrefix(lines[i], "    ") {
		i++
	}
	m.listing(lines[:i])
	return i
}

func (m *markdown) listing(lines []string) {
	first := true
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			first = true
			continue
		}
		line = strings.ReplaceAll(line, "\t", "    ")
		if first {
			m.out.para(line)
		} else {
			m.out.line(line)
		}
		first = false
	}
}

func (m *markdown) table(lines []string) int {
	i := 0
	m.out.open.said = true // the rule under it
	for i < len(lines) && strings.Contains(lines[i], "|") {
		if i != 1 {
			m.out.row(mdCells(lines[i]))
		}
		i++
	}
	m.out.closeTable()
	return max(i, 2)
}

func mdCells(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\u2029")
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = mdInline(strings.ReplaceAll(c, "\u2029", "|"))
	}
	return cells
}

// mdInline drops the marks of emphasis, links, images and code, and decodes entities. Code spans keep their characters.
func mdInline(s string) string {
	var b strings.Builder
	for {
		before, code, after, ok := codeSpan(s)
		b.WriteString(mdWords(before))
		if !ok {
			break
		}
		b.WriteString(code)
		s = after
	}
	return inline(clean2(b.String()))
}

// clean2 is clean that keeps breaks.
func clean2(s string) string {
	parts := strings.Split(s, string(brk))
	for i := range parts {
		parts[i] = clean(parts[i])
	}
	return strings.Join(parts, string(brk))
}

// codeSpan parts s at its first code span.
func codeSpan(s string) (before, code, after string, ok bool) {
	i := strings.IndexByte(s, '`')
	if i < 0 {
		return s, "", "", false
	}
	n := 0
	for i+n < len(s) && s[i+n] == '`' {
		n++
	}
	end := strings.Index(s[i+n:], s[i:i+n])
	if end < 0 {
		return s, "", "", false
	}
	return s[:i], strings.TrimSpace(s[i+n : i+n+end]), s[i+2*n+end:], true
}

func mdWords(s string) string {
	s = mdImage.ReplaceAllString(s, "")
	s = mdLink.ReplaceAllString(s, "$1")
	s = mdAuto.ReplaceAllString(s, "$1")
	s = mdTag.ReplaceAllString(s, "")
	s = mdStrong.ReplaceAllString(s, "$2")
	s = mdEmph.ReplaceAllString(s, "$1$2")
	s = mdUnder.ReplaceAllString(s, "$1$2$3")
	s = mdStrike.ReplaceAllString(s, "$1")
	s = mdEscape.ReplaceAllString(s, "$1")
	return html.UnescapeString(s)
}
