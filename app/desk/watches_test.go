package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/audit"
	"assay/engine/research"
)

// played is a clock that tests turn.
type played struct {
	mu    sync.Mutex
	at    time.Time
	waits []alarm
}

type alarm struct {
	until time.Time
	ch    chan time.Time
}

func (c *played) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *played) after(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d <= 0 {
		ch <- c.at
	} else {
		c.waits = append(c.waits, alarm{c.at.Add(d), ch})
	}
	return ch, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waits = slices.DeleteFunc(c.waits, func(w alarm) bool { return w.ch == ch })
	}
}

// turn sets the clock forward and wakes who waited for that.
func (c *played) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	for _, w := range c.waits {
		if !w.until.After(c.at) {
			select {
			case w.ch <- c.at:
			default:
			}
		}
	}
}

// waiters is how many wait.
func (c *played) waiters() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waits)
}

func playClock(t *testing.T, d *Desk, at string) *played {
	t.Helper()
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	c := &played{at: when}
	d.wire.now, d.wire.after = c.now, c.after
	return c
}

// kiln is the corpus of a watch: what each file says.
func writeKiln(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		at := filepath.Join(dir, name)
		if text == "" {
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func kilnWatch(dirs ...string) Watch {
	return Watch{Name: "kiln", Schedule: "0 7 * * *", Zone: "UTC", Request: research.Request{
		Question: "How hot is the Marrow kiln fired and who tends it?", Libraries: dirs, Depth: research.Quick, Model: "extractive",
	}}
}

// kilnVoices makes the folders of those who speak of the kiln, each a library of its own, and fills them.
func kilnVoices(t *testing.T, dir string, files map[string]string) (dirs []string) {
	t.Helper()
	writeKiln(t, dir, files)
	for _, name := range []string{"office", "guild", "parish", "town", "lab"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, at)
	}
	return dirs
}

func firstKiln() map[string]string {
	return map[string]string{
		"office/firing.txt": "# Firing\n\nThe Marrow kiln is fired to 1,280 degrees Celsius.\n",
		"guild/tending.md":  "# Tending\n\nThe Marrow kiln is tended by Anna Berg, a potter of the valley.\n",
		"parish/repair.txt": "# Repairs\n\nThe chimney of the Marrow kiln was rebuilt after the storm.\n",
	}
}

// TestWatchNamesWhatChanged is issue G, must show 5: between two runs a document is added, one is changed, one is removed, and one that
// contradicts comes. The difference names these and nothing else; before that, with nothing changed, it says so in one line.
func TestWatchNamesWhatChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kiln")
	dirs := kilnVoices(t, dir, firstKiln())
	d := testDesk(t, realWiring(nil).run)
	clock := playClock(t, d, "2026-03-01T06:00:00Z")
	if _, err := d.AddWatch(kilnWatch(dirs...)); err != nil {
		t.Fatal(err)
	}
	run := func(state string) WatchResult {
		t.Helper()
		clock.turn(24 * time.Hour)
		res, err := d.RunWatch(t.Context(), "kiln")
		if err != nil || res.State != state {
			t.Fatalf("RunWatch = %s %q, %v; want %s", res.State, res.Line, err, state)
		}
		return res
	}
	first := run(WatchFirst)
	if digest, err := d.Digest(first.Run); err != nil || len(digest.Sources) != 3 {
		t.Fatalf("the first report cites %d sources, %v; the test needs 3", len(digest.Sources), err)
	}
	if same := run(WatchNothing); !strings.HasPrefix(same.Line, "Nothing new since 2026-03-02:") || strings.Contains(same.Line, "\n") {
		t.Errorf("an unchanged corpus gives %q", same.Line)
	}
	writeKiln(t, dir, map[string]string{
		"town/visits.txt":   "# Visits\n\nThe Marrow kiln is open to visitors on Sundays in summer.\n",        // added
		"guild/tending.md":  "# Tending\n\nThe Marrow kiln is tended by Carl Dorn, a potter of the valley.\n", // changed
		"parish/repair.txt": "",                                                                               // removed
		"lab/measure.txt":   "# Measured\n\nThe Marrow kiln is fired to 1,210 degrees Celsius.\n",             // contradicts firing.txt
	})
	res := run(WatchNews)
	diff := res.Difference
	var news, gone, conflicts, sources []string
	for _, f := range diff.New {
		news = append(news, f.Text)
	}
	for _, f := range diff.Gone {
		gone = append(gone, f.Text)
	}
	for _, c := range diff.Contradictions {
		conflicts = append(conflicts, c.Earlier+" | "+c.Later)
	}
	for _, s := range diff.Sources {
		sources = append(sources, s.What+" "+filepath.Base(s.Location))
	}
	slices.Sort(sources)
	slices.Sort(conflicts)
	for _, w := range []struct {
		what      string
		got, want []string
	}{
		{"new", news, []string{"The Marrow kiln is open to visitors on Sundays in summer."}},
		{"gone", gone, []string{"The chimney of the Marrow kiln was rebuilt after the storm."}},
		{"contradictions", conflicts, []string{
			"The Marrow kiln is fired to 1,280 degrees Celsius. | The Marrow kiln is fired to 1,210 degrees Celsius.",
			"The Marrow kiln is tended by Anna Berg, a potter of the valley. | The Marrow kiln is tended by Carl Dorn, a potter of the valley.",
		}},
		{"sources", sources, []string{"changed tending.md", "died repair.txt", "new measure.txt", "new visits.txt"}},
	} {
		if !slices.Equal(w.got, w.want) {
			t.Errorf("%s = %q, want %q", w.what, w.got, w.want)
		}
	}
	for _, c := range diff.Confidences { // the source that contradicts takes from the confidence of what it contradicts
		if !strings.Contains(c.Text, "1,280") || c.From.Cmp(c.To) <= 0 {
			t.Errorf("a confidence that nothing touched changed: %+v", c)
		}
	}
	if len(diff.Confidences) != 1 {
		t.Errorf("confidences = %+v, want that of the firing", diff.Confidences)
	}
	t.Logf("%s", res.Line)
	heldUp(t, d, res)
}

