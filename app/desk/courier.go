package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
	"assay/engine/store"
)

// Where deliveries are kept, under the home's data.
const (
	deliveriesDir = "deliveries"
	pendingDir    = "pending"
	failedDir     = "failed"
	logFile       = "log.jsonl"
)

// Tries of a delivery: the first at once, then after firstWait, each pause four times the one before, up to lastWait. Eight tries take
// about nine hours, over a night.
const (
	deliverTries = 8
	firstWait    = 2 * time.Second
	lastWait     = 6 * time.Hour
	courierPoll  = time.Second // while another program delivers
	courierLook  = 20 * time.Millisecond
	maxLog       = 1 << 20 // bytes; the log before is kept once
	maxFailed    = 500
	deliverTime  = 2 * time.Minute // for one try; a command has its own
)

// post is a result on its way to one delivery. It is a file until it has arrived or was given up.
type post struct {
	ID       string `json:"id"`
	Run      string `json:"run"`
	Delivery string `json:"delivery"`
	Watch    string `json:"watch,omitempty"`
	Line     string `json:"line,omitempty"`
	AtMs     int64  `json:"at_ms"`
	Tries    int    `json:"tries"`
	NextMs   int64  `json:"next_ms"`
	Fault    string `json:"fault,omitempty"` // of the last try
}

// DeliveryEntry is a line of the log of deliveries.
type DeliveryEntry struct {
	AtMs     int64  `json:"at_ms"`
	Delivery string `json:"delivery"`
	Kind     string `json:"kind"`
	Run      string `json:"run,omitempty"`
	Test     bool   `json:"test,omitempty"`
	Try      int    `json:"try,omitempty"`
	Fault    string `json:"fault,omitempty"` // empty: it arrived
	// Final says that it is not tried again.
	Final  bool                `json:"final,omitempty"`
	Outbox []research.Outbound `json:"outbox,omitempty"`
}

// courier hands results over in the background, one after the other, while there are any. Nothing waits for it but who asks to.
type courier struct {
	mu     sync.Mutex
	stop   context.CancelFunc
	done   chan struct{} // closed when it has ended; nil: it does not run
	again  bool          // something came since it looked last
	closed bool
	wake   chan struct{}
}

// permanent marks a fault that another try does not mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

func (d *Desk) deliveryDir(sub string) string { return filepath.Join(d.dirs.Data, deliveriesDir, sub) }

// post puts the result of a run on its way. It writes a small file for each delivery and returns.
func (j *Job) post(res Result) {
	if res.Digest == nil || res.State.State != "done" || j.opt.Quiet && res.Difference != nil && res.Difference.Nothing() {
		return
	}
	named := j.rec.Request().Deliver
	line := ""
	if res.Difference != nil {
		line = res.Difference.Line
	}
	n := 0
	for _, v := range j.desk.Settings().Deliver {
		if !v.All && !slices.Contains(named, v.Name) {
			continue
		}
		now := j.desk.wire.now().UnixMilli()
		p := post{ID: research.ID("d", j.id, v.Name), Run: j.id, Delivery: v.Name, Watch: j.opt.Watch, Line: line, AtMs: now, NextMs: now}
		if err := j.desk.keepPost(pendingDir, p); err != nil {
			j.desk.logDelivery(DeliveryEntry{AtMs: now, Delivery: v.Name, Kind: v.Kind, Run: j.id, Fault: err.Error(), Final: true})
			continue
		}
		n++
	}
	if n > 0 {
		j.desk.StartDelivering()
	}
}

func (d *Desk) keepPost(sub string, p post) error {
	dir := d.deliveryDir(sub)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return store.Fault("keep a delivery", dir, err)
	}
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("keep a delivery: %w", err)
	}
	return store.WriteFile(filepath.Join(dir, p.ID+".json"), append(b, '\n'))
}

