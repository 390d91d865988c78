package gpu

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fakeSMI plays nvidia-smi: it answers a query for cards from their values by field, as the tool does.
type fakeSMI struct {
	cards   []record
	lost    int      // the number of the card that fell off the bus; -1 for none
	unknown []string // fields that this driver does not know
	apps    string   // the answer to the query for programs
	table   string   // what is printed without a query
	asked   []string // the command lines
}

func (f *fakeSMI) run(ctx context.Context, name string, args ...string) ([]byte, []byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	f.asked = append(f.asked, strings.Join(args, " "))
	if len(args) == 0 {
		return []byte(f.table), nil, nil
	}
	if strings.HasPrefix(args[0], "--query-compute-apps=") {
		return []byte(f.apps), nil, nil
	}
	fields := strings.Split(strings.TrimPrefix(args[0], "--query-gpu="), ",")
	for _, field := range fields {
		if slices.Contains(f.unknown, field) {
			return []byte("Field \"" + field + "\" is not a valid field to query.\n\n"), nil, errors.New("exit status 2")
		}
	}
	only := ""
	if i := slices.Index(args, "-i"); i > 0 {
		only = args[i+1]
	}
	var out strings.Builder
	for i, card := range f.cards {
		bus := card["pci.bus_id"]
		if only != "" && only != strconv.Itoa(i) && (bus == "" || !strings.Contains(only, bus)) {
			continue
		}
		if i == f.lost {
			out.WriteString("Unable to determine the device handle for GPU0000:65:00.0: Unknown Error\n")
			return []byte(out.String()), nil, errors.New("exit status 255")
		}
		var values []string
		for _, field := range fields {
			v, ok := card[field]
			if !ok {
				v = "[N/A]"
			}
			values = append(values, v)
		}
		out.WriteString(strings.Join(values, ", ") + "\n")
	}
	if out.Len() == 0 {
		return []byte("No devices were found\n"), nil, errors.New("exit status 6")
	}
	return []byte(out.String()), nil, nil
}

func card(index int, name, total, free string, more ...string) record {
	r := record{"index": strconv.Itoa(index), "name": name, "memory.total": total, "memory.free": free, "utilization.gpu": "0"}
	for i := 0; i+1 < len(more); i += 2 {
		r[more[i]] = more[i+1]
	}
	return r
}

func (f *fakeSMI) monitor(t *testing.T, files map[string]string) Monitor {
	return Monitor{Run: f.run, Memory: eightGiB, Root: tree(t, files), System: "linux"}
}

func TestNVIDIA(t *testing.T) {
	f := &fakeSMI{lost: -1, cards: []record{
		card(0, "NVIDIA GeForce RTX 4080 SUPER", "16376", "15348", "memory.used", "596", "memory.reserved", "434", "uuid", "GPU-1",
			"pci.bus_id", "00000000:01:00.0", "temperature.gpu", "43", "power.draw", "26.20", "pstate", "P8", "driver_version", "595.71.05"),
		card(1, "Quadro, old", "100", "50"),
	}, apps: "GPU-1, 2210, /usr/bin/ollama, 512\n"}
	s := f.monitor(t, nil).Status(t.Context())
	checkStatus(t, s)
	if got := show(s.GPUs); got != "0 NVIDIA GeForce RTX 4080 SUPER 15348/15348/16376 0; 1 Quadro, old 50/50/100 0" || s.Note != "" || s.Kind != KindOK {
		t.Errorf("cards %q, note %q, kind %s", got, s.Note, s.Kind)
	}
	g := s.GPUs[0]
	if *g.Power != 26200 || *g.Temperature != 43 || g.State != "P8" || g.Driver != "595.71.05" || g.Bus != "0000:01:00.0" || *g.MemoryReserved != 434<<20 {
		t.Errorf("card %+v", g)
	}
	if len(s.Processes) != 1 || s.Processes[0].Name != "ollama" || *s.Processes[0].Bytes != 512<<20 || s.Processes[0].GPU != "GPU-1" {
		t.Errorf("programs %+v", s.Processes)
	}
}

