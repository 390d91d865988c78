package desk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"errors"

	"assay/engine/research"
	"assay/engine/store"
)

// UsageError is what a person asked for and cannot have, as one sentence. The terminal ends with code 2.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, args ...any) error { return &UsageError{Err: fmt.Errorf(format, args...)} }

// Bounds on what a person may hand in, in characters: a page of text each.
const (
	maxQuestion = 4000
	maxAbout    = 4000
)

// places checks the paths of a request and makes them absolute.
type places struct{ folder, file func(string) (string, error) }

// here is for runs of this machine. elsewhere is for those that another one will work on, where its own check follows.
var (
	here      = places{checkFolder, checkFile}
	elsewhere = places{absolute, absolute}
)

func absolute(path string) (string, error) {
	if strings.TrimSpace(path) == "" {
		return "", usage("a path without a name was given")
	}
	return filepath.Abs(path)
}

// complete checks a request and fills in what the settings and the clock say.
func (d *Desk) complete(req research.Request) (research.Request, error) {
	return d.completeFor(req, here)
}

func (d *Desk) completeFor(req research.Request, at places) (research.Request, error) {
	s := d.Settings()
	req.Question = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(req.Question, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	req.About = strings.TrimSpace(strings.ToValidUTF8(req.About, "\uFFFD"))
	switch {
	case req.Question == "":
		return req, usage("the question is empty: write what you want to know")
	case !strings.ContainsFunc(req.Question, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return req, usage("the question holds no letter and no digit: write what you want to know in words")
	case utf8.RuneCountInString(req.Question) > maxQuestion:
		return req, usage("the question has %d characters and may have %d: ask for one thing at a time", utf8.RuneCountInString(req.Question), maxQuestion)
	case utf8.RuneCountInString(req.About) > maxAbout:
		return req, usage("the reader's background has %d characters and may have %d", utf8.RuneCountInString(req.About), maxAbout)
	}
	req.Depth = or(req.Depth, s.Depth, research.Standard)
	req.Lang = or(req.Lang, s.Lang, "auto")
	req.Model = or(req.Model, s.Model, "auto")
	req.Shape = or(req.Shape, research.ShapeAuto)
	asked := req.Egress
	req.Egress = or(req.Egress, research.Closed)
	if s.Offline {
		req.Egress = research.Closed
	}
	req.Servers = req.Servers || req.Egress != research.Closed
	if req.Hosts == nil && req.Servers {
		rows, err := d.Authority()
		if err != nil {
			return req, err
		}
		req.Hosts = rows
	}
	if req.Servers {
		req.Protected, req.Mix = s.Web.Protected, s.Web.Mix
	}
	req.LookUp = req.Egress == research.Web && (req.LookUp || s.Web.LookUp)
	if req.Template = or(req.Template, s.Template); req.Template == "auto" {
		req.Template = ""
	}
	if req.Embedding = or(req.Embedding, s.Embedding); req.Embedding == "auto" {
		req.Embedding = ""
	}
	if req.MinSources < 0 || req.MaxQueries < 0 || req.MinSources > maxWanted || req.MaxQueries > maxWanted {
		return req, usage("the least number of sources and the most queries are from 0 to %d", maxWanted)
	}
	for _, err := range []error{checkEgress(req.Egress), checkModel(req.Model), checkDepth(req.Depth), checkLang(req.Lang), checkShape(req.Shape), checkTemplate(req.Template), checkEmbedding(req.Embedding)} {
		if err != nil {
			return req, &UsageError{Err: err}
		}
	}
	now, err := parseClock(req.Now)
	if err != nil {
		return req, err
	}
	req.Now = now
	if len(req.Libraries) == 0 {
		req.Libraries = s.Libraries
	}
	if req.Libraries, err = absAll(req.Libraries, at.folder); err != nil {
		return req, err
	}
	if req.Attach, err = absAll(req.Attach, at.file); err != nil {
		return req, err
	}
	if len(req.Libraries) == 0 && len(req.Attach) == 0 && req.Egress == research.Closed {
		switch {
		case s.Offline && asked == research.Web:
			return req, usage("the web cannot be searched, because the settings are offline: turn that off, or name a folder of documents with --library DIR")
		case !req.Servers:
			return req, usage("there is nothing to search: name a folder of documents with --library DIR, add one with assay library add DIR, or search the web with --web")
		case len(s.Web.servers()) == 0:
			return req, usage("there is nothing to search: no server of your own is set; see assay web")
		}
	}
	if req.Egress == research.Own && len(s.Web.servers())+len(s.Web.Feeds) == 0 && !d.modelElsewhere() {
		return req, usage("no server of your own is set: name one with assay web set kiwix http://127.0.0.1:8080; see assay web")
	}
	if file, ok := strings.CutPrefix(req.Model, "recorded:"); ok {
		abs, err := at.file(file)
		if err != nil {
			return req, err
		}
		req.Model = "recorded:" + abs
	}
	return req, d.mayAsk(req)
}

// maxWanted bounds the numbers of sources and queries that a person may ask for.
const maxWanted = 200

func checkEgress(e research.Egress) error {
	switch e {
	case research.Closed, research.Own, research.Web:
		return nil
	}
	return fmt.Errorf("reach %q: use closed, own or web", e)
}

// or returns the first value that is not zero.
func or[T comparable](vs ...T) T {
	var zero T
	for _, v := range vs {
		if v != zero {
			return v
		}
	}
	return zero
}

// parseClock returns the run's clock in its one form; empty is now.
func parseClock(s string) (string, error) {
	if s == "" {
		return time.Now().UTC().Truncate(time.Second).Format(time.RFC3339), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return "", usage("clock %q: write it as 2026-01-31T12:00:00Z", s)
	}
	return t.UTC().Format(time.RFC3339), nil
}

// absAll makes every path absolute with check and drops repetitions.
func absAll(paths []string, check func(string) (string, error)) ([]string, error) {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		abs, err := check(p)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, abs) {
			out = append(out, abs)
		}
	}
	return out, nil
}

