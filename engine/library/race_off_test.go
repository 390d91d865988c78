//go:build !race

package library

const dearer = 1
