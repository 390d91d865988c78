package gpu

import (
	"regexp"
	"strconv"
	"strings"
)

// The lines of what nvidia-smi prints without a query. The columns are as wide as the driver's release has them, so they are
// told by what stands in them. The banner is not relied on: driver 610 renamed its words.
var (
	// |   0  NVIDIA GeForce RTX 5060 ...    Off |   00000000:01:00.0 Off |                  N/A |
	tableName = regexp.MustCompile(`^\|+\s*(\d{1,3})\s+(\S.*?)\s+(On|Off|N/A|WDDM|TCC|MCDM)\s*\|\s*([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])\s+(\S+)\s*\|`)
	// | N/A   37C    P8              4W /   45W |       2MiB /   8151MiB |      0%      Default |
	tableUse    = regexp.MustCompile(`^\|+\s*(?:\S+\s+)?(?:(\d+)C|N/A|ERR!)\s+(P\d+|N/A|ERR!)?\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|\s*(\S+)[^|]*\|`)
	tableMemory = regexp.MustCompile(`^(\d+)\s*MiB\s*/\s*(\d+)\s*MiB$`)
	tablePower  = regexp.MustCompile(`^(\d+)\s*W\s*/`)
	// |                                         |                        |              Enabled |
	tableMIG = regexp.MustCompile(`^\|+\s*\|\s*\|\s*(Enabled|Disabled|N/A)\*?\s*\|`)
	// |  0    1   0   0  |              44MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |
	tableSlice = regexp.MustCompile(`^\|+\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\|\s*(\d+)\s*MiB\s*/\s*(\d+)\s*MiB\s*\|`)
	// |    0   N/A  N/A             102      C   /usr/bin/python3                              253MiB |
	tableProcess = regexp.MustCompile(`^\|+\s*(\d+)\s+(?:(?:N/A|\d+)\s+(?:N/A|\d+)\s+)?(\d+)\s+(M?\+?C\+G|M\+C|C|G)\s+(\S.*?)\s+(\d+\s*MiB|N/A)\s*\|`)
	driverWords  = regexp.MustCompile(`(?:Driver|KMD) Version\s*:\s*([0-9][0-9.]*)`)
)

// readTable reads the table of nvidia-smi, or any part of it, and adds what it says. It returns whether there was anything.
func readTable(text string, s *Status) bool {
	driver := ""
	if m := driverWords.FindStringSubmatch(text); m != nil {
		driver = m[1]
	}
	before, lines := len(s.GPUs), 0
	g, wddm, noBusy := (*GPU)(nil), false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := tableName.FindStringSubmatch(line); m != nil && len(s.GPUs) < maxCards {
			index, _ := strconv.Atoi(m[1])
			s.GPUs = append(s.GPUs, GPU{Index: index, Name: m[2], Vendor: "nvidia", Bus: busAddress(m[4]), Driver: driver})
			g = &s.GPUs[len(s.GPUs)-1]
			wddm = wddm || m[3] == "WDDM"
			lines++
		} else if m := tableSlice.FindStringSubmatch(line); m != nil {
			addSlice(s, before, m)
			g = nil
			lines++
		} else if m := tableProcess.FindStringSubmatch(line); m != nil {
			processesOf([]record{{"pid": m[2], "process_name": m[4], "used_gpu_memory": strings.TrimSuffix(m[5], "MiB"), "uuid": m[1]}}, s)
			lines++
		} else if m := tableMIG.FindStringSubmatch(line); m != nil && g != nil {
			g.sliced = g.sliced || m[1] == "Enabled"
		} else if m := tableUse.FindStringSubmatch(line); m != nil && g != nil {
			lines++
			noBusy = readUse(g, m) || noBusy
		}
	}
	for i := before; i < len(s.GPUs); i++ {
		sayTable(s, i)
	}
	switch {
	case wddm:
		s.say(KindWDDM, wddmNote)
	case noBusy && !s.has(KindMIG) && !s.has(KindUnified):
		s.say(KindWSL2, noBusyNote)
	}
	return lines > 0
}

// readUse reads the second line of a card. It returns whether the driver does not say how busy the card is.
func readUse(g *GPU, m []string) (noBusy bool) {
	g.Temperature, _ = figure(m[1], 1, 1000)
	if strings.HasPrefix(m[2], "P") {
		g.State = m[2]
	}
	if p := tablePower.FindStringSubmatch(m[3]); p != nil {
		g.Power, _ = figure(p[1], 1000, 100_000)
	}
	if p := tableMemory.FindStringSubmatch(m[4]); p != nil {
		g.MemoryUsed, _ = mib(p[1])
		g.MemoryTotal, _ = mib(p[2])
	} else {
		_, w := mib(m[4])
		g.Shared = w == notGiven && unifiedName(g.Name)
	}
	busy, w := figure(strings.TrimSuffix(m[5], "%"), 1, 100)
	g.Busy = busy
	return w == notGiven
}

// addSlice adds a slice to its board, which is made when the part of the table that names it was not given.
func addSlice(s *Status, before int, m []string) {
	index, _ := strconv.Atoi(m[1])
	device, _ := strconv.Atoi(m[4])
	var board *GPU
	for i := before; i < len(s.GPUs); i++ {
		if s.GPUs[i].Index == index {
			board = &s.GPUs[i]
		}
	}
	if board == nil {
		if len(s.GPUs) == maxCards {
			return
		}
		s.GPUs = append(s.GPUs, GPU{Index: index, Name: "NVIDIA card", Vendor: "nvidia"})
		board = &s.GPUs[len(s.GPUs)-1]
	}
	board.sliced = true
	sl := Slice{Device: device}
	sl.Used, _ = mib(m[5])
	sl.Total, _ = mib(m[6])
	// Two instances of computing in one slice of memory stand on two lines with the same memory.
	if len(board.Slices) < maxCards {
		board.Slices = append(board.Slices, sl)
	}
}

// sayTable says what is odd about a card of the table.
func sayTable(s *Status, i int) {
	g := s.GPUs[i]
	add := func(k Kind, text string) { s.Conditions = append(s.Conditions, Condition{k, i, text}) }
	switch {
	case g.sliced && len(g.Slices) > 0:
		add(KindMIG, slicesNote(g))
	case g.sliced:
		add(KindMIG, sliceNote(g))
	case g.Shared:
		add(KindUnified, unifiedNote(g.Name))
	case g.MemoryTotal == nil:
		add(KindUnknown, "the table does not give the memory of "+g.Name+", so it is unknown")
	case idle(g):
		add(KindIdle, idleNote(g))
	}
}

// slicesNote says how large the slices of a board are.
func slicesNote(g GPU) string {
	var sizes []string
	for _, sl := range g.Slices {
		if sl.Total != nil {
			sizes = append(sizes, strconv.FormatInt(*sl.Total>>20, 10))
		}
	}
	return g.Name + " is cut into slices (MIG) of " + strings.Join(sizes, ", ") + " MiB: a model may use one of them and never the whole board"
}
