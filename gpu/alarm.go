package gpu

import (
	"fmt"
	"time"
)

// AlarmKind says what an alarm is about.
type AlarmKind string

// The alarms.
const (
	AlarmRoomTaken   AlarmKind = "room_taken"   // another program took memory that the plan needs
	AlarmHalfOnCPU   AlarmKind = "half_on_cpu"  // a model, or a part of it, is in the machine's memory
	AlarmStale       AlarmKind = "stale"        // the free memory does not show yet that a model was unloaded
	AlarmNotReleased AlarmKind = "not_released" // it did not come back in the time it takes
	AlarmEmpty       AlarmKind = "loaded_empty" // the server says a model is on the card, and the card is empty
)

// Alarm is one sentence on what is wrong and one on what to do.
type Alarm struct {
	Kind  AlarmKind `json:"kind"`
	Text  string    `json:"text"`
	Do    string    `json:"do"`
	Bytes *int64    `json:"bytes"` // how much is missing, or on the processor; nil when not known
}

// Plan is what a run needs of the cards.
type Plan struct {
	Model string // the model's name, as the server has it
	Bytes int64  // what it needs on the cards, the margin included; 0 for no plan
}

// ReleaseWait is how long memory may take to come back after a model was unloaded. Ollama itself waits as long, and 0.5 to
// 1.5 s were seen. Source: waitForVRAMRecovery in its server/sched.go, version 0.17.4.
const ReleaseWait = 5 * time.Second

// releaseShare is the part of an unloaded model's memory that has to be back: Ollama's own rule. The rest is rounding and the
// context of a driver.
const releaseShare = 0.75

// released reports whether the free memory shows that bytes were given back since it was before.
func released(before, now, bytes int64) bool {
	return float64(now-before) >= releaseShare*float64(bytes)
}

// alarmsOf are the alarms of one moment: of a sample, for a plan that may be zero.
func alarmsOf(now Sample, before *Sample, plan Plan) []Alarm {
	alarms := []Alarm{}
	if a, ok := roomTaken(now, before, plan); ok {
		alarms = append(alarms, a)
	}
	cards := false
	for _, g := range now.Status.GPUs {
		cards = cards || !g.Asleep
	}
	used, _ := sums(now.Status.GPUs)
	claimed := onCards(now.Models)
	for _, m := range now.Models {
		if m.VRAM < m.Size && cards {
			alarms = append(alarms, halfOnCPU(m))
		}
	}
	if used != nil && claimed >= emptyLeast && *used < claimed/4 {
		alarms = append(alarms, Alarm{AlarmEmpty,
			fmt.Sprintf("the server says that %s of models are on the card, of which only %s is in use", gib(claimed), gib(*used)),
			"Unload the model and load it again; after the machine slept or its driver was started again, restart the server.", size(claimed - *used)})
	}
	return alarms
}

// emptyLeast is the size from which a loaded model must show on the card, in bytes: below it the contexts of a driver and
// rounding hide it.
const emptyLeast = 512 << 20

// roomTaken looks whether the plan's model still fits: into what is free, what it holds itself, and what other models would
// give back. Its own memory counts only once it is told, so that a model that is being loaded is no alarm.
func roomTaken(now Sample, before *Sample, plan Plan) (Alarm, bool) {
	all, _ := now.Status.Usable()
	if plan.Bytes <= 0 || all == nil {
		return Alarm{}, false
	}
	room := *all
	for _, m := range now.Models {
		if m.Name == plan.Model && m.VRAM >= m.Size {
			return Alarm{}, false // it is on the card
		}
		room += m.VRAM
	}
	if room >= plan.Bytes {
		return Alarm{}, false
	}
	missing := plan.Bytes - room
	text := fmt.Sprintf("%s needs %s on the card and has room for %s", plan.Model, gib(plan.Bytes), gib(room))
	if who, took := grown(now, before); who != "" {
		text += fmt.Sprintf("; %s took %s meanwhile", who, gib(took))
	}
	return Alarm{AlarmRoomTaken, text, fmt.Sprintf("Close a program that uses the card, choose a smaller context or model, or wait; %s are missing.", gib(missing)), size(missing)}, true
}

// grown is the program that holds most more than in the sample before, and how much; "" when none is told to.
func grown(now Sample, before *Sample) (name string, bytes int64) {
	if before == nil {
		return "", 0
	}
	earlier := map[string]int64{}
	for _, h := range before.Holders {
		if h.Bytes != nil {
			earlier[string(h.Kind)+h.Name] = *h.Bytes
		}
	}
	for _, h := range now.Holders {
		if h.Bytes == nil || h.Kind == HoldsModel || h.Kind == HoldsDriver {
			continue
		}
		if more := *h.Bytes - earlier[string(h.Kind)+h.Name]; more > bytes && more > 64<<20 {
			name, bytes = h.Name, more
		}
	}
	return name, bytes
}

func halfOnCPU(m Loaded) Alarm {
	onCPU := m.Size - m.VRAM
	what := fmt.Sprintf("%s of %s of %s are in the machine's memory and computed by the processor, which is several times slower", gib(onCPU), gib(m.Size), m.Name)
	if m.VRAM == 0 {
		what = m.Name + " is not on the card at all: the processor computes it, which is several times slower"
	}
	return Alarm{AlarmHalfOnCPU, what, "Unload it, free memory of the card or choose a smaller context, and load it again.", size(onCPU)}
}

// ModelState is where a model is.
type ModelState string

// The states of a model.
const (
	NotLoaded ModelState = "not loaded"
	OnCard    ModelState = "on the card"
	Split     ModelState = "split"            // a part on the card, a part with the processor
	OnCPU     ModelState = "on the processor" // all of it
)

// StateOf says where a model is, from what the server's /api/ps lists and from nothing else: what a program remembers of a
// load it asked for is no answer, because the server unloads models by itself.
func StateOf(name string, models []Loaded) ModelState {
	for _, m := range models {
		if m.Name != name && m.Name != name+":latest" {
			continue
		}
		switch {
		case m.VRAM <= 0:
			return OnCPU
		case m.VRAM < m.Size:
			return Split
		}
		return OnCard
	}
	return NotLoaded
}