// heldUp holds the record and the files of a watch's run against the result.
func heldUp(t *testing.T, d *Desk, res WatchResult) {
	t.Helper()
	run, err := d.ReadRun(res.Run)
	if err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(run); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	if !strings.Contains(toJSON(t, run.Events), res.Line) {
		t.Error("the record does not say what changed")
	}
	for _, name := range []string{FileDifference, FileDifferenceHTML, FileDifferenceMarkdown} {
		b, err := os.ReadFile(filepath.Join(d.RunDir(res.Run), name))
		if err != nil || !strings.Contains(string(b), "1,210") {
			t.Errorf("%s: %v, without what changed", name, err)
		}
	}
	if replayed, err := d.Replay(t.Context(), run, ReplayOptions{Strict: true}); err != nil || len(replayed.Misses) > 0 {
		t.Errorf("replay: %v, misses %q", err, replayed.Misses)
	}
	all, err := d.WatchHistory("kiln", 0)
	if err != nil || len(all) != 3 || all[0].State != WatchNews || all[2].State != WatchFirst {
		t.Errorf("history = %+v, %v", all, err)
	}
	info, err := d.Run(res.Run)
	if err != nil || info.Project != "watch kiln" {
		t.Errorf("the run is filed under %q, %v", info.Project, err)
	}
	if diff, err := d.Difference(all[2].Run, res.Run); err != nil || len(diff.New) != 1 {
		t.Errorf("two runs compared by id: %+v, %v", diff, err)
	}
}

// counting is an engine that counts its runs.
type counting struct {
	mu sync.Mutex
	n  []string // clocks of the runs
}

func (c *counting) run(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
	c.mu.Lock()
	c.n = append(c.n, cfg.Request.Now)
	c.mu.Unlock()
	return succeed(ctx, cfg, rec)
}

func (c *counting) runs() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.n)
}

