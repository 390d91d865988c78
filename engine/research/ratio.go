package research

import (
	"fmt"
	"math/big"
	"strconv"
)

// Ratio is an exact rational number in lowest terms, written "3/4" or, for a whole number, "1". The empty string is "not
// computed", which is not zero. Every number that an audit recomputes is a Ratio, so that it can be compared for equality in
// any language.
type Ratio string

// NewRatio returns num/den. It panics when den is 0, as integer division does.
func NewRatio(num, den int64) Ratio { return Ratio(big.NewRat(num, den).RatString()) }

// ParseDecimal reads a decimal such as "0.85" or a fraction such as "3/4" exactly.
func ParseDecimal(s string) (Ratio, error) {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return "", fmt.Errorf("parse ratio %q: not a number", s)
	}
	return Ratio(r.RatString()), nil
}

// MustDecimal is ParseDecimal for constants; it panics on a malformed one.
func MustDecimal(s string) Ratio {
	r, err := ParseDecimal(s)
	if err != nil {
		panic(err)
	}
	return r
}

// Rat returns the value; 0 for the empty or a malformed Ratio.
func (r Ratio) Rat() *big.Rat {
	v, ok := new(big.Rat).SetString(string(r))
	if !ok {
		return new(big.Rat)
	}
	return v
}

// Known reports whether r holds a number.
func (r Ratio) Known() bool {
	_, ok := new(big.Rat).SetString(string(r))
	return ok
}

// Float returns the nearest float64, for display only.
func (r Ratio) Float() float64 { f, _ := r.Rat().Float64(); return f }

// Decimal returns r with digits decimals, rounded half away from zero: NewRatio(2, 3).Decimal(2) is "0.67".
func (r Ratio) Decimal(digits int) string { return r.Rat().FloatString(digits) }

// Mul returns r*s.
func (r Ratio) Mul(s Ratio) Ratio { return Ratio(new(big.Rat).Mul(r.Rat(), s.Rat()).RatString()) }

// Add returns r+s.
func (r Ratio) Add(s Ratio) Ratio { return Ratio(new(big.Rat).Add(r.Rat(), s.Rat()).RatString()) }

// Sub returns r-s.
func (r Ratio) Sub(s Ratio) Ratio { return Ratio(new(big.Rat).Sub(r.Rat(), s.Rat()).RatString()) }

// Cmp returns -1, 0 or +1.
func (r Ratio) Cmp(s Ratio) int { return r.Rat().Cmp(s.Rat()) }

// Thousandths returns f rounded to three decimals as an exact Ratio; it is how a measured float (a relevance, say) becomes
// a number that can be recomputed.
func Thousandths(f float64) Ratio {
	r, err := ParseDecimal(strconv.FormatFloat(f, 'f', 3, 64))
	if err != nil {
		return "0"
	}
	return r
}
