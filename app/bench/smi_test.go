package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smiDir makes a folder of recorded outputs.
func smiDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSMI(t *testing.T) {
	dir := smiDir(t, map[string]string{
		"err_no_devices_found.txt":        "No devices were found\n",
		"csv_rtx4080s_linux_idle.txt":     "name, memory.total [MiB], memory.free [MiB]\nNVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 15000 MiB\n", // not what is expected
		"err_couldnt_communicate_rc9.txt": "It is a fine day.\n",
		"table_of_mine.txt":               "name, memory.total [MiB], memory.free [MiB]\nA, 100 MiB, 50 MiB\n",
		"large.txt":                       strings.Repeat("x", 2<<20),
		"README.md":                       "no output\n",
		"amd_smi_apu_carveout.txt":        "GPU: 0\n TOTAL_VRAM: 512 MB\n USED_VRAM: 1 MB\n TOTAL_GTT: 9000 MB\n USED_GTT: 10 MB\n",
		"csv_windows_compute_apps_na.txt": "pid, process_name, used_gpu_memory [MiB]\n1, C:\\a.exe, 12 MiB\n", // told, where nothing should be
	})
	predictions := filepath.Join(t.TempDir(), "predictions")
	code, stdout, stderr := bench(t, "smi", "--data", dir, "--json", "--predictions", predictions)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s smiScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.N != 7 || s.Expected != 5 || s.Right != 2 || s.Wrong != 3 || s.Unread != 2 || len(s.Files) != 7 {
		t.Errorf("score %+v", s)
	}
	for _, row := range s.Files {
		faults := strings.Join(row.Faults, "; ")
		switch row.File {
		case "csv_rtx4080s_linux_idle.txt":
			if !strings.Contains(faults, "free is 15000, expected 15348") || !strings.Contains(faults, "used is <nil>, expected 596") {
				t.Errorf("%s: %q", row.File, faults)
			}
		case "csv_windows_compute_apps_na.txt":
			if !strings.Contains(faults, "the memory of a.exe is 12 MiB, expected hidden") {
				t.Errorf("%s: %q", row.File, faults)
			}
		case "err_couldnt_communicate_rc9.txt":
			if row.Kind != "not_recognised" || faults == "" {
				t.Errorf("%s: %+v", row.File, row)
			}
		case "table_of_mine.txt":
			if row.Expected || row.Read != "A total 100 MiB used unknown free 50 MiB usable 50 MiB" {
				t.Errorf("%s: %+v", row.File, row)
			}
		}
	}
	if b, err := os.ReadFile(predictions); err != nil || strings.Count(string(b), "\n") != 7 {
		t.Errorf("predictions: %v\n%s", err, b)
	}
	if code, stdout, _ = bench(t, "smi", "--data", dir); code != 0 || !strings.Contains(stdout, "WRONG csv_rtx4080s") || !strings.Contains(stdout, "7 files: 2 right, 3 wrong, 2 without an expectation, 2 not recognised") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
}

// TestSMIRecorded reads the outputs of real drivers and the made ones of package gpu: none may be wrong.
func TestSMIRecorded(t *testing.T) {
	data := os.Getenv("ASSAY_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, tc := range []struct {
		dir   string
		right int
	}{{filepath.Join("..", "..", "gpu", "testdata", "recorded"), 11}, {filepath.Join(data, "smi"), 21}} {
		if _, err := os.Stat(tc.dir); err != nil {
			t.Logf("not read: %s", tc.dir)
			continue
		}
		code, stdout, stderr := bench(t, "smi", "--data", tc.dir, "--json")
		var s smiScore
		if err := json.Unmarshal([]byte(stdout), &s); code != 0 || err != nil || s.Right < tc.right || s.Wrong != 0 || s.Unread != 0 {
			t.Errorf("%s: exit %d, %v, %+v, %s", tc.dir, code, err, s, stderr)
		}
	}
}

func TestSMIRefuses(t *testing.T) {
	if code, _, stderr := bench(t, "smi"); code != 2 || !strings.Contains(stderr, "--data") {
		t.Errorf("without data: exit %d, %s", code, stderr)
	}
	if code, _, stderr := bench(t, "smi", "--data", t.TempDir()); code != 1 || !strings.Contains(stderr, "no recorded output") {
		t.Errorf("an empty folder: exit %d, %s", code, stderr)
	}
	var want map[string]smiWant
	if err := json.Unmarshal(smiExpected, &want); err != nil || len(want) != 32 {
		t.Errorf("%d expectations, %v", len(want), err)
	}
}
