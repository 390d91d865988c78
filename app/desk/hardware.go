package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// Hardware is the machine's memory and cards at one moment, who holds them, and what is wrong with that.
type Hardware struct {
	gpu.Status
	AtMs    int64        `json:"at_ms"`   // since 1970; 0 for a recorded output, which does not say
	Source  string       `json:"source"`  // what printed a recorded output; "" for this machine
	Models  []gpu.Loaded `json:"models"`  // in the server's memory; never nil
	Server  string       `json:"server"`  // why the loaded models are not known; "" when they are
	Holders []gpu.Holder `json:"holders"` // never nil
	Alarms  []gpu.Alarm  `json:"alarms"`  // never nil
}

// loadedTime bounds the question which models are loaded, which is asked while the person looks.
const loadedTime = 2 * time.Second

// Hardware looks at the machine and asks the model server what it has loaded. A card that is switched off to save power is
// asked only when wake says so, because that switches it on.
func (d *Desk) Hardware(ctx context.Context, wake bool) Hardware {
	s, _ := d.sampler(wake)
	return hardwareOf(s.Sample(ctx))
}

// Sampler returns what watches the machine and the loaded models while [gpu.Sampler.Run] runs.
func (d *Desk) Sampler() *gpu.Sampler {
	s, replay := d.sampler(false)
	if replay != nil {
		replay.past(context.Background(), s, time.Now()) // reads no more than memory
	}
	return s
}

// sampler looks at this machine, or at what a recording says of it; then the recording is returned, too.
func (d *Desk) sampler(wake bool) (*gpu.Sampler, *gpuReplay) {
	s := &gpu.Sampler{Status: gpu.Monitor{Wake: wake, Run: d.vendorTools()}.Status, Models: d.loadedModels}
	dir := d.getenv(ReplayEnv)
	if dir == "" {
		return s, nil
	}
	replay, err := readReplay(dir)
	if err != nil {
		s.Status = func(context.Context) gpu.Status { return faultyStatus(err) }
		return s, nil
	}
	s.Status = gpu.Monitor{Run: replay.run}.Status
	if replay.serve {
		s.Models = func(ctx context.Context) ([]gpu.Loaded, error) {
			running, err := replay.models()
			if err != nil {
				return nil, err
			}
			a, closeIt, err := d.lookingAdmin()
			if err != nil {
				return loadedOf(running), nil // as recorded
			}
			defer closeIt()
			return d.loadedOnCards(ctx, a, running), nil
		}
	}
	return s, replay
}

// realMemory is what a plan and a run look with: at this machine's cards, and at the server that the run uses.
func (d *Desk) realMemory(a *ollama.Admin) *gpu.Sampler {
	s, replay := d.sampler(false)
	if replay == nil || !replay.serve {
		s.Models = func(ctx context.Context) ([]gpu.Loaded, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, loadedTime, fmt.Errorf("the server did not say within %s which models are loaded", loadedTime))
			defer cancel()
			running, err := a.Running(ctx)
			return d.loadedOnCards(ctx, a, running), err
		}
	}
	return s
}

// loadedOf are loaded models as the server says them.
func loadedOf(running []ollama.Running) []gpu.Loaded {
	loaded := make([]gpu.Loaded, len(running))
	for i, r := range running {
		loaded[i] = gpu.Loaded{Name: r.Name, Size: r.Size, VRAM: r.SizeVRAM}
	}
	return loaded
}

// loadedOnCards are loaded models as the monitor counts them: what they hold on the cards. A server that says of a model which is
// wholly on a card that all of it is there counts the part that stays in main memory with it; where the server describes the
// model, that part is taken off.
func (d *Desk) loadedOnCards(ctx context.Context, a *ollama.Admin, running []ollama.Running) []gpu.Loaded {
	loaded, version := loadedOf(running), ""
	for i, r := range running {
		if r.SizeVRAM == 0 || r.SizeVRAM < r.Size || r.Digest == "" {
			continue
		}
		m, err := d.shape(ctx, a, ollama.Info{Name: r.Name, Digest: r.Digest}) // it is asked for once
		if err == nil && version == "" {
			version, err = a.Version(ctx)
		}
		if err != nil {
			continue // all of it is counted
		}
		if said := m.Reported(gpu.Load{Context: r.ContextLength, Version: version}); said.Outside < r.SizeVRAM {
			loaded[i].Size -= said.Outside
			loaded[i].VRAM -= said.Outside
		}
	}
	return loaded
}

