package gpu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// recorded is a folder of outputs of real drivers. It is not part of the repository.
func recorded(t *testing.T) string {
	t.Helper()
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

// figures prints a size in MiB, "?" for what is unknown.
func figures(p *int64) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p >> 20)
}

// show prints cards: number, name, usable/free/total in MiB, how busy; "shared" when the memory is the machine's.
func show(cards []GPU) string {
	var out []string
	for _, c := range cards {
		busy := "?"
		if c.Busy != nil {
			busy = fmt.Sprint(*c.Busy)
		}
		line := fmt.Sprintf("%d %s %s/%s/%s %s", c.Index, c.Name, figures(c.Usable), figures(c.MemoryFree), figures(c.MemoryTotal), busy)
		if c.Shared {
			line += " shared"
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

// reading is one recorded output and what it means.
type reading struct {
	file, kind, cards string
	words             string // in the text of its conditions
}

func checkReading(t *testing.T, dir string, tc reading) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, tc.file+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(tc.file, b)
	if err != nil {
		t.Fatal(err)
	}
	if got := show(r.GPUs); string(r.Kind) != tc.kind || got != tc.cards {
		t.Errorf("Read = %s: %s\nwant %s: %s", r.Kind, got, tc.kind, tc.cards)
	}
	var texts []string
	for _, c := range r.Conditions {
		texts = append(texts, c.Text)
	}
	if text := strings.Join(texts, "; "); !strings.Contains(text, tc.words) || (tc.kind == "ok") != (text == "") {
		t.Errorf("Read says %q, want %q in it", text, tc.words)
	}
}

// TestReadRecorded reads the recorded outputs of real drivers as they are known to be meant.
func TestReadRecorded(t *testing.T) {
	dir := recorded(t)
	for _, tc := range []reading{
		{"csv_rtx4080s_linux_idle", "ok", "0 NVIDIA GeForce RTX 4080 SUPER 15348/15348/16376 0", ""},
		{"csv_rtx4080s_linux_load", "ok", "0 NVIDIA GeForce RTX 4080 SUPER 14470/14470/16376 7", ""},
		{"csv_rtx2080s_windows_wddm", "wddm", "0 NVIDIA GeForce RTX 2080 SUPER 7191/7191/8192 0", "not of each program"},
		{"csv_l40s_datacenter_fan_na", "sampling", "0 NVIDIA L40S 45460/45460/46068 100", "artefact"},
		{"csv_h100_mig_util_na", "mig", "0 NVIDIA H100 80GB HBM3 ?/69956/81559 ?", "never the whole board"},
		{"csv_a100_mig_container_insufficient_permissions", "no_permission", "0 NVIDIA A100-SXM4-80GB ?/?/? ?", "insufficient permissions"},
		{"csv_wsl2_gpu_ok_noheader_nounits", "columns_guessed", "0 NVIDIA GeForce RTX 4070 Ti SUPER 14360/14360/16376 ?", "no header"},
		{"err_driver_library_mismatch_rc18", "driver_mismatch", "", "restart the machine"},
		{"err_driver_library_mismatch_old_one_line", "driver_mismatch", "", "restart the machine"},
		{"err_couldnt_communicate_rc9", "no_driver", "", "looked for again later"},
		{"err_no_devices_found", "no_devices", "", "found no usable card"},
		{"err_no_supported_gpus_rc255", "no_supported_gpus", "", "bound to no card"},
		{"err_device_handle_unknown_old_format", "off_the_bus", "", "the card at 0000:0b:00.0 does not answer"},
		{"err_device_handle_unknown_new_format", "off_the_bus", "", "the card at 0000:65:00.0 does not answer"},
		{"table_wsl2_2021_util_na_two_gpus", "wsl2", "0 Quadro RTX 8000 48274/?/49152 ?; 1 Quadro RTX 8000 46226/?/49152 ?", "its memory is right"},
		{"table_windows_610_kmd_umd_header", "wddm", "0 NVIDIA GeForce RTX 2080 ... 6961/?/8192 0", "not of each program"},
		{"table_laptop_hybrid_idle_2mib", "idle", "0 NVIDIA GeForce RTX 5060 ... 7715/?/8151 0", "can be used"},
		{"table_gb10_not_supported", "unified", "0 NVIDIA GB10 ?/?/? 0 shared", "the memory the machine has free"},
		{"version_610_deprecated_keys", "version", "", "610.57.04"},
		{"amd_strix_halo_values", "apu", "0 AMD card ?/?/112640 ? shared", "carve-out of 0.5 GiB only, and models can use up to 110 GiB"},
		{"ollama_inference_compute_igpu_vulkan", "integrated", "0 AMD Radeon Graphics (RADV RENOIR) 15462/15462/16691 ? shared", "not added to that of another card"},
	} {
		t.Run(tc.file, func(t *testing.T) { checkReading(t, dir, tc) })
	}
}

// TestRecordedBaseline holds what a plan rests on: free is what the driver says, not the total less what is used.
func TestRecordedBaseline(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(recorded(t), "csv_rtx4080s_linux_idle.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read("idle", b)
	if err != nil {
		t.Fatal(err)
	}
	g := r.GPUs[0]
	if rest := *g.MemoryTotal - *g.MemoryUsed - *g.MemoryFree - *g.MemoryReserved; rest < -2<<20 || rest > 2<<20 {
		t.Errorf("used, free and reserved differ from the total by %d bytes", rest)
	}
	if *g.Usable != *g.MemoryFree || *g.Usable == *g.MemoryTotal-*g.MemoryUsed {
		t.Errorf("usable is %d, want the driver's free memory of %d", *g.Usable, *g.MemoryFree)
	}
}

// TestReadMade reads outputs of kinds that were not recorded here.
func TestReadMade(t *testing.T) {
	for _, tc := range []reading{
		{"amd_sysfs_rx570_gtt_equals_vram", "driver_bug", "0 AMD card 3416/3416/4096 ?", "only its own memory is counted"},
		{"amd_smi_apu_carveout", "apu", "0 AMD card 12800/12800/13700 ? shared", "carve-out of 0.5 GiB"},
		{"rocm_smi_vram_pct_na", "tool_bug", "1 AMD card ?/?/? ?", "mem_info_vram_total"},
		{"rocm_smi_meminfo", "ok", "0 AMD card 14832/14832/16368 ?", ""},
		{"rocm_smi_json", "ok", "0 AMD Radeon RX 6800 16351/16351/16368 ?; 1 AMD card 1 16351/16351/16368 ?", ""},
		{"intel_xe_debugfs_vram_mm_root_only", "root_only", "0 Intel card 8096/8096/8128 ?", "root only"},
		{"windows_wmi_adapterram_capped", "capped", "0 AMD Radeon RX 9070 XT ?/?/? ?", "4 GiB or more"},
		{"windows_wmi_two_cards_table", "capped", "0 NVIDIA GeForce RTX 4090 ?/?/? ?; 1 Intel(R) UHD Graphics 770 ?/?/1024 ? shared", "4 GiB or more"},
		{"windows_wmi_json", "capped", "0 AMD Radeon RX 7800 XT ?/?/? ?; 1 AMD Radeon(TM) Graphics ?/?/512 ? shared", "qwMemorySize"},
		{"windows_powershell_two_cards", "integrated", "0 AMD Radeon RX 7900 XTX 23024/23024/24560 ?; 1 AMD Radeon(TM) Graphics ?/?/512 ? shared", "not added"},
		{"csv_gb10_unified_all_na", "unified", "0 NVIDIA card ?/?/? 0 shared", "the memory the machine has free"},
		{"gb10_nvml_return_codes", "unified", "0 NVIDIA GB10 115787/115787/124610 ? shared", "the memory the machine has free"},
		{"csv_linux_compute_apps", "processes", "", "may hold less than is in use"},
		{"csv_wsl2_compute_apps_na", "wsl2", "", "is not given"},
		{"csv_windows_compute_apps_na", "wddm", "", "not of each program"},
		{"csv_compute_apps_uuid_noheader", "processes", "", "may hold less"},
		{"table_h100_mig_devices", "mig", "0 NVIDIA card 40404/?/? ?", "40448, 20096, 9984 MiB"},
		{"table_a100_mig_whole", "mig", "0 NVIDIA A100 80GB PCIe 19897/?/81920 ?; 1 NVIDIA A100 80GB PCIe 81482/?/81920 0", "40192, 19968 MiB"},
		{"table_old_with_processes", "unknown", "0 GeForce RTX 208... 6462/?/11016 3; 1 GeForce GTX 1080 ?/?/? ?", "does not give the memory of GeForce GTX 1080"},
		{"err_one_of_two_off_the_bus", "off_the_bus", "0 NVIDIA GeForce RTX 3090 23800/23800/24576 ?", "other cards may go on working"},
		{"err_gpu_is_lost", "off_the_bus", "", "restart the machine"},
		{"err_wsl_blocked", "blocked", "", "wsl --shutdown"},
		{"err_field_not_valid", "field_unknown", "", "memory.reserved"},
		{"ollama_log_two_cards", "integrated", "0 NVIDIA GeForce RTX 4060 Ti 15564/15564/15974 ?; 1 AMD Radeon Graphics (RADV RAPHAEL_MENDOCINO) 15257/15257/16281 ? shared", "not added"},
		{"ollama_log_cpu", "none", "", "on the processor"},
		{"apple_m4_max", "unified", "0 Apple M4 Max ?/?/49152 ? shared", "48 GiB"},
		{"apple_m2_wired_limit_json", "unified", "0 Apple M2 ?/?/14336 ? shared", "14 GiB"},
		{"apple_intel_mac", "other_driver", "0 AMD Radeon Pro 5500M ?/?/8192 ?", "run on the processor"},
		{"nvidia_long_list", "ok", "0 NVIDIA GeForce RTX 3060 Ti 7357/7357/8192 4", ""},
		{"nvidia_list_mig", "mig", "0 NVIDIA A100-SXM4-40GB ?/?/? ?; 1 NVIDIA A100-SXM4-40GB ?/?/? ?", "slices"},
		{"meminfo", "system_memory", "", "names no card"},
	} {
		t.Run(tc.file, func(t *testing.T) { checkReading(t, filepath.Join("testdata", "recorded"), tc) })
	}
}

// TestReadProcesses holds that memory that is not told is nil, so that nobody adds it up.
func TestReadProcesses(t *testing.T) {
	for _, tc := range []struct{ file, want string }{
		{"csv_linux_compute_apps", "44378 ollama_llama_server 1836; 52114 python3 6294"},
		{"csv_wsl2_compute_apps_na", "23 Xwayland ?; 2211 ollama ?"},
		{"csv_windows_compute_apps_na", "1904 unknown program ?; 9236 ollama.exe ?; 12256 dwm.exe ?"},
		{"csv_compute_apps_uuid_noheader", "1328667 python3.10 130004; 1425258 python3 105842"},
		{"table_old_with_processes", "1234 Xorg 26; 2210 python 3988"},
		{"table_a100_mig_whole", "58866 ollama 39001"},
	} {
		b, err := os.ReadFile(filepath.Join("testdata", "recorded", tc.file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(tc.file, b)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Processes {
			got = append(got, fmt.Sprintf("%d %s %s", p.PID, p.Name, figures(p.Bytes)))
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s: programs %q, want %q", tc.file, s, tc.want)
		}
	}
}

// TestReadForms reads one table as it comes out of other systems' pipes.
func TestReadForms(t *testing.T) {
	const text = "name, memory.total [MiB], memory.free [MiB]\nNVIDIA RTX, 6000 Ada, 49140 MiB, 48510 MiB\n"
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(text, "\n", "\r\n"))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for _, tc := range []struct {
		name    string
		content []byte
	}{
		{"as it is", []byte(text)},
		{"carriage returns", []byte(strings.ReplaceAll(text, "\n", "\r\n"))},
		{"with a mark of the order of bytes", []byte("\ufeff" + text)},
		{"as PowerShell writes files", wide},
		{"without units", []byte(strings.ReplaceAll(text, " MiB", ""))},
		{"quoted", []byte("\"name\",\"memory.total [MiB]\",\"memory.free [MiB]\"\n\"NVIDIA RTX, 6000 Ada\",\"49140 MiB\",\"48510 MiB\"\n")},
	} {
		r, err := Read(tc.name, tc.content)
		if err != nil || show(r.GPUs) != "0 NVIDIA RTX, 6000 Ada 48510/48510/49140 ?" {
			t.Errorf("%s: %s, %v", tc.name, show(r.GPUs), err)
		}
	}
}

// TestReadVariants reads the same things in other forms in which they were seen.
func TestReadVariants(t *testing.T) {
	for _, tc := range []struct{ name, content, kind, cards string }{
		{"programs without a header", "1904, [Insufficient Permissions], [N/A]\n9236, C:\\ollama.exe, [N/A]\n", "wddm", ""},
		{"only hidden programs", "1904, [Insufficient Permissions], [N/A]\n", "wddm", ""},
		{"programs of Windows' Linux that are not found", "pid, process_name, used_memory [MiB]\n2044, [Not Found], [N/A]\n", "wsl2", ""},
		{"no program", "pid, process_name, used_gpu_memory [MiB]\n", "ok", ""},
		{"a table of amd-smi", "GPU  XCP   GTT_USED    GTT_FREE   GTT_TOTAL     GTT%\n  0    0     938 MB    12711 MB    13649 MB   6.87 %\n", "apu", "0 AMD card 12711/12711/13649 ? shared"},
		{"a table of amd-smi for a card", "GPU  XCP  VRAM_USED  VRAM_FREE  VRAM_TOTAL  VRAM%\n  0    0    283 MB  16085 MB    16368 MB  1.73 %\n", "ok", "0 AMD card 16085/16085/16368 ?"},
		{"files of sys on one line each", "/sys/class/drm/card0/device/mem_info_vram_total:8589934592\n/sys/class/drm/card0/device/mem_info_vram_used:1073741824\n", "ok", "0 AMD card 7168/7168/8192 ?"},
		{"the debug folder for others than root", "cat: /sys/kernel/debug/dri/0000:03:00.0/tile0/vram_mm: Permission denied\n", "no_permission", ""},
		{"NVML in the words of Python", "NVIDIA GB10: pynvml.NVMLError_NotSupported: Not Supported\n", "unified", "0 NVIDIA GB10 ?/?/? ? shared"},
		{"NVML in the words of Go", "failed to get device memory: nvmlDeviceGetMemoryInfo: Not Supported\n", "unified", "0 NVIDIA card ?/?/? ? shared"},
		{"NVML without a card", "nvmlInit -> NVML_ERROR_LIBRARY_NOT_FOUND\n", "none", ""},
		{"WMI by wmic", "\r\r\nAdapterRAM=4293918720\r\r\nName=NVIDIA GeForce RTX 4090\r\r\n\r\r\nAdapterRAM=1073741824\r\r\nName=Intel(R) UHD Graphics 770\r\r\n", "capped", "0 NVIDIA GeForce RTX 4090 ?/?/? ?; 1 Intel(R) UHD Graphics 770 ?/?/1024 ? shared"},
		{"WMI with its blanks lost", "Name AdapterRAM\n---- ----------\nAMD Radeon AI PRO R9700 4293918720\n", "capped", "0 AMD Radeon AI PRO R9700 ?/?/? ?"},
		{"WMI with commas", "Node,AdapterRAM,Name\nPC,4293918720,AMD Radeon RX 7800 XT\n", "capped", "0 AMD Radeon RX 7800 XT ?/?/? ?"},
		{"WMI with slashes", "GPU - NVIDIA (0x10de)/NVIDIA GeForce RTX 4090/4293918720\n", "capped", "0 NVIDIA GeForce RTX 4090 ?/?/? ?"},
		{"WMI without a name", "Win32_VideoController.AdapterRAM = 4293918720\n", "capped", "0 graphics card ?/?/? ?"},
		{"slices with their blanks lost", "| 0 1 0 0 | 44MiB / 40448MiB | 60 0 | 3 0 3 0 3 |\n", "mig", "0 NVIDIA card 40404/?/? ?"},
		{"GB10 in a query with its name", "name, memory.total [MiB], memory.free [MiB], mig.mode.current\nNVIDIA GB10, [N/A], [N/A], [N/A]\n", "unified", "0 NVIDIA GB10 ?/?/? ? shared"},
		{"a column", "memory.free [MiB]\n15348 MiB\n", "ok", "0 NVIDIA card 15348/15348/? ?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Read(tc.name, []byte(tc.content))
			if err != nil || string(r.Kind) != tc.kind || show(r.GPUs) != tc.cards {
				t.Errorf("Read = %s: %s, %v; want %s: %s", r.Kind, show(r.GPUs), err, tc.kind, tc.cards)
			}
			checkStatus(t, r.Status)
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tc := range []struct{ name, content string }{
		{"nothing", ""},
		{"prose", "The memory.total of a card, as they say, is large.\n"},
		{"another table", "2020, gold, 12\n2021, silver, 13\nand so on, in words, only\n"},
		{"binary", "\x00\x01\x02\xff\xfe"},
		{"a total of zeros is no NVML answer", "total=0 free=0"},
	} {
		if r, err := Read(tc.name, []byte(tc.content)); !errors.Is(err, ErrNotRecognised) {
			t.Errorf("%s: %+v, %v; want ErrNotRecognised", tc.name, r, err)
		}
	}
	if _, err := Read("large", make([]byte, MaxRecorded+1)); err == nil || errors.Is(err, ErrNotRecognised) {
		t.Errorf("a file over the limit: %v", err)
	}
}

// FuzzRead holds that any output gives cards and programs within their bounds, and figures that are known or nil.
func FuzzRead(f *testing.F) {
	for _, dir := range []string{filepath.Join("testdata", "recorded"), filepath.Join("..", "..", "shared", "data", "smi")} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
		for _, name := range files {
			if b, err := os.ReadFile(name); err == nil {
				f.Add(b)
			}
		}
	}
	f.Add([]byte("0, GPU, [N/A], 99999999999999999999, NaN\n"))
	f.Add([]byte("AdapterRAM\n-1\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := Read("fuzz", content)
		if err != nil {
			return
		}
		checkStatus(t, r.Status)
	})
}

// checkStatus fails when a status is not as its documentation has it.
func checkStatus(t *testing.T, s Status) {
	t.Helper()
	if s.GPUs == nil || s.Processes == nil || s.Conditions == nil || len(s.GPUs) > maxCards || len(s.Processes) > maxProcesses {
		t.Fatalf("%d cards, %d programs, %d conditions", len(s.GPUs), len(s.Processes), len(s.Conditions))
	}
	in := func(what string, p *int64, most int64) {
		if p != nil && (*p < 0 || *p > most) {
			t.Errorf("%s = %d", what, *p)
		}
	}
	in("memory", s.MemoryTotal, maxBytes)
	in("free memory", s.MemoryFree, maxBytes)
	for _, g := range s.GPUs {
		if g.Name == "" || g.Index < 0 {
			t.Errorf("card %+v", g)
		}
		for _, p := range []*int64{g.MemoryTotal, g.MemoryUsed, g.MemoryFree, g.MemoryReserved, g.Usable, g.AtLeast} {
			in(g.Name, p, maxBytes)
		}
		in("busy", g.Busy, 100)
		if g.sliced && g.Usable != nil && len(g.Slices) == 0 {
			t.Errorf("a board that is cut up is usable as a whole: %+v", g)
		}
	}
	for _, p := range s.Processes {
		if p.PID < 0 || p.Name == "" {
			t.Errorf("program %+v", p)
		}
		in(p.Name, p.Bytes, maxBytes)
	}
	for _, c := range s.Conditions {
		if c.Text == "" || c.Kind == "" || c.GPU >= len(s.GPUs) {
			t.Errorf("condition %+v of %d cards", c, len(s.GPUs))
		}
	}
}
