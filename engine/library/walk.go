package library

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assay/engine/document"
)

// maxDepth bounds how deep folders are followed.
const maxDepth = 64

const (
	// maxNamed is how many files of a folder are named that are left out for their format; the rest is counted.
	maxNamed = 200
	// maxKinds is how many formats are told apart in that count.
	maxKinds = 40
)

// file is one candidate of a folder.
type file struct {
	location string
	path     string
	size     int64
	mtime    int64
	refused  string // why it is not opened, a clause after its name; empty when it is to be read
	page     bool   // a page of an archive: size and mtime are those of the archive
}

// Problem is a file or folder that could not be read, with the reason.
type Problem struct {
	Location string `json:"location"`
	Why      string `json:"why"` // one sentence
}

// walker lists the files of a folder in the order of their names. Links are followed: a link to a folder or file inside the
// library folder is left out, because the thing itself is listed, and one that leads outside is followed once. Links inside of what
// such a link led to are followed only within it: a folder that was linked for its documents must not bring in the whole machine.
type walker struct {
	ctx      context.Context
	root     string // real path of the folder
	base     string
	seen     map[string]bool // real paths of folders that links led to
	linked   string          // real path of the linked folder that is being listed; empty in the library folder itself
	yield    func(file) error
	problem  func(Problem)
	named    int            // files that were refused for their format
	skipped  int            // files that were not even named
	kinds    map[string]int // of those, by ending
	unlisted []string       // locations of folders that could not be listed: their old entries stay
	shallow  bool           // no file is opened: formats are told by their names, and archives are files
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
		return w.fail(path, location, "is nested more than 64 folders deep and was not read; move its files up")
	}
	if ofKernel(path) {
		return w.fail(path, location, "shows the state of the machine and holds no documents; take it out of the folder")
	}
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		if err := w.fail(path, location, "is a folder that is not readable: "+cause(err)+"; check its permissions"); err != nil || len(entries) == 0 {
			return err
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
			return w.refuse(file{location: location, path: path}, "is a link that leads nowhere or in a circle; remove it")
		}
		if inside(w.root, target) {
			return nil
		}
		info, err := os.Stat(target)
		if err != nil {
			return w.refuse(file{location: location, path: path}, "is not readable: "+cause(err)+"; check its permissions")
		}
		mode = info.Mode().Type()
		if w.linked != "" {
			if inside(w.linked, target) {
				return nil // the thing itself is listed
			}
			return w.refuse(file{location: location, path: path}, "is a link out of a folder that is itself linked, and was not followed; link it from the library folder")
		}
		if mode.IsDir() {
			if w.seen[target] || inside(target, w.root) {
				return nil // a circle, or a second link to the same folder
			}
			w.seen[target], w.linked = true, target
			defer func() { w.linked = "" }()
			path = target
		}
	}
	f := file{location: location, path: path}
	switch {
	case mode.IsDir():
		return w.dir(path, location, depth+1)
	case mode&fs.ModeNamedPipe != 0:
		return w.refuse(f, "is a named pipe, not a document; move it out of the folder")
	case mode&fs.ModeSocket != 0:
		return w.refuse(f, "is a socket, not a document; move it out of the folder")
	case !mode.IsRegular():
		return w.refuse(f, "is a device, not a document; move it out of the folder")
	}
	info, err := os.Stat(path)
	if err != nil {
		return w.refuse(f, "is not readable: "+cause(err)+"; check its permissions")
	}
	f.size, f.mtime = info.Size(), info.ModTime().UnixNano()
	if w.shallow {
		return w.yield(f)
	}
	if strings.EqualFold(filepath.Ext(path), document.ZIMEnding) {
		return w.archive(f)
	}
	switch formatOf(path, f.size) {
	case formatRead:
		return w.yield(f)
	case formatOther:
		if w.named++; w.named <= maxNamed {
			return w.refuse(f, "is of a format that is not read; save it as "+document.FormatNames)
		}
	}
	w.skipped++
	kind := strings.ToLower(filepath.Ext(path))
	if _, known := w.kinds[kind]; kind == "" || !known && len(w.kinds) >= maxKinds {
		kind = "others"
	}
	if w.kinds == nil {
		w.kinds = map[string]int{}
	}
	w.kinds[kind]++
	return nil
}

