//go:build race

package enginetest

// UnderRace tells that the race detector watches, under which computing takes about ten times as long.
const UnderRace = true
