package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Name is a proper name or a name-like term.
type Name struct {
	Text  string // as written, without a title (Dr.), an article and a possessive 's
	Norm  string // Fold of Text
	Start int    // bytes
	End   int
}

// Names returns the names in s in order, not overlapping: runs of capitalised words with their particles and initials (Ian A.
// Murdock, University of Oxford), acronyms, words in camel case, technical names with digits, hyphens, underscores or points
// (libc6, debian-installer, sources.list), and in Chinese the titles within 《》, short quoted names and Latin words. An
// ordinary word is no name because it begins a sentence; the names of months and days are none either.
func Names(s string) []Name {
	n := namer{s: s, lower: map[string]bool{}, mid: map[string]bool{}}
	sentences := Sentences(s)
	words := make([][]nameWord, len(sentences))
	for i, sp := range sentences {
		words[i] = n.scan(sp)
		n.remember(words[i])
	}
	for i, sp := range sentences {
		n.sentence(words[i], hasCJK(s[sp.Start:sp.End]))
	}
	n.titles()
	return n.finish()
}

// namer reads the names of one text.
type namer struct {
	s     string
	out   []Name
	lower map[string]bool // words that the text writes in lower case
	mid   map[string]bool // words that it capitalises inside a sentence
}

// nameKind is the shape of a word.
type nameKind byte

const (
	plainWord nameKind = iota
	capWord            // Capitalised
	strongCap          // ACRONYM, CamelCase
	techWord           // libc6, dpkg-deb
)

type nameWord struct {
	start, end int
	kind       nameKind
	first      bool // begins the sentence
}

// scan cuts a sentence into words, passing over addresses and file names.
func (n *namer) scan(sp research.Span) []nameWord {
	s := n.s[:sp.End]
	var out []nameWord
	first := true
	start := sp.Start + markerWidth(s[sp.Start:sp.End])
	for i := start; i < sp.End; {
		c := s[i]
		if c == '/' && (i == sp.Start || s[i-1] <= ' ' || s[i-1] == '(') {
			i = pathEnd(s, i)
			first = false
			continue
		}
		if c < utf8.RuneSelf && !isWordByte(c) {
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		if isCJK(r) || !isWordRune(r) && c >= utf8.RuneSelf {
			if isCJK(r) {
				first = false
			}
			i += w
			continue
		}
		end := nameWordEnd(s, i)
		if strings.HasPrefix(s[end:], "://") {
			i = urlEnd(s, i)
			continue
		}
		out = append(out, nameWord{i, end, shapeOf(s[i:end]), first})
		first = first && isDigit(s[i]) // the number of a heading
		i = end
	}
	return out
}

// nameWordEnd returns the end of the word at i; marks inside a name belong to it when they are written to both its parts.
func nameWordEnd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		if isWordByte(c) {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if isCJK(r) || !isWordRune(r) && r != '’' {
				return i
			}
			if r == '’' && (i+n >= len(s) || !isASCIILetter(s[i+n])) {
				return i
			}
			i += n
			continue
		}
		if i+1 >= len(s) || i == 0 || !(isWordByte(s[i+1]) || s[i+1] >= utf8.RuneSelf && c == '-') {
			return i
		}
		next, prev := s[i+1], s[i-1]
		switch c {
		case '-', '\'', '+':
		case '.':
			if isUpper(next) && !isUpper(prev) {
				return i // a sentence without its space
			}
		case '/', '&':
			if !isUpper(next) {
				return i
			}
		default:
			return i
		}
		i++
	}
	return i
}

// shapeOf classifies a word.
func shapeOf(w string) nameKind {
	upper, lower, digit, marks, camel := 0, 0, 0, 0, false
	prevLower := false
	for i, r := range w {
		switch {
		case unicode.IsUpper(r):
			upper++
			camel = camel || prevLower
		case unicode.IsLower(r):
			lower++
		case unicode.IsDigit(r):
			if i == 0 {
				return plainWord // a number, whatever is written to it
			}
			digit++
		case r == '-' || r == '_' || r == '.' || r == '+':
			marks++
		}
		prevLower = unicode.IsLower(r)
	}
	first, _ := utf8.DecodeRuneInString(w)
	base := strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	switch {
	case camel, upper >= 2 && lower == 0, upper >= 2 && len(base) < len(w) && lower == 1:
		return strongCap
	case unicode.IsUpper(first):
		if digit > 0 && lower > 0 {
			return strongCap
		}
		return capWord
	case lower == 0 || len(w) > 40:
		return plainWord
	case digit > 0:
		return techWord
	case strings.Contains(w, "_"), strings.Contains(w, ".") && abbrevs[w] == noAbbrev && !strings.HasPrefix(w, "i.e") && !strings.HasPrefix(w, "e.g"):
		return techWord
	case strings.Contains(w, "-") && !plainCompound(w):
		return techWord
	}
	return plainWord
}

