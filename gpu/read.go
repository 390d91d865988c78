package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Reading is what stands in a recorded output of a vendor's tool.
type Reading struct {
	Status
	Source string `json:"source"` // what printed it, such as "nvidia-smi table"
}

// MaxRecorded is the largest recorded output that is read, in bytes. A machine with 16 boards prints 10 kB.
const MaxRecorded = 1 << 20

// ErrNotRecognised is returned by [Read] for a text that no known tool prints.
var ErrNotRecognised = errors.New("it is no output that is known: nvidia-smi (its table, -q, -L and queries), rocm-smi, amd-smi, the files of amdgpu and xe, system_profiler and sysctl, Win32_VideoController, a log of Ollama, /proc/meminfo")

// readers are tried in order, each on text that has one of its marks; the first that finds something has it. Those whose
// marks are the surest come first.
var readers = []struct {
	source string
	marks  []string // in lower case; none: any text
	read   func(text string, s *Status) bool
}{
	{"NVML", []string{"nvml_error", "nvmlerror_", "nvmldevice"}, readNVML},
	{"Ollama log", []string{"inference compute"}, readOllamaLog},
	{"Windows", []string{"assay-card|", "assay-luid|", "assay-wmi|", "assay-used|"}, readWindows},
	{"Win32_VideoController", []string{"adapterram", "4293918720", "win32_videocontroller"}, readWMI},
	{"nvidia-smi -q", []string{"nvsmi log"}, readLongList},
	{"nvidia-smi query", []string{"memory.", "utilization.gpu", "process_name", "used_gpu_memory", "used_memory"}, readHeaded},
	{"nvidia-smi table", []string{"mib", "not supported", "|"}, readTable},
	{"nvidia-smi version", []string{"nvidia-smi version", "nvml version"}, readVersion},
	{"nvidia-smi -L", []string{"(uuid:"}, readList},
	{"amdgpu", []string{"mem_info_"}, readAMDFiles},
	{"amd-smi", []string{"total_vram", "total_gtt", "vram_total", "gtt_total"}, readAMDSMI},
	{"rocm-smi", []string{"rocm", "vram%", "vram total"}, readROCm},
	{"xe", []string{"usage:", "usage :", "debug/dri"}, readXe},
	{"macOS", []string{"chipset model", "spdisplaysdatatype", "hw.memsize"}, readApple},
	{"nvidia-smi query", []string{","}, readBare},
	{"nvidia-smi", nil, readFault},
	{"/proc/meminfo", []string{"memtotal"}, readMeminfo},
}

// Read reads an output of a vendor's tool, recognised by what it says and not by its name, which is used in errors only. It
// returns an error that wraps [ErrNotRecognised] when it is none that is known.
//
// A recorded output knows one machine in one moment: the memory of a card that uses the machine's is known only when the
// output names that, too.
func Read(name string, content []byte) (Reading, error) {
	if len(content) > MaxRecorded {
		return Reading{}, fmt.Errorf("read %s: it has %d bytes, more than the %d of the largest output of these tools", name, len(content), MaxRecorded)
	}
	text := plainText(content)
	low := strings.ToLower(text)
	for _, r := range readers {
		marked := r.marks == nil
		for _, mark := range r.marks {
			marked = marked || strings.Contains(low, mark)
		}
		var s Status
		if !marked || !r.read(text, &s) {
			continue
		}
		if r.source == "nvidia-smi query" || r.source == "nvidia-smi table" {
			if kind, note := nvidiaFault(text); kind != "" && kind != KindNoPermission {
				s.say(kind, note)
			}
		}
		if s.MemoryTotal == nil && s.MemoryFree == nil {
			s.MemoryTotal, s.MemoryFree = meminfo(text)
		}
		for i := range s.GPUs {
			shareMemory(&s.GPUs[i], s.MemoryTotal, s.MemoryFree)
		}
		s.settle()
		return Reading{s, r.source}, nil
	}
	return Reading{}, fmt.Errorf("read %s: %w", name, ErrNotRecognised)
}

