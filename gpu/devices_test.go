package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDevices holds what a plan is made of, for recorded machines.
func TestDevices(t *testing.T) {
	for _, tc := range []struct{ file, want string }{
		{"nvidia_long_list", "0 NVIDIA GeForce RTX 3060 Ti cuda 7357/8192"},
		{"table_a100_mig_whole", "0 NVIDIA A100 80GB PCIe cuda 19897/19968; 1 NVIDIA A100 80GB PCIe cuda 81482/81920"},
		{"nvidia_list_mig", "0 NVIDIA A100-SXM4-40GB cuda ?/?; 1 NVIDIA A100-SXM4-40GB cuda ?/?"},
		{"ollama_log_two_cards", "0 NVIDIA GeForce RTX 4060 Ti cuda 15564/15974"},
		{"amd_smi_apu_carveout", "0 AMD card rocm 12800/13700 unified"},
		{"gb10_nvml_return_codes", "0 NVIDIA GB10 cuda 115787/124610 unified"},
		{"csv_gb10_unified_all_na", ""},
		{"windows_powershell_two_cards", "0 AMD Radeon RX 7900 XTX rocm 23024/24560"},
		{"windows_wmi_adapterram_capped", "0 AMD Radeon RX 9070 XT rocm ?/?"},
		{"intel_xe_debugfs_vram_mm_root_only", "0 Intel card vulkan 8096/8128"},
		{"apple_intel_mac", ""},
		{"err_wsl_blocked", ""},
	} {
		b, err := os.ReadFile(filepath.Join("testdata", "recorded", tc.file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(tc.file, b)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, d := range r.Devices() {
			line := fmt.Sprintf("%d %s %s %s/%s", d.Index, d.Name, d.Backend, figures(d.Free), figures(d.Total))
			if d.Unified {
				line += " unified"
			}
			got = append(got, line)
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s: %q, want %q", tc.file, s, tc.want)
		}
	}
	asleep := Status{GPUs: []GPU{{Name: "A", Vendor: "nvidia", Asleep: true, MemoryTotal: size(8 << 30)}}}
	asleep.settle()
	if d := asleep.Devices(); len(d) != 1 || d[0].Free != nil || *d[0].Total != 8<<30 {
		t.Errorf("a sleeping card: %+v", d)
	}
}