// TestKeepWatches: a watch runs at its due times by the clock, missed ones are made up once and said, one program keeps the watches of a
// home, and the end of the context ends all.
func TestKeepWatches(t *testing.T) {
	c := &counting{}
	d := testDesk(t, c.run)
	clock := playClock(t, d, "2026-03-01T06:00:00Z")
	w := kilnWatch(folder(t))
	if _, err := d.AddWatch(w); err != nil {
		t.Fatal(err)
	}
	keep := func() (results chan WatchResult, stop func()) {
		results = make(chan WatchResult, 16)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- d.KeepWatches(ctx, func(r WatchResult) { results <- r }, func(err error) { t.Error(err) })
		}()
		until(t, func() bool { return clock.waiters() > 0 })
		return results, func() {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("KeepWatches = %v", err)
			}
		}
	}
	results, stop := keep()
	var keeper *KeeperError
	if err := d.KeepWatches(t.Context(), nil, nil); !errors.As(err, &keeper) {
		t.Errorf("a second keeper: %v, want it refused", err)
	}
	if d.WatchKeeper() == "" {
		t.Error("nobody is said to keep the watches")
	}
	clock.turn(30 * time.Minute)
	until(t, func() bool { return clock.waiters() > 0 })
	if n := len(c.runs()); n != 0 {
		t.Fatalf("%d runs before the time", n)
	}
	clock.turn(31 * time.Minute)
	r := <-results
	if r.State != WatchFirst || r.Missed != 0 || time.UnixMilli(r.DueMs).UTC().Format(time.RFC3339) != "2026-03-01T07:00:00Z" {
		t.Errorf("result = %+v", r)
	}
	until(t, func() bool { return clock.waiters() > 0 })
	stop()

	clock.turn(75 * time.Hour) // three due times pass: those of the 2nd, 3rd and 4th
	results, stop = keep()
	r = <-results
	if r.Missed != 3 || time.UnixMilli(r.DueMs).UTC().Format(time.RFC3339) != "2026-03-04T07:00:00Z" {
		t.Errorf("missed times are made up as %+v, want 3 told of by one run", r)
	}
	until(t, func() bool { return clock.waiters() > 0 })
	stop()
	if got := c.runs(); len(got) != 2 {
		t.Errorf("runs at %q, want 2", got)
	}
	info, err := d.Watch("kiln")
	if err != nil || time.UnixMilli(info.NextMs).UTC().Format(time.RFC3339) != "2026-03-05T07:00:00Z" || info.Last == nil || info.Last.Missed != 3 {
		t.Errorf("Watch = %+v, %v", info, err)
	}
}

// TestWatchGoesOn: a run of a watch that was cut short is gone on with, not begun anew.
func TestWatchGoesOn(t *testing.T) {
	hanging := true
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		if hanging {
			return hang(ctx, cfg, rec)
		}
		return succeed(ctx, cfg, rec)
	})
	playClock(t, d, "2026-03-01T08:00:00Z")
	if _, err := d.AddWatch(kilnWatch(folder(t))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		until(t, func() bool { info, err := d.Watch("kiln"); return err == nil && info.Now != "" })
		cancel()
	}()
	cut, err := d.RunWatch(ctx, "kiln")
	if err == nil || cut.Run == "" {
		t.Fatalf("RunWatch = %+v, %v", cut, err)
	}
	hanging = false
	res, err := d.RunWatch(t.Context(), "kiln")
	if err != nil || res.Run != cut.Run || res.State != WatchFirst {
		t.Errorf("RunWatch = %+v, %v; want run %s gone on with", res, err, cut.Run)
	}
	if runs, err := d.Runs(); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

