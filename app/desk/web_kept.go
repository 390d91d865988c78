package desk

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/engine/fetch"
	"assay/engine/research"
)

// How far back pages are looked for that runs fetched: so many runs, so many pages, and so many bytes of what is said of one.
const (
	maxKeptRuns  = 200
	maxKeptPages = 20_000
	maxKeptAbout = 16 << 10
)

// fetchedBefore returns what the last run that fetched a page kept of it, so that its server sends it only if it changed. The
// list is made when it is first asked for. A page whose bytes are not what they were is not returned.
func (d *Desk) fetchedBefore() func(location string) (fetch.Page, bool) {
	list := sync.OnceValue(func() map[string]string { return d.fetchedPages() })
	return func(location string) (fetch.Page, bool) {
		at, ok := list()[location]
		if !ok {
			return fetch.Page{}, false
		}
		about, ok := readKept(at + ".json")
		if !ok || about.URL != location || about.Bytes > maxWebPage {
			return fetch.Page{}, false
		}
		body, err := os.ReadFile(at)
		if err != nil || research.SHA256(string(body)) != about.SHA256 {
			return fetch.Page{}, false
		}
		return fetch.Page{URL: about.URL, Type: about.Type, Language: about.Language, Modified: about.Modified, Tag: about.Tag, Body: body}, true
	}
}

// fetchedPages lists the files of pages that can be asked for again by their address, those of the latest run first.
func (d *Desk) fetchedPages() map[string]string {
	infos, err := d.store.List()
	if err != nil {
		return nil
	}
	slices.SortStableFunc(infos, func(a, b research.RunInfo) int { return cmp.Compare(b.UpdatedMs, a.UpdatedMs) })
	out := map[string]string{}
	for _, info := range infos[:min(len(infos), maxKeptRuns)] {
		dir := filepath.Join(d.store.Dir(info.ID), pagesDir)
		files, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			name, isAbout := strings.CutSuffix(f.Name(), ".json")
			if !isAbout || len(out) >= maxKeptPages {
				continue
			}
			about, ok := readKept(filepath.Join(dir, f.Name()))
			if _, known := out[about.URL]; ok && !known && (about.Tag != "" || about.Modified != "") && about.SHA256 == name {
				out[about.URL] = filepath.Join(dir, name)
			}
		}
	}
	return out
}

// readKept reads what is kept of a page beside its bytes.
func readKept(file string) (keptPage, bool) {
	var about keptPage
	f, err := os.Open(file)
	if err != nil {
		return about, false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxKeptAbout))
	return about, err == nil && json.Unmarshal(b, &about) == nil
}
