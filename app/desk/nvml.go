package desk

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"assay/gpu"
)

// NVMLCommand is the program's own subcommand in which NVIDIA's library is loaded, so that one that hangs or crashes can be
// stopped; see [gpu.NVMLProbe].
const NVMLCommand = gpu.NVMLCommand

// NVMLProbe is that child.
func NVMLProbe(args []string, stdout, stderr io.Writer) int {
	return gpu.NVMLProbe(args, stdout, stderr)
}

// vendorTools is how the vendors' tools are run: nil for as they are, or with NVIDIA's library in a child in place of its tool.
func (d *Desk) vendorTools() gpu.Runner {
	if !d.Settings().Memory.NVML {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil // the tool is asked, as without the setting
	}
	return gpu.WithNVML(self)
}

// checkNVML says whether the driver's library answers, which was set to be asked.
func checkNVML(ctx context.Context) Symptom {
	s := Symptom{Name: "nvml", Level: LevelOK, Text: "NVIDIA's library answers in a child of this program"}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	self, err := os.Executable()
	if err == nil {
		err = gpu.TryNVML(ctx, self)
	}
	if err != nil {
		s.Level, s.Text = LevelNote, fmt.Sprintf("%v; nvidia-smi is asked in its place", err)
		s.Cure = "take \"nvml\" out of the memory settings, or install NVIDIA's driver"
	}
	return s
}