func TestWatchRefused(t *testing.T) {
	d := testDesk(t, succeed)
	dir := folder(t)
	for want, edit := range map[string]func(*Watch){
		"a name has":     func(w *Watch) { w.Name = "../x" },
		"five are due":   func(w *Watch) { w.Schedule = "daily" },
		"is not known":   func(w *Watch) { w.Zone = "Mars/Base" },
		"never comes":    func(w *Watch) { w.Schedule = "0 0 31 2 *" },
		"question is":    func(w *Watch) { w.Request.Question = " " },
		"does not exist": func(w *Watch) { w.Request.Libraries = []string{"/nowhere"} },
		"of this name":   func(w *Watch) { w.Deliver = []string{"nobody"} },
		"kind":           func(w *Watch) { w.Kind = "gossip" },
	} {
		w := kilnWatch(dir)
		edit(&w)
		var usage *UsageError
		if _, err := d.AddWatch(w); err == nil || !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("AddWatch = %v, want a usage error with %q", err, want)
		}
	}
	if _, err := d.AddWatch(kilnWatch(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddWatch(kilnWatch(dir)); err == nil || !strings.Contains(err.Error(), "there is one") {
		t.Errorf("a second watch of the name: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	res, err := d.RunWatch(t.Context(), "kiln")
	if err != nil || res.State != WatchFailed || !strings.Contains(res.Line, "does not exist") {
		t.Errorf("a watch whose folder is gone: %+v, %v", res, err)
	}
	if _, err := d.RemoveWatch("kiln"); err != nil {
		t.Fatal(err)
	}
	if all, err := d.Watches(); err != nil || len(all) != 0 {
		t.Errorf("Watches = %+v, %v", all, err)
	}
	if _, err := d.RunWatch(t.Context(), "kiln"); err == nil {
		t.Error("a watch that was removed runs")
	}
}

// TestBriefing: the news of two watches on one page by shares, each line with its sources and the report it is from.
func TestBriefing(t *testing.T) {
	d := testDesk(t, realWiring(nil).run)
	clock := playClock(t, d, "2026-03-01T06:00:00Z")
	dir := filepath.Join(t.TempDir(), "kiln")
	dirs := kilnVoices(t, dir, firstKiln())
	a, b := kilnWatch(dirs...), kilnWatch(dirs...)
	b.Name, b.Kind, b.Request.Question = "tender", "social", "Who tends the Marrow kiln?"
	for _, w := range []Watch{a, b} {
		if _, err := d.AddWatch(w); err != nil {
			t.Fatal(err)
		}
		clock.turn(time.Hour)
		if res, err := d.RunWatch(t.Context(), w.Name); err != nil || res.State != WatchFirst {
			t.Fatalf("%+v, %v", res, err)
		}
	}
	out := filepath.Join(t.TempDir(), "brief")
	got, err := d.Brief(BriefOptions{Watches: []string{"kiln", "tender"}, Mix: map[string]int{"files": 50, "social": 50}, Lines: 2, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Briefing.Lines) != 2 || got.Briefing.Lines[0].Kind != "files" || got.Briefing.Lines[1].Kind != "social" || got.Briefing.Lines[1].Watch != "tender" {
		t.Errorf("lines = %+v", got.Briefing.Lines)
	}
	for _, l := range got.Briefing.Lines {
		if len(l.Sources) == 0 || l.Run == "" {
			t.Errorf("a line without its citation: %+v", l)
		}
		if _, err := os.Stat(filepath.Join(out, l.File)); err != nil {
			t.Error(err)
		}
	}
	page, err := os.ReadFile(filepath.Join(out, "briefing.html"))
	if err != nil || !strings.Contains(string(page), `href="reports/kiln.html"`) {
		t.Errorf("the page does not lead to the report: %v", err)
	}
	clock.turn(time.Hour)
	if _, err := d.RunWatch(t.Context(), "kiln"); err != nil {
		t.Fatal(err)
	}
	if got, err = d.Brief(BriefOptions{Watches: []string{"kiln"}}); err != nil || len(got.Briefing.Lines) != 0 || !strings.HasPrefix(got.Briefing.Watches[0].Line, "Nothing new") {
		t.Errorf("a watch without news gives %+v, %v", got.Briefing, err)
	}
	for _, bad := range []BriefOptions{{Mix: map[string]int{"gossip": 4}}, {Mix: map[string]int{"news": 80, "web": 40}}, {Lines: -1}, {Watches: []string{"none"}}} {
		if _, err := d.Brief(bad); err == nil {
			t.Errorf("Brief(%+v) is taken", bad)
		}
	}
}
