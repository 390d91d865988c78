package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/engine"
	"assay/engine/fetch"
	"assay/engine/knowledge"
	"assay/engine/research"
	"assay/engine/store"
)

// KnowledgeSettings say whether and how earlier runs are looked into.
type KnowledgeSettings struct {
	// Off has no run show what earlier ones found.
	Off bool `json:"off,omitempty"`
	// Pages is how old a page that an earlier run kept may be to be taken instead of fetching it again: "24h", at most 720h. If empty,
	// every page is fetched.
	Pages string `json:"pages,omitempty"`
}

// maxPagesAge is the greatest age of a page that is taken again: a month.
const maxPagesAge = 720 * time.Hour

// pagesAge reads Pages; 0 is never.
func (k KnowledgeSettings) pagesAge() (time.Duration, error) {
	if k.Pages == "" {
		return 0, nil
	}
	age, err := time.ParseDuration(k.Pages)
	if err != nil || age <= 0 || age > maxPagesAge {
		return 0, fmt.Errorf("knowledge pages %q: use an age such as 24h, at most %s", short(k.Pages), maxPagesAge)
	}
	return age, nil
}

// fileKnown holds, in a run's folder, the claims that are kept of it; it goes with the run.
const fileKnown = "knowledge.json"

// maxKnownRuns is how many runs, the newest, are looked into.
const maxKnownRuns = 2000

// knownCache holds what was read of runs, by id, as long as their files stay as they were.
type knownCache struct {
	mu   sync.Mutex
	runs map[string]knownRun
}

type knownRun struct {
	at     time.Time // of the file
	size   int64
	claims []research.Known
}

// keepKnown keeps what a report knows in the run's folder. What cannot be kept is made again from the digest when it is looked for.
func (d *Desk) keepKnown(id string, req research.Request, digest research.Digest) {
	b, err := json.Marshal(knowledge.Of(id, req, digest))
	if err == nil {
		err = store.WriteFile(filepath.Join(d.store.Dir(id), fileKnown), b)
	}
	_ = err
}

// knownOf is what is known of a run; nothing of one that has no report.
func (d *Desk) knownOf(info research.RunInfo) []research.Known {
	name := filepath.Join(d.store.Dir(info.ID), fileKnown)
	st, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && info.State == "done" && info.Findings > 0 && info.Holder == "" { // of a version before there was such a file
		digest, err := d.Digest(info.ID)
		req, rerr := d.store.Request(info.ID)
		if err != nil || rerr != nil {
			return nil
		}
		d.keepKnown(info.ID, req, digest)
		st, err = os.Stat(name)
		if err != nil { // the folder cannot be written to
			return knowledge.Of(info.ID, req, digest)
		}
	} else if err != nil {
		return nil
	}
	d.known.mu.Lock()
	defer d.known.mu.Unlock()
	if have, ok := d.known.runs[info.ID]; ok && have.at.Equal(st.ModTime()) && have.size == st.Size() {
		return have.claims
	}
	var claims []research.Known
	if readJSON(name, &claims) != nil {
		return nil
	}
	if d.known.runs == nil {
		d.known.runs = map[string]knownRun{}
	}
	d.known.runs[info.ID] = knownRun{st.ModTime(), st.Size(), claims}
	return claims
}

// allKnown is what all runs but one know, the newest first.
func (d *Desk) allKnown(ctx context.Context, but string) ([]research.Known, error) {
	infos, err := d.Runs()
	if err != nil {
		return nil, err
	}
	var all []research.Known
	for _, info := range infos[:min(len(infos), maxKnownRuns)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if info.ID != but {
			all = append(all, d.knownOf(info)...)
		}
	}
	return all, nil
}

// knower tells a run what the others know; nil when that is turned off.
func (d *Desk) knower(run string) engine.Knower {
	if d.Settings().Knowledge.Off {
		return nil
	}
	return knower{d, run}
}

type knower struct {
	desk *Desk
	run  string
}

// Earlier implements the engine's Knower.
func (k knower) Earlier(ctx context.Context, ask research.EarlierAsk) (research.Earlier, error) {
	all, err := k.desk.allKnown(ctx, k.run)
	if err != nil {
		if ctx.Err() != nil {
			return research.Earlier{}, err
		}
		all = nil // runs that cannot be listed keep no new one from its work
	}
	return knowledge.Bearing(all, ask), nil
}

// SetKnowledge turns on or off that runs show what earlier ones found.
func (d *Desk) SetKnowledge(k KnowledgeSettings) error {
	if _, err := k.pagesAge(); err != nil {
		return &UsageError{Err: err}
	}
	s := d.Settings()
	s.Knowledge = k
	return d.SetSettings(s)
}

// keptAt is where the page of an earlier run lies.
type keptAt struct {
	keptPage
	run  string
	file string
}

// youngPages are the pages that earlier runs kept and that are young enough by the settings and the run's clock, by address, the
// youngest of each; nil when none may be taken.
func (d *Desk) youngPages(req research.Request) map[string]keptAt {
	age, err := d.Settings().Knowledge.pagesAge()
	now, nerr := time.Parse(time.RFC3339, req.Now)
	if err != nil || nerr != nil || age == 0 {
		return nil
	}
	out := map[string]keptAt{}
	infos, err := d.Runs()
	if err != nil {
		return nil
	}
	left := maxKeptPages
	for _, info := range infos {
		dir := filepath.Join(d.store.Dir(info.ID), pagesDir)
		entries, err := os.ReadDir(dir)
		if err != nil || info.Holder != "" {
			continue
		}
		for _, e := range entries {
			if left == 0 || !strings.HasSuffix(e.Name(), ".json") {
				continue
			}
			left--
			p, ok := readKept(filepath.Join(dir, e.Name()))
			if !ok || p.SHA256+".json" != e.Name() || p.AtMs == 0 {
				continue
			}
			at := time.UnixMilli(p.AtMs)
			if at.After(now) || now.Sub(at) > age || out[p.URL].AtMs > p.AtMs {
				continue
			}
			out[p.URL] = keptAt{p, info.ID, filepath.Join(dir, p.SHA256)}
		}
	}
	return out
}

// fromKept reads a page that an earlier run kept, if there is one that may be taken. It is not kept again, so that its age stays what it
// is.
func (w *webReader) fromKept(ctx context.Context, location string) (research.Document, bool, error) {
	k, ok := w.kept[location]
	if !ok {
		return research.Document{}, false, nil
	}
	st, err := os.Stat(k.file)
	if err != nil || st.Size() != int64(k.Bytes) {
		return research.Document{}, false, nil // the run was deleted meanwhile
	}
	body, err := os.ReadFile(k.file)
	if err != nil || research.SHA256(string(body)) != k.SHA256 {
		return research.Document{}, false, nil
	}
	doc, err := w.parse(ctx, location, fetch.Page{URL: k.URL, Type: k.Type, Modified: k.Modified, Body: body})
	if err != nil {
		return doc, false, err
	}
	doc.Reused = &research.Reuse{Run: k.run, At: time.UnixMilli(k.AtMs).UTC().Format(time.RFC3339)}
	return doc, true, nil
}
