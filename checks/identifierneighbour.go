package checks

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// An identifier that a source gives may still be that of the reference beside the one a sentence speaks of.

const (
	// maxEntry is how far before an identifier its reference begins at most, in bytes.
	maxEntry = 600
	// maxAuthorsTried bounds the names of a sentence that are looked for.
	maxAuthorsTried = 8
)

// neighbour says that an identifier of a block stands in its sources, but in the reference of others than the authors that the sentence
// names, who have one of their own there; should is that one when there is only one. It is cautious: the names must stand where authors
// stand, with their initials, and none of them in the reference of the identifier.
func (v View) neighbour(b research.Block, id identifier) (should, why string) {
	var names []string
	for _, tok := range text.Tokens(strings.ToValidUTF8(b.Text[max(0, id.span.Start-maxEntry/3):id.span.Start], "")) {
		if r := []rune(tok.Text); len(r) > 2 && unicode.IsUpper(r[0]) && len(names) < maxAuthorsTried && !text.StopWord(tok.Norm, "en") {
			names = append(names, tok.Text)
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	others := map[string]string{} // value -> the author it is of
	g := v.groundOf(b)
	for _, s := range append([]string{g.text}, v.textsOf(g.sources)...) {
		all := identifiers(s)
		for i, h := range all {
			if h.kind != id.kind {
				continue
			}
			entry := entryOf(s, all, i)
			for _, n := range names {
				switch {
				case h.value == id.value && strings.Contains(text.Fold(entry), text.Fold(n)):
					return "", "" // it stands with one of them
				case h.value != id.value && authorIn(entry, n):
					others[h.value] = n
				}
			}
		}
	}
	for _, value := range sortedKeys(others) {
		if why == "" {
			why = fmt.Sprintf("%q is of the reference beside that of %s, which has %q", id.value, others[value], value)
		}
		should = value
	}
	if len(others) != 1 {
		should = ""
	}
	return should, why
}

func (v View) textsOf(sources []research.Source) []string {
	var out []string
	for _, s := range sources {
		out = append(out, v.Texts[s.SHA256])
	}
	return out
}

// entryOf is the reference that the i-th identifier of a text belongs to: from the one before it to the end of its own line.
func entryOf(s string, all []identifier, i int) string {
	from := max(0, all[i].span.Start-maxEntry)
	if i > 0 {
		from = max(from, all[i-1].span.End)
	}
	to := all[i].span.End
	if j := strings.IndexByte(s[to:], '\n'); j >= 0 {
		to += min(j, maxEntry)
	} else {
		to = min(len(s), to+maxEntry)
	}
	if i+1 < len(all) {
		to = min(to, max(all[i].span.End, all[i+1].span.Start))
	}
	return strings.ToValidUTF8(s[from:to], "")
}

// authorIn reports whether a name stands in a reference with initials, as an author does.
func authorIn(entry, name string) bool {
	n := regexp.QuoteMeta(name)
	re, err := regexp.Compile(`(?:^|[^\p{L}])` + n + `,?\s+\p{Lu}\.|\p{Lu}\.\s*` + n + `(?:$|[^\p{L}])`)
	return err == nil && re.MatchString(entry)
}