// posts lists what is kept in a folder of deliveries, oldest first. A file that is damaged is passed over.
func (d *Desk) posts(sub string) ([]post, error) {
	entries, err := os.ReadDir(d.deliveryDir(sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Fault("list deliveries", d.deliveryDir(sub), err)
	}
	var out []post
	for _, e := range entries {
		var p post
		if strings.HasSuffix(e.Name(), ".json") && readJSON(filepath.Join(d.deliveryDir(sub), e.Name()), &p) == nil && p.ID+".json" == e.Name() {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b post) int {
		if a.AtMs != b.AtMs {
			return int(max(-1, min(1, a.AtMs-b.AtMs)))
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

func (d *Desk) dropPost(sub string, p post) error {
	err := os.Remove(filepath.Join(d.deliveryDir(sub), p.ID+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// dropPosts forgets what waits for a delivery and what was given up.
func (d *Desk) dropPosts(name string) error {
	var errs []error
	for _, sub := range []string{pendingDir, failedDir} {
		all, err := d.posts(sub)
		errs = append(errs, err)
		for _, p := range all {
			if p.Delivery == name {
				errs = append(errs, d.dropPost(sub, p))
			}
		}
	}
	return errors.Join(errs...)
}

// RetryDeliveries has what waits, and what was given up, tried again at once, and returns how many that are.
func (d *Desk) RetryDeliveries() (int, error) {
	n := 0
	for _, sub := range []string{failedDir, pendingDir} {
		all, err := d.posts(sub)
		if err != nil {
			return n, err
		}
		for _, p := range all {
			p.NextMs = d.wire.now().UnixMilli()
			if sub == failedDir {
				p.Tries = 0
			}
			if err := d.keepPost(pendingDir, p); err != nil {
				return n, err
			}
			if sub == failedDir {
				if err := d.dropPost(failedDir, p); err != nil {
					return n, err
				}
				continue // it is counted among those that wait
			}
			n++
		}
	}
	if n > 0 {
		d.StartDelivering()
	}
	return n, nil
}

// StartDelivering hands over what waits, in the background, until nothing does or the desk is closed.
func (d *Desk) StartDelivering() {
	c := &d.courier
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.again = true
	if c.wake == nil {
		c.wake = make(chan struct{}, 1)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	if c.done != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background()) // it outlives what asked for it, and ends with the desk
	c.stop, c.done = stop, make(chan struct{})
	go d.deliver(ctx)
}

// close ends the courier. What has not arrived is on disk.
func (c *courier) close() {
	c.mu.Lock()
	c.closed = true
	stop, done := c.stop, c.done
	c.mu.Unlock()
	if done != nil {
		stop()
		<-done
	}
}

// deliver is the courier's goroutine.
func (d *Desk) deliver(ctx context.Context) {
	c := &d.courier
	for {
		c.mu.Lock()
		c.again = false
		c.mu.Unlock()
		next, waiting := d.deliverDue(ctx)
		c.mu.Lock()
		if ctx.Err() != nil || !waiting && !c.again {
			close(c.done)
			c.stop()
			c.done = nil
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		passed, stop := d.wire.after(max(0, next.Sub(d.wire.now())))
		select {
		case <-passed:
		case <-c.wake:
		case <-ctx.Done():
		}
		stop()
	}
}

// deliverDue hands over what is due and returns when the next one is, and whether any waits. One program at a time does so.
func (d *Desk) deliverDue(ctx context.Context) (next time.Time, waiting bool) {
	if some, err := d.posts(pendingDir); err != nil || len(some) == 0 {
		return next, false
	}
	release, _, held, err := store.Lease(d.deliveryDir(".courier"), d.program)
	if err != nil {
		return next, false
	}
	if held {
		return d.wire.now().Add(courierPoll), true
	}
	defer release()
	all, err := d.posts(pendingDir)
	if err != nil {
		return next, false
	}
	for _, p := range all {
		if ctx.Err() != nil {
			return next, true
		}
		if p.NextMs <= d.wire.now().UnixMilli() {
			var again bool
			if p, again = d.try(ctx, p); !again {
				continue
			}
		}
		if at := time.UnixMilli(p.NextMs); !waiting || at.Before(next) {
			next = at
		}
		waiting = true
	}
	return next, waiting
}

// try hands one result over, logs and records how that went, and reports whether it is to be tried again.
func (d *Desk) try(ctx context.Context, p post) (post, bool) {
	v, ok := d.delivery(p.Delivery)
	if !ok {
		_ = d.dropPost(pendingDir, p)
		return p, false
	}
	var out []research.Outbound
	parcel, egress, err := d.pack(p)
	if err == nil {
		limit, cancel := context.WithTimeout(ctx, max(deliverTime, time.Duration(v.Seconds+30)*time.Second))
		err = d.send(limit, v, parcel, egress, func(o research.Outbound) { out = append(out, o) })
		cancel()
	}
	if ctx.Err() != nil && err != nil { // the program ends: that try does not count
		return p, true
	}
	p.Tries++
	p.Fault = faultText(err)
	var last permanent
	final := err == nil || errors.As(err, &last) || p.Tries >= deliverTries
	now := d.wire.now()
	d.logDelivery(DeliveryEntry{AtMs: now.UnixMilli(), Delivery: v.Name, Kind: v.Kind, Run: p.Run, Try: p.Tries, Fault: p.Fault, Final: final, Outbox: out})
	d.noteDelivery(p, v, out, err, final)
	if !final {
		p.NextMs = now.Add(pause(p.Tries)).UnixMilli()
		_ = d.keepPost(pendingDir, p) // if it cannot be kept, the try before is what is known
		return p, true
	}
	if err != nil {
		if failed, ferr := d.posts(failedDir); ferr == nil && len(failed) >= maxFailed {
			_ = d.dropPost(failedDir, failed[0])
		}
		if d.keepPost(failedDir, p) != nil {
			return p, false
		}
	}
	_ = d.dropPost(pendingDir, p)
	return p, false
}

// pause is how long to wait after a number of tries.
func pause(tries int) time.Duration {
	wait := firstWait
	for range min(tries, deliverTries) - 1 {
		wait *= 4
	}
	return min(wait, lastWait)
}

// noteDelivery puts what a try sent, and what is to be said of it, into the record of the run, and exports it again. A run that is gone or
// in use is not waited for: the log of deliveries has the same.
func (d *Desk) noteDelivery(p post, v Delivery, out []research.Outbound, err error, final bool) {
	var note *research.Note
	switch {
	case err == nil:
		note = &research.Note{Level: "info", Text: fmt.Sprintf("Delivered to %s (%s, %s).", v.Name, v.Kind, v.Where())}
	case final && p.Tries > 1:
		note = &research.Note{Level: "warn", Text: fmt.Sprintf("The delivery to %s (%s) was given up after %d tries: %v.", v.Name, v.Kind, p.Tries, err)}
	case final:
		note = &research.Note{Level: "warn", Text: fmt.Sprintf("The delivery to %s (%s) failed: %v.", v.Name, v.Kind, err)}
	case p.Tries == 1:
		note = &research.Note{Level: "warn", Text: fmt.Sprintf("The delivery to %s (%s) failed and is tried again: %v.", v.Name, v.Kind, err)}
	}
	if note == nil && len(out) == 0 {
		return
	}
	rec, rerr := d.store.Resume(p.Run, d.version)
	if rerr != nil {
		return
	}
	defer func() { _ = rec.Close() }()
	for _, o := range out {
		if b, err := json.Marshal(o); err == nil {
			_, _ = rec.Append(research.Event{Kind: research.EventOutbox, Payload: b})
		}
	}
	if b, err := json.Marshal(note); err == nil && note != nil {
		_, _ = rec.Append(research.Event{Kind: research.EventNote, Payload: b})
	}
	for _, dir := range []string{d.store.Dir(p.Run), rec.Out()} {
		if dir != "" {
			_ = stream(filepath.Join(dir, FileRun), rec.Export) // the record itself has it
		}
	}
}

// logDelivery adds a line to the log. A log that cannot be written holds up nothing.
func (d *Desk) logDelivery(e DeliveryEntry) {
	b, err := json.Marshal(e)
	if err != nil {
		return
	}
	dir := filepath.Join(d.dirs.Data, deliveriesDir)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	name := filepath.Join(dir, logFile)
	if st, err := os.Stat(name); err == nil && st.Size() > maxLog {
		_ = os.Rename(name, name+".1")
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	_, _ = f.Write(append(b, '\n'))
	_ = f.Close()
}

// DeliveryLog returns the last lines of the log, newest first; limit 0 is all that are kept.
func (d *Desk) DeliveryLog(limit int) []DeliveryEntry {
	out := []DeliveryEntry{}
	for _, suffix := range []string{"", ".1"} {
		f, err := os.Open(filepath.Join(d.dirs.Data, deliveriesDir, logFile+suffix))
		if err != nil {
			continue
		}
		var lines []DeliveryEntry
		scan := bufio.NewScanner(f)
		scan.Buffer(nil, maxLog)
		for scan.Scan() {
			var e DeliveryEntry
			if json.Unmarshal(scan.Bytes(), &e) == nil {
				lines = append(lines, e)
			}
		}
		_ = f.Close() // opened for reading
		slices.Reverse(lines)
		out = append(out, lines...)
	}
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

// AwaitDeliveries waits until nothing is on its way that is tried again within patience, and returns what still waits, as sentences.
func (d *Desk) AwaitDeliveries(ctx context.Context, patience time.Duration) []string {
	end := d.wire.now().Add(patience)
	for {
		d.courier.mu.Lock()
		done := d.courier.done
		d.courier.mu.Unlock()
		all, err := d.posts(pendingDir)
		if err != nil || len(all) == 0 {
			return nil
		}
		late := !slices.ContainsFunc(all, func(p post) bool { return !time.UnixMilli(p.NextMs).After(end) })
		if done == nil || late || d.wire.now().After(end) || ctx.Err() != nil {
			var out []string
			for _, p := range all {
				why := p.Fault
				if why == "" {
					why = "it was not tried yet"
				}
				out = append(out, fmt.Sprintf("Not delivered to %s yet: %s. It is tried again by the window, by assay watch daemon and by assay deliver retry.", p.Delivery, why))
			}
			return out
		}
		tick := time.NewTimer(courierLook) // by the real clock: what is waited for is another goroutine
		select {
		case <-tick.C:
		case <-done:
		case <-ctx.Done():
		}
		tick.Stop()
	}
}
