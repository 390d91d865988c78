package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assay/engine/document"
)

// maxDepth bounds how deep folders are followed.
const maxDepth = 64

// file is one candidate of a folder.
type file struct {
	location string
	path     string
	size     int64
	mtime    int64
}

// Problem is a file or folder that could not be read, with the reason.
type Problem struct {
	Location string `json:"location"`
	Why      string `json:"why"` // one sentence
}

// walker lists the files of a folder in the order of their names. Links are followed: a link to a folder or file inside the
// library folder is left out, because the thing itself is listed, and one that leads outside is followed once.
type walker struct {
	ctx      context.Context
	root     string // real path of the folder
	base     string
	seen     map[string]bool // real paths of folders that links led to
	yield    func(file) error
	problem  func(Problem)
	skipped  int      // files of formats that are not read
	unlisted []string // locations of folders that could not be listed: their old entries stay
}

// walk lists the folder. Folders that cannot be opened are problems, not errors.
func (w *walker) walk() error {
	real, err := filepath.EvalSymlinks(w.root)
	if err != nil {
		return err
	}
	w.seen = map[string]bool{real: true}
	w.root = real
	return w.dir(real, w.base, 0)
}

func (w *walker) dir(path, location string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		w.fail(location, "is nested more than 64 folders deep and was not read; move its files up")
		return nil
	}
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		w.fail(location, "cannot be opened: "+cause(err)+"; check its permissions")
		if len(entries) == 0 {
			return nil
		}
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		if !utf8.ValidString(name) {
			// A location is text, in the index, in a citation and in JSON: another name could not be found again.
			shown := strings.ToValidUTF8(location+"/"+name, "\uFFFD")
			w.problem(Problem{shown, shown + " has a name that is not valid UTF-8 and was not read; rename it"})
			continue
		}
		if err := w.entry(filepath.Join(path, name), location+"/"+name, e.Type(), depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(path, location string, mode fs.FileMode, depth int) error {
	if mode&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			w.problem(Problem{location, location + " is a link that leads nowhere or in a circle; remove it"})
			return nil
		}
		if inside(w.root, target) {
			return nil
		}
		info, err := os.Stat(target)
		if err != nil {
			w.problem(Problem{location, location + " cannot be opened: " + cause(err)})
			return nil
		}
		mode = info.Mode().Type()
		if mode.IsDir() {
			if w.seen[target] || inside(target, w.root) {
				return nil // a circle, or a second link to the same folder
			}
			w.seen[target] = true
			path = target
		}
	}
	switch {
	case mode.IsDir():
		return w.dir(path, location, depth+1)
	case !mode.IsRegular():
		return nil // sockets, devices and pipes are no documents
	}
	info, err := os.Stat(path)
	if err != nil {
		w.problem(Problem{location, location + " cannot be opened: " + cause(err)})
		return nil
	}
	if !readable(path) {
		w.skipped++
		return nil
	}
	return w.yield(file{location: location, path: path, size: info.Size(), mtime: info.ModTime().UnixNano()})
}

func (w *walker) fail(location, why string) {
	w.unlisted = append(w.unlisted, location)
	w.problem(Problem{location, location + " " + why})
}

// inside reports whether path is dir or lies in it; both are clean real paths.
func inside(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// readable reports whether the name is that of a document. A name without an extension may be one (README, rfc791): its
// first bytes decide.
func readable(path string) bool {
	if document.TypeByName(path) != "" {
		return true
	}
	if filepath.Ext(path) != "" {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return true // reading it will say why
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := f.Read(head)
	if err != nil {
		return false // empty
	}
	switch document.MediaType(filepath.Base(path), head[:n]) {
	case document.Plain, document.HTML, document.PDF:
		return true
	}
	return false
}

func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
