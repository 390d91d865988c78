package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// guard is what stands between a run and what it asks others (CONTRACT section 4, CHECKS 5.2). In a run that reads files of the
// person's own a query holds the words of the question and those that code adds, and nothing else: no word of a file, however rare,
// and no name. In every run the protected words are taken out, those of the question too.
type guard struct {
	private   bool
	stems     map[string]bool // that a query may hold
	runs      []string        // Chinese that a query may hold: the question and the words of the angles, folded
	protected []string        // folded, without what is neither letter nor digit
}

func (r *run) guard(u research.Understanding) guard {
	g := guard{private: len(r.Request.Libraries)+len(r.Request.Attach) > 0 || r.Request.About != "", stems: map[string]bool{}}
	own := append(intent.OwnWords(), head(u.Temporal.Range.Start, 4), head(u.Temporal.Range.End, 4))
	for _, s := range append(own, r.Request.Question) {
		g.runs = append(g.runs, text.Fold(s))
		for _, t := range text.Tokens(s) {
			g.stems[text.Stem(t.Norm, "en")] = true
		}
	}
	for _, p := range r.Request.Protected {
		if p = squashed(p); p != "" {
			g.protected = append(g.protected, p)
		}
	}
	return g
}

func head(s string, n int) string { return s[:min(n, len(s))] }

// pass returns what of a query may be sent, and how many words were kept back.
func (g guard) pass(query string) (string, int) {
	held := 0
	var out []string
	for _, w := range strings.Fields(query) {
		kept := w
		if g.private {
			kept = g.allowed(w)
		}
		if kept != w {
			held++
		}
		if kept != "" {
			out = append(out, kept)
		}
	}
	out, n := g.unprotected(out)
	return strings.Join(out, " "), held + n
}

// allowed is the part of a word, without white space in it, that may be sent.
func (g guard) allowed(w string) string {
	if !strings.ContainsFunc(w, wide) {
		for _, t := range text.Tokens(w) {
			if !g.stems[text.Stem(t.Norm, "en")] {
				return ""
			}
		}
		return w
	}
	// Chinese runs together: of each run the longest parts are kept that stand in what may be sent. What stands between is judged apart.
	var out []string
	for rs := []rune(w); len(rs) > 0; {
		n := 1
		for n < len(rs) && wide(rs[n]) == wide(rs[0]) {
			n++
		}
		part := string(rs[:n])
		rs = rs[n:]
		if !wide([]rune(part)[0]) {
			if part = g.allowed(part); part != "" && len(text.Tokens(part)) > 0 {
				out = append(out, part)
			}
			continue
		}
		out = append(out, g.runParts([]rune(part))...)
	}
	return strings.Join(out, " ")
}

// runParts are the longest parts of a run of Chinese, of two signs at least, that stand in what may be sent.
func (g guard) runParts(run []rune) (out []string) {
	for i := 0; i < len(run); {
		end := i
		for j := i + 1; j <= len(run) && g.runHolds(string(run[i:j])); j++ {
			end = j
		}
		if end-i >= 2 || end-i == len(run) {
			out = append(out, string(run[i:end]))
		}
		i = max(end, i+1)
	}
	return out
}

func (g guard) runHolds(part string) bool {
	part = text.Fold(part)
	for _, r := range g.runs {
		if strings.Contains(r, part) {
			return true
		}
	}
	return false
}

// unprotected takes the protected words out of the words of a query, however they are joined or parted.
func (g guard) unprotected(words []string) ([]string, int) {
	n := 0
	for _, p := range g.protected {
		for again := true; again; {
			again = false
			for i := range words {
				for j := i + 1; j <= len(words) && !again; j++ {
					s := squashed(strings.Join(words[i:j], ""))
					if len(s) > len(p)+1 && !strings.ContainsFunc(p, wide) && j > i+1 {
						break
					}
					if s == p || s == p+"s" || strings.ContainsFunc(p, wide) && strings.Contains(s, p) || j == i+1 && partOf(words[i], p) {
						words, n, again = append(words[:i:i], words[j:]...), n+j-i, true
					}
				}
				if again {
					break
				}
			}
		}
	}
	return words, n
}

// partOf reports whether a word that is joined of several holds one that is protected, such as zeus-2 or zeus@example.
func partOf(word, protected string) bool {
	tokens := text.Tokens(word)
	for i := range tokens {
		s := ""
		for _, t := range tokens[i:] {
			if s += squashed(t.Text); s == protected || s == protected+"s" {
				return true
			}
		}
	}
	return false
}

// squashed is a text folded, its letters and digits only.
func squashed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.Fold(s))
}

// wide reports whether a sign is of a script that is written without spaces.
func wide(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// guarded keeps of queries to providers outside what may be sent; what is left of two may be the same, and then is asked once.
func (g guard) guarded(queries []research.Query) (out []research.Query, held int) {
	seen := map[research.Query]bool{}
	for _, q := range queries {
		words, n := g.pass(q.Text)
		held += n
		q.Text = words
		key := q
		key.Facet = ""
		if words == "" || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, q)
	}
	return out, held
}