// remember notes how the text writes its words.
func (n *namer) remember(words []nameWord) {
	for _, w := range words {
		switch {
		case w.kind == plainWord:
			n.lower[n.s[w.start:w.end]] = true
		case w.kind == capWord && !w.first:
			n.mid[n.base(w)] = true
		}
	}
}

// base is a word without its possessive.
func (n *namer) base(w nameWord) string {
	return strings.TrimSuffix(strings.TrimSuffix(n.s[w.start:w.end], "'s"), "’s")
}

// sentence collects the names of one sentence.
func (n *namer) sentence(words []nameWord, cjk bool) {
	shouting := n.shouts(words)
	for i := 0; i < len(words); {
		w := words[i]
		switch {
		case w.kind == techWord:
			n.add(w.start, w.end)
			i++
		case w.kind == plainWord:
			if cjk && n.latinTerm(w) {
				n.add(w.start, w.end)
			}
			i++
		case shouting:
			i++
		default:
			j := n.runEnd(words, i)
			n.run(words[i:j], cjk)
			i = j
		}
	}
}

// shouts reports whether a sentence is written in capitals, so that they say nothing.
func (n *namer) shouts(words []nameWord) bool {
	upper, all := 0, 0
	for _, w := range words {
		if t := n.s[w.start:w.end]; !isDigit(t[0]) && len(t) > 1 {
			all++
			if strings.ToUpper(t) == t {
				upper++
			}
		}
	}
	return all >= 4 && upper*3 >= all*2
}

// latinTerm reports whether a lower-case Latin word in a Chinese sentence is a term: a command, a package, not a unit.
func (n *namer) latinTerm(w nameWord) bool {
	t := n.s[w.start:w.end]
	return len(t) >= 2 && isLower(t[0]) && units[t].name == "" && !enStop[t]
}

// particles join the parts of a name.
var particles = wordSet(`of de del della di da do dos du des la le les el van von der den ten ter zu zur af av bin ibn al y e & for`)

// runEnd returns the end of the run of capitalised words at i.
func (n *namer) runEnd(words []nameWord, i int) int {
	j := i + 1
	for j < len(words) {
		if !n.adjoins(words[j-1], words[j]) || strings.HasSuffix(n.s[words[j-1].start:words[j-1].end], "'s") {
			break
		}
		if words[j].kind == capWord || words[j].kind == strongCap {
			j++
			continue
		}
		// Particles count only between capitalised words: "University of the Arts".
		k := j
		for k < len(words) && k-j < 2 && words[k].kind == plainWord && n.adjoins(words[k-1], words[k]) {
			t := n.s[words[k].start:words[k].end]
			if !particles[t] && !(t == "the" && k > j) {
				break
			}
			k++
		}
		if k == j || k >= len(words) || words[k].kind != capWord && words[k].kind != strongCap || !n.adjoins(words[k-1], words[k]) {
			break
		}
		j = k + 1
	}
	return j
}

// adjoins reports whether only a space, or the point of an initial and a space, stands between two words.
func (n *namer) adjoins(a, b nameWord) bool {
	switch gap := n.s[a.end:b.start]; gap {
	case " ", "\n", " & ":
		return true
	case ". ", ".\n", ".":
		t := n.s[a.start:a.end]
		return len(t) == 1 || initials(t) && len(t) > 1 || abbrevs[strings.ToLower(t)] == neverLast
	}
	return false
}

