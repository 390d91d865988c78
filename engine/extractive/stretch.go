package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/text"
)

// longest is how long a statement may be, in characters: what the reader's schema allows.
const longest = 600

// stretch returns line when it is short enough to be a statement. Of a longer one it returns the stretch of whole clauses,
// or of whole words where a clause is too long itself, that carries most of the terms' weight; the first of equals. What
// is returned stands in line as it is.
func stretch(line, lang string, terms []string, weights map[string]float64) string {
	if utf8.RuneCountInString(line) <= longest {
		return line
	}
	parts := clauses(line)
	has := make([][]string, len(parts)) // the terms in each part
	runes := make([]int, len(parts))
	for i, p := range parts {
		said := line[p.start:p.end]
		runes[i] = utf8.RuneCountInString(said)
		words := text.TermSet(said, lang)
		for _, t := range terms {
			if words[t] {
				has[i] = append(has[i], t)
			}
		}
	}
	best, most := parts[0], -1.0
	for from := range parts {
		// As many parts as there is room for.
		end, room, words := from, longest, map[string]bool{}
		for ; end < len(parts) && room >= runes[end]; end++ {
			room -= runes[end]
			for _, t := range has[end] {
				words[t] = true
			}
		}
		if weight := overlap(words, terms, weights); weight > most {
			best, most = part{parts[from].start, parts[end-1].end}, weight
		}
	}
	return strings.TrimSpace(line[best.start:best.end])
}

type part struct{ start, end int }

// clauses cuts a line after the marks that end a clause, and what is still too long for one statement into pieces: after
// the last blank of a piece, or anywhere when there is none. The parts make up the line.
func clauses(line string) []part {
	var out []part
	start, blank, runes := 0, -1, 0
	for i, r := range line {
		if runes++; runes > longest {
			cut := i
			if blank > start {
				cut = blank
			}
			out = append(out, part{start, cut})
			runes = utf8.RuneCountInString(line[cut:i]) + 1
			start, blank = cut, -1
		}
		_, size := utf8.DecodeRuneInString(line[i:]) // 1 for a broken byte
		after := i + size
		switch {
		case strings.ContainsRune(";:；：，。、", r), r == ',' && strings.HasPrefix(line[after:], " "):
			out = append(out, part{start, after})
			start, blank, runes = after, -1, 0
		case unicode.IsSpace(r):
			blank = after
		}
	}
	if start < len(line) {
		out = append(out, part{start, len(line)})
	}
	return out
}
