package desk

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"assay/engine/queue"
	"assay/engine/render"
	"assay/engine/research"
)

// morningTime is how times are written on the page of a morning.
const morningTime = "2006-01-02 15:04"

// Morning says what the runs of the queue did since a moment: what each found, and what needs the person.
func (d *Desk) Morning(since, now time.Time) (research.Morning, error) {
	m := research.Morning{
		Lang: "en", Date: now.Format(morningTime), Since: since.Format(morningTime),
		Needs: []research.MorningRun{}, Found: []research.MorningRun{}, Waits: []research.MorningRun{},
	}
	if d.Settings().Lang == "zh" {
		m.Lang = "zh"
	}
	items, err := d.Queue()
	if err != nil {
		return m, err
	}
	for _, it := range items {
		r := research.MorningRun{Run: it.ID, Question: it.Request.Question, State: it.State}
		info, err := d.store.Show(it.ID)
		if err != nil {
			return m, err
		}
		ended := it.State != queue.Running && !it.Waits()
		if ended && time.UnixMilli(info.UpdatedMs).Before(since) {
			continue
		}
		if !ended {
			r.Line = it.Detail
			if n := d.noticeOf(it.ID); n != nil {
				r.Line, r.Do = n.Text, n.Do
				m.Needs = append(m.Needs, r)
				continue
			}
			m.Waits = append(m.Waits, r)
			continue
		}
		d.tellMorning(&r, info)
		if r.Do != "" {
			m.Needs = append(m.Needs, r)
		}
		if info.State == "done" {
			m.Found = append(m.Found, r)
		}
	}
	return m, nil
}

// noticeOf is what a run of this program waits for; nil when for nothing.
func (d *Desk) noticeOf(id string) *Notice {
	if j := d.Job(id); j != nil {
		return j.Notice()
	}
	return nil
}

// tellMorning says how a run that has ended went, and what is to be done about it.
func (d *Desk) tellMorning(r *research.MorningRun, info research.RunInfo) {
	switch info.State {
	case queue.Failed:
		r.Line, r.Do = info.Detail, "See to the cause, then put it back: assay queue retry "+info.ID
		return
	case queue.Stopped, queue.Paused:
		r.Line, r.Do = info.Detail, "Put it back when it shall go on: assay queue retry "+info.ID
		return
	}
	digest, err := d.store.Digest(info.ID)
	if err != nil {
		r.Line, r.Do = err.Error(), "Look at it: assay audit "+info.ID
		return
	}
	r.Line, r.Gaps = firstSentences(digest.Summary), len(digest.Gaps)
	for _, s := range digest.Sections {
		r.Findings += len(s.Findings)
	}
	switch {
	case r.Findings == 0:
		r.Do = "Nothing was found: look at its gaps, add documents or search further."
	case len(digest.SourceStats.Shortfall) > 0 && !digest.SourceStats.ClosedLibrary:
		r.Do = "It is below its floors: " + strings.Join(digest.SourceStats.Shortfall, "; ") + "."
	}
}

// firstSentences is the beginning of a summary, bounded.
func firstSentences(s string) string {
	if r := []rune(s); len(r) > 600 {
		return string(r[:599]) + "…"
	}
	return s
}

// WriteMorning writes the page of a morning into dir, with the reports that it leads to beside it, and returns the page's name.
func (d *Desk) WriteMorning(m research.Morning, dir string) (string, error) {
	if err := prepareOut(dir); err != nil {
		return "", err
	}
	for i := range m.Found {
		page, err := d.ReportPage(m.Found[i].Run)
		if err != nil {
			continue // its line says what it found all the same
		}
		m.Found[i].File = m.Found[i].Run + ".html"
		if err := WriteFile(filepath.Join(dir, m.Found[i].File), page); err != nil {
			return "", err
		}
	}
	page, text, err := render.Morning(m)
	if err != nil {
		return "", fmt.Errorf("write the morning's page: %w", err)
	}
	name := filepath.Join(dir, "morning.html")
	if err := WriteFile(filepath.Join(dir, "morning.md"), text); err != nil {
		return "", err
	}
	return name, WriteFile(name, page)
}
