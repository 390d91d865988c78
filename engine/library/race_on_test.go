//go:build race

package library

// dearer is how many times the memory the race detector may take of what is bounded in a test.
const dearer = 3
