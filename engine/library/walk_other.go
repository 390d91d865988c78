//go:build !linux

package library

// ofKernel reports whether a folder shows the state of the machine. Only Linux mounts such folders among the others.
func ofKernel(string) bool { return false }
