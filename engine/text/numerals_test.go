package text

import (
	"strings"
	"testing"
)

func TestReadNumber(t *testing.T) {
	for _, tc := range []struct {
		in      string
		value   int64
		n       int
		ordinal bool
	}{
		{"two thousand and eighteen", 2018, 4, false},
		{"twenty first of march", 21, 2, true},
		{"one hundred twenty fifth", 125, 4, true},
		{"hundred thousand dollars", 100000, 2, false},
		{"twenty six people", 26, 2, false},
		{"nineteen twenty eight", 19, 1, false},
		{"three hundred crore", 3000000000, 3, false},
		{"three crore twelve lakh fifty six thousand seven hundred twenty one", 31256721, 11, false},
		{"one million two thousand two hundred three", 1002203, 7, false},
		{"two hundredth", 200, 2, true},
		{"five and six", 5, 1, false},
		{"seven hundred and", 700, 2, false},
		{"third", 3, 1, true},
		{"thirds", 0, 0, false},
		{"hundreds of them", 0, 0, false},
		{"the", 0, 0, false},
		{"nine quadrillion thousand", 9e15, 2, false},
	} {
		v, n, ord := ReadNumber(strings.Fields(tc.in))
		if v != tc.value || n != tc.n || ord != tc.ordinal {
			t.Errorf("ReadNumber(%q) = %d, %d, %v, want %d, %d, %v", tc.in, v, n, ord, tc.value, tc.n, tc.ordinal)
		}
	}
}
