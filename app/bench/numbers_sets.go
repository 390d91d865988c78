package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// numbersCaseOf reads a case of one of the three sets by its fields; ok is false for a line of another kind.
func numbersCaseOf(fields map[string]json.RawMessage) (c numbersCase, ok bool, err error) {
	switch {
	case has(fields, "model", "input", "results"):
		return recognizersNumbers(fields)
	case has(fields, "dim", "section", "input"):
		return ducklingNumbers(fields)
	case has(fields, "req", "res"):
		return quantulumNumbers(fields)
	}
	return c, false, nil
}

// ofKinds reads the single amounts of some kinds, their ranges taken apart.
func ofKinds(kinds ...research.QuantityKind) func(string) []amount {
	return func(s string) []amount {
		var out []amount
		for _, a := range text.Amounts(s) {
			for _, n := range a.Parts {
				for _, k := range kinds {
					if n.Kind == k {
						out = append(out, amountOf(n))
					}
				}
			}
		}
		return out
	}
}

func amountOf(n text.Number) amount {
	return amount{n.Start, n.End, string(n.Value), string(n.Value), n.Unit, n.Text}
}

// numbersAlone reads the numbers without their units; those written as one word with their unit ("29km"), ordinals and shares
// with a sign are not numbers alone.
func numbersAlone(s string) []amount {
	var out []amount
	for _, n := range text.Numbers(s) {
		if n.Kind == research.Ordinal || n.Article || n.Glued && n.Kind != research.Money || n.Kind == research.Percent && strings.ContainsAny(n.Text, "%％成折") {
			continue
		}
		v := n.Value
		if n.Kind == research.Percent {
			if i := strings.Index(n.Text, "分之"); i >= 0 { // the numerator
				inner := text.Numbers(n.Text[i+len("分之"):])
				if len(inner) != 1 {
					continue
				}
				at := n.Start + i + len("分之") + inner[0].Start
				out = append(out, amount{at, at + inner[0].End - inner[0].Start, string(inner[0].Value), string(inner[0].Value), "", inner[0].Text})
				continue
			}
		}
		out = append(out, amount{n.NumberStart, n.NumberEnd, string(v), string(v), "", s[n.NumberStart:n.NumberEnd]})
	}
	return out
}

// ranges reads the ranges of bare numbers with the words that make them one; the unit behind the last number is no part of it.
func ranges(s string) []amount {
	var out []amount
	for _, a := range text.Amounts(s) {
		if !a.Range {
			continue
		}
		end := a.PhraseEnd
		if last := a.Parts[len(a.Parts)-1]; end == a.End && end == last.End {
			end = last.NumberEnd
		}
		out = append(out, amount{a.PhraseStart, end, string(a.Low), string(a.High), a.Unit, s[a.PhraseStart:end]})
	}
	return out
}

// phrases reads whole amounts with the words around them.
func phrases(s string) []amount {
	var out []amount
	for _, a := range text.Amounts(s) {
		out = append(out, amount{a.PhraseStart, a.PhraseEnd, string(a.Low), string(a.High), a.Unit, s[a.PhraseStart:a.PhraseEnd]})
	}
	return out
}

// quantities reads amounts without the words around them; of a range the middle is its value.
func quantities(s string) []amount {
	var out []amount
	for _, a := range text.Amounts(s) {
		if a.Kind == research.Ordinal {
			continue
		}
		v := a.Value
		if a.Range && a.Low.Known() && a.High.Known() {
			v = a.Low.Add(a.High).Mul(research.NewRatio(1, 2))
		}
		out = append(out, amount{a.Start, a.End, string(v), string(v), a.Unit, s[a.Start:a.End]})
	}
	return out
}

var recognizersReaders = map[string]func(string) []amount{
	"NumberModel":      numbersAlone,
	"OrdinalModel":     ofKinds(research.Ordinal),
	"PercentModel":     ofKinds(research.Percent),
	"NumberRangeModel": ranges,
	"CurrencyModel":    ofKinds(research.Money),
	"DimensionModel":   ofKinds(research.Measure),
	"AgeModel":         ofKinds(text.Age),
	"TemperatureModel": ofKinds(text.Temperature),
}

var rangeValue = regexp.MustCompile(`^[\[(]([^,]*),([^,]*)[\])]$`)

