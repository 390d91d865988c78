package gpu

import (
	"context"
	"encoding/binary"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// amdFiles adds an AMD card with its memories in MiB; 0 leaves a file out.
func amdFiles(files map[string]string, bus string, vram, vramUsed, gtt, gttUsed string) {
	pciFiles(files, bus, "0x1002", "amdgpu", "active")
	dir := "sys/bus/pci/devices/" + bus + "/"
	for name, v := range map[string]string{"vram_total": vram, "vram_used": vramUsed, "gtt_total": gtt, "gtt_used": gttUsed} {
		if v != "" {
			files[dir+"mem_info_"+name] = v + "\n"
		}
	}
	files[dir+"gpu_busy_percent"] = "7\n"
}

// TestSystemFolders reads made systems under Linux.
func TestSystemFolders(t *testing.T) {
	const mib8192, mib4096, mib512 = "8589934592", "4294967296", "536870912"
	for _, tc := range []struct {
		name  string
		files func(map[string]string)
		cards string
		kind  Kind
		words string
	}{
		{"a card of AMD", func(f map[string]string) {
			amdFiles(f, "0000:03:00.0", mib8192, mib512, "16000000000", "1000")
			f["usr/share/misc/pci.ids"] = "# list\n1002  AMD\n\t1234  Navi 33 [Radeon RX 7600]\n\t\t1002 0001  board\n10de  NVIDIA\n\t1234  other\n"
		}, "0 AMD Navi 33 [Radeon RX 7600] 7680/7680/8192 7", KindOK, ""},
		{"GTT as large as VRAM", func(f map[string]string) {
			amdFiles(f, "0000:03:00.0", mib4096, "0", mib4096, "0")
		}, "0 AMD card 1234 4096/4096/4096 7", KindDriverBug, ""},
		{"a processor with graphics", func(f map[string]string) {
			amdFiles(f, "0000:c5:00.0", mib512, "400000000", "118111600640", "1073741824")
		}, "0 AMD card 1234 5120/111616/112640 7 shared", KindAPU, "up to 110 GiB"}, // of which the machine has 5 GiB free
		{"a processor with 2 GiB set aside, told by its metrics", func(f map[string]string) {
			amdFiles(f, "0000:c5:00.0", "2147483648", "0", "3221225472", "0")
			f["sys/bus/pci/devices/0000:c5:00.0/gpu_metrics"] = "\x80\x00\x03\x00"
		}, "0 AMD card 1234 3072/3072/3072 7 shared", KindAPU, "carve-out of 2 GiB"},
		{"a processor with most of the memory set aside, told by its sensor", func(f map[string]string) {
			amdFiles(f, "0000:c5:00.0", "103079215104", "1073741824", mib8192, "0")
			f["sys/bus/pci/devices/0000:c5:00.0/hwmon/hwmon4/in1_label"] = "vddnb\n"
		}, "0 AMD card 1234 5120/97280/98304 7 shared", KindAPU, "set aside"},
		{"AMD without figures", func(f map[string]string) {
			amdFiles(f, "0000:03:00.0", "", "", "", "")
		}, "0 AMD card 1234 ?/?/? 7", KindUnknown, "is unknown"},
		{"AMD switched off", func(f map[string]string) {
			amdFiles(f, "0000:03:00.0", mib8192, "0", mib8192, "0")
			f["sys/bus/pci/devices/0000:03:00.0/power/runtime_status"] = "suspended\n"
		}, "0 AMD card 1234 ?/?/? ?", KindAsleep, "switched off"},
		{"the listing of drm only", func(f map[string]string) {
			dir := "sys/class/drm/card1/device/"
			f[dir+"vendor"], f[dir+"device"], f[dir+"uevent"] = "0x1002\n", "0x67df\n", "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:01:00.0\n"
			f[dir+"mem_info_vram_total"], f[dir+"mem_info_vram_used"] = mib4096+"\n", mib512+"\n"
			f["sys/class/drm/card1-DP-1/status"] = "connected\n"
		}, "0 AMD card 67df 3584/3584/4096 ?", KindOK, ""},
		{"a card of Intel", func(f map[string]string) {
			pciFiles(f, "0000:03:00.0", "0x8086", "xe", "active")
			f["sys/fs/cgroup/dmem.capacity"] = "drm/0000:03:00.0/vram0 12809404416\ndrm/0000:03:00.0/stolen 67108864\n"
		}, "0 Intel card 1234 ?/?/12216 ?", KindUsedUnknown, "only to root"},
		{"a card of Intel, for root", func(f map[string]string) {
			pciFiles(f, "0000:03:00.0", "0x8086", "xe", "active")
			f["sys/kernel/debug/dri/0000:03:00.0/tile0/vram_mm"] = "  size: 8522825728\n  usage: 33554432\n"
		}, "0 Intel card 1234 8096/8096/8128 ?", KindOK, ""},
		{"a card of Intel that may not be asked", func(f map[string]string) {
			pciFiles(f, "0000:03:00.0", "0x8086", "i915", "active")
		}, "0 Intel card 1234 ?/?/? ?", KindUnknown, "group render"},
		{"Intel's graphics in the processor", func(f map[string]string) {
			pciFiles(f, "0000:00:02.0", "0x8086", "i915", "active")
		}, "0 Intel card 1234 ?/?/? ? shared", KindIntegrated, ""},
		{"nouveau", func(f map[string]string) {
			pciFiles(f, "0000:01:00.0", "0x10de", "nouveau", "active")
		}, "", KindOtherDriver, "install NVIDIA's own driver"},
		{"NVIDIA without its tool", func(f map[string]string) {
			pciFiles(f, "0000:01:00.0", "0x10de", "nvidia", "active")
		}, "", KindOtherDriver, "its tool nvidia-smi is not"},
		{"a card of a virtual machine", func(f map[string]string) {
			pciFiles(f, "0000:01:00.0", "0x10de", "vfio-pci", "active")
		}, "", KindOtherDriver, "virtual machine"},
		{"an old driver of AMD", func(f map[string]string) {
			pciFiles(f, "0000:01:00.0", "0x1002", "radeon", "active")
		}, "", KindOtherDriver, "old driver radeon"},
		{"Asahi", func(f map[string]string) {
			f["sys/class/drm/card0/device/uevent"] = "DRIVER=asahi\nOF_NAME=gpu\n"
		}, "", KindOtherDriver, "Asahi Linux"},
		{"a screen of a virtual machine", func(f map[string]string) {
			pciFiles(f, "0000:00:01.0", "0x1af4", "virtio-pci", "active")
		}, "", KindNone, "run on the processor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{}
			tc.files(files)
			s := Monitor{Run: noTool, Memory: eightGiB, Root: tree(t, files), System: "linux"}.Status(t.Context())
			checkStatus(t, s)
			if got := show(s.GPUs); got != tc.cards || s.Kind != tc.kind {
				t.Errorf("%s: %s\nwant %s: %s", s.Kind, got, tc.kind, tc.cards)
			}
			if !strings.Contains(s.Note, tc.words) || (tc.words == "") != (s.Note == "") {
				t.Errorf("note %q, want %q in it", s.Note, tc.words)
			}
		})
	}
}

