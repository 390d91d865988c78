package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"sync"

	"assay/app/desk"
	"assay/engine/research"
)

// relief asks the person at the terminal what to do when a run waits because memory is missing. A nil one asks nobody.
type relief struct {
	program *program
	desk    *desk.Desk
	view    view

	once  sync.Once
	mu    sync.Mutex
	asked string // the sentence that was asked about
}

// choices are what a person types.
var choices = map[string]string{"u": desk.ChoiceUnload, "s": desk.ChoiceShrink, "w": desk.ChoiceWait}

// event asks when a run begins to wait. It does not wait for the answer.
func (r *relief) event(ctx context.Context, job *desk.Job, ev research.Event) {
	if r == nil || ev.Kind != research.EventTick || ev.Key != desk.TickNotice {
		return
	}
	tick, ok := decode[desk.NoticeTick](ev)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if tick.Notice == nil {
		r.asked = ""
		return
	}
	if tick.Notice.Choice != "" || tick.Notice.Text == r.asked {
		return
	}
	r.asked = tick.Notice.Text
	r.view.pause()
	fmt.Fprintf(r.program.err, "%s, then Enter: ", offer(tick.Notice.Choices))
	// One reader for all questions: a line that nobody typed in time is the answer to the next one.
	r.once.Do(func() { go r.read(ctx, job) })
}

// offer lists what may be typed.
func offer(list []string) string {
	words := map[string]string{desk.ChoiceUnload: "u to unload other models", desk.ChoiceShrink: "s for a smaller window", desk.ChoiceWait: "w to wait"}
	var out []string
	for _, c := range list {
		if w, ok := words[c]; ok {
			out = append(out, w)
		}
	}
	return "Type " + strings.Join(out, ", ")
}

// read takes the person's answers until the input or the run ends; the read itself then ends with the process.
func (r *relief) read(ctx context.Context, job *desk.Job) {
	lines := bufio.NewScanner(r.program.in)
	for lines.Scan() && ctx.Err() == nil {
		r.mu.Lock()
		waiting := r.asked != ""
		r.mu.Unlock()
		choice, ok := choices[strings.ToLower(strings.TrimSpace(lines.Text()))]
		switch {
		case !waiting:
			continue
		case !ok:
			fmt.Fprint(r.program.err, "Type u, s or w, then Enter: ")
			continue
		}
		if err := r.desk.Relieve(ctx, job.ID(), choice); err != nil && ctx.Err() == nil {
			say(r.program.err, "%v\n", err)
			fmt.Fprint(r.program.err, "Type u, s or w, then Enter: ")
		}
	}
}
