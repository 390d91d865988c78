package gpu

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// nvidiaFields are asked for and read by position. Those from the sixth on are not in every driver: one field that the tool
// does not know fails the whole query, so it is taken out and asked again. The first five are in every driver since 2013.
var nvidiaFields = []string{
	"index", "name", "memory.total", "memory.free", "utilization.gpu",
	"memory.used", "uuid", "pci.bus_id", "memory.reserved", "temperature.gpu", "power.draw", "pstate", "driver_version",
	"mig.mode.current",
}

const (
	firstFields   = 5 // of nvidiaFields, never taken out
	mostRetries   = 3 // fields taken out one by one before only the first are asked for
	processFields = "gpu_uuid,pid,process_name,used_gpu_memory"
)

// nvidiaTools are where the tool is: on the PATH, under Windows' Linux, and where older drivers of Windows put it.
func (m Monitor) nvidiaTools() []string {
	if m.system() == "windows" {
		return []string{"nvidia-smi", `C:\Windows\System32\nvidia-smi.exe`, `C:\Program Files\NVIDIA Corporation\NVSMI\nvidia-smi.exe`}
	}
	return []string{"nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"}
}

// nvidia adds NVIDIA's cards as its own tool reports them. A card that is switched off to save power is not asked, because
// the question would switch it on.
func (m Monitor) nvidia(ctx context.Context, cards []pciCard, s *Status) {
	ctx, cancel := context.WithTimeout(ctx, 3*m.timeout()) // for all questions together
	defer cancel()
	var awake, asleep []pciCard
	for _, c := range cards {
		switch {
		case c.vendor != pciNVIDIA || c.driver != "nvidia" && c.driver != "":
		case c.asleep && !m.Wake:
			asleep = append(asleep, c)
		default:
			awake = append(awake, c)
		}
	}
	if len(awake) > 0 || len(asleep) == 0 {
		m.askNVIDIA(ctx, awake, asleep, s)
	}
	for _, c := range asleep {
		s.GPUs = append(s.GPUs, GPU{Name: m.procName(c), Vendor: "nvidia", Bus: c.bus, Driver: c.driver, Asleep: true, MaySleep: true})
		s.sayOf(KindAsleep, s.GPUs[len(s.GPUs)-1].Name+" is switched off to save power, so its memory is unknown until a model or a question wakes it")
	}
	for i := range s.GPUs {
		for _, c := range cards {
			if c.bus != "" && c.bus == s.GPUs[i].Bus {
				s.GPUs[i].MaySleep = c.maySleep
			}
		}
	}
}

// askNVIDIA asks the tool, for all cards at once unless some are asleep.
func (m Monitor) askNVIDIA(ctx context.Context, awake, asleep []pciCard, s *Status) {
	var only []string
	if len(asleep) > 0 {
		for _, c := range awake {
			only = append(only, c.bus)
		}
	}
	fields, out, err := m.query(ctx, only)
	switch {
	case missing(err):
		if len(awake) > 0 {
			s.say(KindOtherDriver, "an NVIDIA card is there and its tool nvidia-smi is not: install NVIDIA's driver with its tools; until then the card is unknown")
		}
		return
	case errors.Is(err, context.DeadlineExceeded):
		s.say(KindNoAnswer, "nvidia-smi did not answer within "+m.timeout().String()+", so the graphics card is unknown; its driver may hang")
		return
	case errors.Is(err, context.Canceled):
		s.say(KindUnknown, "the graphics card was not asked")
		return
	}
	readNVIDIA(out, fields, s)
	if kind, note := nvidiaFault(out); kind != "" && (kind != KindNoPermission || len(s.GPUs) == 0) {
		s.say(kind, note)
		if kind == KindOffBus {
			m.oneByOne(ctx, fields, s)
		}
	} else if err != nil && len(s.GPUs) == 0 {
		s.say(KindToolFailed, "nvidia-smi failed, so the graphics card is unknown; run nvidia-smi by hand to see why")
	} else if len(s.GPUs) == 0 && len(awake) > 0 {
		s.say(KindNoDevices, "nvidia-smi names no card, although one is built in; look whether its driver is loaded")
	}
	if len(s.GPUs) > 0 {
		m.nvidiaDetails(ctx, s)
	}
}

