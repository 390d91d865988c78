// Package temporal reads expressions of time, English and Chinese: the absolute dates a text states, and the period a
// question speaks of.
//
// Start at [Dates] and [Parse]. Both are pure; the clock is given. A date is partial ISO: "2015", "2015-11", "2015-11-24".
//
// Files: dates.go (dates of a text), lexer.go (its words and numbers), parse.go (the period of a question), rules_en.go and
// rules_zh.go (its expressions), calendar.go (arithmetic on days).
package temporal
