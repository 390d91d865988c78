package text

import "math/bits"

// Containment returns the share of the claim's stems that the source holds, in [0, 1]; 0 for a claim without stems.
func Containment(claim, source map[string]bool) float64 {
	if len(claim) == 0 {
		return 0
	}
	n := 0
	for t := range claim {
		if source[t] {
			n++
		}
	}
	return float64(n) / float64(len(claim))
}

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/. The hash is fixed because it reaches the record.
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

func hashString(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// Shingles returns the hashes of the runs of n successive tokens of s. A text of fewer than n tokens has one shingle, the
// whole of it; an empty text has none. If n < 1, 1.
func Shingles(s string, n int) map[uint64]bool {
	hashes := tokenHashes(s)
	n = max(n, 1)
	if len(hashes) == 0 {
		return map[uint64]bool{}
	}
	n = min(n, len(hashes))
	out := make(map[uint64]bool, len(hashes)-n+1)
	for i := 0; i+n <= len(hashes); i++ {
		out[combine(hashes[i:i+n])] = true
	}
	return out
}

func tokenHashes(s string) []uint64 {
	tokens := Tokens(s)
	out := make([]uint64, len(tokens))
	for i, t := range tokens {
		out[i] = hashString(fnvOffset, t.Norm)
	}
	return out
}

// combine hashes a run of hashes; the order counts.
func combine(run []uint64) uint64 {
	h := fnvOffset
	for _, v := range run {
		h = bits.RotateLeft64(h^v, 23) * fnvPrime
	}
	return mix(h)
}

// mix spreads the bits of h (the finaliser of MurmurHash3, public domain).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// ShingleContainment returns the share of a's shingles that b holds, in [0, 1]; 0 when a is empty. It is not symmetric: a
// short excerpt of b is wholly contained in b.
func ShingleContainment(a, b map[uint64]bool) float64 {
	if len(a) == 0 {
		return 0
	}
	n := 0
	for h := range a {
		if b[h] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// SimHash64 returns Charikar's fingerprint over pairs of successive tokens: near-duplicate texts differ in few of its 64 bits
// (count them with bits.OnesCount64(a ^ b)). 0 for a text without tokens.
func SimHash64(s string) uint64 {
	hashes := tokenHashes(s)
	if len(hashes) == 0 {
		return 0
	}
	var weight [64]int
	n := min(2, len(hashes))
	for i := 0; i+n <= len(hashes); i++ {
		h := combine(hashes[i : i+n])
		for b := range weight {
			weight[b] += int(h>>b&1)*2 - 1
		}
	}
	var out uint64
	for b, w := range weight {
		if w > 0 {
			out |= 1 << b
		}
	}
	return out
}
