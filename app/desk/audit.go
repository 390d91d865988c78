package desk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"assay/engine/audit"
	"assay/engine/render"
	"assay/engine/research"
)

// maxPage bounds a report's file that an audit reads, in bytes: one larger than this is not of this program.
const maxPage = 256 << 20

// Audited is the result of an audit of a run and of the files beside its record.
type Audited struct {
	audit.Report
	// NotCompared has one sentence for each file that could not be compared, with the reason.
	NotCompared []string `json:"not_compared"`
}

// Audit recomputes every number, verdict and citation of a run from its record, and holds the files of its report against it.
// The run is named by its id, when its record in this home counts, or by its run.json. With deep the program's own matchers
// derive quantities, dates, names and stances again.
func (d *Desk) Audit(name string, deep bool) (Audited, error) {
	run, err := d.ReadRun(name)
	if err != nil {
		return Audited{}, err
	}
	a := Audited{Report: audit.Check(run), NotCompared: []string{}}
	if deep {
		a.add("", AuditDeep(run))
	}
	dir := filepath.Dir(name)
	if id, err := d.FindRun(name); err == nil && id == run.ID && !isFile(name) {
		dir = d.RunDir(id)
		d.besideRecord(&a, run, filepath.Join(dir, FileRun))
	} else if filepath.Base(name) != FileRun {
		return a, nil // a record by another name says nothing of what lies beside it
	}
	if run.Digest != nil {
		d.besideDigest(&a, run, dir)
	}
	return a, nil
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && !st.IsDir()
}

// add takes over what another audit found.
func (a *Audited) add(where string, r audit.Report) {
	a.Checked += r.Checked
	for _, f := range r.Faults {
		if where != "" {
			f.Where = where + ", " + f.Where
		}
		a.Faults = append(a.Faults, f)
	}
}

// want counts one comparison of a file with the record.
func (a *Audited) want(ok bool, where, what string) {
	a.Checked++
	if !ok {
		a.Faults = append(a.Faults, audit.Fault{Where: where, What: what})
	}
}

// besideRecord audits the exported record in the folder of a run, and wants it to be a beginning of the one in this home: what the
// home recorded after it was written, such as a new title, is no fault.
func (d *Desk) besideRecord(a *Audited, run research.Run, name string) {
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return
	}
	file, err := ReadRunFile(name)
	if err != nil {
		a.want(false, FileRun, err.Error())
		return
	}
	a.add(FileRun, audit.Check(file))
	same := file.ID == run.ID && file.Seals != nil && run.Seals != nil && len(file.Seals.Events) <= len(run.Seals.Events) &&
		slices.Equal(file.Seals.Events, run.Seals.Events[:len(file.Seals.Events)]) && file.Seals.Digest == run.Seals.Digest
	a.want(same, FileRun, "it is not the record that this home holds of the run: the file "+name+" was changed or replaced")
}

// besideDigest compares digest.json, report.html and report.md in dir, as far as they are there, with what the record's digest gives.
func (d *Desk) besideDigest(a *Audited, run research.Run, dir string) {
	for _, f := range []struct {
		name string
		make func(research.Digest) ([]byte, error)
	}{{FileDigest, EncodeDigest}, {FileHTML, render.HTML}, {FileMarkdown, render.Markdown}} {
		have, err := readBounded(filepath.Join(dir, f.name))
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			a.want(false, f.name, err.Error())
			continue
		case f.name != FileDigest && run.Code != d.version:
			// The same digest looks otherwise in another version.
			a.NotCompared = append(a.NotCompared, fmt.Sprintf("%s was made by version %s, and this is %s: it was not compared", f.name, run.Code, d.version))
			continue
		}
		made, err := f.make(*run.Digest)
		a.want(err == nil && bytes.Equal(have, made), f.name, "it is not what the record gives: the file in "+dir+" was changed or is of another run")
	}
}

func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err = errors.Join(err, f.Close()); err == nil && len(b) > maxPage {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxPage>>20)
	}
	return b, err
}