// TestNVIDIAOldDriver holds that a field that a driver does not know costs that field and nothing else.
func TestNVIDIAOldDriver(t *testing.T) {
	for _, tc := range []struct {
		unknown []string
		used    bool
	}{
		{[]string{"memory.reserved"}, true},
		{[]string{"memory.reserved", "mig.mode.current"}, true},
		{[]string{"memory.used", "uuid", "pci.bus_id", "memory.reserved", "temperature.gpu", "power.draw", "pstate", "driver_version", "mig.mode.current"}, false},
	} {
		f := &fakeSMI{lost: -1, unknown: tc.unknown, cards: []record{card(0, "GeForce GTX 970", "4042", "3900", "memory.used", "142")}}
		s := f.monitor(t, nil).Status(t.Context())
		if show(s.GPUs) != "0 GeForce GTX 970 3900/3900/4042 0" || (s.GPUs[0].MemoryUsed != nil) != tc.used || s.Note != "" {
			t.Errorf("without %v: %s, note %q", tc.unknown, show(s.GPUs), s.Note)
		}
		if len(f.asked) > 2+mostRetries+1 {
			t.Errorf("without %v: asked %d times", tc.unknown, len(f.asked))
		}
	}
}

// TestNVIDIAOffTheBus holds that the cards behind one that fell off the bus are found, although the tool ends at it.
func TestNVIDIAOffTheBus(t *testing.T) {
	f := &fakeSMI{lost: 1, cards: []record{card(0, "A", "100", "50"), card(1, "B", "100", "50"), card(2, "C", "200", "60")}}
	files := map[string]string{}
	for _, bus := range []string{"0000:01:00.0", "0000:65:00.0", "0000:66:00.0"} {
		pciFiles(files, bus, "0x10de", "nvidia", "active")
	}
	for name, files := range map[string]map[string]string{"counted by the kernel": files, "not counted": nil} {
		s := f.monitor(t, files).Status(t.Context())
		if got := show(s.GPUs); got != "0 A 50/50/100 0; 2 C 60/60/200 0" || s.Kind != KindOffBus || !strings.Contains(s.Note, "0000:65:00.0") {
			t.Errorf("%s: cards %q, kind %s, note %q", name, got, s.Kind, s.Note)
		}
	}
	if len(f.asked) > 16 {
		t.Errorf("asked %d times", len(f.asked))
	}
}

// pciFiles adds a card to a made system.
func pciFiles(files map[string]string, bus, vendor, driver, runtimeStatus string) {
	dir := "sys/bus/pci/devices/" + bus + "/"
	files[dir+"class"] = "0x030000\n"
	files[dir+"vendor"] = vendor + "\n"
	files[dir+"device"] = "0x1234\n"
	files[dir+"uevent"] = "DRIVER=" + driver + "\nPCI_SLOT_NAME=" + bus + "\n"
	files[dir+"power/runtime_status"] = runtimeStatus + "\n"
	files[dir+"power/control"] = "auto\n"
}

// TestNVIDIAAsleep holds that a card that is switched off is not asked, which would switch it on; and that it is when the
// person wants it.
func TestNVIDIAAsleep(t *testing.T) {
	files := map[string]string{"proc/driver/nvidia/gpus/0000:01:00.0/information": "Model: \t\t NVIDIA GeForce RTX 5060 Laptop GPU\nIRQ: 12\n"}
	pciFiles(files, "0000:01:00.0", "0x10de", "nvidia", "suspended")
	f := &fakeSMI{lost: -1, cards: []record{card(0, "NVIDIA GeForce RTX 5060 Laptop GPU", "8151", "7800", "pci.bus_id", "00000000:01:00.0")}}
	m := f.monitor(t, files)
	s := m.Status(t.Context())
	checkStatus(t, s)
	if len(f.asked) != 0 || s.Kind != KindAsleep || show(s.GPUs) != "0 NVIDIA GeForce RTX 5060 Laptop GPU ?/?/? ?" || !s.GPUs[0].Asleep || !strings.Contains(s.Note, "switched off") {
		t.Errorf("asked %q, kind %s, cards %s, note %q", f.asked, s.Kind, show(s.GPUs), s.Note)
	}
	m.Wake = true
	if s = m.Status(t.Context()); show(s.GPUs) != "0 NVIDIA GeForce RTX 5060 Laptop GPU 7800/7800/8151 0" || s.GPUs[0].Asleep || !s.GPUs[0].MaySleep {
		t.Errorf("woken: %s, note %q", show(s.GPUs), s.Note)
	}
	// A second card that is awake is asked by its address, and only that one.
	pciFiles(files, "0000:02:00.0", "0x10de", "nvidia", "active")
	f = &fakeSMI{lost: -1, cards: []record{card(0, "sleeper", "1", "1", "pci.bus_id", "0000:01:00.0"), card(1, "NVIDIA B", "200", "60", "pci.bus_id", "0000:02:00.0")}}
	s = f.monitor(t, files).Status(t.Context())
	if got := show(s.GPUs); got != "1 NVIDIA B 60/60/200 0; 0 NVIDIA GeForce RTX 5060 Laptop GPU ?/?/? ?" {
		t.Errorf("cards %q after %q", got, f.asked)
	}
}