// faultyStatus is of a machine that could not be looked at.
func faultyStatus(err error) gpu.Status {
	c := gpu.Condition{Kind: gpu.KindToolFailed, GPU: -1, Text: err.Error()}
	return gpu.Status{GPUs: []gpu.GPU{}, Processes: []gpu.Process{}, Conditions: []gpu.Condition{c}, Kind: c.Kind, Note: c.Text}
}

// RecordingFault says in one sentence why the recording that stands for the cards cannot be played, as a [*UsageError]; nil when it can,
// or when there is none.
func (d *Desk) RecordingFault() error {
	dir := d.getenv(ReplayEnv)
	if dir == "" {
		return nil
	}
	if _, err := readReplay(dir); err != nil {
		return &UsageError{Err: err}
	}
	return nil
}

// Recording says where the figures of the cards come from when they are not of this machine; "" when they are.
func (d *Desk) Recording() string { return d.getenv(ReplayEnv) }

func hardwareOf(s gpu.Sample) Hardware {
	return Hardware{Status: s.Status, AtMs: s.AtMs, Models: s.Models, Server: s.Server, Holders: s.Holders, Alarms: s.Alarms}
}

// loadedModels asks the model server for /api/ps.
func (d *Desk) loadedModels(ctx context.Context) ([]gpu.Loaded, error) {
	admin, closeIt, err := d.lookingAdmin()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	ctx, cancel := context.WithTimeoutCause(ctx, loadedTime, fmt.Errorf("the server at %s did not say within %s which models are loaded", d.lookingAt(), loadedTime))
	defer cancel()
	running, err := admin.Running(ctx)
	if err != nil {
		return nil, err
	}
	return d.loadedOnCards(ctx, admin, running), nil
}

// lookingAt is the server whose models are looked at: the one that Assay runs, where it runs, else the one that is set. None is
// started for a look.
func (d *Desk) lookingAt() string {
	if m := d.managedStatus(); m != nil && m.URL != "" {
		return m.URL
	}
	return d.ollamaURL()
}

// lookingAdmin reaches that server, for questions that never leave this machine.
func (d *Desk) lookingAdmin() (a *ollama.Admin, closeIt func(), err error) {
	base := d.lookingAt()
	if u, err := url.Parse(base); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, errors.New("OLLAMA_HOST is not an address such as 127.0.0.1:11434; correct or unset it")
	}
	if !loopback(base) {
		return nil, nil, fmt.Errorf("the model server %s is on another machine, so its models are not on the cards of this one", base)
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, nil, err
	}
	if a, err = ollama.NewAdmin(client.HTTP(fetch.Model), base); err != nil {
		client.Close()
		return nil, nil, err
	}
	return a, client.Close, nil
}

// ReadHardware reads an output of a vendor's tool that somebody recorded in a file. The error is a [*UsageError] when there
// is no such file. A pipe or a device is no file: it may never end.
func ReadHardware(name string) (Hardware, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // before it is opened, which waits at a pipe
		return Hardware{}, usage("recorded output %s: it is no file; write - to read what another program prints", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return Hardware{}, usage("recorded output %s: it does not exist or may not be read: check the spelling", name)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return Hardware{}, usage("recorded output %s: it is no file", name)
	}
	return ReadHardwareFrom(name, f)
}

// ReadHardwareFrom reads such an output from r, up to the largest there is; name is for errors.
func ReadHardwareFrom(name string, from io.Reader) (Hardware, error) {
	content, err := io.ReadAll(io.LimitReader(from, gpu.MaxRecorded+1))
	if err != nil {
		return Hardware{}, fmt.Errorf("read %s: %w", name, err)
	}
	if len(bytes.TrimSpace(content)) == 0 {
		return Hardware{}, usage("recorded output %s: it is empty; have the tool print into it again, as in nvidia-smi > FILE", name)
	}
	r, err := gpu.Read(filepath.Base(name), content)
	if errors.Is(err, gpu.ErrNotRecognised) {
		return Hardware{}, fmt.Errorf("%w; print the cards with one of these tools, as in nvidia-smi > FILE, and read that", err)
	}
	if err != nil {
		return Hardware{}, err
	}
	h := Hardware{Status: r.Status, Source: r.Source, Models: []gpu.Loaded{}, Holders: gpu.Holders(r.Status, nil), Alarms: []gpu.Alarm{}}
	if h.Holders == nil {
		h.Holders = []gpu.Holder{}
	}
	return h, nil
}
