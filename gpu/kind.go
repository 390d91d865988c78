package gpu

import (
	"slices"
	"strings"
)

// Kind says in one word what is odd about a machine, a card or a recorded output.
type Kind string

// The kinds. Those from [KindDriverMismatch] to [KindUnknown] mean that a plan lacks something; the others are remarks.
const (
	KindOK   Kind = "ok"   // all that a plan needs is known
	KindNone Kind = "none" // there is no card that models can use

	KindDriverMismatch Kind = "driver_mismatch"   // the driver was updated while it was loaded
	KindNoDriver       Kind = "no_driver"         // the driver does not answer: not loaded, or the card is switched off
	KindBlocked        Kind = "blocked"           // the operating system keeps this environment from the card
	KindOffBus         Kind = "off_the_bus"       // a card no longer answers
	KindNoSupported    Kind = "no_supported_gpus" // the driver found no card that it is bound to
	KindNoDevices      Kind = "no_devices"        // the driver is loaded and has no usable card
	KindOtherDriver    Kind = "other_driver"      // a card runs under a driver with which models cannot use it
	KindNoAnswer       Kind = "no_answer"         // the vendor's tool did not end in time
	KindToolFailed     Kind = "tool_failed"       // the vendor's tool ended with a fault that is not known
	KindNoPermission   Kind = "no_permission"     // the card is there, its figures are hidden
	KindMIG            Kind = "mig"               // the board is cut into slices: nobody may use the whole of it
	KindUnified        Kind = "unified"           // the card has no memory of its own and uses the machine's
	KindAPU            Kind = "apu"               // a processor with graphics: a small carve-out, the rest is the machine's memory
	KindAsleep         Kind = "asleep"            // switched off to save power; asking would wake it
	KindCapped         Kind = "capped"            // a 32 bit figure at its limit: 4 GiB or more
	KindToolBug        Kind = "tool_bug"          // the vendor's tool is known to leave the memory out
	KindUsedUnknown    Kind = "used_unknown"      // the total is known, what is in use is not
	KindVersion        Kind = "version"           // an output that names versions and no memory
	KindSystem         Kind = "system_memory"     // the memory of the machine, of no card
	KindUnknown        Kind = "unknown"           // the memory is not given, for no reason that is known

	KindWSL2       Kind = "wsl2"            // under Windows' Linux: totals are right, use by process is not given
	KindWDDM       Kind = "wddm"            // under Windows' driver model: the same
	KindProcesses  Kind = "processes"       // a list of the programs on a card
	KindIntegrated Kind = "integrated"      // graphics in the processor, with a share of the machine's memory
	KindIdle       Kind = "idle"            // a second card that does nothing: all of it but the driver's reserve is free
	KindSampling   Kind = "sampling"        // busy without memory in use: an artefact of how the driver samples
	KindDriverBug  Kind = "driver_bug"      // a figure of the driver that is known to be wrong and is not used
	KindRoot       Kind = "root_only"       // figures that only root can read
	KindOldDriver  Kind = "field_unknown"   // the tool does not know a field that was asked for
	KindGuessed    Kind = "columns_guessed" // a table without a header: the meaning of its columns was presumed
)

// weights is every kind from the weightiest to the lightest; from remarks on, nothing is missing.
var (
	weights = []Kind{
		KindDriverMismatch, KindNoDriver, KindBlocked, KindOffBus, KindNoSupported, KindNoDevices, KindOtherDriver, KindNoAnswer,
		KindToolFailed, KindNoPermission, KindMIG, KindUnified, KindAPU, KindAsleep, KindCapped, KindToolBug, KindUsedUnknown,
		KindVersion, KindSystem, KindUnknown, KindNone,
	}
	remarks = []Kind{
		KindWSL2, KindWDDM, KindProcesses, KindIntegrated, KindIdle, KindSampling, KindDriverBug, KindRoot, KindOldDriver, KindGuessed,
	}
)

// Remark reports whether a kind is only worth saying: a plan lacks nothing.
func (k Kind) Remark() bool { return k == KindOK || slices.Contains(remarks, k) }

// Condition is one thing that is odd, in one sentence that also says what to do.
type Condition struct {
	Kind Kind   `json:"kind"`
	GPU  int    `json:"gpu"` // position in [Status.GPUs]; -1 when it is about no card
	Text string `json:"text"`
}

// say adds a condition that is about no card.
func (s *Status) say(k Kind, text string) {
	s.Conditions = append(s.Conditions, Condition{k, -1, text})
}

// sayOf adds a condition about the card that was added last.
func (s *Status) sayOf(k Kind, text string) {
	s.Conditions = append(s.Conditions, Condition{k, len(s.GPUs) - 1, text})
}

// has reports whether a condition of this kind was said.
func (s *Status) has(k Kind) bool {
	return slices.ContainsFunc(s.Conditions, func(f Condition) bool { return f.Kind == k })
}

// settle puts the conditions in order, and sets the kind, the note and what is usable from what was read.
func (s *Status) settle() {
	s.once()
	s.disbelieve()
	if s.GPUs == nil {
		s.GPUs = []GPU{}
	}
	if s.Processes == nil {
		s.Processes = []Process{}
	}
	if s.Conditions == nil {
		s.Conditions = []Condition{}
	}
	order := append(slices.Clone(weights), remarks...)
	slices.SortStableFunc(s.Conditions, func(a, b Condition) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	s.Conditions = slices.CompactFunc(s.Conditions, func(a, b Condition) bool { return a == b })
	s.Kind = KindOK
	if len(s.Conditions) > 0 {
		s.Kind = s.Conditions[0].Kind
	}
	var notes []string
	for _, f := range s.Conditions {
		if !f.Kind.Remark() && !slices.Contains(notes, f.Text) {
			notes = append(notes, f.Text)
		}
	}
	s.Note = strings.Join(notes, "; ")
	for i := range s.GPUs {
		s.GPUs[i].Usable = s.GPUs[i].usable()
	}
}

// reserveUnknown is what is taken off a card whose driver does not say how much it keeps for itself, in bytes.
// Source: 400 to 434 MiB on GeForce cards under Linux, 205 under Windows, 479 to 614 on cards for servers (recorded outputs
// of nvidia-smi with memory.reserved); the most of the first two, because the last report their free memory.
const reserveUnknown = 434 << 20

// usable is what one program may take on the card now, or nil when that is not known.
func (g GPU) usable() *int64 {
	switch {
	case g.sliced:
		var most *int64
		for _, sl := range g.Slices {
			if sl.Total != nil && sl.Used != nil && (most == nil || *sl.Total-*sl.Used > *most) {
				most = size(max(0, *sl.Total-*sl.Used))
			}
		}
		return most
	case g.Usable != nil:
		return g.Usable
	case g.MemoryFree != nil:
		return size(*g.MemoryFree)
	case g.MemoryTotal != nil && g.MemoryUsed != nil:
		reserve := int64(reserveUnknown)
		if g.Shared {
			reserve = 0
		}
		return size(max(0, *g.MemoryTotal-*g.MemoryUsed-reserve))
	}
	return nil
}

// size is n as a pointer.
func size(n int64) *int64 { return &n }
