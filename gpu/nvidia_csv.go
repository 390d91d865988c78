package gpu

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// maxCards and maxProcesses bound what is read: the largest NVIDIA machines have 16 boards.
const (
	maxCards     = 64
	maxProcesses = 1000
)

// record is one line of a table of nvidia-smi, by the names of its fields.
type record map[string]string

// readCSV reads the lines of a table by the positions of their fields. A line with more fields than there are columns has
// commas in its name, which is the column that may hold them; a line with fewer is no answer and is left out, because a
// fault of one card stands between the lines of the others.
func readCSV(text string, columns []string, named string) []record {
	at := -1
	for i, c := range columns {
		if c == named {
			at = i
		}
	}
	var out []record
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		fields := splitCSV(line)
		extra := len(fields) - len(columns)
		if line == "" || extra < 0 || extra > 0 && at < 0 || len(out) == maxProcesses {
			continue
		}
		r := record{}
		for i, c := range columns {
			switch {
			case at < 0 || i < at:
				r[c] = fields[i]
			case i == at:
				r[c] = strings.Join(fields[i:i+extra+1], ", ")
			default:
				r[c] = fields[i+extra]
			}
		}
		out = append(out, r)
	}
	return out
}

// splitCSV parts a line at the commas outside quotes and trims the parts.
func splitCSV(line string) []string {
	var out []string
	var field strings.Builder
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			out = append(out, strings.TrimSpace(field.String()))
			field.Reset()
		default:
			field.WriteRune(r)
		}
	}
	return append(out, strings.TrimSpace(field.String()))
}

// header reads the first line of a table as the names of its columns, without their units, in the spelling of the query. It
// returns nil when the line is none.
func header(line string) []string {
	columns := splitCSV(strings.TrimSpace(line))
	known := 0
	for i, c := range columns {
		c, _, _ = strings.Cut(strings.ToLower(c), " [")
		switch c {
		case "gpu_name":
			c = "name"
		case "gpu_uuid", "gpu_serial":
			c = "uuid"
		case "gpu_bus_id":
			c = "pci.bus_id"
		case "used_memory":
			c = "used_gpu_memory"
		case "power.draw.average", "power.draw.instant":
			c = "power.draw"
		}
		columns[i] = c
		if strings.HasPrefix(c, "memory.") || strings.HasPrefix(c, "utilization.") || c == "name" || c == "used_gpu_memory" || c == "pid" || c == "uuid" || c == "index" {
			known++
		}
	}
	if known == 0 || known < 2 && len(columns) > 1 {
		return nil
	}
	return columns
}

// Why a figure is missing.
type why int

const (
	given     why = iota
	notGiven      // [N/A], [Not Supported]: this card has no such figure
	forbidden     // [Insufficient Permissions]
	faulty        // [Unknown Error], ERR!, an absurd value
)