// regions makes the kernel's answer about memory regions.
func regions(head int, list ...[2]uint64) []byte {
	b := make([]byte, head+len(list)*regionSize)
	binary.NativeEndian.PutUint32(b, uint32(len(list)))
	for i, r := range list {
		at := b[head+i*regionSize:]
		binary.NativeEndian.PutUint16(at, uint16(r[0]))
		binary.NativeEndian.PutUint64(at[8:], r[1])
	}
	return b
}

func TestIntelLocal(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer []byte
		driver string
		want   string
	}{
		{"xe", regions(xeHeader, [2]uint64{0, 32 << 30}, [2]uint64{1, 12 << 30}), "xe", "12288"},
		{"two tiles", regions(xeHeader, [2]uint64{1, 12 << 30}, [2]uint64{1, 12 << 30}), "xe", "24576"},
		{"i915", regions(i915Header, [2]uint64{0, 32 << 30}, [2]uint64{1, 16 << 30}), "i915", "16384"},
		{"in a processor", regions(i915Header, [2]uint64{0, 32 << 30}), "i915", "0"},
		{"absurd", regions(xeHeader, [2]uint64{1, 1 << 63}), "xe", "?"},
		{"cut off", regions(xeHeader, [2]uint64{1, 12 << 30})[:40], "xe", "?"},
		{"empty", nil, "xe", "?"},
		{"more than there are", binary.NativeEndian.AppendUint64(nil, 65), "xe", "?"},
	} {
		if got := figures(intelLocal(tc.answer, tc.driver)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

func FuzzIntelLocal(f *testing.F) {
	f.Add(regions(xeHeader, [2]uint64{0, 1}, [2]uint64{1, 12 << 30}), true)
	f.Add(regions(i915Header, [2]uint64{1, 16 << 30}), false)
	f.Fuzz(func(t *testing.T, answer []byte, xe bool) {
		driver := "i915"
		if xe {
			driver = "xe"
		}
		if n := intelLocal(answer, driver); n != nil && (*n < 0 || *n > maxRegions*maxBytes) {
			t.Errorf("%d", *n)
		}
	})
}

// TestOtherSystems plays the tools of Apple and Windows.
func TestOtherSystems(t *testing.T) {
	play := func(answers map[string]string) Runner {
		return func(_ context.Context, name string, args ...string) ([]byte, []byte, error) {
			if out, ok := answers[name]; ok {
				return []byte(out), nil, nil
			}
			return nil, nil, &exec.Error{Name: name, Err: exec.ErrNotFound}
		}
	}
	const smi = "0, NVIDIA GeForce RTX 4080, 16376, 15000, 0, 900, GPU-1, 00000000:01:00.0, 205, 40, 20.00, P8, 591.86, [N/A], WDDM\n"
	for _, tc := range []struct {
		name, system string
		run          Runner
		cards        string
		kind         Kind
	}{
		{"Apple", "darwin", play(map[string]string{"system_profiler": "      Chipset Model: Apple M1\n", "sysctl": "hw.memsize: 8589934592\n"}), "0 Apple M1 5120/?/5461 ? shared", KindUnified},
		{"Apple without its tool", "darwin", noTool, "", KindToolFailed},
		{"Windows with NVIDIA and a processor's graphics", "windows", play(map[string]string{
			"nvidia-smi":     smi,
			"powershell.exe": "assay-card|NVIDIA GeForce RTX 4080|17171480576|32.0\r\nassay-card|AMD Radeon(TM) Graphics|536870912|32.0\r\n",
		}), "0 NVIDIA GeForce RTX 4080 15000/15000/16376 0; 0 AMD Radeon(TM) Graphics ?/?/512 ? shared", KindWDDM},
		{"Windows with AMD", "windows", play(map[string]string{
			"powershell.exe": "assay-card|AMD Radeon RX 9070 XT|17095983104|32.0\r\nassay-luid|AMD Radeon RX 9070 XT|86826|17095983104|1\r\nassay-used|luid_0x00000000_0x0001532a_phys_0|1073741824\r\n",
		}), "0 AMD Radeon RX 9070 XT 15280/15280/16304 ?", KindOK},
		{"Windows with two cards of one name", "windows", play(map[string]string{
			"powershell.exe": "assay-luid|AMD Radeon RX 580|1|8589934592|1\r\nassay-luid|AMD Radeon RX 580|2|8589934592|1\r\nassay-used|luid_0x00000000_0x00000001_phys_0|1073741824\r\n",
		}), "0 AMD Radeon RX 580 ?/?/8192 ?", KindUsedUnknown},
		{"Windows with a processor's graphics that have much memory", "windows", play(map[string]string{
			"powershell.exe": "assay-card|AMD Radeon(TM) 8060S Graphics|103079215104|32.0\r\nassay-luid|AMD Radeon(TM) 8060S Graphics|86826|103079215104|1\r\nassay-used|luid_0x00000000_0x0001532a_phys_0|1073741824\r\n",
		}), "0 AMD Radeon(TM) 8060S Graphics 97280/97280/98304 ?", KindAPU},
		{"Windows without figures of 64 bits", "windows", play(map[string]string{
			"powershell.exe": "assay-wmi|AMD Radeon RX 9070 XT|4293918720|32.0\r\nassay-wmi|Microsoft Basic Display Adapter||1\r\n",
		}), "0 AMD Radeon RX 9070 XT ?/?/? ?", KindCapped},
		{"Windows that does not answer", "windows", answer("", "", errors.New("exit status 1")), "", KindToolFailed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Monitor{Run: tc.run, Memory: eightGiB, Root: tree(t, nil), System: tc.system}.Status(t.Context())
			checkStatus(t, s)
			if got := show(s.GPUs); got != tc.cards || s.Kind != tc.kind {
				t.Errorf("%s: %s\nwant %s: %s", s.Kind, got, tc.kind, tc.cards)
			}
		})
	}
}