// plainText decodes what PowerShell writes to a file (UTF-16) and takes marks of the order of bytes and carriage returns out.
func plainText(b []byte) string {
	if len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		var order binary.ByteOrder = binary.LittleEndian
		if b[0] == 0xfe {
			order = binary.BigEndian
		}
		var u []uint16
		for b = b[2:]; len(b) >= 2; b = b[2:] {
			u = append(u, order.Uint16(b))
		}
		b = []byte(string(utf16.Decode(u)))
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(b), "?"), "\ufeff")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
}

// readHeaded reads tables whose first line names the columns; two of them may follow one another.
func readHeaded(text string, s *Status) bool {
	var columns []string
	found, hidden, windows := false, false, false
	number := 0
	for line := range strings.Lines(text) {
		if h := header(line); h != nil {
			columns, found = h, true
			continue
		}
		switch {
		case columns == nil:
		case isProcesses(columns):
			h, w := processesOf(readCSV(line, columns, "process_name"), s)
			hidden, windows = hidden || h, windows || w
		default:
			for _, r := range readCSV(line, columns, "name") {
				if len(s.GPUs) < maxCards && cardLike(r) {
					nvidiaCard(r, number, s)
					number++
				}
			}
		}
	}
	sayProcesses(s, hidden, windows)
	return found && (len(s.GPUs) > 0 || len(s.Processes) > 0 || isProcesses(columns))
}

func isProcesses(columns []string) bool {
	for _, c := range columns {
		if c == "pid" || c == "process_name" {
			return true
		}
	}
	return false
}

// cardLike reports whether a record is of a card: one of its figures is a figure or says why it is none. A bad one beside it is
// that figure's fault and not the line's.
func cardLike(r record) bool {
	asked := false
	for column, value := range r {
		if strings.HasPrefix(column, "memory.") || column == "utilization.gpu" {
			if value != "" && answered(value) {
				return true
			}
			asked = true
		}
	}
	return !asked
}

// sayProcesses says what a list of programs can be used for.
func sayProcesses(s *Status, hidden, windows bool) {
	switch {
	case len(s.Processes) == 0:
	case hidden && windows:
		s.say(KindWDDM, wddmNote)
	case hidden:
		s.say(KindWSL2, wsl2Note)
	default:
		s.say(KindProcesses, "these are the programs on the card; together they may hold less than is in use, because the driver's own part and the programs of others are not in it")
	}
}

// readBare reads a table without a header: programs, or cards with their name, total and free memory, with or without the
// number in front.
func readBare(text string, s *Status) bool {
	var programs, cards []record
	for line := range strings.Lines(text) {
		f := splitCSV(strings.TrimSpace(line))
		n := len(f)
		if n < 3 {
			if kind, _ := nvidiaFault(line); kind == "" && strings.TrimSpace(line) != "" {
				return false // some other list with commas
			}
			continue
		}
		_, notPID := strconv.Atoi(f[0])
		last, lastWhy := mib(f[n-1])
		second, secondWhy := mib(f[n-2])
		switch {
		case notPID == nil && (secondWhy == faulty || n == 3 && second == nil) && lastWhy != faulty:
			programs = append(programs, record{"pid": f[0], "process_name": strings.Join(f[1:n-1], ", "), "used_gpu_memory": f[n-1]})
		case strings.HasPrefix(f[0], "GPU-") && secondWhy == faulty && lastWhy != faulty:
			programs = append(programs, record{"uuid": f[0], "pid": f[1], "process_name": strings.Join(f[2:n-1], ", "), "used_gpu_memory": f[n-1]})
		case answered(f[n-2]) && answered(f[n-1]) && (last == nil || second == nil || *last <= *second || vendorOf(strings.Join(f[:n-2], ", ")) == "nvidia"):
			r := record{"name": strings.Join(f[:n-2], ", "), "memory.total": f[n-2], "memory.free": f[n-1]}
			if notPID == nil && n > 3 {
				r["index"], r["name"] = f[0], strings.Join(f[1:n-2], ", ")
			}
			cards = append(cards, r)
		default:
			return false
		}
	}
	hidden, windows := processesOf(programs, s)
	sayProcesses(s, hidden, windows)
	for i, r := range cards {
		if len(s.GPUs) < maxCards && vendorOf(r["name"]) == "nvidia" {
			nvidiaCard(r, i, s)
		}
	}
	if len(s.GPUs) > 0 {
		s.say(KindGuessed, "the table has no header, so its last two columns were taken for the total and the free memory, in MiB")
	}
	return len(s.GPUs) > 0 || len(s.Processes) > 0
}