// figure reads a whole number up to limit, with or without its unit, and returns it times unit; or nil and why.
func figure(field string, unit, limit int64) (*int64, why) {
	field = strings.Trim(strings.TrimSpace(field), "[]")
	switch strings.ToLower(field) {
	case "", "n/a", "not supported", "not available", "requested functionality has been deprecated":
		return nil, notGiven
	case "insufficient permissions":
		return nil, forbidden
	}
	number, word, _ := strings.Cut(field, " ")
	switch word {
	case "", "MiB", "%", "W", "C":
	default:
		return nil, faulty
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !plainFigure.MatchString(number) || v > float64(limit) {
		return nil, faulty
	}
	return size(int64(v * float64(unit))), given
}

// plainFigure is a number as the tool writes it; strconv takes more, such as 1e4 and 0x1p4.
var plainFigure = regexp.MustCompile(`^[0-9]{1,18}(\.[0-9]{1,9})?$`)

// absurdFigure is a number that no card has, such as -5 or 1e300: the figure is faulty, and the line is a card's all the same.
var absurdFigure = regexp.MustCompile(`^[-+]?[0-9][0-9.eE+-]{0,400}( (MiB|%|W|C))?$`)

// answered reports whether a field is an answer about a figure, be it that there is none or an absurd one.
func answered(field string) bool {
	if _, w := mib(field); w != faulty {
		return true
	}
	field = strings.TrimSpace(field)
	return strings.Contains(field, "rr") || absurdFigure.MatchString(field) // ERR!, [Unknown Error]
}

// mib reads a size in MiB, up to a pebibyte.
func mib(field string) (*int64, why) { return figure(field, 1<<20, 1<<30) }

// nvidiaCard makes a card of a record and says what is odd about it. The number is the record's place, for a table without
// the column index.
func nvidiaCard(r record, number int, s *Status) {
	g := GPU{Index: number, Name: r["name"], Vendor: "nvidia", UUID: r["uuid"], Bus: busAddress(r["pci.bus_id"])}
	if n, err := strconv.Atoi(r["index"]); err == nil && n >= 0 {
		g.Index = n
	}
	if g.Name == "" {
		g.Name = "NVIDIA card"
	}
	if d := r["driver_version"]; d != "" && !strings.HasPrefix(d, "[") {
		g.Driver = d
	}
	if strings.HasPrefix(g.UUID, "[") {
		g.UUID = ""
	}
	missing, nonsense := map[why]int{}, ""
	for _, f := range []struct {
		column string
		to     **int64
	}{
		{"memory.total", &g.MemoryTotal}, {"memory.used", &g.MemoryUsed}, {"memory.free", &g.MemoryFree},
		{"memory.reserved", &g.MemoryReserved},
	} {
		field, asked := r[f.column]
		if !asked {
			continue
		}
		var w why
		if *f.to, w = mib(field); f.column != "memory.reserved" {
			missing[w]++
			if w == faulty && nonsense == "" && absurdFigure.MatchString(strings.TrimSpace(field)) {
				nonsense = strings.TrimPrefix(f.column, "memory.") + " " + clip(strings.TrimSpace(field))
			}
		}
	}
	if nonsense != "" { // of a line with one figure that cannot be, the others are not believed either
		g.MemoryTotal, g.MemoryUsed, g.MemoryFree, g.MemoryReserved = nil, nil, nil, nil
	}
	var busyWhy why
	g.Busy, busyWhy = figure(r["utilization.gpu"], 1, 100)
	g.Temperature, _ = figure(r["temperature.gpu"], 1, 1000)
	g.Power, _ = figure(r["power.draw"], 1000, 100_000)
	if state := r["pstate"]; strings.HasPrefix(state, "P") {
		g.State = state
	}
	g.sliced = strings.HasPrefix(r["mig.mode.current"], "Enabled")
	g.Shared = missing[given] == 0 && missing[notGiven] > 0 && missing[forbidden]+missing[faulty] == 0 && !g.sliced && unifiedName(g.Name)
	s.GPUs = append(s.GPUs, g)
	sayMemory(s, g, missing, nonsense)
	sayUse(s, g, r, busyWhy)
}

// sayMemory says why a card's memory is unknown, or whose it is.
func sayMemory(s *Status, g GPU, missing map[why]int, nonsense string) {
	switch {
	case nonsense != "":
		s.sayOf(KindUnknown, "the driver says of the memory of "+g.Name+" what cannot be ("+nonsense+"), so it is unknown; print the cards again, or state the free memory yourself before a model is planned for it")
	case g.sliced:
		s.sayOf(KindMIG, sliceNote(g))
	case missing[forbidden] > 0:
		s.sayOf(KindNoPermission, "the driver hides the memory of "+g.Name+" from this environment (insufficient permissions), so it is unknown; plain nvidia-smi may list the slice that is given to it")
	case g.Shared:
		s.sayOf(KindUnified, unifiedNote(g.Name))
	case missing[notGiven]+missing[faulty] > 0 && (g.MemoryTotal == nil || g.MemoryFree == nil):
		s.sayOf(KindUnknown, "the driver does not give the memory of "+g.Name+", so it is unknown; state the size yourself before a model is planned for it")
	}
}

// clip keeps a figure that is repeated in a sentence short.
func clip(s string) string {
	if len(s) > 24 {
		return s[:24] + "..."
	}
	return s
}

// sayUse says what is worth knowing about how a card is used.
func sayUse(s *Status, g GPU, r record, busy why) {
	switch {
	case r["driver_model.current"] == "WDDM":
		s.sayOf(KindWDDM, wddmNote)
	case g.Busy != nil && *g.Busy == 100 && g.MemoryUsed != nil && *g.MemoryUsed == 0:
		s.sayOf(KindSampling, g.Name+" is said to be 100 % busy with no memory in use, which is an artefact of how the driver samples; its memory counts")
	case busy == notGiven && r["utilization.gpu"] != "" && g.MemoryTotal != nil && !g.sliced && r["mig.mode.current"] == "":
		s.sayOf(KindWSL2, noBusyNote)
	case idle(g):
		s.sayOf(KindIdle, idleNote(g))
	}
}

const (
	wddmNote = "Windows' driver model (WDDM) gives the memory of the card and not of each program, so who holds it is known by name only"
	wsl2Note = "under Windows' Linux (WSL2) the memory of the card is right, and that of each program is not given, so who holds it is known by name only"
	// noBusyNote is for the older drivers of Windows' Linux, as recorded in 2021.
	noBusyNote = "the driver does not say how busy the card is, as older ones under Windows' Linux (WSL2) do not; its memory is right"
)

func unifiedNote(name string) string {
	return name + " has no memory of its own and uses the machine's: what counts is the memory the machine has free"
}

func sliceNote(g GPU) string {
	return g.Name + " is cut into slices (MIG), so a model may use one slice and never the whole board; plain nvidia-smi lists the slices"
}

func idleNote(g GPU) string {
	return g.Name + " is idle and shows no screen: all of its memory but the driver's reserve can be used"
}

// idle reports whether a card does nothing and shows nothing, as the second card of a laptop.
func idle(g GPU) bool {
	return g.MemoryUsed != nil && *g.MemoryUsed <= 16<<20 && (g.Busy == nil || *g.Busy == 0) && sleepy(g.State)
}

// sleepy reports whether a state of performance is one of rest: P8 and beyond.
func sleepy(state string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(state, "P"))
	return err == nil && strings.HasPrefix(state, "P") && n >= 8
}

