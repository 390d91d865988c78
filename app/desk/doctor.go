package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/engine/audit"
	"assay/engine/library"
	"assay/engine/research"
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
	lines := []Symptom{{Name: "version", Level: LevelOK, Text: d.version}, d.checkHome(), d.checkSettings()}
	lines = append(lines, d.checkRuns(ctx)...)
	lines = append(lines, d.checkLibraries(ctx)...)
	if lines = append(lines, d.checkModel(ctx), d.checkMachine(ctx)); d.Settings().Memory.NVML {
		lines = append(lines, checkNVML(ctx))
	}
	return append(lines, d.checkDelivering()...)
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

func (d *Desk) checkSettings() Symptom {
	s := Symptom{Name: "settings", Level: LevelOK, Text: d.dirs.Config}
	if _, err := readSettings(d.dirs.Config); err != nil {
		s.Level, s.Text, s.Cure = LevelWrong, err.Error(), "Until then nothing is set: no folder of the library, no model and no limit."
	} else if key := unknownSetting(d.dirs.Config); key != "" {
		s.Level, s.Text = LevelNote, fmt.Sprintf("settings.json in %s has the key %s, which Assay does not know and passes over", d.dirs.Config, key)
		s.Cure = "Correct its spelling, or take it out; saving the settings drops it."
	}
	return s
}

// unknownSetting is the first key of the settings that means nothing, such as a misspelt one, quoted; "" when there is none.
func unknownSetting(dir string) string {
	f, err := os.Open(filepath.Join(dir, "settings.json"))
	if err != nil {
		return "" // none, or unreadable, which is said elsewhere
	}
	defer func() { _ = f.Close() }() // opened for reading
	read := json.NewDecoder(io.LimitReader(f, maxSettings))
	read.DisallowUnknownFields()
	var s Settings
	err = read.Decode(&s)
	if err == nil {
		return ""
	}
	_, key, _ := strings.Cut(err.Error(), "unknown field ")
	return short(key)
}

// DoctorTime is how long the doctor reads records, and how long it reads the library.
const DoctorTime = 20 * time.Second

// maxDamaged is how many damaged runs or texts are named; the rest is counted.
const maxDamaged = 10

// checkRuns audits the records of the runs, newest first, until its time is up. A run that somebody works on is left alone.
func (d *Desk) checkRuns(ctx context.Context) []Symptom {
	runs, err := d.Runs()
	if err != nil {
		return []Symptom{{Name: "runs", Level: LevelWrong, Text: err.Error(), Cure: "Make the folder " + filepath.Join(d.dirs.Data, "runs") + " readable."}}
	}
	ctx, cancel := context.WithTimeout(ctx, DoctorTime)
	defer cancel()
	s := Symptom{Name: "runs", Level: LevelOK}
	var wrong []Symptom
	damaged, looked, at := 0, 0, 0
	for _, r := range runs {
		if r.Holder != "" {
			at++
			continue
		}
		if ctx.Err() != nil {
			break
		}
		looked++
		if what := d.damage(r); what != "" {
			if damaged++; damaged <= maxDamaged {
				wrong = append(wrong, Symptom{Name: "runs", Level: LevelWrong, Text: "run " + r.ID + ": " + what,
					Cure: "Do not rely on its report; see assay audit " + r.ID + ", or delete it with: assay runs rm " + r.ID})
			}
		}
		if s.Cure == "" && (r.State == "interrupted" || r.State == "paused") {
			s.Level, s.Cure = LevelNote, "Go on with: assay research --resume "+r.ID
			s.Text = "; " + r.ID + " is " + r.State
		}
	}
	s.Text = howMany(len(runs), "run") + s.Text
	if damaged > 0 {
		s.Level, s.Text = LevelWrong, s.Text+fmt.Sprintf("; %d of them damaged", damaged)
	}
	if left := len(runs) - looked - at; left > 0 {
		s.Text += fmt.Sprintf("; the %d oldest were not checked in %s", left, DoctorTime)
	}
	return append([]Symptom{s}, wrong...)
}

