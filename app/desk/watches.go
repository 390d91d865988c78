package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/schedule"
	"assay/engine/store"
)

// Watch is a question that is asked again on a schedule and held against what was found before.
type Watch struct {
	Name string `json:"name"` // lower-case letters, digits and hyphens, at most 40
	// Schedule is in the five fields of cron, by the clocks of Zone: see package schedule for zones and for the days on which clocks
	// are set.
	Schedule string `json:"schedule"`
	Zone     string `json:"zone,omitempty"` // "Europe/Berlin"; empty: that of this machine
	// Request is asked each time with the clock of that time.
	Request research.Request `json:"request"`
	Deliver []string         `json:"deliver,omitempty"` // names of deliveries that get each result
	// Kind is what its lines count as in a briefing: one of [BriefKinds]. If empty, that of the source of each.
	Kind string `json:"kind,omitempty"`
	// Quiet keeps back the delivery of a result that is nothing new.
	Quiet     bool  `json:"quiet,omitempty"`
	CreatedMs int64 `json:"created_ms"`
}

// watchState is what is known of a watch besides what the person said.
type watchState struct {
	HandledMs int64  `json:"handled_ms"` // the last due time that was seen to, or when the watch was made
	Running   string `json:"running,omitempty"`
	DueMs     int64  `json:"due_ms,omitempty"` // of Running
	Missed    int    `json:"missed,omitempty"` // of Running
	LastRun   string `json:"last_run,omitempty"`
}

// How a run of a watch ended.
const (
	WatchFirst   = "first"   // there was no earlier report
	WatchNothing = "nothing" // nothing new
	WatchNews    = "news"
	WatchFailed  = "failed"
)

// WatchResult is one run of a watch.
type WatchResult struct {
	Watch   string `json:"watch"`
	Run     string `json:"run,omitempty"`
	Against string `json:"against,omitempty"`
	DueMs   int64  `json:"due_ms,omitempty"` // 0: asked for by the person
	AtMs    int64  `json:"at_ms"`
	Missed  int    `json:"missed,omitempty"` // due times before this one that passed while no program kept the watch
	State   string `json:"state"`            // first, nothing, news or failed
	Line    string `json:"line"`             // one sentence
	// Difference is nil for a first run and one that failed.
	Difference *research.Difference `json:"difference,omitempty"`
}

// WatchInfo is a line of the list of watches.
type WatchInfo struct {
	Watch
	NextMs int64        `json:"next_ms"`           // 0: never
	Fault  string       `json:"fault,omitempty"`   // why it cannot run
	Last   *WatchResult `json:"last,omitempty"`    // without its difference
	Now    string       `json:"running,omitempty"` // the run that is under way
}

// Bounds of watches.
const (
	maxWatches = 500
	maxHistory = 200 // results that are kept of one watch
	maxMissed  = 1000
)

var watchName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

const (
	watchFile   = "watch.json"
	stateFile   = "state.json"
	historyDir  = "history"
	watchesDir  = "watches"
	keeperLease = ".keeper"
)

func (d *Desk) watchDir(name string) string { return filepath.Join(d.dirs.Data, watchesDir, name) }

// BriefKinds are the kinds of sources that a briefing is mixed of.
var BriefKinds = []string{"news", "feeds", "social", "web", "papers", "reference", "files"}

// AddWatch checks and keeps a watch. Its first run is at its first due time, or when the person asks for it.
func (d *Desk) AddWatch(w Watch) (Watch, error) {
	if !watchName.MatchString(w.Name) {
		return w, usage("watch %q: a name has lower-case letters, digits and hyphens, at most 40 of them", short(w.Name))
	}
	if _, err := scheduleOf(w); err != nil {
		return w, &UsageError{Err: err}
	}
	if w.Kind != "" && !slices.Contains(BriefKinds, w.Kind) {
		return w, usage("watch %s: kind %q: use one of %s", w.Name, short(w.Kind), strings.Join(BriefKinds, ", "))
	}
	if err := d.checkDeliver(w.Deliver); err != nil {
		return w, err
	}
	w.Request.Now = ""
	if _, err := d.complete(w.Request); err != nil { // so that a watch that cannot work is refused now
		return w, err
	}
	var err error
	if w.Request.Libraries, err = absAll(w.Request.Libraries, checkFolder); err != nil {
		return w, err
	}
	if w.Request.Attach, err = absAll(w.Request.Attach, checkFile); err != nil {
		return w, err
	}
	if all, err := d.watchNames(); err != nil {
		return w, err
	} else if len(all) >= maxWatches {
		return w, usage("there are %d watches, which is all there may be: remove one with assay watch remove NAME", len(all))
	}
	if _, err := os.Stat(filepath.Join(d.watchDir(w.Name), watchFile)); err == nil {
		return w, usage("watch %s: there is one of this name: choose another name, or remove it with assay watch remove %s", w.Name, w.Name)
	}
	release, err := d.store.Guard(filepath.Join(watchesDir, w.Name))
	if err != nil {
		return w, err
	}
	defer release()
	w.CreatedMs = d.wire.now().UnixMilli()
	return w, errors.Join(d.keepState(w.Name, watchState{HandledMs: w.CreatedMs}), d.keepJSON(w.Name, watchFile, w))
}