// TestNVIDIASlices holds that a board that is cut up counts by its slices, which stand in the table only.
func TestNVIDIASlices(t *testing.T) {
	f := &fakeSMI{lost: -1, cards: []record{card(0, "NVIDIA H100 80GB HBM3", "81559", "69956", "mig.mode.current", "Enabled", "utilization.gpu", "[N/A]")}, table: `
|  0    1   0   0  |           39000MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |
|  0    2   0   1  |              44MiB / 20096MiB    | 32      0 |  2   0    2    0    2 |
`}
	s := f.monitor(t, nil).Status(t.Context())
	if got := show(s.GPUs); got != "0 NVIDIA H100 80GB HBM3 20052/69956/81559 ?" || s.Kind != KindMIG || !strings.Contains(s.Note, "40448, 20096 MiB") {
		t.Errorf("cards %q, note %q", got, s.Note)
	}
	// Without the table nothing is usable for sure.
	f.table = ""
	if s = f.monitor(t, nil).Status(t.Context()); show(s.GPUs) != "0 NVIDIA H100 80GB HBM3 ?/69956/81559 ?" || s.Kind != KindMIG {
		t.Errorf("cards %q, kind %s", show(s.GPUs), s.Kind)
	}
	// A container with one slice sees no memory of the board, and its slice in the table.
	f.cards = []record{card(0, "NVIDIA A100-SXM4-80GB", "[Insufficient Permissions]", "[Insufficient Permissions]", "mig.mode.current", "Enabled")}
	f.table = "|  0    5   0   0  |              25MiB /  9856MiB  | 28      0 |  2   0    1    0    0 |\n"
	if s = f.monitor(t, nil).Status(t.Context()); show(s.GPUs) != "0 NVIDIA A100-SXM4-80GB 9831/?/? 0" || s.Kind != KindMIG {
		t.Errorf("cards %q, kind %s", show(s.GPUs), s.Kind)
	}
}

// TestNVIDIAUnified holds that a card without memory of its own is given the machine's, and that a graphics card that does not
// tell is not.
func TestNVIDIAUnified(t *testing.T) {
	f := &fakeSMI{lost: -1, cards: []record{card(0, "NVIDIA GB10", "[N/A]", "[N/A]", "memory.used", "[N/A]")}}
	s := f.monitor(t, nil).Status(t.Context())
	if got := show(s.GPUs); got != "0 NVIDIA GB10 5120/5120/8192 0 shared" || s.Kind != KindUnified {
		t.Errorf("cards %q, kind %s", got, s.Kind)
	}
	f.cards[0]["name"] = "GeForce GT 710"
	if s = f.monitor(t, nil).Status(t.Context()); show(s.GPUs) != "0 GeForce GT 710 ?/?/? 0" || s.Kind != KindUnknown || !strings.Contains(s.Note, "so it is unknown") {
		t.Errorf("cards %q, kind %s", show(s.GPUs), s.Kind)
	}
}

