package text

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Removed is a part of a text that [Sanitise] took out.
type Removed struct {
	Kind string // image, link, definition, address, markup, invisible
	Text string // at most 200 bytes of it
}

// The sinks of a text that a program will show: whatever makes a page load something, or takes a reader somewhere, without
// the source table behind it. Reference links are resolved before anything is filtered, because a filter of inline links
// alone lets them through (EchoLeak, CVE-2025-32711).
var (
	sinkDefinition = regexp.MustCompile(`(?m)^[ \t]{0,3}\[[^\]\n]{1,400}\]:[ \t]*\S[^\n]*$`)
	sinkImage      = regexp.MustCompile(`!\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])?`)
	sinkHalfImage  = regexp.MustCompile(`!\[([^\]\n]*)\]\(`) // what follows may close it
	sinkLink       = regexp.MustCompile(`\[([^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`)
	sinkReference  = regexp.MustCompile(`\[([^\[\]\n]+)\][ ]?\[([^\[\]\n]*)\]`)
	sinkAutolink   = regexp.MustCompile(`<[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^<>\s]*>|<[^<>\s@]{1,80}@[^<>\s]{1,120}>`)
	sinkScheme     = regexp.MustCompile(`(?i)(?:javascript|vbscript|livescript|mocha):[^\s]+|data:[a-z]+/[a-z0-9.+\-]+[;,][^\s]*|\bfile:/{2,}[^\s]+|\bblob:https?:[^\s]+`)
	sinkComment    = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<[!?][A-Za-z][^<>]*>?`)
	sinkTag        = regexp.MustCompile(`(?is)</?(?:a|abbr|address|applet|area|article|aside|audio|b|base|bdi|bdo|bgsound|big|blink|blockquote|body|br|button|canvas|caption|center|cite|code|col|data|datalist|dd|del|details|dfn|dialog|div|dl|dt|em|embed|fieldset|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|image|img|input|ins|isindex|kbd|label|layer|legend|li|link|main|map|mark|marquee|math|menu|meta|meter|nav|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|portal|pre|progress|q|rp|rt|ruby|s|samp|script|section|select|slot|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|video|wbr|xml|xmp|[a-z]+:[a-z]+)(?:>|[\s/"'][^<>]*>?|$)`)
	// A handler without the beginning of its tag, which may stand in the text before it, is the second half of one.
	sinkHandler = regexp.MustCompile(`(?i)<[^<>]*\bon[a-z]{3,24}\s*=[^<>]*>?|\bon(?:error|load|click|focus|toggle|begin|mouse[a-z]{2,8}|key[a-z]{2,8}|animation[a-z]{3,9})\s*=\s*\S+\s*>`)
)

const (
	// maxRemovedText bounds what is kept of one removed part, in bytes.
	maxRemovedText = 200
	// maxRemoved bounds the list.
	maxRemoved = 64
	// sanitiseRounds is how often a text is gone over: taking one sink out may join the halves of another. What is nested
	// deeper loses its brackets.
	sanitiseRounds = 8
)

// Sanitise returns what a model or a page wrote as words alone, and what it took out: images, links (their words stay),
// definitions of links, addresses of schemes that run something, tags and comments of HTML, and characters that nobody
// sees. Angle and square brackets that make no sink stay, so "<package>", "[3]" and "a < b" are left as they are.
//
// It is total, bounded and idempotent, and knows no switch. Addresses in plain words stay: they load nothing, and
// what may be a link is decided where the page is made.
func Sanitise(s string) (clean string, removed []Removed) {
	note := func(kind, what string) {
		if len(removed) < maxRemoved {
			removed = append(removed, Removed{kind, clipValid(what, maxRemovedText)})
		}
	}
	if seen := strings.Map(visibleRune, s); seen != s {
		note("invisible", "")
		s = seen
	}
	for round := 0; ; round++ {
		before := s
		for _, step := range []struct {
			kind string
			re   *regexp.Regexp
			keep bool // the words in the brackets
		}{
			{"definition", sinkDefinition, false}, {"image", sinkImage, true}, {"link", sinkLink, true}, {"image", sinkHalfImage, true}, {"address", sinkAutolink, false},
			{"markup", sinkComment, false}, {"markup", sinkHandler, false}, {"markup", sinkTag, false}, {"address", sinkScheme, false},
		} {
			s = step.re.ReplaceAllStringFunc(s, func(m string) string {
				note(step.kind, m)
				if step.keep {
					return step.re.FindStringSubmatch(m)[1]
				}
				return ""
			})
		}
		s = sinkReference.ReplaceAllStringFunc(s, func(m string) string {
			g := sinkReference.FindStringSubmatch(m)
			if citationNumber(g[1]) && (g[2] == "" || citationNumber(g[2])) {
				return m // [1][2] are two citations
			}
			note("link", m)
			return g[1]
		})
		if s == before {
			return s, removed
		}
		if round >= sanitiseRounds {
			note("markup", s)
			return strings.NewReplacer("<", "", ">", "", "[", "", "]", "", ":", " ").Replace(s), removed
		}
	}
}

// citationNumber reports whether the inside of brackets is the number of a citation.
func citationNumber(s string) bool {
	s = strings.TrimPrefix(s, "^")
	return s != "" && len(s) <= 4 && isNumeric(s)
}

// visibleRune drops what nobody sees and what turns a line round: zero-width characters, bidi controls, tags, private use and
// control characters but for the tab and the newline.
func visibleRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ', r >= 0x7F && r < 0xA0, r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF,
		r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r >= 0xE000 && r <= 0xF8FF,
		r >= 0xFFF0 && r <= 0xFFFB, r >= 0xE0000:
		return -1
	}
	return r
}

// clipValid cuts s to n bytes at the edge of a character.
func clipValid(s string, n int) string {
	if len(s) > n {
		for s = s[:n]; len(s) > 0; s = s[:len(s)-1] {
			if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
				break
			}
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
