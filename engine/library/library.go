// Package library keeps the person's documents: folders are read once, cut into passages and indexed, and then searched
// without a network.
//
// Start at [Open], then [Library.Add] and [Library.Search]. The files by job: add.go ingests a folder, walk.go lists its
// files and the pages of archives, score.go orders passages by BM25, writer.go commits what was read, index.go holds the bleve index and its lock, damage.go tells when it cannot be
// trusted, record.go one file's entry, search.go asks, texts.go keeps clean text by its hash. watch.go keeps folders up to date while they
// change, by update.go; vectors.go keeps vectors, embed.go makes them and meaning.go fuses them with the words.
//
// On disk a library is a folder with "index" (bleve), "texts" (clean text by SHA-256), "vectors" and "folders.json". All of it can be
// rebuilt from the documents: a damaged index, or one of another version, is thrown away and built again at the next Add.
// A file's entry and its passages are committed in one batch, or, of a very large file, in several that its entry announces,
// so a kill at any moment loses at most the file or batch in hand, which the next Add reads again.
//
// The index is opened for writing only while Add, Refresh or Remove run; searches of other processes then wait up to two
// seconds and get [*LockedError]. Between searches nothing is held open.
//
// Caveats. Two names of one file inside a folder are one entry, under the real name. Names that
// begin with a dot are left out.
package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"assay/engine/document"
	"assay/engine/research"
)

// formatVersion changes when an index of an earlier program would answer differently: the analyser, the passages, the
// entries. An index of another version is rebuilt.
const formatVersion = 2

// Options of [Open]. The zero value is usable.
type Options struct {
	// Document is handed to the reader of every file.
	Document document.Options
	// Workers is how many files are read at once. If zero, the number of CPUs.
	Workers int
	// Progress, when set, is called after every file and every part of a large one while a folder is ingested, from one
	// goroutine at a time. It must not block.
	Progress func(Progress)
}

// Progress of an ingestion.
type Progress struct {
	Folder   string // absolute
	Location string // the file just handled
	Files    int    // handled so far
	Total    int    // listed so far; all of them as soon as the folder is listed
	Passages int    // indexed so far in this ingestion
}

// Library is a set of folders and their index. It is safe for concurrent use. It holds nothing open between calls, so it
// need not be closed.
type Library struct {
	dir string
	opt Options
	ix  shelf
	// writing admits one ingestion of this process at a time.
	writing sync.Mutex
}

// Folder is one folder of a library.
type Folder struct {
	Path string `json:"path"` // absolute
	// Base is the first part of the locations of its files: the folder's own name, with a number when another folder of
	// the library has it.
	Base string `json:"base"`
}

// folders is the content of folders.json.
type folders struct {
	Format  int      `json:"format"`
	Folders []Folder `json:"folders"`
}

// Open returns the library kept in dir, which is created when it does not exist. It does not open the index.
func Open(dir string, opt Options) (*Library, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open library %s: %w", dir, err)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return nil, diskFault("be opened", err)
	}
	l := &Library{dir: abs, opt: opt}
	l.ix.path = filepath.Join(abs, "index")
	return l, nil
}

// Name returns "library", the provider name of its hits.
func (l *Library) Name() string { return "library" }

// Folders returns the folders of the library, sorted by path.
func (l *Library) Folders() ([]Folder, error) {
	f, err := l.readFolders()
	return f.Folders, err
}

func (l *Library) foldersFile() string { return filepath.Join(l.dir, "folders.json") }

// readFolders returns an empty list for a new library and for a file that cannot be understood, which also makes the index
// stale.
func (l *Library) readFolders() (folders, error) {
	b, err := os.ReadFile(l.foldersFile())
	if errors.Is(err, fs.ErrNotExist) {
		return folders{Format: formatVersion}, nil
	}
	if err != nil {
		return folders{}, diskFault("read the list of its folders", err)
	}
	var f folders
	if err := json.Unmarshal(b, &f); err != nil {
		return folders{Format: -1}, nil
	}
	return f, nil
}

func (l *Library) writeFolders(f folders) error {
	sort.Slice(f.Folders, func(i, j int) bool { return f.Folders[i].Path < f.Folders[j].Path })
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("library: %w", err)
	}
	return writeFile(l.foldersFile(), append(b, '\n'))
}

