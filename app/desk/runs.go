package desk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assay/engine/research"
	"assay/engine/store"
)

// Runs returns all runs, newest first.
func (d *Desk) Runs() ([]research.RunInfo, error) { return d.store.List() }

// FindRun returns the id of the run whose id begins with prefix.
func (d *Desk) FindRun(prefix string) (string, error) {
	id, err := d.store.Find(prefix)
	if err != nil {
		return "", &UsageError{Err: err}
	}
	return id, nil
}

// Run returns the list line of one run.
func (d *Desk) Run(id string) (research.RunInfo, error) { return d.store.Show(id) }

// RunDir returns the folder of a run, where its report is.
func (d *Desk) RunDir(id string) string { return d.store.Dir(id) }

// RenameRun gives a run another title.
func (d *Desk) RenameRun(id, title string) error {
	if strings.TrimSpace(title) == "" {
		return usage("rename run %s: the new title is empty: write one", id)
	}
	return d.store.Rename(id, title)
}

// SetProject files a run under a project; the empty name takes it out.
func (d *Desk) SetProject(id, project string) error { return d.store.SetProject(id, project) }

// DeleteRun removes a run and returns, as sentences, what remains elsewhere.
func (d *Desk) DeleteRun(id string) ([]string, error) { return d.store.Delete(id) }

// Export writes the run as run.json.
func (d *Desk) Export(id string, w io.Writer) error { return d.store.Export(id, w) }

// Digest returns the result of a run that has one.
func (d *Desk) Digest(id string) (research.Digest, error) { return d.store.Digest(id) }

// Text returns the clean text of a source that the run opened, by its hash.
func (d *Desk) Text(id, sha string) (string, error) { return d.store.Blob(id, sha) }

// ReportPage returns the page of a run as it was written when the run ended.
func (d *Desk) ReportPage(id string) ([]byte, error) { return d.reportFile(id, FileHTML) }

// MarkdownPage returns the report of a run as Markdown, as it was written when the run ended.
func (d *Desk) MarkdownPage(id string) ([]byte, error) { return d.reportFile(id, FileMarkdown) }

func (d *Desk) reportFile(id, name string) ([]byte, error) {
	if _, err := d.store.Show(id); err != nil { // an id is part of a path: only one that exists gets there
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(d.store.Dir(id), name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("run %s has %w", id, errNoReport)
	}
	return b, err
}

var errNoReport = errors.New("no report yet: wait until it has ended")

// ReadRun reads a run.json, or a run of this home by its id.
func (d *Desk) ReadRun(name string) (research.Run, error) {
	if isFile(name) || strings.ContainsAny(name, `/\.`) {
		return ReadRunFile(name)
	}
	id, err := d.FindRun(name)
	if err != nil {
		return research.Run{}, err
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(d.store.Export(id, w)) }()
	run, err := store.Import(r)
	// The writer ends when its reader does.
	return run, errors.Join(err, r.CloseWithError(io.ErrClosedPipe))
}

// ReadRunFile reads a run.json.
func ReadRunFile(name string) (research.Run, error) {
	abs, err := checkFile(name)
	if err != nil {
		return research.Run{}, err
	}
	f, err := os.Open(abs)
	if err != nil {
		return research.Run{}, fmt.Errorf("read run.json: %w", err)
	}
	run, err := store.Import(f)
	if err != nil {
		if _, again := f.Seek(0, io.SeekStart); again == nil {
			if newer := store.Newer(f); newer != nil {
				err = newer
			}
		}
		err = fmt.Errorf("%s: %w", name, err)
	}
	return run, errors.Join(err, f.Close())
}

// lightPayload is the largest payload of an effect or a stage that is told as it is, in bytes.
const lightPayload = 2 << 10

// Light returns ev as it is told to views: without the payload when it is a stage or an effect with a large one.
func Light(ev research.Event) research.Event {
	if (store.IsEffect(ev.Kind) || strings.HasPrefix(ev.Kind, research.EventStage)) && len(ev.Payload) > lightPayload {
		ev.Payload = nil
	}
	return ev
}
