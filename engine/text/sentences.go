package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Sentences returns the sentences of s as trimmed, increasing spans that together hold every character but white space.
//
// A blank line always ends a sentence. A single line break ends one when the next line begins like a list item, a heading or
// a table row, or when its own line is one; a paragraph that was only wrapped stays whole. A full stop does not end a
// sentence after an abbreviation, an initial or a list marker, nor inside a version, an address or a file name.
//
// The time is linear in the length of s, whatever it holds. A sentence may be as long as s: whoever needs short ones cuts them.
func Sentences(s string) []research.Span {
	var out []research.Span
	for i := 0; i < len(s); {
		end := blockEnd(s, i)
		out = sentencesOf(out, s, i, end)
		i = end + 1
	}
	return out
}

// blockEnd returns the offset of the line break that ends the block of text at i, or len(s).
func blockEnd(s string, i int) int {
	for start := i; ; {
		j := strings.IndexByte(s[start:], '\n')
		if j < 0 {
			return len(s)
		}
		at := start + j
		next := s[at+1:]
		if k := strings.IndexByte(next, '\n'); k >= 0 {
			next = next[:k]
		}
		if breaksLine(strings.TrimSpace(s[start:at]), next, start == i) {
			return at
		}
		start = at + 1
	}
}

// Widths in bytes that tell a line standing alone from a wrapped one: prose is wrapped near 72 columns, and a line cut short
// before a capital was cut on purpose.
const (
	shortLine   = 48
	headingLine = 80
)