// unifiedName reports whether NVIDIA's card of this name uses the machine's memory, or has no name at all. A graphics card
// that gives no figures is not one of them.
func unifiedName(name string) bool {
	for _, word := range []string{"GB10", "GB20", "Thor", "Orin", "Xavier", "Tegra", "Jetson", "NVIDIA card"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

var busForm = regexp.MustCompile(`^([0-9A-Fa-f]{4,8}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})\.([0-9A-Fa-f])$`)

// busAddress is a PCI address as the kernel writes it: 00000000:01:00.0 is 0000:01:00.0. It is "" when s is none.
func busAddress(s string) string {
	m := busForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	domain := m[1]
	if len(domain) > 4 {
		domain = domain[len(domain)-4:]
	}
	return strings.ToLower(fmt.Sprintf("%s:%s:%s.%s", domain, m[2], m[3], m[4]))
}

// processesOf reads a list of the programs on the cards. It returns whether their memory is hidden, and whether they are
// Windows' programs.
func processesOf(records []record, s *Status) (hidden, windows bool) {
	for _, r := range records {
		pid, err := strconv.Atoi(r["pid"])
		if err != nil || pid < 0 || len(s.Processes) == maxProcesses {
			continue
		}
		p := Process{PID: pid, Name: programName(r["process_name"]), GPU: r["uuid"]}
		var w why
		p.Bytes, w = mib(r["used_gpu_memory"])
		hidden = hidden || w != given
		windows = windows || strings.Contains(r["process_name"], `\`) || strings.HasSuffix(strings.ToLower(p.Name), ".exe") || forbiddenName(r["process_name"])
		s.Processes = append(s.Processes, p)
	}
	return hidden, windows
}

// forbiddenName reports whether the driver hides a program's name, which Windows' does with those of the system.
func forbiddenName(s string) bool { return strings.EqualFold(s, "[Insufficient Permissions]") }

const unknownProgram = "unknown program"

// programName is a program's file name without its folders.
func programName(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasPrefix(s, "[") {
		return unknownProgram
	}
	if !strings.Contains(s, `\`) {
		// A program may be given with its arguments; a folder with a blank in it is Windows'.
		s, _, _ = strings.Cut(s, " ")
	}
	return path.Base(strings.ReplaceAll(s, `\`, "/"))
}
