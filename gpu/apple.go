package gpu

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Apple's machines have one memory for processor and graphics. Metal gives models a part of it, which only a program with
// Metal can ask for, so it is bounded from below here. Not run on real hardware: recorded outputs only.

// appleShare is the part of the memory that Metal gives at least: two thirds up to 36 GiB, three quarters above.
// Source: recommendedMaxWorkingSetSize in public logs of llama.cpp: 10.67 of 16, 21.3 (older systems) and 25.0 of 32,
// 48 of 64, 144 of 192 GiB. The setting iogpu.wired_limit_mb overrides it.
func appleShare(memory int64) int64 {
	if memory <= 36<<30 {
		return memory / 3 * 2
	}
	return memory / 4 * 3
}

// apple adds the graphics of an Apple machine.
func (m Monitor) apple(ctx context.Context, s *Status) {
	displays, _, err := m.runFor(ctx, slow*m.timeout(), []string{"system_profiler", "/usr/sbin/system_profiler"}, "SPDisplaysDataType")
	if err != nil {
		s.say(KindToolFailed, "system_profiler did not name the graphics, so they are unknown")
		return
	}
	sysctl, _, _ := m.run(ctx, []string{"sysctl", "/usr/sbin/sysctl"}, "hw.memsize", "iogpu.wired_limit_mb") // a name it does not know is left out
	readApple(string(displays)+"\n"+string(sysctl), s)
}

var (
	appleModel = regexp.MustCompile(`(?m)^\s*Chipset Model:\s*(\S.*?)\s*$`)
	appleVRAM  = regexp.MustCompile(`(?m)^\s*VRAM \(.*?\):\s*(\d+)\s*(MB|GB)`)
	appleSize  = regexp.MustCompile(`(?m)^\s*hw\.memsize\s*[:=]\s*(\d+)`)
	appleLimit = regexp.MustCompile(`(?m)^\s*iogpu\.wired_limit_mb\s*[:=]\s*(\d+)`)
)

// readApple reads what system_profiler (as text or JSON) and sysctl print.
func readApple(text string, s *Status) bool {
	var models []string
	for _, m := range appleModel.FindAllStringSubmatch(text, maxCards) {
		models = append(models, m[1])
	}
	if len(models) == 0 {
		models = appleJSON(text)
	}
	memory, limit := s.MemoryTotal, (*int64)(nil)
	if m := appleSize.FindStringSubmatch(text); m != nil {
		memory = parseSize(m[1], 1)
		if s.MemoryTotal == nil {
			s.MemoryTotal = memory
		}
	}
	if m := appleLimit.FindStringSubmatch(text); m != nil {
		if limit = parseSize(m[1], 1<<20); limit != nil && *limit == 0 { // 0 is the default
			limit = nil
		}
	}
	for i, name := range models {
		g := GPU{Index: i, Name: name, Vendor: "apple", Shared: true}
		if !strings.HasPrefix(name, "Apple") {
			appleOther(g, text, s)
			continue
		}
		switch {
		case limit != nil && (memory == nil || *limit <= *memory):
			g.MemoryTotal = limit
		case memory != nil:
			g.MemoryTotal = size(appleShare(*memory))
		}
		if g.MemoryTotal != nil && s.MemoryFree != nil {
			g.Usable = size(min(*g.MemoryTotal, *s.MemoryFree))
		}
		s.GPUs = append(s.GPUs, g)
		if g.MemoryTotal == nil {
			s.sayOf(KindUnified, unifiedNote(name))
		} else {
			s.sayOf(KindUnified, name+" uses the machine's memory, of which it gives models at least "+gib(*g.MemoryTotal)+"; what counts is what of that the machine has free")
		}
	}
	return len(models) > 0 || appleSize.MatchString(text)
}

// appleOther adds a card of an older machine with an Intel processor, where Ollama computes on the processor.
func appleOther(g GPU, text string, s *Status) {
	g.Vendor, g.Shared = "", false
	if m := appleVRAM.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 64)
		if unit := units[m[2]]; err == nil && n <= maxBytes/unit {
			g.MemoryTotal = size(n * unit)
		}
	}
	s.GPUs = append(s.GPUs, g)
	s.sayOf(KindOtherDriver, "Ollama does not use "+g.Name+" on a Mac with an Intel processor: models run on the processor")
}

// appleJSON reads system_profiler -json.
func appleJSON(text string) []string {
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return nil
	}
	var all struct {
		Displays []struct {
			Model string `json:"sppci_model"`
			Name  string `json:"_name"`
		} `json:"SPDisplaysDataType"`
	}
	if json.NewDecoder(strings.NewReader(text[start:])).Decode(&all) != nil {
		return nil
	}
	var models []string
	for _, d := range all.Displays {
		if d.Model == "" {
			d.Model = d.Name
		}
		if d.Model != "" && len(models) < maxCards {
			models = append(models, d.Model)
		}
	}
	return models
}
