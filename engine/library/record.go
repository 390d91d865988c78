package library

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"assay/engine/research"
)

// state is what decides whether a file has to be read again, and what its passages are.
type state struct {
	Size int64 `json:"size"`
	// Mtime is the modification time in nanoseconds, or 0 when the file was so new that a later write could have the same:
	// then its hash decides.
	Mtime int64  `json:"mtime"`
	Hash  string `json:"hash,omitempty"` // SHA-256 of the bytes
	Text  string `json:"text,omitempty"` // SHA-256 of the clean text
	// Spans are the offsets of the passages, which are the ends of their ids in the index.
	Spans []research.Span `json:"spans,omitempty"`
	// Copies are the passages that are not indexed, because a better format of the folder has them.
	Copies []research.Span `json:"copies,omitempty"`
}

// record is one file's entry.
type record struct {
	Location string
	state
	doc     research.Document // without Text; loaded on demand
	docJSON []byte
}

// Identifiers in the index. They sort by location, then by offset.
const (
	filePrefix    = "f|"
	passagePrefix = "p|"
)

func fileID(location string) string { return filePrefix + location }

func passageID(location string, s research.Span) string {
	return fmt.Sprintf("%s%s|%08x-%08x", passagePrefix, location, s.Start, s.End)
}

// parsePassageID is the inverse of passageID.
func parsePassageID(id string) (location string, s research.Span, ok bool) {
	id, ok = strings.CutPrefix(id, passagePrefix)
	i := strings.LastIndexByte(id, '|')
	if !ok || i < 0 {
		return "", s, false
	}
	from, to, ok := strings.Cut(id[i+1:], "-")
	if !ok {
		return "", s, false
	}
	a, err1 := strconv.ParseInt(from, 16, 64)
	b, err2 := strconv.ParseInt(to, 16, 64)
	if err1 != nil || err2 != nil {
		return "", s, false
	}
	return id[:i], research.Span{Start: int(a), End: int(b)}, true
}

// document decodes the stored document, which has no Text.
func (r *record) document() (research.Document, error) {
	if r.docJSON != nil {
		if err := json.Unmarshal(r.docJSON, &r.doc); err != nil {
			return research.Document{}, fmt.Errorf("library: entry of %s: %w", r.Location, err)
		}
		r.docJSON = nil
	}
	return r.doc, nil
}

func (r *record) entry(folder string) Entry {
	d, _ := r.document() // an entry that cannot be decoded is listed by its location alone
	e := Entry{
		Location: r.Location, Path: pathOf(folder, r.Location), Title: d.Title, MediaType: d.MediaType, Lang: d.Lang,
		Published: d.Published, SHA256: d.SHA256, Bytes: r.Size, Passages: len(r.Spans) + len(r.Copies), Fault: d.Fault, Verdict: d.Verdict,
	}
	if d.Fault == "" {
		e.Pages = max(1, len(d.Pages))
	}
	return e
}

// pathOf returns the file of a location in its folder.
func pathOf(folder, location string) string {
	_, rel, _ := strings.Cut(location, "/")
	return filepath.Join(folder, filepath.FromSlash(rel))
}