// damage says what is wrong with the record of a run, or nothing. A run that did not end has no report, which is no damage.
func (d *Desk) damage(r research.RunInfo) string {
	a, err := d.Audit(r.ID, false)
	if r.State != "done" {
		a.Faults = slices.DeleteFunc(a.Faults, func(f audit.Fault) bool { return f == audit.Fault{Where: "digest", What: audit.NoReport} })
	}
	switch {
	case err != nil:
		return err.Error()
	case len(a.Faults) == 1:
		return a.Faults[0].Where + ": " + a.Faults[0].What
	case len(a.Faults) > 1:
		return fmt.Sprintf("%s: %s; and %d more faults", a.Faults[0].Where, a.Faults[0].What, len(a.Faults)-1)
	}
	return ""
}

// howMany puts a number before its noun, which takes an s unless there is one.
func howMany(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (d *Desk) checkLibraries(ctx context.Context) []Symptom {
	list, err := d.Libraries(ctx)
	if err != nil {
		return []Symptom{{Name: "library", Level: LevelWrong, Text: err.Error(), Cure: "Read the folders again with: assay library add DIR"}}
	}
	lines := d.checkIndex(ctx)
	if len(list) == 0 {
		return append(lines, Symptom{Name: "library", Level: LevelNote, Text: "no folder was added", Cure: "Add one with: assay library add DIR"})
	}
	for _, l := range list {
		s := Symptom{Name: "library", Level: LevelOK, Text: fmt.Sprintf("%s: %s, %d not read", l.Folder, howMany(l.Files, "document"), l.Unread)}
		if l.Unread > 0 {
			s.Cure = "Which and why: assay library list"
		}
		if l.Fault != "" {
			s = Symptom{Name: "library", Level: LevelWrong, Text: l.Fault,
				Cure: "Put the folder back and read it with assay library add, or take it out with: assay library rm " + l.Folder}
		}
		lines = append(lines, s)
	}
	return lines
}

// checkIndex reads the index and the kept texts against their checksums, until its time is up. It says nothing when all is well.
func (d *Desk) checkIndex(ctx context.Context) []Symptom {
	again := "Read the folders again with: assay library add DIR"
	lib, err := d.library()
	if err != nil {
		return []Symptom{{Name: "library", Level: LevelWrong, Text: err.Error(), Cure: again}}
	}
	ctx, cancel := context.WithTimeout(ctx, DoctorTime)
	defer cancel()
	v, err := lib.Verify(ctx)
	var held *library.LockedError
	switch {
	case errors.As(err, &held):
		return []Symptom{{Name: "library", Level: LevelNote, Text: err.Error(), Cure: "Ask again when it has finished."}}
	case err != nil:
		return []Symptom{{Name: "library", Level: LevelWrong, Text: err.Error(), Cure: again}}
	}
	var lines []Symptom
	for i, p := range v.Problems {
		if i == maxDamaged {
			lines = append(lines, Symptom{Name: "library", Level: LevelWrong, Text: howMany(len(v.Problems)-i, "more kept text") + " missing or damaged", Cure: again})
			break
		}
		lines = append(lines, Symptom{Name: "library", Level: LevelWrong, Text: p.Why, Cure: again})
	}
	if !v.Whole {
		lines = append(lines, Symptom{Name: "library", Level: LevelNote, Text: fmt.Sprintf("the index was not checked to its end in %s; %s held against their hashes", DoctorTime, howMany(v.Files, "kept text")),
			Cure: "Ask again when the machine is less busy."})
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

// checkMachine looks as every other part does: at the cards of this machine, or at a recording of some.
func (d *Desk) checkMachine(ctx context.Context) Symptom {
	look, _ := d.sampler(false)
	st := look.Status(ctx)
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
	if from := d.Recording(); from != "" {
		s.Text += "; the cards are those of the recording " + from + " and not of this machine"
	}
	return s
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
