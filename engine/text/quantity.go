package text

import (
	"strings"

	"assay/engine/research"
)

// Quantities returns the numbers in s.
func Quantities(s string) []research.Quantity {
	var out []research.Quantity
	for _, t := range Tokens(s) {
		if !isDigit(t.Text[0]) {
			continue
		}
		v, err := research.ParseDecimal(strings.ReplaceAll(t.Text, ",", ""))
		q := research.Quantity{Value: v, Kind: research.Count, Text: t.Text, Start: t.Start, End: t.End}
		if err != nil {
			q.Kind = research.Version
		}
		if len(t.Text) == 4 && (t.Text[:2] == "19" || t.Text[:2] == "20") {
			q.Kind = research.Year
		}
		out = append(out, q)
	}
	return out
}
