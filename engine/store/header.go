package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"assay/engine/research"
)

// maxTitle is the longest title and project name kept, in characters: a line of a list.
const maxTitle = 120

// maxHeader bounds info.json, in bytes: a header is a few kilobytes, and the file may have been tampered with.
const maxHeader = 1 << 20

// header is what a run says about itself. The record holds it; info.json is a copy.
type header struct {
	Schema    int                `json:"schema"`
	Code      string             `json:"code"`
	ID        string             `json:"id"`
	Title     string             `json:"title"`
	Project   string             `json:"project,omitempty"`
	CreatedMs int64              `json:"created_ms"`
	UpdatedMs int64              `json:"updated_ms"`
	Request   research.Request   `json:"request"`
	State     research.StateNews `json:"state"`
	Model     string             `json:"model"`
	Findings  int                `json:"findings"`
	Sources   int                `json:"sources"`
	Outs      []string           `json:"outs,omitempty"` // folders that hold exported copies
	Place     research.Place     `json:"place,omitzero"`
}

func newHeader(id string, req research.Request, code string, now time.Time) header {
	return header{
		Schema: research.SchemaVersion, Code: code, ID: id, Title: shorten(req.Question, maxTitle),
		CreatedMs: now.UnixMilli(), UpdatedMs: now.UnixMilli(), Request: req, Model: req.Model,
	}
}

func (h header) info() research.RunInfo {
	return research.RunInfo{
		ID: h.ID, Title: h.Title, Question: h.Request.Question,
		State: h.State.State, Detail: h.State.Detail,
		CreatedMs: h.CreatedMs, UpdatedMs: h.UpdatedMs,
		Model: h.Model, Asked: h.Request.Model, Depth: string(h.Request.Depth),
		Findings: h.Findings, Sources: h.Sources,
		Project: h.Project, Schema: h.Schema, Code: h.Code, Place: h.Place,
	}
}

// take copies the figures of a finished digest.
func (h *header) take(d research.Digest) {
	h.Findings, h.Sources = 0, len(d.Sources)
	for _, s := range d.Sections {
		h.Findings += len(s.Findings)
	}
	if h.Model = d.Model.Channel; d.Model.Name != "" {
		h.Model += ":" + d.Model.Name
	}
}

// shorten cuts s to at most n characters, at a word when there is one to cut at.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)[:n-1]
	cut := string(r)
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

func readHeaderFile(dir string) (header, error) {
	var h header
	name := filepath.Join(dir, "info.json")
	st, err := os.Stat(name)
	if err != nil {
		return h, err
	}
	if st.Size() > maxHeader {
		return h, fmt.Errorf("%s: larger than a header", name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	if h.ID != filepath.Base(dir) {
		return h, fmt.Errorf("%s: header of another run", name)
	}
	return h, nil
}

func writeHeaderFile(dir string, h header) error {
	b, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, "info.json"), append(b, '\n'))
}

// WriteFile puts data at name so that a reader finds the old content or the new one, never a part of either, whatever
// happens meanwhile. The data is on disk when it returns. A full or read-only disk is told in one sentence.
func WriteFile(name string, data []byte) error {
	return Fault("write "+filepath.Base(name), name, replaceFile(name, data))
}

// WriteOut is [WriteFile] for a file that the person named with --out.
func WriteOut(name string, data []byte) error {
	return OutFault("write "+filepath.Base(name), name, replaceFile(name, data))
}

func replaceFile(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
