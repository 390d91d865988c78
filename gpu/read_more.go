package gpu

import (
	"regexp"
	"strconv"
	"strings"
)

// More recorded outputs: NVML's answers, the log of Ollama, the long list of nvidia-smi, the kernel's memory.

var (
	nvmlCode = regexp.MustCompile(`NVML_ERROR_([A-Z_]+)`)
	// The same code in the words of the bindings for Python and Go.
	nvmlRefused = regexp.MustCompile(`(?i)NVMLError_NotSupported|nvmlDeviceGetMemoryInfo.*\bnot supported\b`)
	nvmlName    = regexp.MustCompile(`(?im)^\s*(?:device|name)\s*[:=]\s*(\S.*?)\s*$`)
)

// readNVML reads what a program printed of NVML's answers about memory: a code other than success comes with zeros, which
// are no sizes.
func readNVML(text string, s *Status) bool {
	m := nvmlCode.FindStringSubmatch(text)
	if m == nil && nvmlRefused.MatchString(text) {
		m = []string{"NVML_ERROR_NOT_SUPPORTED", "NOT_SUPPORTED"}
	}
	if m == nil {
		return false
	}
	g := GPU{Name: "NVIDIA card", Vendor: "nvidia"}
	if n := nvmlName.FindStringSubmatch(text); n != nil {
		g.Name = n[1]
	} else if strings.Contains(text, "GB10") {
		g.Name = "NVIDIA GB10"
	}
	switch m[1] {
	case "NOT_SUPPORTED":
		g.Shared = true
		s.GPUs = append(s.GPUs, g)
		s.sayOf(KindUnified, unifiedNote(g.Name))
	case "NO_PERMISSION":
		s.GPUs = append(s.GPUs, g)
		s.sayOf(KindNoPermission, "the driver hides the memory of "+g.Name+" from this environment, so it is unknown")
	case "DRIVER_NOT_LOADED":
		s.say(KindNoDriver, "NVIDIA's driver is not loaded; it is looked for again later")
	case "LIB_RM_VERSION_MISMATCH":
		kind, note := nvidiaFault("Driver/library version mismatch")
		s.say(kind, note)
	case "GPU_IS_LOST":
		kind, note := nvidiaFault("GPU is lost")
		s.say(kind, note)
	case "LIBRARY_NOT_FOUND":
		s.say(KindNone, "NVIDIA's library is not installed, so there is no card of NVIDIA that models can use")
	default:
		s.say(KindUnknown, "NVIDIA's library answers "+m[0]+", so the memory is unknown")
	}
	return true
}

