package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/engine/library"
	"assay/engine/research"
	"assay/engine/store"
)

// Pages of the web that finished runs opened are kept in the runs' records. They can be searched as the library is, with the network
// off: an index of their own, "kept" in the home, follows the runs. A page of several runs that did not change is one.

// keptBase begins the locations of kept pages in that index.
const keptBase = "kept"

// keptPages is what a run has kept, as it was when it was looked at.
type keptPages struct {
	UpdatedMs int64           `json:"updated_ms"`
	Pages     []keptPageEntry `json:"pages"`
}

type keptPageEntry struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	Published string `json:"published,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	SHA256    string `json:"sha256"`
}

// KeptPassage is a passage of a page that a run kept.
type KeptPassage struct {
	research.Hit
	Run string `json:"run"` // the last one that opened it
}

// SearchKept returns the passages of pages kept by finished runs that match words best. A run that is damaged is passed over.
func (d *Desk) SearchKept(ctx context.Context, words string, limit int) ([]KeptPassage, error) {
	dir := filepath.Join(d.dirs.Data, "kept")
	runs, err := d.keptRuns(ctx, filepath.Join(dir, "runs.json"))
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	lib, err := library.Open(dir, library.Options{})
	if err != nil {
		return nil, err
	}
	infos, err := d.store.List()
	if err != nil {
		return nil, err
	}
	// The text of a page is the last that was read.
	slices.SortStableFunc(infos, func(a, b research.RunInfo) int { return cmp.Compare(b.UpdatedMs, a.UpdatedMs) })
	var pages []library.Page
	last := map[string]string{} // location -> run
	for _, info := range infos {
		for _, p := range runs[info.ID].Pages {
			if _, known := last[p.URL]; known {
				continue
			}
			last[p.URL] = info.ID
			pages = append(pages, library.Page{Location: p.URL, SHA256: p.SHA256, Load: func(context.Context) (research.Document, error) {
				text, err := d.store.Blob(info.ID, p.SHA256)
				if err != nil {
					return research.Document{Fault: err.Error()}, nil // the run is damaged: assay doctor says so
				}
				return research.Document{Title: p.Title, Published: p.Published, MediaType: p.MediaType, SHA256: p.SHA256, Text: text}, nil
			}})
		}
	}
	if err := patiently(ctx, nil, func() error { return lib.Keep(ctx, keptBase, pages) }); err != nil {
		return nil, err
	}
	var hits []research.Hit
	err = patiently(ctx, nil, func() (err error) {
		hits, err = lib.Search(ctx, research.Query{Text: words, Limit: limit})
		return err
	})
	out := make([]KeptPassage, 0, len(hits))
	for _, h := range hits {
		h.Location = strings.TrimPrefix(h.Location, keptBase+"/")
		out = append(out, KeptPassage{h, last[h.Location]})
	}
	return out, err
}

// keptRuns says what each finished run has kept. Runs are looked into when they have changed since the last time, which file holds.
func (d *Desk) keptRuns(ctx context.Context, file string) (map[string]keptPages, error) {
	had, now := map[string]keptPages{}, map[string]keptPages{}
	if b, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(b, &had) // a damaged file is written anew
	}
	infos, err := d.store.List()
	if err != nil {
		return nil, err
	}
	changed := len(had) != len(infos)
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k, known := had[info.ID]
		if !known || k.UpdatedMs != info.UpdatedMs {
			k, changed = keptPages{UpdatedMs: info.UpdatedMs, Pages: d.pagesOf(info.ID)}, true
		}
		now[info.ID] = k
	}
	if !changed || len(now)+len(had) == 0 {
		return now, nil
	}
	b, err := json.Marshal(now)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err != nil {
		return nil, store.Fault("keep the list of kept pages", file, err)
	}
	return now, store.WriteFile(file, b)
}

// pagesOf lists the pages of the web whose text a run has; none for a run without a result.
func (d *Desk) pagesOf(id string) []keptPageEntry {
	digest, err := d.store.Digest(id)
	if err != nil {
		return nil
	}
	var out []keptPageEntry
	for _, s := range digest.Sources {
		if strings.Contains(s.URL, "://") && s.SHA256 != "" {
			out = append(out, keptPageEntry{s.URL, s.Title, s.Published, s.MediaType, s.SHA256})
		}
	}
	return out
}
