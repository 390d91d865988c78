// Package gpu says how much memory this machine has, and which graphics cards with how much memory of their own.
//
// Start at [Monitor.Status]. No card is a normal answer. What is not known is nil, never 0, because a plan made from a
// wrong 0 refuses every model and one made from a wrong total fills the card.
package gpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/shirou/gopsutil/v3/mem"
)

// Status is the memory of one moment. Sizes are bytes; a nil size is unknown.
type Status struct {
	MemoryTotal *int64 `json:"memory_total_bytes"`
	MemoryFree  *int64 `json:"memory_free_bytes"` // what programs may still take, caches counted as free
	GPUs        []GPU  `json:"gpus"`              // never nil; empty when there is none
	Note        string `json:"note"`              // one sentence on what is absent or unknown; "" when all is known
}

// GPU is one graphics card. A nil figure is one that the driver does not give.
type GPU struct {
	Index       int    `json:"index"` // the driver's
	Name        string `json:"name"`
	MemoryTotal *int64 `json:"memory_total_bytes"`
	MemoryFree  *int64 `json:"memory_free_bytes"` // the driver's figure: total less used is too high by what the driver reserves
	Busy        *int64 `json:"busy_percent"`      // 0 to 100
}

// Monitor reads the machine. Its zero value reads the real one. It keeps nothing, so it is safe for concurrent use.
type Monitor struct {
	// Run runs a vendor's tool. If nil, the tool on the PATH.
	Run Runner
	// Memory gives the machine's total and free memory, in bytes. If nil, gopsutil.
	Memory func(context.Context) (total, free uint64, err error)
	// Timeout is how long a vendor's tool may take. If zero, 2 seconds: it answers in 20 ms, but may first have to wake a
	// sleeping card, and it hangs when the driver does.
	Timeout time.Duration
}

// Runner runs a program and returns what it wrote. The error is [exec.ErrNotFound] in its chain when there is no such
// program, and is otherwise non-nil when it could not run, ended with another code than 0, or was stopped by its context.
type Runner func(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error)

// Status reads the machine's memory and cards. It always returns within the timeout and a second; what could not be read
// is nil and said in the note.
func (m Monitor) Status(ctx context.Context) Status {
	var s Status
	memory := m.Memory
	if memory == nil {
		memory = systemMemory
	}
	var notes []string
	if total, free, err := memory(ctx); err != nil {
		notes = append(notes, fmt.Sprintf("the machine's memory could not be read: %v", err))
	} else {
		s.MemoryTotal, s.MemoryFree = known(total), known(free)
	}
	cards, note := m.nvidia(ctx)
	s.GPUs = cards
	if note != "" {
		notes = append(notes, note)
	}
	for i, note := range notes {
		if i > 0 {
			s.Note += "; "
		}
		s.Note += note
	}
	return s
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

// known is a size as a pointer, or nil when it is too large to be one.
func known(n uint64) *int64 {
	if n > 1<<62 {
		return nil
	}
	v := int64(n)
	return &v
}

// maxOutput bounds what is kept of a tool's output, in bytes. A card takes one line of about 100.
const maxOutput = 64 << 10

// runTool is the Runner of the real machine.
func runTool(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // a child that keeps the pipe open does not keep us
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