func TestNVIDIAUnderWindowsLinux(t *testing.T) {
	f := &fakeSMI{lost: -1, cards: []record{card(0, "NVIDIA GeForce RTX 4070 Ti SUPER", "16376", "14360")}, apps: "GPU-1, 2211, /ollama, [N/A]\n"}
	s := f.monitor(t, map[string]string{"proc/version": "Linux version 5.15.167.4-microsoft-standard-WSL2\n"}).Status(t.Context())
	if s.Kind != KindWSL2 || s.Note != "" || show(s.GPUs) != "0 NVIDIA GeForce RTX 4070 Ti SUPER 14360/14360/16376 0" || s.Processes[0].Bytes != nil {
		t.Errorf("kind %s, note %q, %s, %+v", s.Kind, s.Note, show(s.GPUs), s.Processes)
	}
}

// TestNVIDIAHiddenPrograms holds that a program whose name the driver hides has the system's, but not in a container, where
// the number is that of another system.
func TestNVIDIAHiddenPrograms(t *testing.T) {
	f := &fakeSMI{lost: -1, cards: []record{card(0, "A", "100", "50")}, apps: "GPU-1, 1904, [Insufficient Permissions], [N/A]\nGPU-1, 2000, /opt/game, 5\nGPU-1, 7, [Not Found], 5\n"}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"machine":   {nil, "dwm.exe game unknown program"},
		"container": {map[string]string{".dockerenv": ""}, "unknown program game unknown program"},
	} {
		m := f.monitor(t, tc.files)
		m.Program = func(_ context.Context, pid int) (string, error) {
			if pid != 1904 {
				return "", errors.New("no such program")
			}
			return `C:\Windows\dwm.exe`, nil
		}
		var got []string
		for _, p := range m.Status(t.Context()).Processes {
			got = append(got, p.Name)
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %q, want %q", name, s, tc.want)
		}
	}
	if name, err := systemProgram(t.Context(), os.Getpid()); err != nil || name == "" {
		t.Errorf("this program is called %q, %v", name, err)
	}
}

// TestNVIDIAFaults holds that each fault of the tool is told by its name, whatever it exits with, and none as "no card".
func TestNVIDIAFaults(t *testing.T) {
	failed := errors.New("exit status 1")
	for _, tc := range []struct {
		name, stdout, stderr string
		err                  error
		kind                 Kind
		words                string
	}{
		{"mismatch", "Failed to initialize NVML: Driver/library version mismatch\n", "", failed, KindDriverMismatch, "restart the machine"},
		{"not loaded", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "", failed, KindNoDriver, "again later"},
		{"no devices, with exit code 0", "No devices were found\n", "", nil, KindNoDevices, "found no usable card"},
		{"no devices, on the other output", "", "No devices were found\n", failed, KindNoDevices, "found no usable card"},
		{"no supported", "Failed to initialize NVML: No supported GPUs were found\nUnable to determine the number of GPUs\n", "", failed, KindNoSupported, "bound to no card"},
		{"blocked", "Failed to initialize NVML: GPU access blocked by the operating system\n", "", failed, KindBlocked, "wsl --shutdown"},
		{"unknown", "", "segmentation fault", failed, KindToolFailed, "run nvidia-smi by hand"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Monitor{Run: answer(tc.stdout, tc.stderr, tc.err), Memory: eightGiB, Root: tree(t, nil), System: "linux"}.Status(t.Context())
			checkStatus(t, s)
			if s.Kind != tc.kind || !strings.Contains(s.Note, tc.words) || len(s.GPUs) != 0 || s.has(KindNone) {
				t.Errorf("kind %s, note %q, %d cards", s.Kind, s.Note, len(s.GPUs))
			}
		})
	}
}