// checkFolder returns the absolute path of a folder that exists, or a sentence.
func checkFolder(path string) (string, error) {
	abs, st, err := stat("folder", path)
	if err != nil {
		return "", err
	}
	if !st.IsDir() {
		return "", usage("folder %s: it is a file: name the folder it is in, or give the file with --attach", path)
	}
	f, err := os.Open(abs)
	if err != nil {
		return "", usage("folder %s: it may not be read: change its permissions", path)
	}
	return abs, f.Close()
}

// checkFile returns the absolute path of a file that exists, or a sentence.
func checkFile(path string) (string, error) {
	abs, st, err := stat("file", path)
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() {
		if st.IsDir() {
			return "", usage("file %s: it is a folder: name a file in it", path)
		}
		return "", usage("file %s: it is no ordinary file: name one", path)
	}
	f, err := os.Open(abs)
	if err != nil {
		return "", usage("file %s: it may not be read: change its permissions", path)
	}
	return abs, f.Close()
}

func stat(what, path string) (string, fs.FileInfo, error) {
	if strings.TrimSpace(path) == "" {
		return "", nil, usage("%s: no name was given", what)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", nil, usage("%s %s: %w", what, path, err)
	}
	st, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, usage("%s %s: it does not exist: check the spelling", what, path)
	case errors.Is(err, fs.ErrPermission):
		return "", nil, usage("%s %s: it may not be read: change its permissions", what, path)
	case err != nil:
		return "", nil, usage("%s %s: %w", what, path, err)
	}
	return abs, st, nil
}

// prepareOut makes the folder for a report's copies, so that a place that cannot be written is told before the work.
func prepareOut(dir string) error {
	if dir == "" {
		return nil
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return usage("out %s: it is a file, not a folder: choose another place", dir)
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".new-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	return store.OutFault("out", dir, err)
}
