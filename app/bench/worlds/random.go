package worlds

import "fmt"

// random is splitmix64 (Steele, Lea and Flood 2014): the same seed gives the same worlds on every machine.
type random struct{ state uint64 }

// seeded returns a generator whose seed is the FNV-1a hash of the parts.
func seeded(parts ...any) *random {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for _, b := range []byte(fmt.Sprint(p) + "\x00") {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return &random{h}
}

func (r *random) next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	z := r.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below returns a number in [0, n); 0 for n < 1.
func (r *random) below(n int) int {
	if n < 1 {
		return 0
	}
	return int(r.next() % uint64(n))
}

// between returns a number in [lo, hi].
func (r *random) between(lo, hi int) int { return lo + r.below(hi-lo+1) }

// pick returns one of the list.
func pick[T any](r *random, list []T) T { return list[r.below(len(list))] }

// take returns n different ones of the list, in random order.
func take[T any](r *random, list []T, n int) []T {
	left := append([]T{}, list...)
	var out []T
	for len(out) < n && len(left) > 0 {
		i := r.below(len(left))
		out = append(out, left[i])
		left = append(left[:i], left[i+1:]...)
	}
	return out
}
