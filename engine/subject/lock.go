package subject

import "math"

// Constants of the subject match, Eq. 5 of HDRI: rho = lambda lex + (1 - lambda) sem, and theta, under which a text is not about
// the subject. They are the paper's.
const (
	Lambda = 0.4
	Theta  = 0.5
)

// SameAt is the likeliness from which two texts that use one name are taken to mean the same thing: where F1 of telling apart was
// best when each case was judged with coefficients that were fitted without it (bench samename).
const SameAt = 0.55

// sharpness makes Theta and SameAt one and the same line: with a full lexical match rho reaches 0.5 where sem is 1/6, and 0.55
// to the third power is 1/6.
const sharpness = 3

// Rho is Eq. 5.
func Rho(lex, sem float64) float64 { return Lambda*lex + (1-Lambda)*sem }

// Sem is the semantic part of Eq. 5 made of a likeness of contexts.
func Sem(likeness float64) float64 { return math.Pow(likeness, sharpness) }
