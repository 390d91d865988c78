//go:build race

package text

// shrink divides the sizes of texts whose reading must be linear: the race detector makes each step some ten times dearer, and it
// has nothing to find in them.
const shrink = 32