// recognizersNumbers reads a case of Recognizers-Text.
func recognizersNumbers(fields map[string]json.RawMessage) (numbersCase, bool, error) {
	var in struct {
		ID, Lang, Model, Input string
		Results                []struct {
			Text       string
			Start, End *int
			Resolution map[string]any
		}
	}
	if err := into(fields, &in); err != nil {
		return numbersCase{}, false, err
	}
	read, ok := recognizersReaders[in.Model]
	if !ok {
		return numbersCase{}, false, nil
	}
	c := numbersCase{row: numbersRow{ID: in.ID, Set: "recognizers", Model: in.Model, Lang: langOf(in.Lang), Input: in.Input}, read: read}
	for _, r := range in.Results {
		value, _ := r.Resolution["value"].(string)
		if !strings.ContainsAny(value, "0123456789") || strings.HasPrefix(value, "end") || strings.HasPrefix(value, "current") || r.Start == nil || r.End == nil {
			c.leftOut++ // a unit without a number, "the last but one"
			continue
		}
		unit, _ := r.Resolution["unit"].(string)
		a := amount{start: byteOffset(in.Input, *r.Start), end: byteOffset(in.Input, *r.End+1), unit: unit, words: r.Text}
		if m := rangeValue.FindStringSubmatch(value); m != nil {
			a.low, a.high = m[1], m[2]
		} else {
			a.low = strings.TrimSuffix(value, "%")
			a.high = a.low
		}
		c.gold = append(c.gold, a)
	}
	return c, true, nil
}

var (
	ducklingNumber = regexp.MustCompile(`-?\d+(?:\.\d+)?(?:e-?\d+)?`)
	ducklingUnit   = regexp.MustCompile(`^(?:simple|above|under|between) (\w+)`)
)

// ducklingNumbers reads a case of duckling: its whole input is one amount, expected as "NumeralValue 2", "simple Dollar 3.14",
// "between Litre (2, 7)", "above Mile 3.5".
func ducklingNumbers(fields map[string]json.RawMessage) (numbersCase, bool, error) {
	var in struct {
		ID, Lang, Dim, Section, Input string
		Expected                      *string
	}
	if err := into(fields, &in); err != nil {
		return numbersCase{}, false, err
	}
	c := numbersCase{row: numbersRow{ID: in.ID, Set: "duckling", Model: in.Dim, Lang: langOf(in.Lang), Input: in.Input}, read: phrases}
	if in.Expected == nil {
		return c, in.Section == "negative", nil
	}
	values := *in.Expected
	unit := ""
	if m := ducklingUnit.FindStringSubmatch(values); m != nil {
		unit = m[1]
		values = values[len(m[0]):]
	}
	if i := strings.Index(values, "(Just"); i >= 0 {
		values = values[:i]
	}
	n := ducklingNumber.FindAllString(values, -1)
	if len(n) == 0 {
		return c, false, fmt.Errorf("case %s: no number in %q", in.ID, *in.Expected)
	}
	trimmed := strings.TrimSpace(in.Input)
	start := strings.Index(in.Input, trimmed)
	a := amount{start: start, end: start + len(trimmed), low: n[0], high: n[len(n)-1], unit: unit, words: trimmed}
	switch {
	case strings.HasPrefix(*in.Expected, "above "):
		a.high = ""
	case strings.HasPrefix(*in.Expected, "under "):
		a.low = ""
	}
	c.gold = []amount{a}
	return c, true, nil
}

// quantulumNumbers reads a case of quantulum3; a surface is looked for from left to right.
func quantulumNumbers(fields map[string]json.RawMessage) (numbersCase, bool, error) {
	var in struct {
		ID, Req string
		Res     json.RawMessage
	}
	if err := into(fields, &in); err != nil {
		return numbersCase{}, false, err
	}
	var res []struct {
		Value   *json.Number
		Unit    any
		Surface string
	}
	if !bytes.HasPrefix(bytes.TrimSpace(in.Res), []byte("[")) {
		return numbersCase{}, false, nil
	}
	if err := json.Unmarshal(in.Res, &res); err != nil {
		return numbersCase{}, false, nil // a line of another form than the readme says
	}
	c := numbersCase{row: numbersRow{ID: in.ID, Set: "quantulum3", Model: "quantities", Lang: "en", Input: in.Req}, read: quantities}
	from := 0
	for _, r := range res {
		if r.Value == nil {
			continue
		}
		i := strings.Index(in.Req[from:], r.Surface)
		if i < 0 {
			continue
		}
		unit, _ := r.Unit.(string)
		c.gold = append(c.gold, amount{from + i, from + i + len(r.Surface), r.Value.String(), r.Value.String(), unit, r.Surface})
		from += i + max(1, utf8.RuneLen([]rune(r.Surface + " ")[0]))
	}
	return c, true, nil
}

// unitAliases are the names of units in the sets that a value is turned by; the others are compared as they are.
var unitAliases = map[string]string{"Inch": "inch", "Foot": "ft", "Yard": "yd", "Mile": "mi", "Metre": "m", "Meter": "m", "Kilometre": "km", "Kilometer": "km", "Centimetre": "cm", "M": "m",
	"Litre": "l", "Millilitre": "ml", "Gallon": "gallon", "Hectolitre": "hl", "Byte": "B", "Kilobyte": "kB", "Kilobit": "kbit", "Bit": "bit", "Pound": "lb", "Ounce": "oz", "Gram": "g", "Kilogram": "kg"}

func unitAlias(u string) (string, bool) {
	a, ok := unitAliases[u]
	return a, ok
}
