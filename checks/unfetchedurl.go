package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var unfetchedurl = &Check{
	ID: "G02", Name: "unfetchedurl", Title: "UnfetchedURL", Tier: Grounding, Class: Hard,
	Scope: blockKeys, Eval: evalUnfetchedURL, Edit: editUnfetchedURL,
	Cap: 1, LifeCap: 3, Repair: []Action{Edit}, Terminal: Edit,
}

func evalUnfetchedURL(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	for _, span := range v.unfetched(b) {
		hits = append(hits, Hit{Where: b.ID, What: fmt.Sprintf("%q was not opened in this run", b.Text[span.Start:span.End])})
	}
	return hits
}

// unfetched returns the spans of the addresses in a block that are neither a source with text, nor in the question, nor the
// words of a passage that the block cites: an address that its source prints is quoted, not invented.
func (v View) unfetched(b research.Block) []research.Span {
	s := b.Text
	spans := text.URLs(s)
	if len(spans) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, src := range v.Sources {
		if c, err := text.CanonicalURL(src.Location); err == nil && strings.TrimSpace(v.Texts[src.SHA256]) != "" {
			known[c] = true
		}
	}
	for _, span := range text.URLs(v.Question) {
		if c, err := text.CanonicalURL(v.Question[span.Start:span.End]); err == nil {
			known[c] = true
		}
	}
	return slices.DeleteFunc(spans, func(span research.Span) bool {
		c, err := text.CanonicalURL(s[span.Start:span.End])
		return err == nil && known[c] || v.quoted(b, s[span.Start:span.End])
	})
}

// quoted reports whether a passage that the block cites holds the words.
func (v View) quoted(b research.Block, words string) bool {
	for _, id := range b.Citations {
		if p, ok := v.passage(id); ok && strings.Contains(p.Text, words) {
			return true
		}
	}
	return false
}

// editUnfetchedURL strips the addresses. A reference is added where exactly one opened source has the same host and the same
// first two path segments: the address was that page's, mangled.
func editUnfetchedURL(v View, k Key) View {
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		for range 8 { // stripping one can join the halves of another
			spans := v.unfetched(b)
			if len(spans) == 0 {
				break
			}
			for i := len(spans) - 1; i >= 0; i-- {
				addr := b.Text[spans[i].Start:spans[i].End]
				if id := v.nearest(addr); id != "" && !slices.Contains(b.Refs, id) {
					b.Refs = append(slices.Clip(b.Refs), id)
				}
				b.Text = b.Text[:spans[i].Start] + b.Text[spans[i].End:]
			}
			b.Text = emptyLink.ReplaceAllString(b.Text, "$1")
			b.Text = strings.TrimSpace(emptyPair.ReplaceAllString(b.Text, ""))
		}
		return b, true
	})
}

var (
	emptyLink = regexp.MustCompile(`!?\[([^\]\n]*)\]\(\s*(?:"[^"\n]*")?\s*\)`) // [text]() keeps its text
	emptyPair = regexp.MustCompile(`\s*(?:\(\s*\)|<\s*>)`)
)

// nearest returns the id of the only verified source that shares host and first two path segments with addr.
func (v View) nearest(addr string) string {
	want, found := stem(addr), ""
	if want == "" {
		return ""
	}
	for _, s := range v.Sources {
		if s.Verdict == research.Verified && stem(s.Location) == want && v.Texts[s.SHA256] != "" {
			if found != "" {
				return ""
			}
			found = s.ID
		}
	}
	return found
}

// stem returns host and first two path segments of an address; empty when it has fewer or is none.
func stem(addr string) string {
	c, err := text.CanonicalURL(addr)
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(c, "://")
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	if len(parts) < 3 {
		return ""
	}
	return strings.Join(parts[:3], "/")
}
