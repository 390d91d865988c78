// Package gpu says how much memory this machine has, and which graphics cards with how much memory of their own; who holds
// it; and how much of it a model takes.
//
// Start at [Monitor.Status] for this moment, at [Sampler] for the course of it, and at [Read] for an output of a vendor's
// tool that somebody recorded. No card is a normal answer. What is not known is nil, never 0, because a plan made from a
// wrong 0 refuses every model and one made from a wrong total fills the card.
//
// Probes by vendor: nvidia.go (with nvidia_csv.go, nvidia_table.go and nvidia_fault.go for what its tool prints), amd.go,
// intel.go, apple.go, windows.go; pci.go finds the cards. kind.go has the words for what is odd, devices.go what of it a plan
// counts. sampler.go, history.go, holders.go and alarm.go are the monitor.
//
// Not run on real hardware so far: AMD, Intel, Apple and Windows, which are tested from recorded outputs and made folders
// only, and the asking of an Intel card in intel_linux.go. NVIDIA under Linux runs where there is a card (make gpu).
package gpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/mem"
)

// Status is the memory of one moment. Sizes are bytes; a nil size is unknown. No slice is nil.
type Status struct {
	MemoryTotal *int64 `json:"memory_total_bytes"`
	MemoryFree  *int64 `json:"memory_free_bytes"` // what programs may still take, caches counted as free
	GPUs        []GPU  `json:"gpus"`              // empty when there is none; NVIDIA's first, then AMD's, Intel's, others
	// Processes are the programs on the cards, as far as the driver tells.
	Processes  []Process   `json:"processes"`
	Kind       Kind        `json:"kind"`       // of the weightiest condition; [KindOK] when there is none
	Conditions []Condition `json:"conditions"` // what is odd, the weightiest first
	Note       string      `json:"note"`       // the conditions that are no mere remarks, as a sentence; "" when all is known
}

// GPU is one graphics card. A nil figure is one that the driver does not give; sizes are bytes.
type GPU struct {
	Index  int    `json:"index"`            // the driver's, counted for each vendor
	Name   string `json:"name"`             // never empty; a table of the vendor's tool may have cut it, then it ends in "..."
	Vendor string `json:"vendor,omitempty"` // nvidia, amd, intel, apple; "" for others
	UUID   string `json:"uuid,omitempty"`
	Bus    string `json:"bus,omitempty"`    // the PCI address, such as 0000:01:00.0
	Driver string `json:"driver,omitempty"` // the driver's version, or the name of the kernel's driver

	MemoryTotal    *int64 `json:"memory_total_bytes"`
	MemoryUsed     *int64 `json:"memory_used_bytes"`
	MemoryFree     *int64 `json:"memory_free_bytes"`     // the driver's figure: total less used is too high by what the driver reserves
	MemoryReserved *int64 `json:"memory_reserved_bytes"` // what the driver keeps for itself; in neither used nor free
	// AtLeast is a lower bound of the total, when only that is known.
	AtLeast *int64 `json:"memory_at_least_bytes,omitempty"`
	// Usable is what one program may take now: the free memory, or the largest free slice of a board that is cut up, or a
	// share of the machine's memory.
	Usable *int64 `json:"usable_bytes"`
	// Shared says that the memory is the machine's: it is not added to that of other cards.
	Shared bool    `json:"shared,omitempty"`
	Slices []Slice `json:"slices,omitempty"`

	Busy        *int64 `json:"busy_percent"` // 0 to 100
	Temperature *int64 `json:"temperature_celsius"`
	Power       *int64 `json:"power_milliwatts"`
	State       string `json:"state,omitempty"` // the driver's state of performance, P0 (most) to P15
	Asleep      bool   `json:"asleep,omitempty"`
	MaySleep    bool   `json:"may_sleep,omitempty"` // the system switches it off when nobody asks it for a while

	sliced bool
}

// Slice is a part of a board that is cut up (MIG); a program may use one of them.
type Slice struct {
	Device int    `json:"device"` // the number within the board
	Total  *int64 `json:"memory_total_bytes"`
	Used   *int64 `json:"memory_used_bytes"`
}

// Process is a program on a card.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"` // the file's name without its folders; "unknown program" when the driver hides it
	// Bytes is what it holds on the card, or nil: Windows' driver model does not tell, and such programs are never summed.
	Bytes *int64 `json:"memory_bytes"`
	GPU   string `json:"gpu,omitempty"` // the card's UUID, or its index; "" when not told
}

// Monitor reads the machine. Its zero value reads the real one. It keeps nothing, so it is safe for concurrent use.
type Monitor struct {
	// Run runs a vendor's tool. If nil, the tool on the PATH.
	Run Runner
	// Memory gives the machine's total and free memory, in bytes. If nil, gopsutil.
	Memory func(context.Context) (total, free uint64, err error)
	// Program gives the name of a running program. If nil, gopsutil.
	Program func(ctx context.Context, pid int) (string, error)
	// Timeout is how long a vendor's tool may take. If zero, 2 seconds: it answers in 20 ms, but may first have to wake a
	// sleeping card, and it hangs when the driver does.
	Timeout time.Duration
	// Root is the folder in which sys and proc are looked for. If empty, the file system's root.
	Root string
	// System is the operating system, as [runtime.GOOS] names it. If empty, this one.
	System string
	// Wake asks a card that is switched off to save power, too, which switches it on for some seconds.
	Wake bool
}