// writeFile replaces path in one step: whoever reads it sees the old content or the new.
func writeFile(path string, b []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return diskFault("write "+filepath.Base(path), err)
	}
	defer os.Remove(tmp.Name()) // fails when the rename succeeded
	_, err = tmp.Write(b)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return diskFault("write "+filepath.Base(path), err)
	}
	return nil
}

// baseFor returns the folder's entry, made when it is new.
func (f *folders) baseFor(path string) Folder {
	taken := map[string]bool{}
	for _, e := range f.Folders {
		if e.Path == path {
			return e
		}
		taken[e.Base] = true
	}
	name := filepath.Base(path)
	if name == string(filepath.Separator) || name == "." {
		name = "root"
	}
	base := name
	for i := 2; taken[base]; i++ {
		base = fmt.Sprintf("%s-%d", name, i)
	}
	e := Folder{Path: path, Base: base}
	f.Folders = append(f.Folders, e)
	return e
}

// resolve returns the real absolute path of a folder, or a sentence that says what is wrong with it.
func resolve(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("library folder %s: %w", folder, err)
	}
	info, err := os.Stat(abs)
	switch {
	case !utf8.ValidString(abs):
		return "", fmt.Errorf("the path of the library folder %s is not valid UTF-8; rename it", strings.ToValidUTF8(abs, "\uFFFD"))
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the library folder %s does not exist; check the path", abs)
	case err != nil:
		return "", fmt.Errorf("the library folder %s cannot be opened: %w", abs, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file, not a folder; give the folder that holds it", abs)
	}
	return abs, nil
}

// Entry is one file of a library, as [Library.List] gives it.
type Entry struct {
	Location  string           `json:"location"`
	Path      string           `json:"path"`
	Title     string           `json:"title"`
	MediaType string           `json:"media_type"`
	Lang      string           `json:"lang,omitempty"`
	Published string           `json:"published,omitempty"`
	SHA256    string           `json:"sha256,omitempty"`
	Bytes     int64            `json:"bytes"` // of the file
	Passages  int              `json:"passages"`
	Pages     int              `json:"pages"`
	Fault     string           `json:"fault,omitempty"` // why it could not be read
	Verdict   research.Verdict `json:"verdict,omitempty"`
}

// Stats of a library.
type Stats struct {
	Folders  int `json:"folders"`
	Files    int `json:"files"`
	Unread   int `json:"unread"`
	Passages int `json:"passages"`
	Pages    int `json:"pages"` // of paginated documents; others count one each
}

// List returns the files of the folder, or of all folders when it is empty, sorted by location.
func (l *Library) List(ctx context.Context, folder string) ([]Entry, error) {
	var list []Entry
	bases, err := l.bases(folder)
	if err != nil {
		return nil, err
	}
	err = l.ix.read(ctx, func(x *index) error {
		for _, b := range bases {
			recs, err := x.records(ctx, b.Base, true)
			if err != nil {
				return err
			}
			for _, r := range recs {
				list = append(list, r.entry(b.Path))
			}
		}
		return nil
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Location < list[j].Location })
	return list, err
}

// Stats counts what the library holds.
func (l *Library) Stats(ctx context.Context) (Stats, error) {
	f, err := l.Folders()
	if err != nil {
		return Stats{}, err
	}
	entries, err := l.List(ctx, "")
	if err != nil {
		return Stats{}, err
	}
	s := Stats{Folders: len(f), Files: len(entries)}
	for _, e := range entries {
		if e.Fault != "" {
			s.Unread++
		}
		s.Passages += e.Passages
		s.Pages += e.Pages
	}
	return s, nil
}

// bases returns the entry of folder, or all.
func (l *Library) bases(folder ...string) ([]Folder, error) {
	f, err := l.readFolders()
	if err != nil {
		return nil, err
	}
	var want []string
	for _, name := range folder {
		if name != "" {
			want = append(want, name)
		}
	}
	if len(want) == 0 {
		return f.Folders, nil
	}
	var out []Folder
	for _, name := range want {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, fmt.Errorf("library folder %s: %w", name, err)
		}
		found := false
		for _, e := range f.Folders {
			if e.Path == abs || e.Base == name {
				out, found = append(out, e), true
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("the folder %s is not in the library; add it first", name)
		}
	}
	return out, nil
}

// folderOf returns the folder that a location lies in. Bases hold no slash.
func folderOf(list []Folder, location string) (Folder, bool) {
	base, _, _ := strings.Cut(location, "/")
	for _, f := range list {
		if f.Base == base {
			return f, true
		}
	}
	return Folder{}, false
}
