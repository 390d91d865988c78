package subject

import "strings"

// likeLength is from how many letters on a word may be a slip of another: among short ones every second is near another.
const likeLength = 5

// Like reports whether a stem that no page has may be a slip or another spelling of one that a page has: one letter more, less, other or
// exchanged with its neighbour. A word with a digit has one spelling only.
func (b *Body) Like(stem string) bool {
	r := []rune(stem)
	if len(r) < likeLength || strings.ContainsAny(stem, "0123456789") {
		return false
	}
	for have := range b.df {
		if n := len(have) - len(stem); n > 4 || n < -4 { // bytes: one rune is at most four
			continue
		}
		if slip(r, []rune(have)) {
			return true
		}
	}
	return false
}

// slip reports whether two words differ by one insertion, deletion, substitution or exchange of neighbours.
func slip(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return string(a[i:]) == string(b[i+1:])
	}
	if i == len(a) {
		return true
	}
	if string(a[i+1:]) == string(b[i+1:]) {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && string(a[i+2:]) == string(b[i+2:])
}
