package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"assay/engine/ollama"
	"assay/engine/store"
	"assay/gpu"
)

// calibrationFile holds what loads were measured to take, in the data of the home: it is knowledge of this machine, and not a
// setting.
const calibrationFile = "calibration.json"

// calibration reads what earlier loads showed. A file that is damaged is said and begun anew: the estimates stand without it.
func (d *Desk) calibration() (known gpu.Calibration, fault string) {
	name := filepath.Join(d.dirs.Data, calibrationFile)
	st, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ""
	}
	if err == nil && st.Size() > maxSettings {
		err = fmt.Errorf("it is %d bytes long", st.Size())
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(name)
	}
	if err == nil {
		if bad := json.Unmarshal(b, &known); bad != nil {
			err = errors.New(store.BadJSON(bad))
		}
	}
	if err != nil {
		return nil, fmt.Sprintf("What earlier loads were measured to take cannot be read (%s: %v); it is learnt anew.", name, err)
	}
	return known, ""
}

// learn keeps what a load was measured to take. Two programs that load at the same moment may lose one of the two: it is
// measured again at the next load.
func (d *Desk) learn(o gpu.Observation) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, _ := d.calibration()
	known = known.Add(o)
	if len(known) == 0 {
		return nil // it said nothing
	}
	b, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return fmt.Errorf("keep what a load took: %w", err)
	}
	if err := os.MkdirAll(d.dirs.Data, 0o755); err != nil {
		return store.Fault("keep what a load took", d.dirs.Data, err)
	}
	return store.WriteFile(filepath.Join(d.dirs.Data, calibrationFile), append(b, '\n'))
}

// measuredText says what an earlier load of the same kind showed, or "".
func measuredText(known gpu.Calibration, digest string, l gpu.Load) string {
	o, ok := known.Find(digest, l)
	if !ok {
		return ""
	}
	return fmt.Sprintf("measured last time: %+.1f %%", 100*(o.Ratio()-1))
}

// comparison is a load beside its prediction.
type comparison struct {
	text    string
	observe *gpu.Observation // nil: nothing is learnt from it
}

// compareLoad holds what the server says of a model that it has just loaded against the prediction. fell is by how much the
// cards' free memory fell meanwhile, nil when that is not known.
//
// Sizes of the server are compared as far as they are measurements; its own estimates are named as such and teach nothing. On
// the processor size_vram is 0 and what is compared is size, which is main memory.
func compareLoad(m gpu.Model, l gpu.Load, ps ollama.Running, fell *int64) comparison {
	e, said := m.Estimate(l), m.Reported(l)
	predicted, measured, where := said.Size, ps.Size, "in main memory"
	if l.Backend != gpu.Processor {
		predicted, measured, where = said.VRAM, ps.SizeVRAM, "on the card"
	}
	out := comparison{text: fmt.Sprintf("Predicted %s, measured %s %s; asked %s, server reports %s.",
		sizeText(predicted, measured), sizeUnit(measured, predicted), where, gpu.Grouped(l.Context), windowText(ps.ContextLength))}
	if !said.Measured {
		out.text = fmt.Sprintf("Expected the server to say %s, it says %s %s, which is no measurement: %s; asked %s, server reports %s.",
			sizeText(predicted, measured), sizeUnit(measured, predicted), where, said.Why, gpu.Grouped(l.Context), windowText(ps.ContextLength))
	}
	if fell != nil && *fell > 0 {
		out.text += fmt.Sprintf(" The free memory of the cards fell by %s, of which up to %s are the driver's.", sizeUnit(*fell, *fell), sizeUnit(e.Of(gpu.PartOverhead), 0))
	}
	whole := l.Backend != gpu.Processor && ps.SizeVRAM > 0 && ps.SizeVRAM >= ps.Size
	if said.Measured && whole && (ps.ContextLength == 0 || ps.ContextLength == e.Load.Context) {
		out.observe = &gpu.Observation{
			Digest: ps.Digest, Context: e.Load.Context, KV: e.Load.KV, Parallel: e.Load.Parallel, Version: e.Load.Version,
			Predicted: e.Server(), Measured: measured - said.Outside,
		}
	}
	return out
}

// sizeText and sizeUnit print two sizes in one unit: GiB from 1 GiB on, MiB below.
func sizeText(n, beside int64) string {
	if max(n, beside) >= 1<<30 {
		return fmt.Sprintf("%.2f", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.1f", float64(n)/(1<<20))
}

func sizeUnit(n, beside int64) string {
	if max(n, beside) >= 1<<30 {
		return sizeText(n, beside) + " GiB"
	}
	return sizeText(n, beside) + " MiB"
}

func windowText(n int) string {
	if n == 0 {
		return "none"
	}
	return gpu.Grouped(n)
}
