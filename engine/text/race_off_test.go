//go:build !race

package text

const shrink = 1