func scheduleOf(w Watch) (schedule.Schedule, error) {
	zone, err := schedule.Zone(w.Zone)
	if err != nil {
		return schedule.Schedule{}, err
	}
	return schedule.Parse(w.Schedule, zone)
}

func (d *Desk) keepJSON(name, file string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("keep watch %s: %w", name, err)
	}
	return store.WriteFile(filepath.Join(d.watchDir(name), file), append(b, '\n'))
}

func (d *Desk) keepState(name string, s watchState) error { return d.keepJSON(name, stateFile, s) }

// maxWatchFile bounds a file of a watch, in bytes. A difference names a few hundred sentences.
const maxWatchFile = 16 << 20

// readJSON reads a file of ours, whose damage is told in a sentence.
func readJSON(name string, v any) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.Size() > maxWatchFile {
		return fmt.Errorf("%s is %d bytes long: remove it", name, st.Size())
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s is damaged (%s): correct or remove it", name, store.BadJSON(err))
	}
	return nil
}

// watchNames lists the names of all watches, sorted.
func (d *Desk) watchNames() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(d.dirs.Data, watchesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Fault("list watches", d.dirs.Data, err)
	}
	var names []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(d.watchDir(e.Name()), watchFile)); err == nil && watchName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readWatch reads a watch and its state. A state that is damaged counts as that of a watch that was made now.
func (d *Desk) readWatch(name string) (w Watch, s watchState, err error) {
	if !watchName.MatchString(name) {
		return w, s, usage("watch %q: there is none of this name: list them with assay watch list", short(name))
	}
	err = readJSON(filepath.Join(d.watchDir(name), watchFile), &w)
	if errors.Is(err, fs.ErrNotExist) {
		return w, s, usage("watch %s: there is none of this name: list them with assay watch list", name)
	}
	if err != nil {
		return w, s, err
	}
	w.Name = name
	if readJSON(filepath.Join(d.watchDir(name), stateFile), &s) != nil {
		s = watchState{HandledMs: d.wire.now().UnixMilli()}
	}
	return w, s, nil
}

// Watches lists all watches by name.
func (d *Desk) Watches() ([]WatchInfo, error) {
	names, err := d.watchNames()
	out := make([]WatchInfo, 0, len(names))
	for _, name := range names {
		info, err := d.Watch(name)
		if err != nil {
			info = WatchInfo{Watch: Watch{Name: name}, Fault: err.Error()}
		}
		out = append(out, info)
	}
	return out, err
}

// Watch is the line of one watch.
func (d *Desk) Watch(name string) (WatchInfo, error) {
	w, s, err := d.readWatch(name)
	if err != nil {
		return WatchInfo{}, err
	}
	info := WatchInfo{Watch: w, Now: s.Running}
	if sched, err := scheduleOf(w); err != nil {
		info.Fault = err.Error()
	} else if next, ok := sched.Next(time.UnixMilli(s.HandledMs)); ok {
		info.NextMs = next.UnixMilli()
	}
	if _, err := d.complete(w.Request); err != nil && info.Fault == "" {
		info.Fault = err.Error()
	}
	if last, err := d.WatchHistory(name, 1); err == nil && len(last) > 0 {
		last[0].Difference = nil
		info.Last = &last[0]
	}
	return info, nil
}

// WatchHistory lists the results of a watch, newest first; limit 0 is all that are kept.
func (d *Desk) WatchHistory(name string, limit int) ([]WatchResult, error) {
	if _, _, err := d.readWatch(name); err != nil {
		return nil, err
	}
	files, err := d.historyFiles(name)
	if err != nil {
		return nil, err
	}
	slices.Reverse(files)
	out := []WatchResult{}
	for _, f := range files {
		if limit > 0 && len(out) == limit {
			break
		}
		var r WatchResult
		if readJSON(f, &r) == nil { // one that is damaged is passed over: the runs themselves remain
			out = append(out, r)
		}
	}
	return out, nil
}

// historyFiles are the files of a watch's results, oldest first.
func (d *Desk) historyFiles(name string) ([]string, error) {
	dir := filepath.Join(d.watchDir(name), historyDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Fault("read the results of watch "+name, dir, err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(out)
	return out, nil
}

// keepResult adds a result to the history and drops the oldest beyond the bound.
func (d *Desk) keepResult(r WatchResult) error {
	dir := filepath.Join(d.watchDir(r.Watch), historyDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return store.Fault("keep the result of watch "+r.Watch, dir, err)
	}
	file := fmt.Sprintf("%015d-%s.json", r.AtMs, or(r.Run, "none"))
	if err := d.keepJSON(r.Watch, filepath.Join(historyDir, file), r); err != nil {
		return err
	}
	files, err := d.historyFiles(r.Watch)
	for len(files) > maxHistory {
		err = errors.Join(err, os.Remove(files[0]))
		files = files[1:]
	}
	return err
}

// RemoveWatch removes a watch and its results and says what remains.
func (d *Desk) RemoveWatch(name string) ([]string, error) {
	if _, _, err := d.readWatch(name); err != nil {
		return nil, err
	}
	release, err := d.store.Guard(filepath.Join(watchesDir, name))
	if err != nil {
		return nil, err
	}
	defer release()
	if err := os.RemoveAll(d.watchDir(name)); err != nil {
		return nil, store.Fault("remove watch "+name, d.watchDir(name), err)
	}
	return []string{"Its runs and their reports remain: see assay runs list."}, nil
}
