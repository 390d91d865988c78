// Package store keeps runs: one folder a run, and in it one bbolt file with the events and texts of that run.
//
// Start at [Open]. [Home.Create] and [Home.Resume] give a [Record], which is what the engine appends to; [Home.List],
// [Home.Show], [Home.Export], [Home.Rename] and [Home.Delete] work on runs at rest. [Memory] is a record without a disk, for
// replay and tests, and [Import] reads what Export wrote.
//
// Files by job: store.go the list of runs, record.go one run on disk, header.go what a list line shows, lock*.go who works on
// a run, export.go run.json out and in, memory.go the record in memory, fault.go disk faults as sentences.
//
// Layout: HOME/runs/ID holds record.db, info.json (a copy of the header, so that a list never has to open a database another
// program holds), lock, and whatever the caller exports there.
package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
)

// ErrNotFound is matched by the error of every method that is given an id no run has.
var ErrNotFound = errors.New("no such run")

// idForm is the form of a run id: UTC time to the second, then six random hex digits. It keeps ids safe as folder names.
var idForm = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`)

// Home is the folder that holds all runs. It is safe for concurrent use, also by several processes at once.
type Home struct {
	dir     string // holds runs/
	program string

	mu   sync.Mutex
	open map[string]*Record // of this process
}

// Open opens the home at dir for program, which is the word a lock message names ("window", "terminal"). The folder is made
// when something is first written to it, so that a read-only home opens.
func Open(dir, program string) (*Home, error) {
	if dir == "" {
		return nil, errors.New("open home: no folder given: set ASSAY_HOME or HOME")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open home: %w", err)
	}
	if st, err := os.Stat(abs); err == nil && !st.IsDir() {
		return nil, fmt.Errorf("open home: %s is a file, not a folder: choose another one with ASSAY_HOME", abs)
	}
	return &Home{dir: abs, program: program, open: map[string]*Record{}}, nil
}

// Close closes every record this process still holds.
func (h *Home) Close() error {
	h.mu.Lock()
	records := make([]*Record, 0, len(h.open))
	for _, r := range h.open {
		records = append(records, r)
	}
	h.mu.Unlock()
	var errs []error
	for _, r := range records {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// Dir returns the folder of a run, whether or not it exists.
func (h *Home) Dir(id string) string { return filepath.Join(h.dir, "runs", id) }

func (h *Home) db(id string) string { return filepath.Join(h.Dir(id), "record.db") }

// NewID returns an id that sorts by time.
func NewID(now time.Time) (string, error) {
	var b [3]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("make run id: %w", err)
	}
	return now.UTC().Format("20060102-150405") + "-" + hex.EncodeToString(b[:]), nil
}

// Find returns the one id that begins with prefix, so that a person need not type all of it. The error matches [ErrNotFound]
// when there is none.
func (h *Home) Find(prefix string) (string, error) {
	ids, err := h.ids()
	if err != nil {
		return "", err
	}
	if slices.Contains(ids, prefix) {
		return prefix, nil
	}
	var found []string
	for _, id := range ids {
		if prefix != "" && strings.HasPrefix(id, prefix) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("%w: %q: list them with assay runs list", ErrNotFound, prefix)
	}
	return "", fmt.Errorf("%q begins %d run ids, among them %s and %s: type more of it", prefix, len(found), found[0], found[1])
}

// ids returns the ids of all runs, newest first.
func (h *Home) ids() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(h.dir, "runs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Fault("list runs", h.dir, err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && idForm.MatchString(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	return ids, nil
}

// List returns all runs, newest first. A run whose record cannot be read is listed as failed, with the reason.
func (h *Home) List() ([]research.RunInfo, error) {
	ids, err := h.ids()
	if err != nil {
		return nil, err
	}
	infos := make([]research.RunInfo, 0, len(ids))
	for _, id := range ids {
		info, err := h.Show(id)
		if errors.Is(err, ErrNotFound) {
			continue // deleted since, or still being made
		}
		if err != nil {
			info = research.RunInfo{ID: id, Title: id, State: "failed", Detail: err.Error()}
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// Show returns the list line of one run. A run that says it is running while nobody works on it is shown as interrupted.
func (h *Home) Show(id string) (research.RunInfo, error) {
	if r := h.held(id); r != nil {
		info := r.Info()
		info.Holder = Holder{PID: os.Getpid(), Program: h.program}.String()
		return info, nil
	}
	if err := h.exists(id); err != nil {
		return research.RunInfo{}, err
	}
	hd, err := readHeaderFile(h.Dir(id))
	if err != nil {
		err = h.view(id, func(r *Record) error { hd = r.header(); return nil })
	}
	if err != nil {
		return research.RunInfo{}, err
	}
	info := hd.info()
	if holder, alive := probe(h.Dir(id)); alive {
		info.Holder = holder.String()
	} else if info.State == "running" {
		info.State, info.Detail = "interrupted", "the program ended before the run did; it can be resumed"
	}
	return info, nil
}

func (h *Home) exists(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("%w: %q: list them with assay runs list", ErrNotFound, id)
	}
	_, err := os.Stat(h.db(id))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %q: list them with assay runs list", ErrNotFound, id)
	}
	if err != nil {
		return Fault("open run "+id, h.db(id), err)
	}
	return nil
}

// held returns the record of id when this process has it open, otherwise nil.
func (h *Home) held(id string) *Record {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open[id]
}

// Rename gives a run another title. It fails with a [*LockedError] while another program works on the run.
func (h *Home) Rename(id, title string) error {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		return errors.New("rename run: the new title is empty")
	}
	return h.change(id, func(hd *header) { hd.Title = shorten(title, maxTitle) })
}

// SetProject files a run under a project; the empty name takes it out again.
func (h *Home) SetProject(id, project string) error {
	project = shorten(strings.Join(strings.Fields(project), " "), maxTitle)
	return h.change(id, func(hd *header) { hd.Project = project })
}

// change applies fn to the header of a run that is at rest or held by this process.
func (h *Home) change(id string, fn func(*header)) error {
	if r := h.held(id); r != nil {
		return r.setHeader(fn)
	}
	r, err := h.openRecord(id)
	if err != nil {
		return err
	}
	return errors.Join(r.setHeader(fn), r.Close())
}

// Delete removes a run and returns, as sentences, what remains elsewhere. It fails with a [*LockedError] while a program
// works on the run.
func (h *Home) Delete(id string) ([]string, error) {
	if err := h.exists(id); err != nil {
		return nil, err
	}
	if h.held(id) != nil {
		return nil, fmt.Errorf("delete run %s: it is running: cancel it first", id)
	}
	hd, _ := readHeaderFile(h.Dir(id)) // a run with a damaged header can be deleted too
	l, err := lock(h.Dir(id), h.program, lockWait)
	if err != nil {
		return nil, lockFault("delete run "+id, id, err)
	}
	// The new name is no run id, so that a delete cut short leaves nothing that is listed.
	gone := filepath.Join(h.dir, "runs", ".deleted-"+id)
	err = os.Rename(h.Dir(id), gone)
	l.release()
	if err != nil {
		return nil, Fault("delete run "+id, h.Dir(id), err)
	}
	if err := os.RemoveAll(gone); err != nil {
		return nil, Fault("delete run "+id, gone, err)
	}
	return remains(hd), nil
}

// remains says what deleting a run leaves behind.
func remains(hd header) []string {
	var lines []string
	for _, dir := range hd.Outs {
		lines = append(lines, "The report files written to "+dir+" remain.")
	}
	if len(hd.Request.Libraries) > 0 {
		lines = append(lines, "The documents of the library and their index remain.")
	}
	return lines
}
