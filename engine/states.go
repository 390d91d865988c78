package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// What pages hold beside statements: they can be quoted, and nothing in them can be true or false.
var (
	contentsEntry = regexp.MustCompile(`(?:^|\s)\d{1,2}(?:\.\d{1,2}){1,4}\.\s`)
	captionLine   = regexp.MustCompile(`^(?:(?:Table|Figure|Fig\.|Listing|Example|Box)\s+[A-Z]?\d{1,3}(?:[.-]\d{1,3}){0,3}[.:]|(?:表|图|圖|例)\s*\d{1,3}(?:[.-]\d{1,3}){0,3}[.:．：]?)\s*\S`)
	bylineWords   = regexp.MustCompile(`^(?:[Bb]y|作者[:：]?|文[/／:：])\s*\p{Lu}?[\p{L}.'’-]+(?:\s+(?:and|&|de|van|von|der|la)?\s*\p{Lu}[\p{L}.'’-]*){0,6}(?:\s*[,·|–-]\s*[\w\s,./:-]{0,30}\d[\w\s,./:-]*)?\.?$`)
)

// captionLabel is what a caption begins with, where a full stop parts it from the words of it.
var captionLabel = regexp.MustCompile(`(?:^|\n)\s*(?:Table|Figure|Fig\.|Listing|Example|Box|表|图|圖|例)\s*[A-Z]?\d{1,3}(?:[.-]\d{1,3}){0,3}[.:．：]?\s*$`)

// labelReach is how many bytes before some words are looked at for such a label.
const labelReach = 48

// captioned reports whether what comes after a text is the words of a caption.
func captioned(before string) bool {
	return captionLabel.MatchString(strings.ToValidUTF8(before[max(0, len(before)-labelReach):], ""))
}

// aCaption is why a caption is left out.
const aCaption = "it is a caption and states nothing"

// aByline is why a byline is left out. It answers who wrote a text, and nothing else.
const aByline = "it is a byline and states nothing"

// Bounds of such lines.
const (
	contentsEntries = 2  // numbered headings from which words are a list of contents
	captionWords    = 16 // words of a longer caption tell what the figure shows
	leadInWords     = 8  // words before a colon that only lead to what follows it
)

// noStatement says what a text is that states nothing: entries of a table of contents, a caption, a byline, or words that lead in a list;
// "" when it may be a statement.
func noStatement(s string) string {
	s = strings.TrimSpace(s)
	switch words := len(strings.Fields(s)); {
	case len(contentsEntry.FindAllStringIndex(s, contentsEntries)) >= contentsEntries:
		return "it is a part of a table of contents and states nothing"
	case captionLine.MatchString(s) && words <= captionWords && len([]rune(s)) <= longestCap:
		return aCaption
	case words <= 10 && bylineWords.MatchString(s) && hasCapital(s[2:]):
		return aByline
	case (strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")) && words <= leadInWords && len([]rune(s)) <= 60:
		return "it leads in a list and states nothing"
	}
	return ""
}

// aTitle is why a title is left out.
const aTitle = "it is the title of its document and states nothing"

// titleOf reports whether a text is the title of its document, or the beginning of it, and no sentence of its own. A document that is
// little more than its title has nothing else to quote.
func titleOf(s string, doc research.Document) bool {
	s = strings.TrimSpace(s)
	title := strings.Join(strings.Fields(doc.Title), " ")
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "。") || len(doc.Text) < 2*len(s) {
		return false
	}
	return strings.HasPrefix(text.Fold(title), text.Fold(s))
}

// leftOut names what a statement speaks of that the question leaves out, and of nothing that the question names; "" when it does not.
func (l *lens) leftOut(statement string) string {
	u := l.meaning
	if u.Scope == nil {
		return ""
	}
	folded := text.Fold(statement)
	for _, x := range u.Scope.Exclude {
		if text.Containment(text.TermSet(x, u.Lang), text.TermSet(statement, u.Lang)) < 1 {
			continue
		}
		if !slices.ContainsFunc(u.Entities, func(e research.Entity) bool { return strings.Contains(folded, text.Fold(e.Text)) }) {
			return x
		}
	}
	return ""
}

// hasCapital reports whether a name may stand in words: one with a capital, or signs that have none.
func hasCapital(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Han, r) })
}
