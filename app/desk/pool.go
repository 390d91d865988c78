package desk

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"assay/engine/fetch"
	"assay/engine/openai"
	"assay/engine/research"
)

// Inference may be elsewhere: several model servers answer the runs of the queue, each so many at once. A run keeps to one server
// from its start to its end; one that reads files of the person's own and searches the web, or that is closed, keeps to this machine.

// PoolHost is a model server that answers runs of the queue.
type PoolHost struct {
	// Kind is the protocol: "ollama" or "openai".
	Kind string `json:"kind"`
	URL  string `json:"url"`
	// Model answers runs that name none. If empty, the one that a plan chooses there, or the first of a server of the second kind.
	Model string `json:"model,omitempty"`
	// AtOnce is how many runs are answered at once. If zero, 1.
	AtOnce int `json:"at_once,omitempty"`
}

func (h PoolHost) check() error {
	if h.Kind != "ollama" && h.Kind != "openai" {
		return fmt.Errorf("queue: a host speaks ollama or openai, not %q", short(h.Kind))
	}
	if u, err := url.Parse(h.URL); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return fmt.Errorf("queue: the address of a host is not one such as http://box:11434, without a name or key in it")
	}
	if h.AtOnce < 0 || h.AtOnce > mostRuns || strings.Contains(h.Model, ",") {
		return fmt.Errorf("queue: host %s: runs at once are from 1 to %d, and its model is one name", hostKey(h.URL), mostRuns)
	}
	return nil
}

// maxHosts bounds the servers of a pool.
const maxHosts = 64

// pool are the servers that answer runs of the queue: those of the settings, or the one that answers all runs.
func (d *Desk) pool() []PoolHost {
	return slices.Clone(d.Settings().Queue.Hosts)
}

// modelElsewhere reports whether the person named a model server on another machine, which a run of their own servers may ask.
func (d *Desk) modelElsewhere() bool {
	return !loopback(d.ollamaURL()) || d.openaiURL() != "" && !loopback(d.openaiURL()) ||
		slices.ContainsFunc(d.pool(), func(h PoolHost) bool { return !loopback(h.URL) })
}

// hostCtx carries the server of a run.
type hostCtx struct{}

// onHost has everything that is done under the context ask this server.
func onHost(ctx context.Context, h *PoolHost) context.Context {
	if h == nil {
		return ctx
	}
	return context.WithValue(ctx, hostCtx{}, *h)
}

// hostOf is the server of a run that was given one of this kind.
func hostOf(ctx context.Context, kind string) (base string, given bool) {
	h, given := ctx.Value(hostCtx{}).(PoolHost)
	if !given || h.Kind != kind {
		return "", false
	}
	return strings.TrimRight(h.URL, "/"), true
}

// modelOn is the model that a run asks for on its server.
func modelOn(ctx context.Context, asked string) string {
	h, given := ctx.Value(hostCtx{}).(PoolHost)
	if !given || asked != "auto" {
		return asked
	}
	if h.Kind == "openai" {
		return strings.TrimSuffix("openai:"+h.Model, ":")
	}
	if h.Model != "" {
		return "ollama:" + h.Model
	}
	return asked
}

// HostView is a server of the pool as it is now.
type HostView struct {
	PoolHost
	Running []string `json:"running"` // ids of the runs of this program that it answers
	Models  []string `json:"models"`  // that it has
	Loaded  []string `json:"loaded"`  // that are in its memory, of Ollama's kind
	// Fault says in a sentence why it is not used; "" when it answers.
	Fault string `json:"fault,omitempty"`
	// Plan is what the fit planner says of it, in sentences; empty for a server whose memory nobody knows.
	Plan []string `json:"plan"`
}

// Hosts looks at the servers of the pool, all at the same time.
func (d *Desk) Hosts(ctx context.Context) []HostView {
	hosts := d.pool()
	out := make([]HostView, len(hosts))
	var looks sync.WaitGroup
	for i, h := range hosts {
		looks.Go(func() { out[i] = d.lookAt(ctx, h) })
	}
	looks.Wait()
	return out
}

func (d *Desk) lookAt(ctx context.Context, h PoolHost) HostView {
	v := HostView{PoolHost: h, Running: d.runningOn(h), Models: []string{}, Loaded: []string{}, Plan: []string{}}
	if d.Settings().Offline && !loopback(h.URL) {
		v.Fault = "It is on another machine, and the settings are offline."
		return v
	}
	ctx = onHost(ctx, &h)
	var err error
	if h.Kind == "openai" {
		v.Models, err = d.openaiModels(ctx, h)
	} else {
		err = d.lookAtOllama(ctx, &v)
	}
	if err != nil {
		v.Fault = capital(err.Error()) + "."
	}
	return v
}

func (d *Desk) lookAtOllama(ctx context.Context, v *HostView) error {
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	list, err := d.Models(ctx)
	if err != nil {
		return err
	}
	for _, m := range list.Models {
		v.Models = append(v.Models, m.Name)
		if m.Running != nil {
			v.Loaded = append(v.Loaded, m.Name)
		}
	}
	plan, err := d.Plan(ctx)
	if err != nil {
		return err
	}
	v.Plan = planWords(plan)
	return nil
}

// openaiModels asks a server of the other kind what it has.
func (d *Desk) openaiModels(ctx context.Context, h PoolHost) ([]string, error) {
	u, err := url.Parse(h.URL)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Own, Services: []fetch.Service{{Base: u.Scheme + "://" + u.Host, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return openai.Models(ctx, client.HTTP(fetch.Model), h.URL, d.getenv(envOpenAIKey))
}

// runningOn are the runs of this program that a server answers.
func (d *Desk) runningOn(h PoolHost) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := []string{}
	for id, j := range d.jobs {
		if j.opt.host != nil && j.opt.host.URL == h.URL {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// seats are the servers that have room for a run now, the one with the most room first.
func seats(hosts []HostView) []HostView {
	free := slices.DeleteFunc(slices.Clone(hosts), func(v HostView) bool {
		return v.Fault != "" || len(v.Running) >= or(v.AtOnce, 1)
	})
	slices.SortStableFunc(free, func(a, b HostView) int {
		return (or(b.AtOnce, 1) - len(b.Running)) - (or(a.AtOnce, 1) - len(a.Running))
	})
	return free
}

// healthy are the servers that answer, with room or without.
func healthy(hosts []HostView) []HostView {
	return slices.DeleteFunc(slices.Clone(hosts), func(v HostView) bool { return v.Fault != "" })
}

// seatFor chooses a server for a run that asks for model; nil when none of those with room may or can answer it.
func seatFor(free []HostView, req research.Request, model string) *PoolHost {
	kind, name, _ := strings.Cut(model, ":")
	for _, v := range free {
		switch {
		case modelReach(req) == research.Closed && !loopback(v.URL):
		case kind != "auto" && kind != v.Kind:
		case name != "" && !slices.ContainsFunc(v.Models, func(m string) bool { return sameModel(m, name) }):
		default:
			h := v.PoolHost
			return &h
		}
	}
	return nil
}
