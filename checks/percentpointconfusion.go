package checks

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var percentpointconfusion = &Check{
	ID: "G11", Name: "percentpointconfusion", Title: "PercentPointConfusion", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalPercentPointConfusion, Advise: Issues,
}

const decimal = `(\d{1,4}(?:\.\d{1,4})?)`

var (
	// points are percentage points; basis points are a hundredth of one. "Points" alone are a score.
	points      = regexp.MustCompile(`(?i)` + decimal + `[ -]?(?:percentage[ -]points?|percent(?:age)?[ -]points?|per cent points?|p\.?p\.?t?s?\b)|` + decimal + ` ?个?百分点`)
	basisPoints = regexp.MustCompile(`(?i)` + decimal + `[ -]?(?:basis points?|bps?\b)|` + decimal + ` ?个?基点`)
	percents    = regexp.MustCompile(`(?i)` + decimal + ` ?(?:%|％|percent\b|per cent\b)|百分之` + decimal)
	fromTo      = regexp.MustCompile(`(?i)(?:\bfrom |从|由)` + decimal + ` ?(?:%|％|percent|per cent)?[^.\d%]{0,20}?(?:\bto |至|到|升至|降至|增至|增加到|上升到|下降到)` + decimal + ` ?(?:%|％|percent|per cent)`)
	changed     = regexp.MustCompile(`(?i)\b(?:rose|risen|rises?|rising|fell|fallen|falls?|falling|grew|grown|grows?|growing|increas\w*|decreas\w*|gain\w*|lost|drop\w*|declin\w*|climb\w*|jump\w*|cut|slump\w*|up|down|higher|lower|improv\w*|widen\w*|narrow\w*|growth|went|moved?|moving|add(?:s|ed|ing)|rise|shift\w*|sw[ui]ng\w*|expand\w*|edged|slip\w*|shr[aiu]nk\w*|surg\w*|soar\w*|advanc\w*|came down|change\w*|more|less|fewer|extra|differ\w*|gap|lead|ahead|behind)\b|提升|扩大|缩小|高出|低于|高于|多了|少了|增至|升至|降至|攀升|回升|回落|收窄|增幅|降幅|变化|差距|相差|领先|落后|上升|下降|增长|增加|减少|提高|降低|上涨|下跌|涨|跌|升|降`)
)

// numbersOf returns the decimals that a pattern finds in s, and s without them.
func numbersOf(re *regexp.Regexp, s string) (values []*big.Rat, rest string) {
	for _, m := range re.FindAllStringSubmatch(s, 32) {
		for _, g := range m[1:] {
			if d, err := research.ParseDecimal(g); g != "" && err == nil {
				values = append(values, d.Rat())
			}
		}
	}
	return values, re.ReplaceAllString(s, " ")
}

func hasValue(list []*big.Rat, want *big.Rat) bool {
	for _, v := range list {
		if v.Cmp(want) == 0 {
			return true
		}
	}
	return false
}

func evalPercentPointConfusion(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
	if !strings.ContainsAny(clean, "%％") && !points.MatchString(clean) && !percents.MatchString(clean) {
		return nil
	}
	moves := changed.MatchString(clean)
	g := v.groundOf(b)
	said := readShares(clean)
	have := readShares(g.text)
	hundred := big.NewRat(100, 1)
	if len(said.points) > 0 {
		have.pairs(v.sharesNear(clean, g))
	}
	var hits []Hit
	add := func(x *big.Rat, is, should string) {
		hits = append(hits, Hit{Where: b.ID, What: fmt.Sprintf("it says %s %s where its source has %s", trimZeros(x), is, should)})
	}
	for _, x := range said.percents {
		switch {
		case hasValue(have.percents, x) || hasValue(have.growths, x):
		case hasValue(have.points, x):
			add(x, "percent", trimZeros(x)+" percentage points")
		case hasValue(have.basis, new(big.Rat).Mul(x, hundred)) || hasValue(have.basis, x):
			add(x, "percent", "basis points")
		case moves && hasValue(have.differences, x):
			add(x, "percent", "a change from one share to another that is "+trimZeros(x)+" percentage points")
		}
	}
	for _, x := range said.points {
		switch {
		case hasValue(have.points, x) || hasValue(have.differences, x) || hasValue(have.basis, new(big.Rat).Mul(x, hundred)):
		case hasValue(have.percents, x):
			add(x, "percentage points", trimZeros(x)+" percent")
		case moves && hasValue(have.growths, x):
			add(x, "percentage points", "a growth of "+trimZeros(x)+" percent")
		}
	}
	return hits
}

