package subject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/text"
)

// role is what a name stands for where it stands, read from the words and marks beside it.
type role int

const (
	asPlace   role = iota // "born in X", "X, Ohio", the place a report was sent from
	asSide                // one side of a contest: "beat X", "X 3", a row of a table
	asPerson              // "Mr X", "X said"
	asQuality             // before a noun or a person: "the X striker", "Liberal candidate"
	asWork                // in quotation marks, "the film X"
	roles
)

// placed is a name in a text that is cut into words.
type placed struct {
	s        string
	from, to int // bytes of the name
	toks     []text.Token
	at, end  int // its words
}

// norm is the folded word i, "" when there is none.
func (p placed) norm(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].Norm
}

// written is word i as it is written.
func (p placed) written(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].Text
}

// number reports whether word i begins with a digit.
func (p placed) number(i int) bool {
	w := p.norm(i)
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

// gaps are what stands between the name and the words beside it, without spaces.
func (p placed) gaps() (before, after string) {
	lo, hi := 0, len(p.s)
	if p.at > 0 {
		lo = min(p.toks[p.at-1].End, p.from)
	}
	if p.end < len(p.toks) {
		hi = max(p.toks[p.end].Start, p.to)
	}
	return strings.TrimSpace(p.s[lo:p.from]), strings.TrimSpace(p.s[p.to:hi])
}

// readRole weighs the signs of each role. The weights are ours; only their order matters, as the comparison scales them.
func (x *Sense) readRole(p placed) {
	before, after := p.gaps()
	upper := p.s[p.from:p.to] == strings.ToUpper(p.s[p.from:p.to])
	if after == "" && p.end < len(p.toks) && startsUpper(p.toks[p.end].Text) && !upper {
		x.follows = p.norm(p.end)
	}
	x.list = (strings.HasSuffix(before, ",") || listWords[p.norm(p.at-1)]) && (strings.HasPrefix(after, ",") || listWords[p.norm(p.end)])
	x.readFigures(p, upper, after)
	x.readBefore(p, upper, before)
	x.readAfter(p, before, after)
	if before == "" || !strings.HasSuffix(before, "(") || !strings.HasPrefix(after, ")") {
		return
	}
	if x.land || regions[p.norm(p.end-1)] {
		x.role = [roles]float64{asPlace: 2} // where someone comes from
	} else {
		x.role[asSide] += 1.5
	}
}

// readFigures reads the numbers behind the name: the date of a report, the figures of a table, a result.
func (x *Sense) readFigures(p placed, upper bool, after string) {
	figures := 0
	for i := p.end; i < p.end+4; i++ {
		if p.number(i) {
			figures++
		}
	}
	switch {
	case datedAfter(p.s[p.to:]), upper && strings.HasPrefix(after, ",") && (p.number(p.end+1) || strings.Contains(p.s[p.to:min(len(p.s), p.to+40)], "Reuter")):
		x.role[asPlace] += 3
	case !p.number(p.end):
	case figures >= 3:
		x.role[asSide] += 3
	case after == "" && p.number(p.at-1):
		x.role[asSide] += 2
	case after == "":
		x.role[asSide]++
	}
}

// readBefore reads the words before the name.
func (x *Sense) readBefore(p placed, upper bool, gap string) {
	b, b2 := p.norm(p.at-1), p.norm(p.at-2)
	if b == "the" {
		b, b2 = b2, p.norm(p.at-3)
	}
	direct := gap == ""
	if upper && (p.written(p.at-1) == "AT" || p.written(p.end) == "AT") { // a list of fixtures
		x.role[asSide] += 3
	} else if placeBefore[b] && direct && x.follows == "" {
		x.role[asPlace] += 2
	}
	if sideBefore[b] && strings.Trim(gap, " .") == "" {
		x.role[asSide] += 2
	}
	switch {
	case !direct:
	case (b == "for" || b == "between") && x.sporting(), b == "by" && undergone[b2], b == "to" && lostTo[b2]:
		x.role[asSide] += 1.5
	case b == "to", b == "of" && placeOf[b2]:
		x.role[asPlace] += 0.7
	}
	if gap == "," && p.at > 1 && placeBefore[p.norm(p.at-2)] { // "born in Radcliffe, X"
		x.role[asPlace] += 1.5
	}
	if personBefore[p.norm(p.at-1)] && direct {
		x.role[asPerson] += 2
	}
	if workBefore[p.norm(p.at-1)] {
		x.role[asWork] += 2
	}
	if x.people {
		x.role[asQuality] += 1.5
	}
}

// readAfter reads the words behind the name, and the marks on both sides.
func (x *Sense) readAfter(p placed, before, after string) {
	next := p.norm(p.end)
	if strings.HasPrefix(after, ",") && regions[next] {
		x.role[asPlace] += 1.5
	}
	if after == "" && sideAfter[next] {
		x.role[asSide] += 1.5
	}
	if x.sporting() && (after == "-" || after == "–" || after == ":") && startsUpper(p.written(p.end)) { // "Scorers: X - Smith"
		x.role[asSide] += 2
	}
	if after == "" && x.sporting() && squadWords[next] {
		x.role[asSide] += 2
	}
	if personAfter[next] && strings.Trim(after, " ,") == "" {
		x.role[asPerson] += 1.5
	}
	if strings.ContainsAny(before, "\"“«‘'") && strings.ContainsAny(after, "\"”»’'") {
		x.role[asWork] += 2
	}
	if r, _ := utf8.DecodeRuneInString(p.written(p.end)); after == "" && unicode.IsLower(r) && !text.StopWord(next, "en") {
		x.role[asQuality]++
	}
	if x.follows != "" && !capitalPart[x.follows] {
		x.role[asQuality] += 0.7
	}
	if next == "s" || strings.HasPrefix(p.s[p.to:], "'s") {
		x.role[asPlace] += 0.3
	}
	switch {
	case !x.list:
	case x.sporting() && x.matter[placeMatter] < x.matter[sportMatter]:
		x.role[asSide] += 0.8
	case x.matter[placeMatter] > 0:
		x.role[asPlace]++
	}
}

// datedAfter reports whether a date in figures follows at once, as behind the place a report was sent from.
func datedAfter(s string) bool {
	s = strings.TrimLeft(s, " ,")
	if len(s) < 10 {
		return false
	}
	for i, c := range []byte("0000-00-00") {
		if c == '0' && (s[i] < '0' || s[i] > '9') || c == '-' && s[i] != '-' {
			return false
		}
	}
	return true
}
