package desk

import (
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
	return hardwareOf(d.sampler(wake).Sample(ctx))
}

// Sampler returns what watches the machine and the loaded models while [gpu.Sampler.Run] runs.
func (d *Desk) Sampler() *gpu.Sampler { return d.sampler(false) }

func (d *Desk) sampler(wake bool) *gpu.Sampler {
	return &gpu.Sampler{Status: gpu.Monitor{Wake: wake}.Status, Models: d.loadedModels}
}

func hardwareOf(s gpu.Sample) Hardware {
	return Hardware{Status: s.Status, AtMs: s.AtMs, Models: s.Models, Server: s.Server, Holders: s.Holders, Alarms: s.Alarms}
}

// loadedModels asks the model server for /api/ps.
func (d *Desk) loadedModels(ctx context.Context) ([]gpu.Loaded, error) {
	base := d.ollamaURL()
	if u, err := url.Parse(base); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("OLLAMA_HOST is not an address such as 127.0.0.1:11434; correct or unset it")
	}
	if !loopback(base) {
		return nil, fmt.Errorf("the model server %s is on another machine, so its models are not on the cards of this one", base)
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	admin, err := ollama.NewAdmin(client.HTTP(fetch.Model), base)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, loadedTime, fmt.Errorf("the server at %s did not say within %s which models are loaded", base, loadedTime))
	defer cancel()
	running, err := admin.Running(ctx)
	if err != nil {
		return nil, err
	}
	loaded := make([]gpu.Loaded, len(running))
	for i, r := range running {
		loaded[i] = gpu.Loaded{Name: r.Name, Size: r.Size, VRAM: r.SizeVRAM}
	}
	return loaded, nil
}

// ReadHardware reads an output of a vendor's tool that somebody recorded in a file. The error is a [*UsageError] when there
// is no such file.
func ReadHardware(name string) (Hardware, error) {
	f, err := os.Open(name)
	if err != nil {
		return Hardware{}, usage("recorded output %s: it does not exist or may not be read: check the spelling", name)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return Hardware{}, usage("recorded output %s: it is no file", name)
	}
	content, err := io.ReadAll(io.LimitReader(f, gpu.MaxRecorded+1))
	if err != nil {
		return Hardware{}, fmt.Errorf("read %s: %w", name, err)
	}
	r, err := gpu.Read(filepath.Base(name), content)
	if err != nil {
		return Hardware{}, err
	}
	h := Hardware{Status: r.Status, Source: r.Source, Models: []gpu.Loaded{}, Holders: gpu.Holders(r.Status, nil), Alarms: []gpu.Alarm{}}
	if h.Holders == nil {
		h.Holders = []gpu.Holder{}
	}
	return h, nil
}
