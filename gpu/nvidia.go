package gpu

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// nvidiaQuery asks for fixed fields, read by position: one field the driver does not know would fail the whole query, and
// these five are in every driver since 2013. The name may hold a comma, so it stands where both ends can be counted off.
var nvidiaQuery = []string{
	"--query-gpu=index,name,memory.total,memory.free,utilization.gpu", "--format=csv,noheader,nounits",
}

// nvidia returns NVIDIA's cards as its own tool reports them, and a sentence when there are none or something is unknown.
func (m Monitor) nvidia(ctx context.Context) ([]GPU, string) {
	run, timeout := m.Run, m.Timeout
	if run == nil {
		run = runTool
	}
	if timeout == 0 {
		timeout = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	stdout, stderr, err := run(ctx, "nvidia-smi", nvidiaQuery...)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return []GPU{}, "no NVIDIA card was found (there is no nvidia-smi); models run on the processor"
	case errors.Is(err, context.DeadlineExceeded):
		return []GPU{}, "nvidia-smi did not answer within " + timeout.String() + ", so the graphics card is unknown; its driver may hang"
	case errors.Is(err, context.Canceled):
		return []GPU{}, "the graphics card was not asked"
	}
	cards := parseNVIDIA(string(stdout))
	// The text is matched and not the exit code, which differs between drivers for one and the same fault.
	note := nvidiaFault(string(stdout) + "\n" + string(stderr))
	if note == "" && err != nil && len(cards) == 0 {
		note = "nvidia-smi failed, so the graphics card is unknown; run nvidia-smi by hand to see why"
	}
	if note == "" && len(cards) == 0 {
		note = "no NVIDIA card was found; models run on the processor"
	}
	if note == "" {
		for _, c := range cards {
			if c.MemoryTotal == nil || c.MemoryFree == nil {
				note = "the driver does not give the memory of " + c.Name + ", so it is unknown"
				break
			}
		}
	}
	return cards, note
}

// nvidiaFaults are the driver's sentences and what they mean for the person, in the order they are looked for. They are
// recorded from public reports; two spellings of one fault differ between drivers, so the stable part is matched.
var nvidiaFaults = []struct{ text, note string }{
	{"driver/library version mismatch", "NVIDIA's driver was updated while it was loaded; restart the machine to use the graphics card"},
	{"couldn't communicate with the nvidia driver", "NVIDIA's driver is not loaded, or the card is switched off to save power; it is looked for again"},
	{"unable to determine the device handle", "a graphics card does not answer and may have fallen off the bus; restart the machine"},
	{"no supported gpus were found", "NVIDIA's driver found no card that it supports; models run on the processor"},
	{"no devices were found", "NVIDIA's driver is loaded but found no card; models run on the processor"},
	{"failed to initialize nvml", "NVIDIA's driver could not be started, so the graphics card is unknown; run nvidia-smi by hand to see why"},
}

// nvidiaFault is the sentence for a fault that the tool's output names, or "".
func nvidiaFault(output string) string {
	output = strings.ToLower(output)
	for _, f := range nvidiaFaults {
		if strings.Contains(output, f.text) {
			return f.note
		}
	}
	return ""
}

// maxCards bounds what is read: the largest NVIDIA machines have 16 boards.
const maxCards = 64

// parseNVIDIA reads the answer to nvidiaQuery. Lines that are not an answer are left out, because a fault of one card
// stands between the lines of the others. The result is never nil.
func parseNVIDIA(output string) []GPU {
	cards := []GPU{}
	for line := range strings.Lines(output) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		n := len(fields)
		if n < 5 || len(cards) == maxCards {
			continue
		}
		index, err := strconv.Atoi(strings.TrimSpace(fields[0]))
		name := strings.TrimSpace(strings.Join(fields[1:n-3], ","))
		if err != nil || index < 0 || name == "" {
			continue
		}
		cards = append(cards, GPU{
			Index: index, Name: name,
			MemoryTotal: figure(fields[n-3], 1<<20, 1<<30),
			MemoryFree:  figure(fields[n-2], 1<<20, 1<<30),
			Busy:        figure(fields[n-1], 1, 100),
		})
	}
	return cards
}

// figure reads a whole number up to limit and returns it times unit, or nil for everything else: "[N/A]", "N/A",
// "[Not Supported]", "[Insufficient Permissions]", a negative or an absurd value.
func figure(field string, unit, limit int64) *int64 {
	v, err := strconv.ParseInt(strings.TrimSpace(field), 10, 64)
	if err != nil || v < 0 || v > limit {
		return nil
	}
	v *= unit
	return &v
}
