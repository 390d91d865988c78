package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/gpu"
)

// gpuCommand shows the memory of the machine and its cards, or what Assay reads in a recorded output.
func (p *program) gpuCommand() *cobra.Command {
	var asJSON, wake bool
	var from string
	cmd := &cobra.Command{
		Use: "gpu", Short: "Show the graphics cards, their memory and who holds it", Args: cobra.NoArgs,
		Long: "Show the graphics cards, their memory and who holds it: loaded models, programs, the driver.\n\n" +
			"With --from, read what a vendor's tool printed on any machine and print what Assay reads in it: nvidia-smi (its table, -q,\n" +
			"-L and queries), rocm-smi, amd-smi, the files of amdgpu and xe, system_profiler, Win32_VideoController, a log of Ollama.\n" +
			"A card of a laptop that is switched off is not asked, which would switch it on, unless --wake says so.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from != "" {
				h, err := p.recorded(cmd.Context(), from)
				if err != nil {
					return err
				}
				return p.printHardware(h, asJSON)
			}
			return p.open(func(d *desk.Desk) error {
				if err := d.RecordingFault(); err != nil {
					return err
				}
				h := d.Hardware(cmd.Context(), wake)
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				return p.printHardware(h, asJSON)
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&from, "from", "", "read this `FILE`, an output of a vendor's tool; - is standard input")
	cmd.Flags().BoolVar(&wake, "wake", false, "ask a card that is switched off to save power, too")
	return cmd
}

// pipeTime bounds the wait for what another program prints.
const pipeTime = time.Minute

// recorded reads a recorded output; - is standard input, which is waited for no longer than the person does, and a minute.
func (p *program) recorded(ctx context.Context, from string) (desk.Hardware, error) {
	if from != "-" {
		return desk.ReadHardware(from)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, pipeTime, fmt.Errorf("standard input did not end within %s; let the tool print to a file and give its name", pipeTime))
	defer cancel()
	type read struct {
		h   desk.Hardware
		err error
	}
	done := make(chan read, 1) // a read of a terminal or a pipe cannot be stopped; it ends with the program
	go func() {
		h, err := desk.ReadHardwareFrom("standard input", p.in)
		done <- read{h, err}
	}()
	select {
	case r := <-done:
		return r.h, r.err
	case <-ctx.Done():
		return desk.Hardware{}, context.Cause(ctx)
	}
}

func (p *program) printHardware(h desk.Hardware, asJSON bool) error {
	if asJSON {
		return printJSON(p.out, h)
	}
	line := func(what, format string, args ...any) {
		say(p.out, "%-8s "+format+"\n", append([]any{what}, args...)...)
	}
	if h.Source != "" {
		line("read as", "%s", h.Source)
	}
	if h.Source == "" || h.MemoryTotal != nil {
		line("memory", "%s", roomWords(h.MemoryFree, h.MemoryTotal))
	}
	for _, g := range h.GPUs {
		line(fmt.Sprintf("card %d", g.Index), "%s", cardWords(g))
		for _, s := range g.Slices {
			line("", "slice %d: %s in use of %s", s.Device, sizeWords(s.Used), sizeWords(s.Total))
		}
	}
	for _, b := range h.Holders {
		line("held by", "%-12s %s (%s)", sizeWords(b.Bytes), b.Name, string(b.Kind))
	}
	for _, m := range h.Models {
		if m.VRAM < m.Size {
			line("model", "%s: %s of %s on a card", m.Name, sizeWords(&m.VRAM), sizeWords(&m.Size))
		}
	}
	if h.Server != "" {
		line("models", "not known: %s", h.Server)
	}
	for _, a := range h.Alarms {
		line("alarm", "%s", a.Text)
		line("", "%s", a.Do)
	}
	for _, c := range h.Conditions {
		what := "note"
		if c.Kind.Remark() {
			what = "remark"
		}
		line(what, "%s [%s]", c.Text, string(c.Kind))
	}
	return nil
}

// cardWords is what is known of a card, on one line.
func cardWords(g gpu.GPU) string {
	words := []string{g.Name + ": " + roomWords(g.MemoryFree, g.MemoryTotal)}
	if g.MemoryTotal == nil && g.AtLeast != nil {
		words[0] = g.Name + ": at least " + sizeWords(g.AtLeast)
	}
	if g.MemoryUsed != nil && g.MemoryFree == nil {
		words = append(words, sizeWords(g.MemoryUsed)+" in use")
	}
	if g.Usable != nil && (g.MemoryFree == nil || *g.Usable != *g.MemoryFree) {
		words = append(words, sizeWords(g.Usable)+" usable")
	}
	if g.Shared {
		words = append(words, "shares the machine's memory")
	}
	if g.Busy != nil {
		words = append(words, fmt.Sprintf("%d %% busy", *g.Busy))
	}
	if g.Temperature != nil {
		words = append(words, fmt.Sprintf("%d °C", *g.Temperature))
	}
	if g.Power != nil {
		words = append(words, fmt.Sprintf("%.0f W", float64(*g.Power)/1000))
	}
	for _, w := range []string{g.State, g.Bus} {
		if w != "" {
			words = append(words, w)
		}
	}
	if g.Driver != "" {
		words = append(words, "driver "+g.Driver)
	}
	return strings.Join(words, ", ")
}

// roomWords is a free and a total size in words.
func roomWords(free, total *int64) string {
	switch {
	case free == nil && total == nil:
		return "memory unknown"
	case free == nil:
		return sizeWords(total) + ", free unknown"
	case total == nil:
		return sizeWords(free) + " free"
	}
	return fmt.Sprintf("%s of %s free", sizeWords(free), sizeWords(total))
}

// sizeWords is a size in words; nil is unknown.
func sizeWords(n *int64) string {
	switch {
	case n == nil:
		return "unknown"
	case *n < 1<<30:
		return fmt.Sprintf("%d MiB", *n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(*n)/(1<<30))
}
