package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AMD's cards are read from the files that amdgpu keeps under sys for everybody. What its tools print is read where somebody
// recorded it. Not run on real hardware: made folders and recorded outputs only.

// amdPools are the two memories of an AMD card, in bytes: its own (VRAM) and what it may use of the machine's (GTT).
type amdPools struct {
	vramTotal, vramUsed, gttTotal, gttUsed *int64
	// kfd is what the compute driver offers, nil when not read. The kernel chooses the larger pool on a processor with
	// graphics (commits 759e764f7d58 and 8b0d068e7dd1), so it then says which one counts.
	kfd *int64
	apu bool // known to be a processor with graphics
}

// carveOut is the size up to which an AMD card's own memory is a part set aside for graphics in a processor: no separate card
// that models can use has so little.
const carveOut = 1 << 30

// shared reports whether the card is a processor with graphics.
func (p amdPools) shared() bool {
	if p.apu || p.vramTotal != nil && *p.vramTotal <= carveOut && p.gttTotal != nil && *p.gttTotal > *p.vramTotal {
		return true
	}
	return p.kfd != nil && p.gttTotal != nil && p.vramTotal != nil && *p.kfd == *p.gttTotal && *p.gttTotal > *p.vramTotal
}

// fill sets a card's memory from its pools and says what is odd. On a card of its own only VRAM counts, whatever GTT says; on
// a processor with graphics the larger of the two, as the kernel and AMD's tools have it. (Ollama adds them, which counts
// memory twice that the machine has once.)
func (p amdPools) fill(g GPU, s *Status) {
	g.Vendor = "amd"
	total, used := p.vramTotal, p.vramUsed
	if g.Shared = p.shared(); g.Shared && p.gttTotal != nil && (total == nil || *p.gttTotal > *total) {
		total, used = p.gttTotal, p.gttUsed
	}
	g.MemoryTotal = total
	if total != nil && used != nil && *used <= *total {
		g.MemoryUsed, g.MemoryFree = used, size(*total-*used)
	}
	s.GPUs = append(s.GPUs, g)
	switch {
	case g.Shared && total != nil && p.vramTotal != nil && total != p.vramTotal:
		s.sayOf(KindAPU, fmt.Sprintf("%s is part of the processor: its own memory is a carve-out of %s only, and models can use up to %s of the machine's", g.Name, gib(*p.vramTotal), gib(*total)))
	case g.Shared && total != nil && total == p.gttTotal:
		s.sayOf(KindAPU, g.Name+" is part of the processor: models can use up to "+gib(*total)+" of the machine's memory")
	case g.Shared:
		s.sayOf(KindAPU, g.Name+" is part of the processor and its memory is set aside from the machine's")
	case p.gttTotal != nil && p.vramTotal != nil && *p.gttTotal == *p.vramTotal:
		s.sayOf(KindDriverBug, "the driver gives "+g.Name+" as much of the machine's memory (GTT) as its own, which is a known fault; only its own memory is counted")
	}
	switch {
	case total == nil:
		s.sayOf(KindUnknown, "the driver does not give the memory of "+g.Name+", so it is unknown")
	case used == nil:
		s.sayOf(KindUsedUnknown, "how much of the memory of "+g.Name+" is in use was not given, so what is free is unknown")
	}
}

// amd adds the cards that amdgpu drives.
func (m Monitor) amd(cards []pciCard, s *Status) {
	number := 0
	for _, c := range cards {
		if c.vendor != pciAMD || c.driver == "radeon" || c.driver == "vfio-pci" || len(s.GPUs) >= maxCards {
			continue
		}
		g := GPU{Index: number, Name: m.pciName(c), Vendor: "amd", Bus: c.bus, Driver: c.driver, MaySleep: c.maySleep}
		number++
		if c.asleep && !m.Wake {
			g.Asleep = true
			s.GPUs = append(s.GPUs, g)
			s.sayOf(KindAsleep, g.Name+" is switched off to save power, so its memory is unknown until a model or a question wakes it")
			continue
		}
		p := amdPools{
			vramTotal: readSize(filepath.Join(c.dir, "mem_info_vram_total")), vramUsed: readSize(filepath.Join(c.dir, "mem_info_vram_used")),
			gttTotal: readSize(filepath.Join(c.dir, "mem_info_gtt_total")), gttUsed: readSize(filepath.Join(c.dir, "mem_info_gtt_used")),
			apu: amdIsAPU(c.dir),
		}
		if busy := readSize(filepath.Join(c.dir, "gpu_busy_percent")); busy != nil && *busy <= 100 {
			g.Busy = busy
		}
		p.fill(g, s)
	}
}

// amdIsAPU reports whether the kernel shows marks of a processor with graphics: the second and third form of gpu_metrics,
// and a sensor for the voltage of the north bridge, are theirs alone. Source: amdgpu's kgd_pp_interface.h and amdgpu_pm.c.
func amdIsAPU(dir string) bool {
	if f, err := os.Open(filepath.Join(dir, "gpu_metrics")); err == nil {
		defer f.Close()
		var head [4]byte
		if n, _ := f.Read(head[:]); n == len(head) && (head[2] == 2 || head[2] == 3) { // size (2 bytes), form, version
			return true
		}
	}
	for _, name := range names(filepath.Join(dir, "hwmon")) {
		if label, _ := readText(filepath.Join(dir, "hwmon", name, "in1_label")); label == "vddnb" {
			return true
		}
	}
	return false
}

// pciName is a card's name from what its driver gives or from the list of PCI names, or its number.
func (m Monitor) pciName(c pciCard) string {
	if text, ok := readText(filepath.Join(c.dir, "product_name")); ok && text != "" {
		return text
	}
	vendor := map[int]string{pciAMD: "AMD", pciIntel: "Intel", pciNVIDIA: "NVIDIA"}[c.vendor]
	for _, list := range []string{"usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids"} {
		b, err := os.ReadFile(m.path(list))
		if err != nil || len(b) > 16<<20 {
			continue
		}
		if name := pciListed(string(b), c.vendor, c.device); name != "" {
			return vendor + " " + name
		}
	}
	return fmt.Sprintf("%s card %04x", vendor, c.device)
}

// pciListed looks a device up in the list of PCI names: a vendor's line, then its devices after a tab.
func pciListed(list string, vendor, device int) string {
	_, after, ok := strings.Cut("\n"+list, fmt.Sprintf("\n%04x  ", vendor))
	if !ok {
		return ""
	}
	_, after, _ = strings.Cut(after, "\n") // the vendor's own name
	prefix := fmt.Sprintf("\t%04x  ", device)
	for line := range strings.Lines(after) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			return "" // the next vendor
		}
		if name, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
