package evidence

import (
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// Value is what a sentence states for an attribute.
type Value struct {
	Kind       research.AnswerType // date, quantity or name
	Text       string              // as printed
	Start, End int                 // bytes in the sentence
	measure    string              // of a number: what it measures or counts in
}

// Reach of an attribute: tokens between it and its value.
const (
	valueAfter  = 6
	valueBefore = 2
	nameAfter   = 2 // to a name that no "by" introduces
)

// counted are the words by which texts count the people of a place.
var countedPeople = stemSet("people inhabitants residents persons population")

// timeWords say that a time is asked for, not of what.
var timeWords = stemSet("date day month year time")

// Stated returns what a sentence states for an attribute, given by its stems: the date, number or name that follows a word of it or
// of its kin closely, or stands just before, as in "born 22 May 1885", "population: 1,294", "directed by Ann Roe". Of a person's
// dates in brackets the first is the birth, the second the death. With loose the only value of a sentence that has such a word is meant
// wherever it stands. Names that stand in given, the question, are none. Each value once, in order.
func Stated(want research.AnswerType, attribute []string, given, s string, loose bool) []Value {
	tokens := text.Tokens(s)
	if len(tokens) > maxSentence || len(attribute) == 0 {
		return nil
	}
	anchors := map[string]bool{}
	for _, a := range attribute {
		if timeWords[a] && len(attribute) > 1 {
			continue // "the date of birth" is the day of a birth, not any date
		}
		anchors[a] = true
		for _, k := range kin[a] {
			anchors[k] = true
		}
		if countedPeople[a] {
			for k := range countedPeople {
				anchors[k] = true
			}
		}
	}
	values := slices.DeleteFunc(valuesOf(want, s), func(v Value) bool {
		return v.Kind == research.AnswerName && strings.Contains(text.Fold(given), text.Fold(v.Text))
	})
	if len(values) == 0 {
		return nil
	}
	anchored := map[string]bool{}
	var out []Value
	add := func(v Value) {
		if !slices.ContainsFunc(out, func(o Value) bool { return o.Start == v.Start }) {
			out = append(out, v)
		}
	}
	for i, t := range tokens {
		if !anchors[text.Stem(t.Norm, "en")] {
			continue
		}
		anchored[text.Stem(t.Norm, "en")] = true
		if v, ok := following(tokens, i, values, s, leads[want]); ok {
			add(v)
		} else if v, ok := preceding(tokens, i, values, s); ok {
			add(v)
		}
	}
	if want == research.AnswerDate {
		for _, v := range lifeDates(attribute, values, s) {
			add(v)
		}
	}
	if len(out) == 0 && loose && 2*len(anchored) >= len(attribute) && len(values) == 1 {
		out = values
	}
	slices.SortFunc(out, func(a, b Value) int { return a.Start - b.Start })
	return out
}

// leads are the words that lead from an attribute to a name of a kind.
var leads = map[research.AnswerType]map[string]bool{
	research.AnswerPerson: wordSet("by to"), research.AnswerOrg: wordSet("by to"), research.AnswerName: wordSet("by as"), research.AnswerPlace: wordSet("in at near on from to"),
}

// valuesOf lists the values of a kind in a sentence.
func valuesOf(want research.AnswerType, s string) []Value {
	var out []Value
	switch want {
	case research.AnswerDate:
		for _, d := range temporal.Dates(s) {
			out = append(out, Value{Kind: want, Text: s[d.Start:d.End], Start: d.Start, End: d.End})
		}
	case research.AnswerQuantity:
		for _, q := range text.Quantities(s) {
			if q.Kind == research.Year || q.Kind == research.Percent || q.Kind == research.Ordinal || q.Kind == research.Version {
				continue
			}
			measure := string(q.Kind)
			if q.Kind != research.Count {
				measure += " " + q.Unit
			} else if !q.Value.Rat().IsInt() {
				measure += " part"
			}
			out = append(out, Value{want, s[q.Start:q.End], q.Start, q.End, measure})
		}
	case research.AnswerPerson, research.AnswerOrg, research.AnswerPlace, research.AnswerName:
		for _, n := range text.Names(s) {
			out = append(out, Value{Kind: research.AnswerName, Text: n.Text, Start: n.Start, End: n.End})
		}
	}
	return out
}

// following returns the value that begins within reach after token i, in the same clause.
func following(tokens []text.Token, i int, values []Value, s string, lead map[string]bool) (Value, bool) {
	led := false
	for j := i + 1; j < len(tokens) && j <= i+valueAfter; j++ {
		if strings.ContainsAny(s[tokens[j-1].End:tokens[j].Start], ";.") && !strings.Contains(s[tokens[j-1].End:tokens[j].Start], ":") {
			break
		}
		for _, v := range values {
			if v.Start != tokens[j].Start {
				continue
			}
			return v, v.Kind != research.AnswerName || led || j <= i+nameAfter
		}
		led = led || lead[tokens[j].Norm]
	}
	return Value{}, false
}

// preceding returns the value that ends within reach before token i: a number that counts what follows it, or the name of who does it.
func preceding(tokens []text.Token, i int, values []Value, s string) (Value, bool) {
	for _, v := range values {
		if v.Kind == research.AnswerDate || v.End > tokens[i].Start {
			continue
		}
		between := 0
		for j := i; j > 0 && tokens[j].Start > v.End; j-- {
			between++
		}
		if v.Kind == research.AnswerName && between > 1 {
			continue
		}
		if between <= valueBefore && !strings.ContainsAny(s[v.End:max(v.End, tokens[i].Start)], ",;.") {
			return v, true
		}
	}
	return Value{}, false
}

var births, deaths = stemSet("born birth"), stemSet("die died death dead")

// lifeDates reads "(15 May 1885 – 8 July 1955)".
func lifeDates(attribute []string, values []Value, s string) []Value {
	birth, death := false, false
	for _, a := range attribute {
		birth, death = birth || births[a], death || deaths[a]
	}
	if !birth && !death {
		return nil
	}
	for i := 0; i+1 < len(values); i++ {
		open := strings.LastIndexByte(s[:values[i].Start], '(')
		between := strings.TrimSpace(s[values[i].End:values[i+1].Start])
		if open < 0 || strings.Contains(s[open:values[i].Start], ")") || between != "–" && between != "-" && between != "—" && between != "−" {
			continue
		}
		if birth {
			return values[i : i+1]
		}
		return values[i+1 : i+2]
	}
	return nil
}

// Differ reports whether two values of one kind cannot both be meant: not one value in two spellings, roundings or precisions.
func (v Value) Differ(o Value) bool {
	return v.Kind == o.Kind && v.measure == o.measure && !sameThing(Exchanged{A: v.Text, B: o.Text, Kind: v.Kind})
}