// query asks for all fields, without those the tool does not know. It returns the fields that were asked for at last and
// what was printed to both outputs.
func (m Monitor) query(ctx context.Context, only []string) (fields []string, out string, err error) {
	fields = slices.Clone(nvidiaFields)
	if m.system() == "windows" {
		fields = append(fields, "driver_model.current")
	}
	for try := 0; ; try++ {
		args := []string{"--query-gpu=" + strings.Join(fields, ","), "--format=csv,noheader,nounits"}
		if len(only) > 0 {
			args = append(args, "-i", strings.Join(only, ","))
		}
		stdout, stderr, err := m.run(ctx, m.nvidiaTools(), args...)
		out = string(stdout) + "\n" + string(stderr)
		unknown := slices.Index(fields, fieldUnknown(out))
		if unknown < firstFields || try > mostRetries {
			return fields, out, err
		}
		if fields = slices.Delete(fields, unknown, unknown+1); try == mostRetries {
			fields = fields[:firstFields]
		}
	}
}

// oneByOne asks each card by its number, because the tool ends at the first that does not answer. It ends at a number that
// no card has.
func (m Monitor) oneByOne(ctx context.Context, fields []string, s *Status) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout())
	defer cancel()
	for i := range maxCards {
		if slices.ContainsFunc(s.GPUs, func(g GPU) bool { return g.Index == i }) {
			continue
		}
		stdout, stderr, err := m.run(ctx, m.nvidiaTools(), "--query-gpu="+strings.Join(fields, ","), "--format=csv,noheader,nounits", "-i", strconv.Itoa(i))
		kind, _ := nvidiaFault(string(stdout) + string(stderr))
		if ctx.Err() != nil || err != nil && kind != KindOffBus {
			return
		}
		readNVIDIA(string(stdout), fields, s)
	}
}

// readNVIDIA reads the answer to a query by position.
func readNVIDIA(out string, fields []string, s *Status) {
	for _, r := range readCSV(out, fields, "name") {
		if n, err := strconv.Atoi(r["index"]); err == nil && n >= 0 && r["name"] != "" && len(s.GPUs) < maxCards {
			nvidiaCard(r, n, s)
		}
	}
}

// nvidiaDetails asks for what the first answer called for: the programs on the cards, and the slices of a board.
func (m Monitor) nvidiaDetails(ctx context.Context, s *Status) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout())
	defer cancel()
	stdout, _, err := m.run(ctx, m.nvidiaTools(), "--query-compute-apps="+processFields, "--format=csv,noheader,nounits")
	if err == nil {
		columns := header(processFields)
		if hidden, _ := processesOf(readCSV(string(stdout), columns, "process_name"), s); hidden && m.wsl() && !s.has(KindWSL2) {
			s.say(KindWSL2, wsl2Note)
		}
	}
	if !slices.ContainsFunc(s.GPUs, func(g GPU) bool { return g.sliced }) && !s.has(KindNoPermission) {
		return
	}
	stdout, _, err = m.run(ctx, m.nvidiaTools())
	var table Status
	if err != nil || !readTable(string(stdout), &table) {
		return
	}
	for _, board := range table.GPUs {
		for i := range s.GPUs {
			if g := &s.GPUs[i]; g.Index == board.Index && len(board.Slices) > 0 {
				g.Slices, g.sliced = board.Slices, true
				s.Conditions = slices.DeleteFunc(s.Conditions, func(c Condition) bool {
					return c.GPU == i && (c.Kind == KindMIG || c.Kind == KindNoPermission)
				})
				s.Conditions = append(s.Conditions, Condition{KindMIG, i, slicesNote(*g)})
			}
		}
	}
}