// TestNVIDIAUnknownIsNotZero reads figures that are none.
func TestNVIDIAUnknownIsNotZero(t *testing.T) {
	for _, tc := range []struct{ total, free, busy, want string }{
		{"[Insufficient Permissions]", "[N/A]", "[N/A]", "0 A ?/?/? ?"},
		{"100", "0", "100", "0 A 0/0/100 100"}, // a free memory of 0 is known
		{"-1", "99999999999999", "101", "0 A ?/?/? ?"},
		{"[Unknown Error]", "ERR!", "[Not Supported]", "0 A ?/?/? ?"},
		{"NaN", "1e400", "+Inf", "0 A ?/?/? ?"},
	} {
		f := &fakeSMI{lost: -1, cards: []record{card(0, "A", tc.total, tc.free, "utilization.gpu", tc.busy)}}
		if s := f.monitor(t, nil).Status(t.Context()); show(s.GPUs) != tc.want {
			t.Errorf("%s, %s, %s: %s, want %s", tc.total, tc.free, tc.busy, show(s.GPUs), tc.want)
		}
	}
}

func TestNVIDIACancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &fakeSMI{lost: -1, cards: []record{card(0, "A", "100", "50")}}
	if s := f.monitor(t, nil).Status(ctx); !strings.Contains(s.Note, "was not asked") || len(s.GPUs) != 0 {
		t.Errorf("note %q", s.Note)
	}
}

// FuzzNVIDIAQuery holds the same of an answer to our own query, whatever stands in it.
func FuzzNVIDIAQuery(f *testing.F) {
	f.Add("0, NVIDIA GeForce RTX 4080 SUPER, 16376, 15348, 0, 596, GPU-1, 00000000:01:00.0, 434, 43, 26.20, P8, 595.71.05, [N/A]\n", "GPU-1, 1, a, 2\n")
	f.Add("0, A, [N/A], [N/A], [N/A]\nNo devices were found\n", "")
	f.Add(",,,,,,,,,,,,,\n-1,a,1,1,1\n9999999999999999999,a,1,1,1", "x, -1, , \n")
	f.Add("Unable to determine the device handle for GPU0000:65:00.0: Unknown Error\n", "")
	f.Fuzz(func(t *testing.T, cards, apps string) {
		var s Status
		readNVIDIA(cards, nvidiaFields, &s)
		processesOf(readCSV(apps, header(processFields), "process_name"), &s)
		s.settle()
		checkStatus(t, s)
	})
}

// TestCardPrintedTwice holds that two lines of one card are one card, and that two cards without a number are two.
func TestCardPrintedTwice(t *testing.T) {
	const head = "index, uuid, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n"
	const line = ", NVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 596 MiB, 15348 MiB\n"
	s, err := Read("twice", []byte(head+"0, GPU-a"+line+"1, GPU-a"+line+"2, GPU-b"+line))
	if err != nil || len(s.GPUs) != 2 || s.GPUs[1].UUID != "GPU-b" || s.Kind != KindOK && !s.Kind.Remark() {
		t.Errorf("%d cards, kind %s, %v", len(s.GPUs), s.Kind, err)
	}
	said := false
	for _, c := range s.Conditions {
		said = said || strings.Contains(c.Text, "was printed twice with one number (UUID); it counts once")
	}
	if !said {
		t.Errorf("nothing is said of it: %+v", s.Conditions)
	}
	if s, err = Read("none", []byte("index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n0"+line+"1"+line)); err != nil || len(s.GPUs) != 2 {
		t.Errorf("without numbers %d cards, %v", len(s.GPUs), err)
	}
}

// TestNonsenseMemory holds that a figure which cannot be is called that, and that the others of its line are not believed.
func TestNonsenseMemory(t *testing.T) {
	for _, total := range []string{"99999999999999999999 MiB", "-16376 MiB", "1e300 MiB"} {
		s, err := Read("odd", []byte("index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n0, NVIDIA GeForce RTX 4080 SUPER, "+total+", 596 MiB, 10 MiB\n"))
		if err != nil || len(s.GPUs) != 1 || s.GPUs[0].MemoryFree != nil || s.GPUs[0].Usable != nil || s.GPUs[0].MemoryTotal != nil {
			t.Fatalf("%s: %+v, %v", total, s.GPUs, err)
		}
		if !strings.Contains(s.Note, "what cannot be (total "+total[:3]) || strings.Contains(s.Note, "does not give") {
			t.Errorf("%s: %q", total, s.Note)
		}
	}
}