// mostPages is how many pages of one archive are listed.
const mostPages = 1_000_000

// archive lists the pages of an archive as if it were a folder.
func (w *walker) archive(f file) error {
	z, err := document.OpenZIM(f.path)
	if err != nil {
		w.unlisted = append(w.unlisted, f.location)
		return w.refuse(f, err.Error())
	}
	defer z.Close()
	n, more := 0, 0
	left, err := z.Pages(w.ctx, func(page string) error {
		if n++; n > mostPages {
			more++
			return nil
		}
		return w.yield(file{location: f.location + "/" + page, path: f.path + "/" + page, size: f.size, mtime: f.mtime, page: true})
	})
	if err != nil {
		return err
	}
	if left > 0 {
		w.problem(Problem{f.location, fmt.Sprintf("%s holds %d entries that are damaged or have no plain name, and they were not read; download it again if pages are missing", f.location, left)})
	}
	if more > 0 {
		w.problem(Problem{f.location, fmt.Sprintf("%s holds %d pages more than the %d that are read", f.location, more, mostPages)})
	}
	if n == 0 && left == 0 {
		return w.refuse(f, "holds no page that can be read")
	}
	return nil
}

// refuse lists a file that is not opened, with the reason: a clause after its name.
func (w *walker) refuse(f file, why string) error {
	f.refused = why
	return w.yield(f)
}

// fail lists a folder whose files are not listed.
func (w *walker) fail(path, location, why string) error {
	w.unlisted = append(w.unlisted, location)
	return w.refuse(file{location: location, path: path}, why)
}

// inside reports whether path is dir or lies in it; both are clean real paths.
func inside(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// What becomes of a file for its format.
const (
	formatRead    = iota
	formatOther   // may hold text, in a form that is not read: it is named
	formatAdjunct // a picture, a style sheet, a program: it is counted
)

// adjuncts are the endings of what lies beside documents and is none.
var adjuncts = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range strings.Fields(`png jpg jpeg gif svg svgz ico webp bmp tif tiff eps psd avif heic
		mp3 mp4 m4a m4v ogg oga ogv opus wav flac avi mkv mov webm
		css js mjs map woff woff2 ttf otf eot so o a exe dll bin pyc class jar
		db idx lock tmp bak swp swo swx part partial crdownload download sig sha256 md5 torrent`) {
		m["."+e] = true
	}
	return m
}()

// passing reports whether a name is one that editors and office programs give to what they keep beside a document while it is
// open, or to its older version: "report.md~", "#report.md#", "~$report.docx", "lu7f3a.tmp".
func passing(name string) bool {
	return strings.HasSuffix(name, "~") || strings.HasPrefix(name, "~$") || len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#' ||
		adjuncts[strings.ToLower(filepath.Ext(name))]
}

// formatOf tells by the name of a file whether it is a document. A name without an extension may be one (README, rfc791): its
// first bytes decide.
func formatOf(path string, size int64) int {
	ext := strings.ToLower(filepath.Ext(path))
	switch {
	case strings.HasPrefix(filepath.Base(path), "~$"):
		return formatAdjunct // it bears the document's ending
	case document.TypeByName(path) != "":
		return formatRead
	case passing(filepath.Base(path)):
		return formatAdjunct
	case ext == packedEnding && filepath.Ext(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))) == "":
		return formatOfHead(path, true)
	case ext != "":
		return formatOther
	case size == 0:
		return formatRead // reading it will say that it is empty
	}
	return formatOfHead(path, false)
}

// packedEnding is that of a file that is compressed alone: README.gz is looked at as README is.
const packedEnding = ".gz"

// formatOfHead tells by the first bytes of a file, packed or not, whether it is a document.
func formatOfHead(path string, packed bool) int {
	f, err := os.Open(path)
	if err != nil {
		return formatRead // reading it will say why
	}
	defer f.Close()
	var from io.Reader = f
	if packed {
		if from, err = gzip.NewReader(f); err != nil {
			return formatRead
		}
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return formatRead
	}
	switch document.MediaType(strings.TrimSuffix(filepath.Base(path), packedEnding), head[:n]) {
	case document.Plain, document.HTML, document.PDF:
		return formatRead
	}
	return formatOther
}

func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
