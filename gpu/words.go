package gpu

import "strconv"

// plural puts a number before its noun, which takes an s unless there is one: "1 token", "16,384 tokens".
func plural[T int | int64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Grouped(n) + " " + what + "s"
}

// Grouped writes a number with a comma between its thousands.
func Grouped[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
