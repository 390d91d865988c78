//go:build !linux || !cgo

package gpu

// openNVML says that this build cannot load the library: it is loaded through C, and its place is known under Linux only.
func openNVML() (nvmlLibrary, error) { return nil, errNoNVML }
