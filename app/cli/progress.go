package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"

	"assay/app/desk"
	"assay/engine/research"
)

// view shows the events of a run. Its methods are called from one goroutine at a time.
type view interface {
	event(research.Event)
	pause() // before something else is printed
	end()
}

// view picks one: JSON lines when asked for, a bar on a terminal, plain lines otherwise.
func (p *program) view(asJSON bool) view {
	switch {
	case asJSON:
		return &jsonView{out: p.out}
	case terminal(p.err):
		return newBarView(p.err)
	}
	return &lineView{out: p.err}
}

// printJSON writes v as one line, in which nothing steers a terminal.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// jsonView prints every event as a line of JSON. Large payloads of stages and effects are left out; run.json has them.
type jsonView struct {
	out io.Writer
	err error // of the first line that could not be written; the rest is then left out
}

func (v *jsonView) event(ev research.Event) {
	if v.err == nil {
		v.err = printJSON(v.out, desk.Light(ev))
	}
}
func (v *jsonView) pause() {}
func (v *jsonView) end()   {}

// lineView prints what a person wants to know, a line each.
type lineView struct {
	out      io.Writer
	ingested int
}

// ingestEvery is how many files lie between two lines about reading a library.
const ingestEvery = 500

func (v *lineView) event(ev research.Event) {
	if ev.Kind == research.EventTick {
		var t desk.IngestTick
		if ev.Key == desk.TickIngest && json.Unmarshal(ev.Payload, &t) == nil && t.Done >= v.ingested+ingestEvery {
			v.ingested = t.Done - t.Done%ingestEvery
			say(v.out, "Library: %s\n", count(t.Done, "file"))
		}
		return
	}
	if line := describe(ev); line != "" {
		say(v.out, "%s\n", line)
	}
}
func (v *lineView) pause() {}
func (v *lineView) end()   {}

// describe puts an event into words; "" when there is nothing in it for a person.
func describe(ev research.Event) string {
	switch ev.Kind {
	case research.EventSetup:
		if s, ok := decode[research.Setup](ev); ok {
			return fmt.Sprintf("Model: %s (%s)", s.Model, s.Why)
		}
	case research.EventBegin:
		if s, ok := decode[research.StageNews](ev); ok {
			if s.Round > 0 {
				return fmt.Sprintf("%s, gap round %d", title(s.Stage), s.Round)
			}
			return title(s.Stage)
		}
	case research.EventSource:
		if s, ok := decode[research.Source](ev); ok {
			if s.Verdict == research.Verified {
				return "  accepted " + s.Location
			}
			return fmt.Sprintf("  %s %s: %s", s.Verdict, s.Location, s.Note)
		}
	case research.EventCheck:
		if c, ok := decode[research.CheckNews](ev); ok {
			return fmt.Sprintf("  check %s: %s", c.Check, c.Action)
		}
	case research.EventNote:
		if n, ok := decode[research.Note](ev); ok {
			return noteText(n)
		}
	case research.EventState: // a pause in the middle; how a run ended is said once, after the report
		if s, ok := decode[research.StateNews](ev); ok && s.Exit == 0 && s.Detail != "" {
			switch s.State {
			case "paused":
				return "Paused: " + s.Detail
			case "running":
				return s.Detail
			}
		}
	}
	return ""
}

func noteText(n research.Note) string {
	switch n.Level {
	case "warn":
		return "Warning: " + n.Text
	case "error":
		return "Fault: " + n.Text
	}
	return n.Text
}

func decode[T any](ev research.Event) (T, bool) {
	var v T
	return v, json.Unmarshal(ev.Payload, &v) == nil
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func gapText(g research.Gap) string {
	if g.Reason == "" {
		return g.Name
	}
	return g.Name + ": " + g.Reason
}

// barView is a bar over the eight stages, with what the person must not miss printed above it.
type barView struct {
	out                io.Writer
	bar                *progressbar.ProgressBar
	at                 int
	accepted, rejected int
}

func newBarView(out io.Writer) *barView {
	return &barView{out: out, bar: progressbar.NewOptions(len(research.StageNames),
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("Start"),
	)}
}

// The bar cannot be drawn only when the terminal is gone; then there is nobody to tell.

func (v *barView) event(ev research.Event) {
	switch ev.Kind {
	case research.EventTick:
		if t, ok := decode[desk.IngestTick](ev); ok && ev.Key == desk.TickIngest {
			v.bar.Describe("Library: " + count(t.Done, "file"))
		}
	case research.EventBegin:
		if s, ok := decode[research.StageNews](ev); ok {
			v.begin(s)
		}
	case research.EventSource:
		if s, ok := decode[research.Source](ev); ok {
			if s.Verdict == research.Verified {
				v.accepted++
			} else {
				v.rejected++
			}
			v.bar.Describe(fmt.Sprintf("Search: %d accepted, %d rejected", v.accepted, v.rejected))
		}
	case research.EventNote, research.EventSetup, research.EventState:
		if line := describe(ev); line != "" {
			v.pause()
			say(v.out, "%s\n", line)
			_ = v.bar.RenderBlank()
		}
	}
}

// begin moves the bar to a stage. A gap round goes back to earlier stages; the bar then stays where it was.
func (v *barView) begin(s research.StageNews) {
	words := title(s.Stage)
	if s.Round > 0 {
		words += fmt.Sprintf(", gap round %d", s.Round)
	}
	v.bar.Describe(words)
	if i := slices.Index(research.StageNames, s.Stage); i > v.at {
		v.at = i
		_ = v.bar.Set(i)
	}
}

func (v *barView) pause() { _ = v.bar.Clear() }
func (v *barView) end()   { _ = v.bar.Clear() }
