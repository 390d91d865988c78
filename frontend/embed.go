// Package frontend carries the built page, so that the window needs no files beside the program.
package frontend

import (
	"embed"
	"io/fs"
)

// all: takes dist/.gitkeep in as well, without which the package could not be built before the first vite build.
//
//go:embed all:dist
var dist embed.FS

// Assets is the built page, index.html at its root. It is empty but for .gitkeep in a program that was built before the
// page was; see [Built].
func Assets() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only for a malformed name, and this one is a constant
	}
	return sub
}

// Built says whether the page was built before the program was.
func Built() bool {
	_, err := fs.Stat(Assets(), "index.html")
	return err == nil
}
