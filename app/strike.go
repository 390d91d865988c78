package app

import (
	"path/filepath"

	"assay/engine/research"
)

// StruckSource is a source that the reader took out of a finished run.
type StruckSource struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Location string `json:"location"`
	Voice    string `json:"voice"`
}

// Restated says what a strike left.
type Restated struct {
	Struck   []StruckSource `json:"struck"`
	Findings int            `json:"findings"`
	TookMs   int64          `json:"took_ms"`
}

// Strike takes sources out of a finished run, by id, location or voice, or puts them back. The report follows at once.
func (a *API) Strike(id string, names []string, restore bool) (r Restated, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return r, err
	}
	res, err := d.Strike(ctx, id, names, restore)
	a.mu.Lock()
	a.lastID = "" // the page asks for the report again
	a.mu.Unlock()
	if err != nil {
		return r, err
	}
	if r.Struck, err = a.Struck(id); err != nil {
		return r, err
	}
	r.Findings, r.TookMs = res.Digest.Metrics.Findings, res.Took.Milliseconds()
	return r, nil
}

// Struck lists what is struck from a run.
func (a *API) Struck(id string) (list []StruckSource, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return nil, err
	}
	struck, err := d.Struck(id)
	list = make([]StruckSource, 0, len(struck))
	for _, s := range struck {
		list = append(list, struckView(s))
	}
	return list, err
}

func struckView(s research.Source) StruckSource {
	v := StruckSource{ID: s.ID, Title: s.Title, Location: s.Location, Voice: s.Voice}
	if v.Title == "" {
		v.Title = filepath.Base(s.Location)
	}
	return v
}
