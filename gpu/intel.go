package gpu

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Intel's drivers tell everybody how much memory a card has and only root how much of it is in use: for others the same
// question answers "all free" (i915, Level Zero: oneapi-src/level-zero#133) or "nothing used" (xe). So the used memory is
// unknown here unless the kernel's debug folder can be read. Not run on real hardware: made folders and made answers only.

// intel adds Intel's cards. Graphics in a processor have no memory of their own and are listed without a size.
func (m Monitor) intel(cards []pciCard, s *Status) {
	number := 0
	for _, c := range cards {
		if c.vendor != pciIntel || c.driver != "i915" && c.driver != "xe" || len(s.GPUs) >= maxCards {
			continue
		}
		g := GPU{Index: number, Name: m.pciName(c), Vendor: "intel", Bus: c.bus, Driver: c.driver, MaySleep: c.maySleep}
		number++
		total, integrated := m.intelTotal(c)
		if integrated {
			g.Shared = true
			s.GPUs = append(s.GPUs, g)
			s.sayOf(KindIntegrated, g.Name+" is part of the processor and shares the machine's memory, which is not added to that of another card")
			continue
		}
		g.MemoryTotal = total
		if text, ok := m.intelDebug(c); ok {
			if total, used := readVRAMManager(text); total != nil && used != nil {
				g.MemoryTotal, g.MemoryUsed, g.MemoryFree = total, used, size(max(0, *total-*used))
			}
		}
		s.GPUs = append(s.GPUs, g)
		sayIntel(s, g)
	}
}

func sayIntel(s *Status, g GPU) {
	switch {
	case g.MemoryTotal == nil:
		s.sayOf(KindUnknown, "the memory of "+g.Name+" could not be read (its device file may need the group render), so it is unknown")
	case g.MemoryFree == nil:
		s.sayOf(KindUsedUnknown, fmt.Sprintf("Intel's driver says only to root how much of the %s of %s is in use, so what is free is unknown; close other programs that use the card", gib(*g.MemoryTotal), g.Name))
	}
}

// intelTotal is the size of a card's own memory, nil when it cannot be read; integrated says that it has none.
func (m Monitor) intelTotal(c pciCard) (total *int64, integrated bool) {
	// The limits of control groups list every memory that the kernel manages: since 6.14, for everybody.
	if text, ok := readText(m.path("sys/fs/cgroup/dmem.capacity")); ok {
		if total := dmemTotal(text, c.bus); total != nil {
			return total, false
		}
	}
	if answer, err := m.intelRegions(c); err == nil {
		if total := intelLocal(answer, c.driver); total != nil {
			return total, *total == 0
		}
	}
	return nil, c.bus == "0000:00:02.0" // where graphics in a processor of Intel always are
}

// dmemTotal reads the largest video memory of a card from dmem.capacity: "drm/0000:03:00.0/vram0 8514437120".
func dmemTotal(text, bus string) *int64 {
	var sum *int64
	for line := range strings.Lines(text) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if bus == "" || !strings.HasPrefix(name, "drm/"+bus+"/vram") {
			continue
		}
		if n := parseSize(number, 1); n != nil {
			if sum == nil {
				sum = size(0)
			}
			*sum += *n
		}
	}
	return sum
}

// intelDebug reads the memory manager's report, which the kernel shows to root.
func (m Monitor) intelDebug(c pciCard) (string, bool) {
	base := m.path("sys/kernel/debug/dri")
	for _, name := range []string{"tile0/vram_mm", "vram0_mm"} {
		if text, ok := readText(filepath.Join(base, c.bus, filepath.FromSlash(name))); ok && c.bus != "" {
			return text, true
		}
	}
	return "", false
}

var (
	vramSize  = regexp.MustCompile(`(?m)^\s*(?:man )?size\s*:\s*(\d+)\s*$`)
	vramUsage = regexp.MustCompile(`(?m)^\s*usage\s*:\s*(\d+)\s*$`)
)

// readVRAMManager reads the report of xe's memory manager; sizes are in bytes.
func readVRAMManager(text string) (total, used *int64) {
	if m := vramSize.FindStringSubmatch(text); m != nil {
		total = parseSize(m[1], 1)
	}
	if m := vramUsage.FindStringSubmatch(text); m != nil {
		used = parseSize(m[1], 1)
	}
	return total, used
}

// Shapes of the kernel's answers about memory regions. Source: include/uapi/drm/xe_drm.h and i915_drm.h.
const (
	xeHeader, i915Header = 8, 16
	regionSize           = 88
	regionDevice         = 1 // the class of a card's own memory
	maxRegions           = 64
)

// intelLocal adds up a card's own memory in the kernel's answer; 0 for a card without, nil for an answer that is none.
func intelLocal(answer []byte, driver string) *int64 {
	head := xeHeader
	if driver == "i915" {
		head = i915Header
	}
	if len(answer) < head {
		return nil
	}
	count := binary.NativeEndian.Uint32(answer)
	if count == 0 || count > maxRegions || len(answer) < head+int(count)*regionSize {
		return nil
	}
	var sum int64
	for i := range int(count) {
		region := answer[head+i*regionSize:]
		if binary.NativeEndian.Uint16(region) != regionDevice {
			continue
		}
		n := known(binary.NativeEndian.Uint64(region[8:]))
		if n == nil {
			return nil
		}
		sum += *n
	}
	return size(sum)
}
