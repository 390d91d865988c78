package subject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds of a sense.
const (
	senseBytes = 1200 // of text on each side of the name
	nearTokens = 14   // words on each side that count double
	workTokens = 12   // words within which a word for a kind of work belongs to the name
)

// Sense is what a text says about which of the things of one name it means: what the name does where it stands, what the text
// is about, and whom else it names.
type Sense struct {
	role    [roles]float64  // evidence for each, 0 or more
	contest []float64       // by index of contests, of length 1 or zero
	matter  []float64       // by index of matters, of length 1 or zero
	near    map[string]bool // regions near the name
	lands   map[string]bool // regions anywhere in the text
	states  map[string]bool
	stems   map[string]bool // content words
	names   map[string]bool // capitalised words, folded
	years   map[int]bool
	follows string // the capitalised word right behind the name, folded: "County", "Canucks"
	before  string // the word before it, folded
	after   string
	work    string // the kind of work that is named nearest
	list    bool   // the name is one of a list of names
	land    bool   // the name is that of a land, a continent or an American state
	people  bool   // the name is the word for what comes from one
	body    bool   // the name has three words and more, or a word as institutions have
	letters bool   // the name is an abbreviation
	women   bool
	young   bool
	words   int // of the name
	size    int // words of the text
}

// SenseOf reads the sense of the name at span, which must lie in s. It looks at 1,200 bytes on each side.
func SenseOf(s string, span research.Span) Sense {
	lo, hi := max(0, span.Start-senseBytes), min(len(s), span.End+senseBytes)
	for lo > 0 && !utf8.RuneStart(s[lo]) {
		lo--
	}
	for hi < len(s) && !utf8.RuneStart(s[hi]) {
		hi++
	}
	p := placed{s: s[lo:hi], from: span.Start - lo, to: span.End - lo}
	p.toks = text.Tokens(p.s)
	for i, t := range p.toks {
		if t.End <= p.from {
			p.at = i + 1
		}
		if t.Start < p.to {
			p.end = i + 1
		}
	}
	p.end = max(p.end, p.at)
	x := Sense{
		contest: make([]float64, len(contests)), matter: make([]float64, len(matters)),
		near: map[string]bool{}, lands: map[string]bool{}, states: map[string]bool{}, stems: map[string]bool{}, names: map[string]bool{}, years: map[int]bool{},
		words: len(strings.Fields(p.s[p.from:p.to])), size: len(p.toks),
	}
	own := map[string]bool{}
	for _, t := range p.toks[p.at:p.end] {
		own[t.Norm] = true
	}
	workGap := workTokens + 1
	for i, t := range p.toks {
		if own[t.Norm] || t.Norm == "" {
			continue
		}
		gap := max(p.at-i, i-p.end+1)
		if k := workKinds[t.Norm]; k != "" && gap < workGap {
			x.work, workGap = k, gap
		}
		x.take(p, i, gap <= nearTokens)
	}
	x.before, x.after = p.norm(p.at-1), p.norm(p.end)
	x.readName(p)
	x.readRole(p)
	unit(x.contest)
	unit(x.matter)
	return x
}

// take counts one word of the surroundings.
func (x *Sense) take(p placed, i int, near bool) {
	t := p.toks[i]
	gain := 1.0
	if near {
		gain = 2
	}
	count(x.contest, contests, t.Norm, gain)
	count(x.matter, matters, t.Norm, gain)
	if t.Norm == "rugby" { // its two codes are told apart by the next word
		count(x.contest, contests, "rugby "+p.norm(i+1), 2*gain)
	}
	switch t.Norm {
	case "she", "her", "women", "womens", "ladies", "female", "女子", "女":
		x.women = true
	case "under", "u":
		n := p.norm(i + 1)
		x.young = x.young || len(n) == 2 && allDigits(n) && n >= "15" && n <= "23"
	case "junior":
		x.young = x.young || p.norm(i+1) == "world"
	case "u18", "u19", "u20", "u21", "青年":
		x.young = true
	}
	if regions[t.Norm] {
		x.lands[regionOf(t.Norm)] = true
		if near {
			x.near[regionOf(t.Norm)] = true
		}
	}
	if states[t.Norm] && t.Text != strings.ToUpper(t.Text) { // in capitals it is a side of a table
		x.states[t.Norm] = true
	}
	if allDigits(t.Norm) {
		if len(t.Norm) == 4 && t.Norm >= "1000" && t.Norm < "2100" {
			x.years[number(t.Norm)] = true
		}
		return
	}
	if text.StopWord(t.Norm, "en") {
		return
	}
	x.stems[text.Stem(t.Norm, "en")] = true
	if startsUpper(t.Text) && len(t.Text) > 2 && (i == 0 || !strings.ContainsAny(p.s[p.toks[i-1].End:t.Start], ".!?\n\"“")) {
		x.names[t.Norm] = true
	}
}

// readName reads what the name by itself says.
func (x *Sense) readName(p placed) {
	if p.at >= p.end {
		return
	}
	name := p.toks[p.at:p.end]
	first, last := name[0].Norm, name[len(name)-1].Norm
	x.people = peopleWords[last] && len(name) <= 2
	switch len(name) {
	case 1:
		x.land = lands[last] || states[last]
	case 2:
		x.land = lands[last] && compass[first] || twoWordLands[first+" "+last]
	case 3:
		x.land = last == "emirates" || last == "wales"
	}
	written := strings.ReplaceAll(p.s[p.from:p.to], ".", "")
	x.letters = len(written) >= 2 && len(written) <= 5 && written == strings.ToUpper(written) && !strings.Contains(written, " ")
	x.body = x.words >= 3
	for _, t := range name {
		x.body = x.body || x.words > 1 && bodyWords[t.Norm]
	}
}

// sporting reports whether the text is about a contest.
func (x *Sense) sporting() bool { return some(x.contest) || x.matter[sportMatter] > 0 }

// count adds to the fields that have a word.
func count(to []float64, fields []field, word string, gain float64) {
	for k, f := range fields {
		if f.words[word] || f.name == word {
			to[k] += gain
		}
	}
}

func regionOf(w string) string {
	if r, ok := sameRegion[w]; ok {
		return r
	}
	return w
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// number reads a short run of digits.
func number(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