// run trims a run of capitalised words and adds what is left of it.
func (n *namer) run(words []nameWord, cjk bool) {
	sentenceStart := len(words) > 0 && words[0].first && !cjk
	for len(words) > 0 {
		lower := strings.ToLower(n.base(words[0]))
		drop := words[0].kind == capWord && enStop[lower] || honorifics[lower] || len(words) == 1 && sectionWords[lower] || len(words) == 1 && calendarWord(lower) || len(lower) == 1 && len(words) == 1
		if sentenceStart && words[0].kind == capWord && !drop {
			drop = n.ordinaryStart(words, lower)
		}
		sentenceStart = false
		if !drop {
			break
		}
		words = words[1:]
	}
	for len(words) > 0 && particles[n.s[words[0].start:words[0].end]] {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	end := last.start + len(n.base(last))
	if lower := strings.ToLower(n.base(last)); len(words) == 1 && last.kind == capWord && (calendarWord(lower) || enStop[lower] || len(lower) == 1) {
		return
	}
	n.add(words[0].start, end)
}

var honorifics = wordSet(`mr mrs ms dr prof professor sir lady lord dame`)

func calendarWord(lower string) bool { return isMonth(lower) || weekdays[lower] }

var weekdays = wordSet(`monday tuesday wednesday thursday friday saturday sunday`)

// ordinaryStart reports whether the capitalised word that begins a sentence is an ordinary word there.
func (n *namer) ordinaryStart(words []nameWord, lower string) bool {
	switch {
	case len(lower) == 1 && len(words) > 1: // an initial
		return false
	case n.mid[n.base(words[0])]:
		return false
	case n.lower[lower], starters[lower], commonStart[lower]:
		return true
	case strings.HasSuffix(lower, "ly"), strings.HasSuffix(lower, "ing") && len(lower) > 5, strings.HasSuffix(lower, "ed") && len(lower) > 4:
		return len(words) == 1 || !strings.HasSuffix(lower, "ly") || len(lower) > 5
	case len(words) > 1:
		return false
	}
	for _, suffix := range [...]string{"tion", "sion", "ment", "ness", "ity", "ies", "ance", "ence", "able", "ful", "ers", "ors"} {
		if strings.HasSuffix(lower, suffix) && len(lower) > len(suffix)+2 {
			return true
		}
	}
	return strings.HasSuffix(lower, "s") && len(lower) > 4 && !strings.HasSuffix(lower, "us") && !strings.HasSuffix(lower, "is") && !strings.HasSuffix(lower, "ss") && !strings.HasSuffix(n.s[words[0].start:words[0].end], "s's")
}

// add appends the name between start and end.
func (n *namer) add(start, end int) {
	if end-start < 2 {
		return
	}
	n.out = append(n.out, Name{Text: n.s[start:end], Start: start, End: end})
}

// maxChineseName is the longest name in quotation marks, in characters; longer quotations are speech.
const maxChineseName = 20

// titles adds what stands within 《》 and the short quotations of a Chinese text.
func (n *namer) titles() {
	s := n.s
	for i := 0; ; {
		j := strings.Index(s[i:], "《")
		if j < 0 {
			break
		}
		start := i + j + len("《")
		i = start
		k := strings.Index(s[start:min(len(s), start+600)], "》")
		if k > 0 && !strings.Contains(s[start:start+k], "\n") {
			n.add(start, start+k)
			i = start + k
		}
	}
	if !hasCJK(s) {
		return
	}
	for _, q := range Quotes(s) {
		if hasCJK(q.Text) && utf8.RuneCountInString(q.Text) <= maxChineseName && !strings.ContainsAny(q.Text, "，。！？；：,.!?;:\n") {
			n.add(q.Start, q.End)
		}
	}
}

// finish orders the names, keeps the longer of two that overlap, and folds them.
func (n *namer) finish() []Name {
	sort.SliceStable(n.out, func(i, j int) bool {
		a, b := n.out[i], n.out[j]
		return a.Start < b.Start || a.Start == b.Start && a.End > b.End
	})
	kept := n.out[:0]
	end := 0
	for _, name := range n.out {
		if name.Start < end {
			continue
		}
		name.Norm = Fold(name.Text)
		kept = append(kept, name)
		end = name.End
	}
	return kept
}

func hasCJK(s string) bool {
	for i := 0; i < len(s); {
		if s[i] < 0xe0 {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if isCJK(r) {
			return true
		}
		i += n
	}
	return false
}
