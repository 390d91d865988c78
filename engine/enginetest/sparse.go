package enginetest

import "testing"

// Sparse is the stride of a test that tries each of many moments, faults or parts: 1, so that all are tried, or n (at least
// 1) under the race detector and in short mode. What a race would show itself in is the same at each of them; what differs is
// what is computed, and build/test.sh runs engine and checks without the detector as well.
func Sparse(n int) int {
	if UnderRace || testing.Short() {
		return max(1, n)
	}
	return 1
}
