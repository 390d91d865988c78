package desk

import (
	"context"
	"errors"
	"fmt"
	"os"

	"assay/engine/research"
	"assay/gpu"
)

// Levels of a line of the doctor.
const (
	LevelOK    = "ok"
	LevelNote  = "note"  // works, with less
	LevelWrong = "wrong" // does not work
)

// Symptom is a line of the doctor.
type Symptom struct {
	Name  string `json:"name"`
	Level string `json:"level"`
	Text  string `json:"text"`
	Cure  string `json:"cure,omitempty"`
}

// Doctor says what is here, reachable and wrong, and the cure, in a fixed order.
func (d *Desk) Doctor(ctx context.Context) []Symptom {
	lines := []Symptom{{Name: "version", Level: LevelOK, Text: d.version}, d.checkHome(), d.checkRuns()}
	lines = append(lines, d.checkLibraries(ctx)...)
	return append(lines, d.checkModel(ctx), checkMachine(ctx))
}

func (d *Desk) checkHome() Symptom {
	s := Symptom{Name: "home", Level: LevelOK, Text: d.dirs.Data}
	err := os.MkdirAll(d.dirs.Data, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(d.dirs.Data, ".new-*"); err == nil {
			_, err = f.Write(make([]byte, 1<<20)) // a full disk takes an empty file
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		s.Level, s.Text, s.Cure = LevelWrong, err.Error(), "Make the folder writable and free some space, or choose another one with ASSAY_HOME."
	}
	return s
}

func (d *Desk) checkRuns() Symptom {
	runs, err := d.Runs()
	if err != nil {
		return Symptom{Name: "runs", Level: LevelWrong, Text: err.Error()}
	}
	s := Symptom{Name: "runs", Level: LevelOK, Text: runCount(len(runs))}
	for _, r := range runs {
		switch r.State {
		case "interrupted", "paused":
			s.Level, s.Cure = LevelNote, "Go on with: assay research --resume "+r.ID
			s.Text = fmt.Sprintf("%s; %s is %s", runCount(len(runs)), r.ID, r.State)
			return s
		}
	}
	return s
}

func runCount(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

func (d *Desk) checkLibraries(ctx context.Context) []Symptom {
	list, err := d.Libraries(ctx)
	if err != nil {
		return []Symptom{{Name: "library", Level: LevelWrong, Text: err.Error()}}
	}
	if len(list) == 0 {
		return []Symptom{{Name: "library", Level: LevelNote, Text: "no folder was added", Cure: "Add one with: assay library add DIR"}}
	}
	lines := make([]Symptom, len(list))
	for i, l := range list {
		lines[i] = Symptom{Name: "library", Level: LevelOK, Text: fmt.Sprintf("%s: %d documents, %d without text", l.Folder, l.Files, l.Unread)}
		if l.Fault != "" {
			lines[i] = Symptom{Name: "library", Level: LevelWrong, Text: l.Fault,
				Cure: "Put the folder back, or take it out with: assay library rm " + l.Folder}
		}
	}
	return lines
}

func (d *Desk) checkModel(ctx context.Context) Symptom {
	ch, err := d.Channel(ctx)
	switch {
	case errors.Is(err, research.ErrMissing):
		return Symptom{Name: "model", Level: LevelWrong, Text: err.Error(), Cure: "Fetch the model with assay models pull NAME, or choose another one."}
	case err != nil:
		return Symptom{Name: "model", Level: LevelWrong, Text: err.Error(), Cure: "Start a server with assay server start, or choose --model extractive."}
	case ch.Name == "extractive":
		return Symptom{Name: "model", Level: LevelNote, Text: ch.Name + ": " + ch.Why, Cure: "Reports are extracts without a model; for written ones start Ollama and pull a model such as gpt-oss:20b."}
	}
	return Symptom{Name: "model", Level: LevelOK, Text: ch.Name + ": " + ch.Why}
}

func checkMachine(ctx context.Context) Symptom {
	st := gpu.Monitor{}.Status(ctx)
	s := Symptom{Name: "machine", Level: LevelOK}
	if st.MemoryTotal != nil && st.MemoryFree != nil {
		s.Text = fmt.Sprintf("%.1f of %.1f GiB of memory free", gib(*st.MemoryFree), gib(*st.MemoryTotal))
	}
	for _, g := range st.GPUs {
		s.Text += "; " + g.Name
		if g.MemoryTotal != nil {
			s.Text += fmt.Sprintf(" with %.1f GiB", gib(*g.MemoryTotal))
		}
	}
	if st.Note != "" {
		s.Text += "; " + st.Note
	}
	return s
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
