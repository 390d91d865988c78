package gpu

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// answer is a Runner that always says the same.
func answer(stdout, stderr string, err error) Runner {
	return func(context.Context, string, ...string) ([]byte, []byte, error) {
		return []byte(stdout), []byte(stderr), err
	}
}

func eightGiB(context.Context) (uint64, uint64, error) { return 8 << 30, 5 << 30, nil }

// show prints a card with "?" for what is unknown, sizes in MiB.
func show(cards []GPU) string {
	figure := func(p *int64, unit int64) string {
		if p == nil {
			return "?"
		}
		return fmt.Sprint(*p / unit)
	}
	var out []string
	for _, c := range cards {
		out = append(out, fmt.Sprintf("%d %s %s/%s %s", c.Index, c.Name, figure(c.MemoryFree, 1<<20), figure(c.MemoryTotal, 1<<20), figure(c.Busy, 1)))
	}
	return strings.Join(out, "; ")
}

func TestStatus(t *testing.T) {
	failed := errors.New("exit status 9")
	tests := []struct {
		name  string
		run   Runner
		cards string
		note  string // a part of it
	}{
		{"no tool", answer("", "", &exec.Error{Name: "nvidia-smi", Err: exec.ErrNotFound}), "", "models run on the processor"},
		{"one card", answer("0, NVIDIA GeForce RTX 4080 SUPER, 16376, 15348, 0\n", "", nil), "0 NVIDIA GeForce RTX 4080 SUPER 15348/16376 0", ""},
		{"two cards", answer("0, A, 100, 50, 1\r\n1, B, 200, 60, 2\r\n", "", nil), "0 A 50/100 1; 1 B 60/200 2", ""},
		{"comma in the name", answer("0, Quadro, old, 100, 50, 1\n", "", nil), "0 Quadro, old 50/100 1", ""},
		{"unknown is not 0", answer("0, NVIDIA A100, [Insufficient Permissions], [N/A], [N/A]\n", "", nil), "0 NVIDIA A100 ?/? ?", "does not give the memory of NVIDIA A100"},
		{"free memory of 0 is known", answer("0, A, 100, 0, 100\n", "", nil), "0 A 0/100 100", ""},
		{"absurd values", answer("0, A, -1, 99999999999999, 101\n", "", nil), "0 A ?/? ?", "unknown"},
		{"one of two fell off the bus", answer("0, A, 100, 50, 1\nUnable to determine the device handle for GPU0000:65:00.0: Unknown Error\n", "", failed), "0 A 50/100 1", "fallen off the bus"},
		{"no devices, with exit code 0", answer("No devices were found\n", "", nil), "", "found no card"},
		{"an unknown fault", answer("", "segmentation fault", failed), "", "run nvidia-smi by hand"},
		{"no output", answer("", "", nil), "", "no NVIDIA card was found"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := Monitor{Run: tc.run, Memory: eightGiB}.Status(t.Context())
			if got := show(s.GPUs); got != tc.cards || s.GPUs == nil {
				t.Errorf("cards = %q, want %q", got, tc.cards)
			}
			if !strings.Contains(s.Note, tc.note) || (tc.note == "") != (s.Note == "") {
				t.Errorf("note = %q, want %q in it", s.Note, tc.note)
			}
			if *s.MemoryTotal != 8<<30 || *s.MemoryFree != 5<<30 {
				t.Errorf("memory = %d of %d", *s.MemoryFree, *s.MemoryTotal)
			}
		})
	}
}

func TestStatusMemoryUnknown(t *testing.T) {
	s := Monitor{
		Run:    answer("0, A, 100, 50, 1\n", "", nil),
		Memory: func(context.Context) (uint64, uint64, error) { return 0, 0, errors.New("no /proc") },
	}.Status(t.Context())
	if s.MemoryTotal != nil || s.MemoryFree != nil || !strings.Contains(s.Note, "no /proc") {
		t.Errorf("Status() = %+v, want unknown memory and the reason", s)
	}
}

// TestStatusHangingTool holds that a driver that hangs does not hang the caller: the real runner is given a tool that
// sleeps for a minute.
func TestStatusHangingTool(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("needs the program sleep")
	}
	run := func(ctx context.Context, _ string, _ ...string) ([]byte, []byte, error) {
		return runTool(ctx, sleep, "60")
	}
	s := Monitor{Run: run, Memory: eightGiB, Timeout: 50 * time.Millisecond}.Status(t.Context())
	if len(s.GPUs) != 0 || !strings.Contains(s.Note, "did not answer") {
		t.Errorf("Status() = %+v, want no card and that the tool did not answer", s)
	}
}

// TestStatusHere reads the machine the test runs on: its memory is known, whatever its cards are.
func TestStatusHere(t *testing.T) {
	s := Monitor{}.Status(t.Context())
	if s.MemoryTotal == nil || s.MemoryFree == nil || *s.MemoryTotal < *s.MemoryFree || *s.MemoryTotal < 1<<26 {
		t.Errorf("Status() = %+v, want this machine's memory", s)
	}
	if len(s.GPUs) == 0 && s.Note == "" {
		t.Error("no card and no note that says so")
	}
}

