package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/store"
)

// Names of the files of a report.
const (
	FileHTML     = "report.html"
	FileMarkdown = "report.md"
	FileDigest   = "digest.json"
	FileRun      = "run.json"
	// Of a run that was held against an earlier one.
	FileDifference         = "difference.json"
	FileDifferenceHTML     = "difference.html"
	FileDifferenceMarkdown = "difference.md"
)

// deliver writes the files of a run that has a report, records how it ended, and exports the record last, so that run.json
// holds its own end. A fault on the way makes the result one; the record has everything all the same. Of a run that had ended
// before (held) nothing is recorded.
func (j *Job) deliver(res Result, held bool) Result {
	fail := func(err error) {
		res.Err = errors.Join(res.Err, err)
		res.Exit = ExitFault
		res.State = research.StateNews{State: "failed", Detail: err.Error(), Exit: ExitFault}
	}
	dirs := []string{j.Dir()}
	if j.opt.Out != "" {
		dirs = []string{j.opt.Out, j.Dir()}
	}
	if res.Digest != nil {
		var err error
		if !held {
			err = j.rec.SetDigest(*res.Digest)
		}
		if err != nil {
			fail(err)
		} else if files, err := writeReport(*res.Digest, dirs); err != nil {
			fail(err)
		} else {
			res.Files = files
			if !held {
				j.desk.keepKnown(j.id, j.rec.Request(), *res.Digest)
			}
		}
		if err == nil && res.State.State != "failed" {
			if err := j.compare(&res, dirs, held); err != nil {
				fail(err)
			}
		}
	}
	if !held {
		j.tellFallen(res.Digest)
		if err := j.append(research.EventState, "", res.State); err != nil && res.State.State != "failed" {
			fail(err)
		}
	}
	if res.Digest == nil || res.State.State == "failed" {
		return res
	}
	for _, dir := range dirs {
		name := filepath.Join(dir, FileRun)
		if err := stream(name, j.rec.Export); err != nil {
			fail(err)
			if !held {
				_ = j.append(research.EventState, "", res.State) // the disk is at fault; it may refuse this as well
			}
			return res
		}
		res.Files = append(res.Files, name)
	}
	return res
}

// delivered reports whether a folder has all files of a report.
func delivered(dir string) bool {
	for _, name := range []string{FileHTML, FileMarkdown, FileDigest, FileRun} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// writeReport writes the page, the text and the digest into every folder and returns the names.
func writeReport(digest research.Digest, dirs []string) ([]string, error) {
	page, err := render.HTML(digest)
	if err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	text, err := render.Markdown(digest)
	if err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	b, err := EncodeDigest(digest)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, dir := range dirs {
		for _, f := range []struct {
			name string
			data []byte
		}{{FileHTML, page}, {FileMarkdown, text}, {FileDigest, b}} {
			name := filepath.Join(dir, f.name)
			if err := store.WriteOut(name, f.data); err != nil {
				return nil, err
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// EncodeDigest returns digest.json: the same digest gives the same bytes.
func EncodeDigest(digest research.Digest) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(digest); err != nil {
		return nil, fmt.Errorf("write digest: %w", err)
	}
	return b.Bytes(), nil
}

// stream writes a file through fn so that it is whole or absent.
func stream(name string, fn func(io.Writer) error) (err error) {
	defer func() { err = store.OutFault("write "+filepath.Base(name), name, err) }()
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	err = fn(f)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// WriteFile writes a file whole or not at all; a full or read-only disk is told in one sentence.
func WriteFile(name string, data []byte) error { return store.WriteOut(name, data) }

// WriteReport writes the page, the text and the digest into dir, which is made when absent.
func WriteReport(digest research.Digest, dir string) error {
	if err := prepareOut(dir); err != nil {
		return err
	}
	_, err := writeReport(digest, []string{dir})
	return err
}

// ExportFile writes the record of a run to a file.
func (d *Desk) ExportFile(id, name string) error {
	return stream(name, func(w io.Writer) error { return d.store.Export(id, w) })
}

// FormNamed is the form of a report of a name: one of [render.Forms], or false.
func FormNamed(name string) (render.Form, bool) { return render.FormNamed(name) }

// Rendered makes the report of a run in a form.
func (d *Desk) Rendered(id string, f render.Form) ([]byte, error) {
	digest, err := d.Digest(id)
	if err != nil {
		return nil, err
	}
	return f.Make(digest)
}

// DigestFile returns digest.json of a run.
func (d *Desk) DigestFile(id string) ([]byte, error) {
	return d.Rendered(id, render.Form{Make: EncodeDigest})
}

// ExportAs makes the file of a form in a run's folder: one of [render.Forms] by its name, "digest" or "run". It returns where that is.
func (d *Desk) ExportAs(id, form string) (string, error) {
	if form == "run" {
		name := filepath.Join(d.RunDir(id), FileRun)
		return name, d.ExportFile(id, name)
	}
	f, ok := FormNamed(form)
	if form == "digest" {
		f, ok = render.Form{File: FileDigest, Make: EncodeDigest}, true
	}
	if !ok {
		return "", usage("there is no form %q of a report", short(form))
	}
	b, err := d.Rendered(id, f)
	if err != nil {
		return "", err
	}
	name := filepath.Join(d.RunDir(id), f.File)
	return name, store.WriteOut(name, b)
}

// BadJSON says in words why a text could not be read as JSON.
func BadJSON(err error) string { return store.BadJSON(err) }
