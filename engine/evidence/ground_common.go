package evidence

import "strings"

// groundCommon is the level of a common word.
var groundCommon = func() map[string]int {
	m := map[string]int{}
	for level, line := range commonLists {
		for _, w := range strings.Fields(line) {
			m[w] = level + 1
		}
	}
	return m
}()
