package research

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Canonical returns a JSON text in the one form that all texts of its value have: without white space, keys in order, strings escaped in
// one way, and each number by its digits and power of ten. So a record that another tool read and wrote again keeps its seals. A text that
// is no JSON is returned as it is.
func Canonical(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := json.Marshal(canonicalValue(v)) // writes the keys of a map in order
	if err != nil {
		return raw
	}
	return out
}

// canonicalValue puts the numbers of a decoded value into their form. Its depth is bounded by that of the decoder.
func canonicalValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = canonicalValue(e)
		}
	case []any:
		for i, e := range v {
			v[i] = canonicalValue(e)
		}
	case json.Number:
		return json.Number(canonicalNumber(string(v)))
	}
	return v
}

// maxExponent is the longest exponent that is read, in digits; a number with a longer one is left as it is written.
const maxExponent = 8

// canonicalNumber writes a number as its digits without zeros at the ends and its power of ten: 1500 and 1.5e3 are 15e2, 0.10 is 1e-1.
func canonicalNumber(s string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	negative := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
	if len(exponent) > maxExponent {
		return s
	}
	power := 0
	for _, r := range exponent {
		power = 10*power + int(r-'0')
	}
	if negative {
		power = -power
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits := whole + part
	power -= len(part)
	trimmed := strings.TrimRight(digits, "0")
	power += len(digits) - len(trimmed)
	if trimmed = strings.TrimLeft(trimmed, "0"); trimmed == "" {
		return "0"
	}
	if power == 0 {
		return sign + trimmed
	}
	b, _ := json.Marshal(power) // an int
	return sign + trimmed + "e" + string(b)
}