// shares is what a text says in percent and in points.
type shares struct {
	percents, points, basis []*big.Rat
	differences, growths    []*big.Rat // of the pairs "from A % to B %": B - A, and (B - A) / A in percent to one digit and none
}

func readShares(s string) shares {
	var out shares
	rest := s
	out.points, rest = numbersOf(points, rest)
	out.basis, rest = numbersOf(basisPoints, rest)
	for _, m := range fromTo.FindAllStringSubmatch(rest, 16) {
		a, err := research.ParseDecimal(m[1])
		c, err2 := research.ParseDecimal(m[2])
		if err == nil && err2 == nil {
			out.change(a.Rat(), c.Rat())
		}
	}
	out.pairs(rest)
	out.percents, _ = numbersOf(percents, rest)
	return out
}

// change adds the difference of two shares and the growth from the one to the other.
func (s *shares) change(from, to *big.Rat) {
	if from.Sign() == 0 {
		return
	}
	d := new(big.Rat).Sub(to, from)
	s.differences = append(s.differences, new(big.Rat).Abs(d))
	d.Quo(d, from)
	for _, digits := range []int{0, 1, 2} {
		if r, ok := new(big.Rat).SetString(d.Abs(d).FloatString(digits + 2)); ok { // rounded as percent
			s.growths = append(s.growths, r.Mul(r, big.NewRat(100, 1)))
		}
	}
	// A report also cuts what it should round.
	whole := new(big.Rat).Mul(d, big.NewRat(100, 1))
	s.growths = append(s.growths, new(big.Rat).SetInt(new(big.Int).Quo(whole.Num(), whole.Denom())))
}

// period is a year, or another word that says which time a share is of.
var period = regexp.MustCompile(`(?:1[5-9]|20)\d\d`)

// pairs adds the changes that a text tells by two shares of two years in one sentence: "covered 21 percent in 2019 and 36
// percent in 2024", "从2019年的21%上升到2024年的36%".
func (s *shares) pairs(said string) {
	for _, sentence := range sentencesOf(said) {
		at := percents.FindAllStringSubmatch(sentence, 3)
		years := period.FindAllString(sentence, 3)
		if len(at) != 2 || len(years) != 2 || years[0] == years[1] {
			continue
		}
		var v [2]*big.Rat
		for i, m := range at {
			for _, g := range m[1:] {
				if d, err := research.ParseDecimal(g); g != "" && err == nil {
					v[i] = d.Rat()
				}
			}
		}
		if v[0] == nil || v[1] == nil {
			continue
		}
		s.change(v[0], v[1])
		if years[0] > years[1] || v[0].Cmp(v[1]) > 0 { // "36 percent in 2024, up from 21 percent in 2019"
			s.change(v[1], v[0])
		}
	}
}

// sharesNear returns the sentences of the cited sources that tell two shares of a thing that a statement speaks of: what it
// says in points may have been worked out from them.
func (v View) sharesNear(statement string, g ground) string {
	lang := langOf(statement)
	terms := text.TermSet(statement, lang)
	var out []string
	for _, s := range g.sources {
		for _, sentence := range sentencesOf(head(v.Texts[s.SHA256], maxShareText)) {
			if len(percents.FindAllString(sentence, 2)) == 2 && text.Containment(terms, text.TermSet(sentence, lang)) >= nearShare {
				out = append(out, sentence)
			}
		}
	}
	return strings.Join(out, "\n")
}

const (
	// maxShareText bounds how much of a source is read for shares, in runes.
	maxShareText = 60_000
	// nearShare is how much of a statement's terms a sentence has that may be about the same shares.
	nearShare = 0.4
)
