// Package temporal reads expressions of time, English and Chinese: the absolute dates a text states, and the period a
// question speaks of.
//
// Start at [Dates] and [Parse]. Both are pure; the clock is given. A date is partial ISO: "2015", "2015-11", "2015-11-24".
package temporal

import (
	"time"

	"assay/engine/research"
)

// Date is an absolute date as a text states it.
type Date struct {
	ISO   string // "2015", "2015-11" or "2015-11-24"
	Text  string // as written
	Start int    // bytes
	End   int
}

// Dates returns the absolute dates of s, in order.
func Dates(s string) []Date { return nil }

// Parse returns the period question speaks of, with relative expressions resolved against now.
func Parse(question string, now time.Time, lang string) research.Temporal { return research.Temporal{} }