var (
	logPair   = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*"|\S*)`)
	humanSize = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?(B|KiB|MiB|GiB|TiB)$`)
)

// readOllamaLog reads the lines in which Ollama says what it will compute on. Its sizes are rounded to a tenth of a GiB.
func readOllamaLog(text string, s *Status) bool {
	found := false
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "inference compute") {
			continue
		}
		v := map[string]string{}
		for _, m := range logPair.FindAllStringSubmatch(line, 40) {
			value := m[2]
			if u, err := strconv.Unquote(value); err == nil {
				value = u
			}
			v[m[1]] = value
		}
		total, free := human(v["total"]), human(v["available"])
		if v["library"] == "" || total == nil {
			continue
		}
		found = true
		if v["library"] == "cpu" {
			s.MemoryTotal, s.MemoryFree = total, free
			s.say(KindNone, "Ollama found no card that it can use; models run on the processor")
			continue
		}
		if len(s.GPUs) < maxCards {
			ollamaDevice(v, total, free, s)
		}
	}
	return found
}

func ollamaDevice(v map[string]string, total, free *int64, s *Status) {
	g := GPU{Index: len(s.GPUs), Name: v["description"], Bus: busAddress(v["pci_id"]), MemoryTotal: total, MemoryFree: free}
	if g.Name == "" {
		g.Name = v["name"]
	}
	if g.Name == "" {
		g.Name = v["library"]
	}
	if strings.HasPrefix(v["id"], "GPU-") {
		g.UUID = v["id"]
	}
	g.Vendor = vendorOf(g.Name)
	library := strings.ToLower(v["library"])
	switch {
	case library == "cuda":
		g.Vendor = "nvidia"
	case library == "rocm":
		g.Vendor = "amd"
	case library == "metal":
		g.Vendor, g.Shared = "apple", true
	}
	if total != nil && free != nil && *free > *total {
		g.MemoryFree = nil
	}
	g.Shared = g.Shared || strings.EqualFold(v["type"], "iGPU")
	s.GPUs = append(s.GPUs, g)
	switch {
	case library == "metal":
		s.sayOf(KindUnified, unifiedNote(g.Name))
	case g.Shared:
		s.sayOf(KindIntegrated, g.Name+" is part of the processor: its "+gib(*total)+" are a share of the machine's memory and are not added to that of another card")
	}
}

// human reads a size such as "16.3 GiB".
func human(text string) *int64 {
	m := humanSize.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return nil
	}
	n, err := strconv.ParseFloat(m[1], 64)
	unit := map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[m[2]]
	if err != nil || n*unit > maxBytes {
		return nil
	}
	return size(int64(n * unit))
}

var (
	longCard  = regexp.MustCompile(`^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])`)
	longValue = regexp.MustCompile(`^\s+(\S[^:]*?)\s*:\s*(.*?)\s*$`)
	longHead  = regexp.MustCompile(`^\s{4}(\S[^:]*?)\s*$`)
)

// readLongList reads nvidia-smi -q, or the parts of it that concern memory.
func readLongList(text string, s *Status) bool {
	var r record
	number, section, driver := 0, "", ""
	flush := func() {
		if r != nil && len(s.GPUs) < maxCards {
			r["driver_version"] = driver
			nvidiaCard(r, number, s)
			number++
		}
		r = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n ")
		if m := longCard.FindStringSubmatch(line); m != nil {
			flush()
			r, section = record{"pci.bus_id": m[1]}, ""
		} else if m := longHead.FindStringSubmatch(line); m != nil {
			section = m[1]
		} else if m := longValue.FindStringSubmatch(" " + line); m != nil {
			if m[1] == "Driver Version" || m[1] == "KMD Version" {
				driver = m[2]
			}
			if r != nil {
				longField(r, section, m[1], m[2])
			}
		}
	}
	flush()
	return len(s.GPUs) > 0
}

// longField puts a value of the long list where a query would have it.
func longField(r record, section, key, value string) {
	column := map[string]string{
		"/Product Name": "name", "/GPU UUID": "uuid", "/Performance State": "pstate", "MIG Mode/Current": "mig.mode.current",
		"Driver Model/Current": "driver_model.current", "FB Memory Usage/Total": "memory.total", "FB Memory Usage/Used": "memory.used",
		"FB Memory Usage/Free": "memory.free", "FB Memory Usage/Reserved": "memory.reserved", "Utilization/Gpu": "utilization.gpu",
		"Utilization/GPU": "utilization.gpu", "Temperature/GPU Current Temp": "temperature.gpu",
	}
	for _, k := range []string{section + "/" + key, "/" + key} {
		c := column[k]
		if c == "" || r[c] != "" {
			continue
		}
		if c == "mig.mode.current" || c == "driver_model.current" {
			if value == "N/A" {
				value = "[N/A]"
			}
		}
		r[c] = value
		return
	}
}

var memLine = regexp.MustCompile(`(?m)(MemTotal|MemAvailable)\s*:\s*(\d+) kB`)

// meminfo reads the machine's memory where the kernel's lines about it stand in a text.
func meminfo(text string) (total, free *int64) {
	for _, m := range memLine.FindAllStringSubmatch(text, 8) {
		n := parseSize(m[2], 1024)
		if m[1] == "MemTotal" && total == nil {
			total = n
		} else if m[1] == "MemAvailable" && free == nil {
			free = n
		}
	}
	if total != nil && free != nil && *free > *total {
		free = nil
	}
	return total, free
}

func readMeminfo(text string, s *Status) bool {
	s.MemoryTotal, s.MemoryFree = meminfo(text)
	if s.MemoryTotal == nil {
		return false
	}
	s.say(KindSystem, "this is the memory of the machine and names no card")
	return true
}