// TestLiveCard reads a real card, on a machine that has one.
func TestLiveCard(t *testing.T) {
	if os.Getenv("ASSAY_GPU") != "1" {
		t.Skip("needs an NVIDIA card; make gpu runs it")
	}
	s := Monitor{Timeout: 20 * time.Second}.Status(t.Context())
	if len(s.GPUs) == 0 {
		t.Fatalf("no card: %s", s.Note)
	}
	for _, c := range s.GPUs {
		if c.MemoryTotal == nil || c.MemoryFree == nil {
			t.Logf("the driver does not give the memory of %s", c.Name)
		} else if *c.MemoryFree > *c.MemoryTotal || *c.MemoryTotal < 1<<30 {
			t.Errorf("%s: %d of %d bytes free", c.Name, *c.MemoryFree, *c.MemoryTotal)
		}
	}
}

func TestRunToolBoundsOutput(t *testing.T) {
	head, err := exec.LookPath("head")
	if err != nil {
		t.Skip("needs the program head")
	}
	out, _, err := runTool(t.Context(), head, "-c", "1000000", "/dev/zero")
	if err != nil || len(out) != maxOutput {
		t.Errorf("runTool kept %d bytes, %v; want %d", len(out), err, maxOutput)
	}
}

// recorded is a folder of outputs of real drivers. It is not part of the repository.
func recorded(t *testing.T) string {
	dir := os.Getenv("ASSAY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "smi")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the recorded outputs of nvidia-smi in ../shared/data/smi or $ASSAY_DATA/smi")
	}
	return dir
}

// TestRecordedCards brings recorded tables into the order of our query and reads them.
func TestRecordedCards(t *testing.T) {
	dir := recorded(t)
	tests := []struct{ file, want string }{
		{"csv_rtx4080s_linux_idle.txt", "0 NVIDIA GeForce RTX 4080 SUPER 15348/16376 0"},
		{"csv_rtx4080s_linux_load.txt", "0 NVIDIA GeForce RTX 4080 SUPER 14470/16376 7"},
		{"csv_rtx2080s_windows_wddm.txt", "0 NVIDIA GeForce RTX 2080 SUPER 7191/8192 0"},
		{"csv_l40s_datacenter_fan_na.txt", "0 NVIDIA L40S 45460/46068 100"},
		{"csv_h100_mig_util_na.txt", "0 NVIDIA H100 80GB HBM3 69956/81559 ?"},
		{"csv_a100_mig_container_insufficient_permissions.txt", "0 NVIDIA A100-SXM4-80GB ?/? ?"},
	}
	for _, tc := range tests {
		t.Run(tc.file, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, tc.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r := csv.NewReader(f)
			r.TrimLeadingSpace = true
			rows, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for i, row := range rows[1:] {
				field := func(name string) string {
					for j, head := range rows[0] {
						if strings.HasPrefix(head, name) {
							return strings.TrimSuffix(strings.TrimSuffix(row[j], " MiB"), " %")
						}
					}
					return "[N/A]"
				}
				fmt.Fprintf(&out, "%d, %s, %s, %s, %s\n", i, field("name"), field("memory.total"), field("memory.free"), field("utilization.gpu"))
			}
			if got := show(parseNVIDIA(out.String())); got != tc.want {
				t.Errorf("parseNVIDIA = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestRecordedFaults holds that each recorded fault is understood and never read as a card.
func TestRecordedFaults(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recorded(t), "err_*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded faults: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := Monitor{Run: answer(string(text), "", errors.New("exit status 1")), Memory: eightGiB}.Status(t.Context())
			if len(s.GPUs) != 0 || s.Note == "" || strings.Contains(s.Note, "nvidia-smi failed") {
				t.Errorf("Status() = %+v, want no card and the fault by its name", s)
			}
		})
	}
}

// FuzzParseNVIDIA holds that any output gives at most maxCards cards, each with a name and with figures in their bounds.
func FuzzParseNVIDIA(f *testing.F) {
	f.Add("0, NVIDIA GeForce RTX 4080 SUPER, 16376, 15348, 0\n")
	f.Add("0, A, [N/A], [N/A], [N/A]\nNo devices were found\n")
	f.Add(",,,,\n-1,a,1,1,1\n9999999999999999999,a,1,1,1")
	f.Fuzz(func(t *testing.T, output string) {
		cards := parseNVIDIA(output)
		if cards == nil || len(cards) > maxCards {
			t.Fatalf("%d cards", len(cards))
		}
		for _, c := range cards {
			if c.Name == "" || c.Index < 0 {
				t.Errorf("card %+v", c)
			}
			for _, p := range []*int64{c.MemoryTotal, c.MemoryFree} {
				if p != nil && (*p < 0 || *p > 1<<50) {
					t.Errorf("memory %d", *p)
				}
			}
			if c.Busy != nil && (*c.Busy < 0 || *c.Busy > 100) {
				t.Errorf("busy %d", *c.Busy)
			}
		}
	})
}
