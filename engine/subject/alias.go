package subject

import (
	"sort"
	"strings"

	"assay/engine/text"
)

// Alias is what stands for a stem elsewhere in the pages: single stems, and phrases of several.
type Alias struct {
	Stems   []string
	Phrases [][]string
}

// Bounds of alias learning.
const (
	maxAliasWords = 3 // "debian 3.1", "general public license"
	maxAliases    = 3 // a name, a code name, an abbreviation
	minTimes      = 2 // seen beside each other at least so often, or once when the name itself is rarer
)

// Aliases learns from the pages what their authors write beside a name in brackets or quotation marks: "Debian 3.1 (sarge)"
// makes "debian 3.1" stand for "sarge", "GNU General Public License (GPL)" makes the long form stand for the short one.
// Only stems of the question are looked for.
func (b *Body) Aliases(stems []string) map[string]Alias {
	want := map[string]bool{}
	for _, s := range stems {
		if b.df[s] > 0 && b.df[s] < rareLines(b.lines) {
			want[s] = true
		}
	}
	times := map[string]map[string]int{}
	for _, p := range b.Pages {
		for i := range p.Lines {
			hit := false
			for s := range want {
				if p.Lines[i].bag[s] > 0 {
					hit = true
					break
				}
			}
			if hit {
				learn(p.Text(i), lang(p.Doc), want, times)
			}
		}
	}
	out := map[string]Alias{}
	for s, seen := range times {
		out[s] = pick(seen)
	}
	return out
}

// rareLines is below how many lines a stem counts as a name worth an alias.
func rareLines(lines int) int { return max(50, lines/100) }

// learn reads "X (Y)" and "X "Y"" in a line: Y is one or two words, X the capitalised or numbered words before it.
func learn(line, language string, want map[string]bool, times map[string]map[string]int) {
	for at := 0; at < len(line); {
		i := strings.IndexAny(line[at:], "(\"“‘`")
		if i < 0 {
			return
		}
		open := at + i
		rest := line[open:]
		j := strings.IndexAny(rest[1:], ")\"”’'")
		if j < 0 || j > 40 {
			at = open + 1
			continue
		}
		inner := strings.Trim(rest[1:1+j], "`'\"“”‘’ ")
		at = open + 1
		x := before(tail(line[:open]), language)
		y := text.Terms(inner, language)
		if len(y) == 0 || len(y) > maxAliasWords || len(x) == 0 {
			continue
		}
		note := func(name []string, other []string) {
			if len(name) != 1 || !want[name[0]] {
				return
			}
			k := strings.Join(other, " ")
			if k == name[0] {
				return
			}
			if times[name[0]] == nil {
				times[name[0]] = map[string]int{}
			}
			times[name[0]][k]++
		}
		note(y, x)
		if len(x) == 1 {
			note(x, y)
		}
	}
}

// maxAliasBytes is how far before a bracket a name may begin; it bounds the cost of a line that is full of brackets.
const maxAliasBytes = 96

// tail is the end of s, from the beginning of a word.
func tail(s string) string {
	if len(s) <= maxAliasBytes {
		return s
	}
	s = s[len(s)-maxAliasBytes:]
	return s[strings.IndexByte(s, ' ')+1:]
}

// before returns the stems of the name that ends at the end of s: up to three words that are capitalised or numbers.
func before(s, language string) []string {
	toks := text.Tokens(s)
	lo := len(toks)
	for lo > 0 && len(toks)-lo < maxAliasWords {
		t := toks[lo-1].Text
		c := t[0]
		if !(c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			break
		}
		if lo < len(toks) && strings.ContainsAny(s[toks[lo-1].End:toks[lo].Start], ",;:()") {
			break
		}
		lo--
	}
	if lo == len(toks) || len(strings.TrimSpace(s[toks[len(toks)-1].End:])) > 0 {
		return nil
	}
	return text.Terms(s[toks[lo].Start:], language)
}

func pick(seen map[string]int) Alias {
	var keys []string
	for k, n := range seen {
		if n >= minTimes {
			keys = append(keys, k)
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		if seen[keys[i]] != seen[keys[j]] {
			return seen[keys[i]] > seen[keys[j]]
		}
		return keys[i] < keys[j]
	})
	var a Alias
	for _, k := range keys[:min(len(keys), maxAliases)] {
		if w := strings.Fields(k); len(w) == 1 {
			a.Stems = append(a.Stems, k)
		} else {
			a.Phrases = append(a.Phrases, w)
		}
	}
	return a
}

// Most is the greatest score a line could have for an ask: every term saturated in the line, around it and above it.
func (b *Body) Most(a Ask) float64 {
	total := 0.0
	for _, t := range a.Terms {
		total += t.Share * b.Weight(t.Stem)
	}
	return max(total*(satBM25+1)*(1+weightNear+weightHead), 1e-9)
}