// Runner runs a program and returns what it wrote. The error is [exec.ErrNotFound] in its chain when there is no such
// program, and is otherwise non-nil when it could not run, ended with another code than 0, or was stopped by its context.
type Runner func(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error)

// Status reads the machine's memory and cards. It returns within three times the timeout and a second under Linux, and within
// eight times where the system's own slow tools are asked; what could not be read is nil and said in the note.
func (m Monitor) Status(ctx context.Context) Status {
	var s Status
	if total, free, err := m.memory(ctx); err != nil {
		s.say(KindUnknown, fmt.Sprintf("the machine's memory could not be read: %v", err))
	} else {
		s.MemoryTotal, s.MemoryFree = known(total), known(free)
	}
	switch m.system() {
	case "darwin":
		m.apple(ctx, &s)
	case "windows":
		m.nvidia(ctx, nil, &s)
		m.windows(ctx, &s)
	default:
		cards := m.pci()
		m.nvidia(ctx, cards, &s)
		m.amd(cards, &s)
		m.intel(cards, &s)
		m.others(cards, &s)
	}
	if len(s.GPUs) == 0 && !s.odd() {
		s.say(KindNone, "no graphics card was found that models can use; they run on the processor")
	}
	m.nameProcesses(ctx, s.Processes)
	for i := range s.GPUs {
		shareMemory(&s.GPUs[i], s.MemoryTotal, s.MemoryFree)
	}
	s.settle()
	return s
}

// nameProcesses gives the programs whose name the driver hides the name that the system has for them. In a container the
// numbers are those of another system, so they keep none there.
func (m Monitor) nameProcesses(ctx context.Context, list []Process) {
	for _, mark := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := os.Stat(m.path(mark)); err == nil {
			return
		}
	}
	named := m.Program
	if named == nil {
		named = systemProgram
	}
	for i := range list {
		if list[i].Name != unknownProgram {
			continue
		}
		if name, err := named(ctx, list[i].PID); err == nil && name != "" {
			list[i].Name = programName(name)
		}
	}
}

// odd reports whether something was said that explains why there is no card.
func (s *Status) odd() bool {
	for _, c := range s.Conditions {
		if c.GPU >= 0 || !c.Kind.Remark() && c.Kind != KindUnknown {
			return true
		}
	}
	return false
}

// shareMemory gives a card without memory of its own the machine's, unless its own share of it is known.
func shareMemory(g *GPU, total, free *int64) {
	if !g.Shared {
		return
	}
	if g.MemoryTotal == nil && g.MemoryFree == nil && !g.Asleep && g.Vendor != "intel" {
		g.MemoryTotal, g.MemoryFree = total, free
		return
	}
	// A pool for the card is not more than what the machine has left.
	if g.MemoryFree != nil && free != nil && *free < *g.MemoryFree {
		g.Usable = size(*free)
	}
}

func (m Monitor) system() string {
	if m.System != "" {
		return m.System
	}
	return runtime.GOOS
}

func (m Monitor) timeout() time.Duration {
	if m.Timeout > 0 {
		return m.Timeout
	}
	return 2 * time.Second
}

// slow is how many timeouts the tools of Apple's and Microsoft's systems may take: they start in 1 to 3 s.
const slow = 4

// run runs the first of the named programs that is there, within the timeout.
func (m Monitor) run(ctx context.Context, names []string, args ...string) (stdout, stderr []byte, err error) {
	return m.runFor(ctx, m.timeout(), names, args...)
}

func (m Monitor) runFor(ctx context.Context, timeout time.Duration, names []string, args ...string) (stdout, stderr []byte, err error) {
	run := m.Run
	if run == nil {
		run = runTool
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for _, name := range names {
		if stdout, stderr, err = run(ctx, name, args...); !missing(err) {
			return stdout, stderr, err
		}
	}
	return stdout, stderr, err
}

// missing reports whether an error means that there is no such program.
func missing(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
}

func (m Monitor) memory(ctx context.Context) (total, free uint64, err error) {
	if m.Memory != nil {
		return m.Memory(ctx)
	}
	return systemMemory(ctx)
}

// systemMemory reads the machine's memory from the operating system.
func systemMemory(ctx context.Context) (total, free uint64, err error) {
	v, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, 0, err
	}
	if v.Total == 0 {
		return 0, 0, errors.New("the system reports a total of 0 bytes")
	}
	return v.Total, v.Available, nil
}

// maxBytes is the largest size that is believed: a thousand times what the largest machine has.
const maxBytes = 1 << 50

// known is a size as a pointer, or nil when it is too large to be one.
func known(n uint64) *int64 {
	if n > maxBytes {
		return nil
	}
	return size(int64(n))
}

// gib prints a size for a sentence.
func gib(n int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/(1<<30)), ".0") + " GiB"
}

// maxOutput bounds what is kept of a tool's output, in bytes. A card takes one line of about 200.
const maxOutput = 256 << 10

// runTool is the Runner of the real machine.
func runTool(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // a child that keeps the pipe open does not keep us
	hideWindow(cmd)
	var out, errs capped
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.kept.Bytes(), errs.kept.Bytes(), err
}

// capped keeps the first maxOutput bytes and swallows the rest, so that the writer never blocks. The buffer is a field and
// not embedded: its ReadFrom would go round the limit.
type capped struct{ kept bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := maxOutput - c.kept.Len(); room > 0 {
		c.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
