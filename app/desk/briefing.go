package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/engine/difference"
	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/search"
	"assay/engine/store"
)

// Bounds and default of a briefing.
const (
	briefLines    = 20
	maxBriefLines = 500
	maxBriefed    = 50 // watches
)

// BriefOptions say what a briefing is made of.
type BriefOptions struct {
	Watches []string       // names; empty: all
	Mix     map[string]int // shares in percent, by one of [BriefKinds]; empty: each kind in turn
	Lines   int            // if zero, 20
	Title   string
	Out     string // folder of briefing.html, briefing.md, briefing.json and reports/
}

// Brief gathers the last news of several watches into one page, mixed by kinds of sources. Each line names its sources and leads to the
// report that it is from, a copy of which lies beside the page. A watch that has had one run gives the findings of its report; one whose
// last run brought nothing new gives no line and is said to be so.
func (d *Desk) Brief(opt BriefOptions) (Briefed, error) {
	if err := checkMix(opt.Mix); err != nil {
		return Briefed{}, err
	}
	names := opt.Watches
	if len(names) == 0 {
		all, err := d.watchNames()
		if err != nil {
			return Briefed{}, err
		}
		names = all
	}
	switch {
	case len(names) == 0:
		return Briefed{}, usage("there are no watches: add one with assay watch add")
	case len(names) > maxBriefed:
		return Briefed{}, usage("a briefing gathers at most %d watches, and these are %d", maxBriefed, len(names))
	case opt.Lines < 0 || opt.Lines > maxBriefLines:
		return Briefed{}, usage("a briefing has 1 to %d lines", maxBriefLines)
	}
	if err := prepareOut(opt.Out); err != nil {
		return Briefed{}, err
	}
	b := research.Briefing{Title: opt.Title, Date: d.wire.now().Format("2006-01-02"), Watches: []research.BriefedWatch{}, Mix: []research.Share{}, Lines: []research.BriefLine{}}
	var lines []research.BriefLine
	for _, name := range names {
		w, more, lang, err := d.briefed(name)
		if err != nil {
			return Briefed{}, err
		}
		if b.Lang == "" {
			b.Lang = lang
		}
		b.Watches = append(b.Watches, w)
		lines = append(lines, more...)
	}
	have := map[string]int{}
	for _, l := range lines {
		have[l.Kind]++
	}
	b.Mix = difference.Mix(opt.Mix, have, or(opt.Lines, briefLines))
	for _, share := range b.Mix {
		b.Lines = append(b.Lines, take(lines, share, names)...)
	}
	out := Briefed{Briefing: b}
	if opt.Out == "" {
		return out, nil
	}
	files, err := d.writeBriefing(b, opt.Out)
	out.Files = files
	return out, err
}

// take chooses the lines of one kind: one of each watch in turn, contradictions first.
func take(lines []research.BriefLine, share research.Share, names []string) []research.BriefLine {
	of := map[string][]research.BriefLine{}
	for _, l := range lines {
		if l.Kind == share.Kind {
			of[l.Watch] = append(of[l.Watch], l)
		}
	}
	var out []research.BriefLine
	for more := true; more; {
		more = false
		for _, n := range names {
			if len(of[n]) > 0 && len(out) < share.Taken {
				out, of[n], more = append(out, of[n][0]), of[n][1:], true
			}
		}
	}
	return out
}

// checkMix says what is wrong with shares, or returns nil.
func checkMix(mix map[string]int) error {
	sum := 0
	for kind, n := range mix {
		if !slices.Contains(BriefKinds, kind) {
			return usage("mix: %q is no kind of source: use %s", short(kind), strings.Join(BriefKinds, ", "))
		}
		if n < 0 || n > 100 {
			return usage("mix: %d is no share in percent", n)
		}
		sum += n
	}
	if sum > 100 {
		return usage("mix: the shares add up to %d percent", sum)
	}
	return nil
}

