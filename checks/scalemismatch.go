package checks

import (
	"fmt"
	"math/big"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

var scalemismatch = &Check{
	ID: "G10", Name: "scalemismatch", Title: "ScaleMismatch", Tier: Grounding, Class: Firm,
	Scope: statementKeys, Eval: evalScaleMismatch,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Issues,
}

// maxPower is the largest power of ten between two values that is a slip of scale: thousand for trillion.
const maxPower = 12

func evalScaleMismatch(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
	g := v.groundOf(b)
	m := evidence.MatchQuantities(clean, g.text)
	if m.OK {
		return nil
	}
	missing := map[string]bool{}
	for _, s := range m.Missing {
		missing[s] = true
	}
	have := text.Quantities(g.text)
	var hits []Hit
	for _, q := range text.Quantities(clean) {
		if !missing[q.Text] || q.Kind == research.Year || q.Kind == research.Ordinal || q.Kind == research.Version {
			continue
		}
		for _, s := range have {
			if code := slip(q, s); code != "" {
				hits = append(hits, Hit{Where: b.ID, Code: code, What: fmt.Sprintf("it says %s where its source has %s: another %s", q.Text, s.Text, code)})
				break
			}
		}
	}
	return hits
}

// slip says how a quantity is another with its unit or scale changed: "unit", "scale", or empty.
func slip(q, s research.Quantity) string {
	x, y := q.Value.Rat(), s.Value.Rat()
	if x.Sign() == 0 || y.Sign() == 0 || s.Kind == research.Year || s.Kind == research.Ordinal || s.Kind == research.Version {
		return ""
	}
	qu, su := unitOf(q), unitOf(s)
	switch {
	case x.Cmp(y) == 0 && measured(q) && measured(s) && qu != su:
		return "unit"
	case q.Kind == s.Kind && qu == su && powerOfTen(x, y):
		return "scale"
	}
	return ""
}

// measured reports whether a quantity has a unit of its own and no counted noun.
func measured(q research.Quantity) bool {
	return q.Kind == research.Money || q.Kind == research.Percent || q.Kind == research.Measure || q.Kind == research.Duration
}

func unitOf(q research.Quantity) string {
	if !measured(q) {
		return ""
	}
	_, u := text.Canonical(q)
	return u
}

// powerOfTen reports whether two values differ by a power of ten of at most maxPower and nothing else.
func powerOfTen(x, y *big.Rat) bool {
	q := new(big.Rat).Quo(x, y)
	if q.Abs(q); q.Cmp(big.NewRat(1, 1)) < 0 {
		q.Inv(q)
	}
	ten := big.NewRat(10, 1)
	for n := 0; n <= maxPower; n++ {
		if q.Cmp(big.NewRat(1, 1)) == 0 {
			return n > 0
		}
		q.Quo(q, ten)
	}
	return false
}