// breaksLine reports whether the break between two lines is the end of a sentence. first says that line begins a block.
func breaksLine(line, next string, first bool) bool {
	body := strings.TrimSpace(next)
	switch {
	case line == "" || body == "":
		return true
	case listMarker(body) || strings.HasPrefix(body, "#") || strings.HasPrefix(body, "|") || strings.HasPrefix(body, ">"):
		return true
	case strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
		return true
	case strings.Contains(line, " | ") || strings.HasPrefix(line, "|") || strings.Contains(body, " | "):
		return true
	case isRule(body) || isRule(line):
		return true
	case strings.HasPrefix(line, "```"), strings.HasPrefix(body, "```"):
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	head, _ := utf8.DecodeRuneInString(body)
	if strings.ContainsRune(",;-–—，、；&/(（", last) || unicode.IsLower(head) {
		return false
	}
	if strings.ContainsRune(".!?。！？…", last) {
		return false // the rules for full stops decide
	}
	if last == ':' || last == '：' {
		return len(line) < headingLine && first
	}
	if isCJK(last) {
		return first && utf8.RuneCountInString(line) <= 20
	}
	// A numbered heading, a capitalised one, or a short line before a new beginning.
	return len(line) <= shortLine && unicode.IsUpper(head) || first && len(line) <= headingLine && (sectionNumber(line) || titleCase(line))
}

// isRule reports whether a line only draws a line.
func isRule(line string) bool {
	return len(line) >= 3 && strings.Trim(line, "=-_*~+ ") == ""
}

// maxMarker is the most bytes of a marker before its point: a bracket and four digits or letters.
const maxMarker = 5

// listMarker reports whether a line begins like an item: a bullet, or a short number or letter followed by a point or bracket.
func listMarker(line string) bool { return markerWidth(line) > 0 }

// markerWidth returns the width of the list marker at the start of line, without the space after it; 0 when there is none.
func markerWidth(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	if strings.ContainsRune("-*+•·◦▪‣–—o●○■□§", r) && n < len(line) && (line[n] == ' ' || line[n] == '\t') && r != utf8.RuneError {
		if r == 'o' && !strings.HasPrefix(line[n:], "  ") {
			return 0 // a bullet of plain text is set off by more than one space
		}
		return n
	}
	i := 0
	if line != "" && line[0] == '(' {
		i = 1
	}
	start := i
	for i < len(line) && i-start < 4 && isDigit(line[i]) {
		i++
	}
	if i == start { // a letter or a Roman number
		for i < len(line) && i-start < 4 && strings.IndexByte("ivxIVX", line[i]) >= 0 {
			i++
		}
		if i == start && i < len(line) && isASCIILetter(line[i]) {
			i++
		}
	}
	if i == start || i >= len(line) {
		return chineseMarker(line)
	}
	if line[i] != '.' && line[i] != ')' || line[i] == '.' && (start == 1 || isUpper(line[i-1])) {
		return 0 // "J. Smith" at the start of a line is a name
	}
	if i++; i < len(line) && line[i] != ' ' && line[i] != '\t' {
		return 0
	}
	return i
}

// chineseMarker returns the width of a marker such as "一、", "（二）" or "①".
func chineseMarker(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	if '①' <= r && r <= '⑳' {
		return n
	}
	i := 0
	if r == '（' {
		i = n
	}
	start := i
	for i < len(line) {
		r, n := utf8.DecodeRuneInString(line[i:])
		if !strings.ContainsRune("一二三四五六七八九十", r) || r == utf8.RuneError {
			break
		}
		i += n
	}
	if i == start || i >= len(line) {
		return 0
	}
	if r, n := utf8.DecodeRuneInString(line[i:]); r == '、' && start == 0 || r == '）' && start > 0 {
		return i + n
	}
	return 0
}

// sectionNumber reports whether a line begins like "2.1.3 Title" or "Chapter 4".
func sectionNumber(line string) bool {
	i := 0
	for i < len(line) && (isDigit(line[i]) || line[i] == '.') {
		i++
	}
	if i > 0 && i+1 < len(line) && line[i] == ' ' {
		return isUpper(line[i+1]) || line[i+1] >= utf8.RuneSelf
	}
	for _, w := range [...]string{"Chapter ", "Section ", "Appendix ", "Part "} {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	return false
}

// titleCase reports whether every longer word of a line is capitalised.
func titleCase(line string) bool {
	words := 0
	for _, w := range strings.Fields(line) {
		r, _ := utf8.DecodeRuneInString(w)
		if unicode.IsLower(r) && (len(w) > 4 || words == 0) {
			return false
		}
		words++
	}
	return words > 0
}

// sentencesOf appends the sentences of the block s[start:end].
func sentencesOf(out []research.Span, s string, start, end int) []research.Span {
	block := s[:end]
	from := start
	titles := 0 // open 《
	for i := start; i < end; {
		c := s[i]
		if i == from && (c == ' ' || c == '\t' || c == '\n' || c == '\r') { // so that no stop looks back over it
			i++
			from = i
			continue
		}
		if c < utf8.RuneSelf {
			if c == '.' || c == '!' || c == '?' {
				if stop := latinStop(block, from, i); stop > 0 {
					out = appendTrimmed(out, s, from, stop)
					from, i = stop, stop
					continue
				}
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(block[i:])
		switch r {
		case '《':
			titles++
		case '》':
			titles = max(0, titles-1)
		case '。', '！', '？', '｡':
			if titles == 0 {
				stop := closers(block, i+n)
				out = appendTrimmed(out, s, from, stop)
				from, i = stop, stop
				continue
			}
		}
		i += n
	}
	return appendTrimmed(out, s, from, end)
}

// maxClosers is the most bytes of marks that end one sentence. A longer run of points is drawn, not written.
const maxClosers = 64

func appendTrimmed(out []research.Span, s string, start, end int) []research.Span {
	part := s[start:end]
	trimmed := strings.TrimLeftFunc(part, unicode.IsSpace)
	start += len(part) - len(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
	if trimmed == "" {
		return out
	}
	return append(out, research.Span{Start: start, End: start + len(trimmed)})
}

// closers returns the offset after the marks at i that belong to a sentence just ended: more stops, quotes, brackets, and
// citation marks such as [3] or [1, 2].
func closers(block string, i int) int {
	for last := i + maxClosers; i < len(block) && i < last; {
		if block[i] == '[' {
			j := i + 1
			for j < len(block) && j-i < 24 && (isDigit(block[j]) || strings.IndexByte(", -", block[j]) >= 0) {
				j++
			}
			if j < len(block) && block[j] == ']' && j > i+1 {
				i = j + 1
				continue
			}
			return i
		}
		r, n := utf8.DecodeRuneInString(block[i:])
		if !strings.ContainsRune(".!?。！？…\"'”’)]）】」』»*_", r) || r == utf8.RuneError {
			return i
		}
		i += n
	}
	return i
}

// latinStop returns the end of the sentence that the mark at i closes, or 0 when it closes none. from is where the sentence
// began.
func latinStop(block string, from, i int) int {
	stop := closers(block, i+1)
	if stop == len(block) {
		return stop
	}
	space, _ := utf8.DecodeRuneInString(block[stop:])
	if !unicode.IsSpace(space) {
		if isCJK(space) && !isWordByte(block[stop-1]) && block[i] != '.' {
			return stop
		}
		return 0
	}
	rest := strings.TrimLeftFunc(block[stop:], unicode.IsSpace)
	if rest == "" {
		return stop
	}
	next := nextWord(rest)
	if block[i] != '.' {
		if next != "" && isLower(next[0]) && !technical(next) {
			return 0
		}
		return stop
	}
	if strings.Contains(block[max(from, i-1):stop], "..") && next != "" && isLower(next[0]) {
		return 0
	}
	if endsAfter(block[from:i], next) {
		return stop
	}
	return 0
}

// nextWord returns the word that comes next, past brackets and quotes; "" when something else comes.
func nextWord(rest string) string {
	rest = strings.TrimLeft(rest, "\"'([{“‘（「《*_`")
	i := 0
	for i < len(rest) && rest[i] > ' ' && i < 40 {
		i++
	}
	return strings.TrimRight(rest[:i], ".,;:!?)]\"'")
}

// endsAfter reports whether a full stop after the text before it, with next as the next word, ends a sentence.
func endsAfter(before, next string) bool {
	word := lastWord(before)
	body := strings.TrimLeft(before, " \t\r\n")
	if len(body) <= maxMarker && markerWidth(body+". ") == len(body)+1 {
		return false // the stop of a list marker
	}
	if sectionOnly(body) {
		return false
	}
	lower := strings.ToLower(word)
	kind := abbrevs[lower]
	switch {
	case next == "":
		return kind != neverLast
	case isInitial(word) || len(word) > 1 && len(word) <= 6 && initials(word) && kind == noAbbrev:
		return isUpper(next[0]) && starters[strings.ToLower(next)] && !(word == "U" || len(next) == 1)
	}
	switch kind {
	case neverLast:
		return false
	case beforeNumber:
		if isDigit(next[0]) || len(next) == 1 && isUpper(next[0]) {
			return false
		}
		if isUpper(word[0]) && len(word) <= 4 && lower != "no" {
			return starters[strings.ToLower(next)]
		}
	case maybeLast:
		if lower == "etc" || lower == "a.m" || lower == "p.m" {
			return !isLower(next[0])
		}
		return isUpper(next[0]) && starters[strings.ToLower(next)]
	}
	if !isLower(next[0]) {
		return true
	}
	// A lower-case beginning is a command or a package in technical prose, after a word that is no abbreviation.
	return technical(next) || len(word) >= 5 && !isDigit(word[len(word)-1]) && !connectives[next]
}

// connectives begin no sentence in lower case; after them an unknown abbreviation is likelier.
var connectives = wordSet(`and or but of for in on at to with from as than that which who is are was were be by the a an`)

// lastWord returns the word before a full stop, with its inner points.
func lastWord(before string) string {
	i := len(before)
	for i > 0 && before[i-1] > ' ' && strings.IndexByte("([{\"'/,;", before[i-1]) < 0 && before[i-1] < utf8.RuneSelf && len(before)-i < 40 {
		i--
	}
	return before[i:]
}

// isInitial reports whether a word is one capital letter other than the pronoun.
func isInitial(word string) bool { return len(word) == 1 && isUpper(word[0]) && word != "I" }

// initials reports whether a word is made of capital letters and points, such as "J.R".
func initials(word string) bool {
	for i := 0; i < len(word); i++ {
		if i%2 == 0 && !isUpper(word[i]) || i%2 == 1 && word[i] != '.' {
			return false
		}
	}
	return true
}

// sectionOnly reports whether the sentence so far is only a number such as "2.1".
func sectionOnly(body string) bool {
	if body == "" || len(body) > 8 {
		return false
	}
	for i := 0; i < len(body); i++ {
		if !isDigit(body[i]) && body[i] != '.' {
			return false
		}
	}
	return true
}

// technical reports whether a word looks like a command, a package or a file, which keep their lower case at the start of a
// sentence.
func technical(word string) bool {
	if technicalWords[word] {
		return true
	}
	for i := 1; i < len(word); i++ {
		switch c := word[i]; {
		case isDigit(c), isUpper(c), c == '/', c == '_', c == '(', c == '-' && i+1 < len(word) && !plainCompound(word):
			return true
		case c == '.' && i+1 < len(word) && !strings.HasPrefix("i.e.", word) && !strings.HasPrefix("e.g.", word):
			return true
		}
	}
	return word != "" && (word[0] == '/' || word[0] == '$' || word[0] == '~')
}

var technicalWords = wordSet(`apt dpkg aptitude dselect libc gcc gnome kde systemd udev grub lilo bash vi vim emacs ssh sudo tasksel debconf lintian
	perl python git cron xorg iptables exim postfix reportbug popcon alien rpm`)