// readFault reads a sentence of the driver.
func readFault(text string, s *Status) bool {
	kind, note := nvidiaFault(text)
	if kind == "" {
		if field := fieldUnknown(text); field != "" {
			s.say(KindOldDriver, "this driver's nvidia-smi does not know the field "+field+" and refused the whole query; it is asked again without the field")
			return true
		}
		return false
	}
	s.say(kind, note)
	return true
}

var versionLine = regexp.MustCompile(`(?im)^\s*(KMD|DRIVER|NVIDIA-SMI|NVML) version\s*:\s*([0-9][0-9.]*)`)

// readVersion reads the list of versions, which names no card. From driver 610 on some of its words are others.
func readVersion(text string, s *Status) bool {
	version := ""
	for _, word := range []string{"KMD", "DRIVER", "NVIDIA-SMI", "NVML"} {
		for _, m := range versionLine.FindAllStringSubmatch(text, 20) {
			if version == "" && strings.EqualFold(m[1], word) {
				version = m[2]
			}
		}
	}
	if version == "" {
		return false
	}
	s.say(KindVersion, "this names the versions only (driver "+version+") and no card, so the memory is unknown; print the cards with plain nvidia-smi")
	return true
}

var listLine = regexp.MustCompile(`(?m)^\s*(?:GPU (\d+): (.+?)|(MIG) .*?) \(UUID: ([A-Za-z0-9/-]+)\)`)

// readList reads nvidia-smi -L: names and no memory.
func readList(text string, s *Status) bool {
	for _, m := range listLine.FindAllStringSubmatch(text, maxCards) {
		if m[3] != "" {
			if n := len(s.GPUs); n > 0 && !s.GPUs[n-1].sliced {
				s.GPUs[n-1].sliced = true
				s.sayOf(KindMIG, sliceNote(s.GPUs[n-1]))
			}
			continue
		}
		index, _ := strconv.Atoi(m[1])
		s.GPUs = append(s.GPUs, GPU{Index: index, Name: m[2], Vendor: "nvidia", UUID: m[4]})
		s.sayOf(KindUnknown, "this list has the name of "+m[2]+" and not its memory, which is unknown; print it with plain nvidia-smi")
	}
	return len(s.GPUs) > 0
}

// readXe reads the report of xe's memory manager.
func readXe(text string, s *Status) bool {
	total, used := readVRAMManager(text)
	if low := strings.ToLower(text); total == nil && strings.Contains(low, "debug/dri") && strings.Contains(low, "permission denied") {
		s.say(KindNoPermission, "the kernel shows the memory of the card in its debug folder to root only, so what is in use is unknown")
		return true
	}
	if total == nil {
		return false
	}
	g := GPU{Name: "Intel card", Vendor: "intel", Driver: "xe", MemoryTotal: total}
	if used != nil && *used <= *total {
		g.MemoryUsed, g.MemoryFree = used, size(*total-*used)
	}
	s.GPUs = append(s.GPUs, g)
	s.sayOf(KindRoot, "these figures of xe's memory manager are shown to root only: for others the used memory of the card is unknown")
	return true
}