// briefed is the part of one watch in a briefing.
func (d *Desk) briefed(name string) (w research.BriefedWatch, lines []research.BriefLine, lang string, err error) {
	watch, _, err := d.readWatch(name)
	if err != nil {
		return w, nil, "", err
	}
	w = research.BriefedWatch{Name: name, Question: watch.Request.Question, Line: "It has not run yet."}
	history, err := d.WatchHistory(name, 1)
	if err != nil || len(history) == 0 {
		return w, nil, "", err
	}
	last := history[0]
	w.Line = last.Line
	if last.State == WatchFailed {
		w.Line = "Its last run failed: " + last.Line
		return w, nil, "", nil
	}
	digest, err := d.Digest(last.Run)
	if err != nil {
		w.Line = "The report of its last run is not here any more."
		return w, nil, "", nil
	}
	w.Run, w.Date, w.File = last.Run, time.UnixMilli(last.AtMs).Format("2006-01-02"), "reports/"+name+".html"
	kinds := d.kindsOf(last.Run)
	add := func(l research.BriefLine) {
		l.Watch, l.Run, l.File, l.Kind = name, last.Run, w.File, or(watch.Kind, kindOf(l.Sources, kinds))
		lines = append(lines, l)
	}
	if diff := last.Difference; diff != nil {
		for _, c := range diff.Contradictions {
			add(research.BriefLine{What: "contradiction", Text: c.Later, Note: c.Earlier + " — " + c.Reason, Sources: c.LaterSources})
		}
		for _, f := range diff.New {
			add(research.BriefLine{What: "new", Text: f.Text, Confidence: f.Confidence, Band: f.Band, Sources: f.Sources})
		}
		for _, c := range diff.Confidences {
			add(research.BriefLine{What: "confidence", Text: c.Text, Confidence: c.To, Band: c.ToBand, Note: c.From.Decimal(2) + " → " + c.To.Decimal(2), Sources: c.Sources})
		}
		return w, lines, digest.Lang, nil
	}
	empty := research.Digest{Lang: digest.Lang}
	for _, f := range difference.Between(empty, digest, difference.Options{}).New {
		add(research.BriefLine{What: "stands", Text: f.Text, Confidence: f.Confidence, Band: f.Band, Sources: f.Sources})
	}
	return w, lines, digest.Lang, nil
}

// kindsOf says by which kind of provider each place was found in a run.
func (d *Desk) kindsOf(id string) map[string]string {
	out := map[string]string{}
	events, err := d.store.Events(id, 0, 0)
	if err != nil {
		return out
	}
	for _, ev := range events {
		var hits []research.Hit
		if ev.Kind != research.EventSearch || json.Unmarshal(ev.Payload, &hits) != nil {
			continue
		}
		for _, h := range hits {
			if _, known := out[h.Location]; !known && strings.Contains(h.Location, "://") {
				out[h.Location] = search.GroupOf(h.Provider)
			}
		}
	}
	return out
}

// kindOf is the kind of the first source of a line.
func kindOf(refs []research.CitedRef, kinds map[string]string) string {
	if len(refs) == 0 || !strings.Contains(refs[0].Location, "://") {
		return "files"
	}
	if k := kinds[refs[0].Location]; slices.Contains(BriefKinds, k) {
		return k
	}
	return search.GroupWeb
}

// writeBriefing writes the page in its forms and the reports it leads to.
func (d *Desk) writeBriefing(b research.Briefing, dir string) ([]string, error) {
	page, text, err := render.Briefing(b)
	if err != nil {
		return nil, fmt.Errorf("write briefing: %w", err)
	}
	var j bytes.Buffer
	enc := json.NewEncoder(&j)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(b); err != nil {
		return nil, fmt.Errorf("write briefing: %w", err)
	}
	var names []string
	for _, f := range []struct {
		name string
		data []byte
	}{{"briefing.html", page}, {"briefing.md", text}, {"briefing.json", j.Bytes()}} {
		name := filepath.Join(dir, f.name)
		if err := store.WriteOut(name, f.data); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	for _, w := range b.Watches {
		if w.File == "" {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(w.File))
		if err := d.copyReport(w.Run, name); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}
