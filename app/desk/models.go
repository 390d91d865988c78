package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
)

// What the window and the terminal say of models, by the names of package ollama.
type (
	ModelList     = ollama.Models
	ModelPull     = ollama.Pull
	PullProgress  = ollama.PullProgress
	RunningModel  = ollama.Running
	LoadOptions   = ollama.LoadOptions
	CreateOptions = ollama.CreateOptions
)

// Model is all that a server says of one model.
type Model struct {
	ollama.Info
	Running *ollama.Running `json:"running,omitempty"` // while it is loaded
	// Shown is the server's whole answer to /api/show, of which a plan is made.
	Shown json.RawMessage `json:"shown"`
}

// shelf is the models of the servers that were asked, one for each address, so that two pulls of one model are one.
type shelf struct {
	mu     sync.Mutex
	admins map[string]*ollama.Admin
	done   []func()
}

// close stops the pulls that run and lets the connections go.
func (s *shelf) close() {
	s.mu.Lock()
	admins, closers := s.admins, s.done
	s.admins, s.done = nil, nil
	s.mu.Unlock()
	for _, a := range admins {
		a.Close()
	}
	for _, c := range closers {
		c()
	}
}

// at returns the models of the server at base.
func (s *shelf) at(base string, egress research.Egress) (*ollama.Admin, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(egress) + " " + base
	if a := s.admins[key]; a != nil {
		return a, nil
	}
	client, err := fetch.New(fetch.Policy{Egress: egress, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, err
	}
	a, err := ollama.NewAdmin(client.HTTP(fetch.Model), base)
	if err != nil {
		client.Close()
		return nil, err
	}
	if s.admins == nil {
		s.admins = map[string]*ollama.Admin{}
	}
	s.admins[key] = a
	s.done = append(s.done, client.Close)
	return a, nil
}

// admin returns the models of the server that a run would use. While the offline switch is on, a server on another machine is
// not asked.
func (d *Desk) admin(ctx context.Context) (*ollama.Admin, error) {
	base, _, err := d.modelServer(ctx)
	if err != nil {
		return nil, err
	}
	egress := research.Web
	if d.Settings().Offline {
		egress = research.Closed
		if !loopback(base) {
			return nil, fmt.Errorf("the model server %s is on another machine and the offline switch is on; turn it off, or start Ollama here: %w", base, research.ErrForbidden)
		}
	}
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return nil, errors.New("the program is closing")
	}
	return d.shelf.at(base, egress)
}

// Models lists what the model server has, what each model can do and what is loaded. Models that the server forwards to another
// host are marked in Remote; none of them is ever chosen by itself, and closed runs refuse them.
func (d *Desk) Models(ctx context.Context) (ModelList, error) {
	a, err := d.admin(ctx)
	if err != nil {
		return ModelList{}, err
	}
	return a.List(ctx)
}

// ShowModel returns all that the server says of one model.
func (d *Desk) ShowModel(ctx context.Context, name string) (Model, error) {
	a, err := d.admin(ctx)
	if err != nil {
		return Model{}, err
	}
	raw, info, err := a.Show(ctx, name)
	if err != nil {
		return Model{}, err
	}
	m := Model{Info: info, Shown: raw}
	list, err := a.List(ctx)
	if err != nil {
		return m, err
	}
	for _, l := range list.Models {
		if l.Digest == info.Digest && l.Running != nil {
			m.Running, m.Loaded = l.Running, true
		}
	}
	return m, nil
}

// PullModel has the model server fetch a model, which makes the server, not this program, go out; with the offline switch on it
// is refused, and turning the switch on stops it. A model that is being fetched already is joined: the second result is then
// true. yesTo is the host that the person said yes to, for a name of another host than Ollama's registry; without it the error
// wraps [ErrForeignHost].
func (d *Desk) PullModel(ctx context.Context, name, yesTo string) (*ModelPull, bool, error) {
	n, err := ollama.ParseName(name)
	if err != nil {
		return nil, false, &UsageError{Err: err}
	}
	if d.Settings().Offline {
		return nil, false, fmt.Errorf("the offline switch is on, so the model server is not told to fetch %s from %s; turn the switch off, or make the model of a file that you bring: %w", n.Short(), n.Host, research.ErrForbidden)
	}
	a, err := d.admin(ctx)
	if err != nil {
		return nil, false, err
	}
	ended := d.managed.use()
	p, joined, err := a.Pull(ctx, name, ollama.PullOptions{Host: yesTo})
	if err != nil || joined {
		ended()
		return p, joined, err
	}
	go d.stopWhenOffline(p)
	go func() {
		defer ended()
		<-p.Done()
	}()
	return p, joined, err
}

// ErrForeignHost: a model would be fetched from another host than Ollama's registry and nobody said yes to it.
var ErrForeignHost = ollama.ErrForeign

// ModelHost is the host that a model of this name is fetched from; empty when it is no name.
func ModelHost(name string) string {
	n, err := ollama.ParseName(name)
	if err != nil {
		return ""
	}
	return n.Host
}

// stopWhenOffline stops a pull when the offline switch is turned on, here or in another program.
func (d *Desk) stopWhenOffline(p *ModelPull) {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-p.Done():
			return
		case <-look.C:
			if d.Settings().Offline {
				p.Cancel()
				return
			}
		}
	}
}

// Pulls returns how far the pulls of this program are.
func (d *Desk) Pulls() []PullProgress {
	d.shelf.mu.Lock()
	defer d.shelf.mu.Unlock()
	out := []PullProgress{}
	for _, a := range d.shelf.admins {
		out = append(out, a.Pulls()...)
	}
	slices.SortFunc(out, func(a, b PullProgress) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// CancelPull stops the pull of a model, for everybody who follows it; what was fetched is kept. It reports whether there was one.
func (d *Desk) CancelPull(name string) bool {
	n, err := ollama.ParseName(name)
	if err != nil {
		return false
	}
	d.shelf.mu.Lock()
	defer d.shelf.mu.Unlock()
	found := false
	for _, a := range d.shelf.admins {
		if p := a.Pulling(n); p != nil {
			p.Cancel()
			found = true
		}
	}
	return found
}

// CopyModel gives a model a second name, which takes no room on the disk. A name that stands for another model already is replaced
// only when confirmed: else the error wraps [ErrUnconfirmed] and says what would go.
func (d *Desk) CopyModel(ctx context.Context, from, to string, confirmed bool) error {
	for _, name := range []string{from, to} {
		if _, err := ollama.ParseName(name); err != nil {
			return &UsageError{Err: err}
		}
	}
	a, err := d.admin(ctx)
	if err != nil {
		return err
	}
	return unconfirmed(a.Copy(ctx, from, to, confirmed))
}

// unconfirmed makes a name that is taken something that needs a yes.
func unconfirmed(err error) error {
	if errors.Is(err, ollama.ErrTaken) {
		return fmt.Errorf("%w: %w", err, ErrUnconfirmed)
	}
	return err
}

// ReplacedBy says in a sentence which model would be replaced were its name given to a copy of the model of, or, when of is empty,
// to one made of a file; empty when none would.
func (d *Desk) ReplacedBy(ctx context.Context, name, of string) (string, error) {
	a, err := d.admin(ctx)
	if err != nil {
		return "", err
	}
	return a.Replaced(ctx, name, of)
}

// ErrUnconfirmed: something is not done without an explicit yes.
var ErrUnconfirmed = errors.New("not confirmed")

// DeleteModel removes a model from the server's disk, and from its memory first when it is loaded there under this name. Unless
// confirmed, it only says what would go, in an error that wraps [ErrUnconfirmed].
func (d *Desk) DeleteModel(ctx context.Context, name string, confirmed bool) error {
	a, err := d.admin(ctx)
	if err != nil {
		return err
	}
	running, err := a.Running(ctx)
	loaded := err == nil && slices.ContainsFunc(running, func(r ollama.Running) bool { return sameModel(r.Name, name) })
	if confirmed {
		if loaded {
			if err := a.Unload(ctx, name); err != nil && !errors.Is(err, research.ErrMissing) {
				return err
			}
		}
		return a.Delete(ctx, name)
	}
	info, err := a.Describe(ctx, name)
	if err != nil {
		return err
	}
	used := ""
	if loaded {
		used = ", which is loaded now and would be unloaded,"
	}
	return fmt.Errorf("%s with %s%s would be deleted from the disk of the model server; it can be pulled or made again only: %w", name, DiskText(info.Size), used, ErrUnconfirmed)
}

// DiskText is a number of bytes in the decimal units of disks and registries.
func DiskText(n int64) string {
	if n >= 1e3 {
		return ollama.BytesText(n)
	}
	return fmt.Sprintf("%d B", n)
}

// CreateModel makes a model of a GGUF file, which may be on a stick; see [ollama.Admin.Create]. A name that stands for a model
// already needs opt.Replace: else the error wraps [ErrUnconfirmed].
func (d *Desk) CreateModel(ctx context.Context, name, file string, opt CreateOptions) error {
	a, err := d.admin(ctx)
	if err != nil {
		return err
	}
	return unconfirmed(a.Create(ctx, name, file, opt))
}

// LoadModel loads a model and returns what the server then says about it; nothing else counts as loaded.
func (d *Desk) LoadModel(ctx context.Context, name string, opt LoadOptions) (RunningModel, error) {
	a, err := d.admin(ctx)
	if err != nil {
		return RunningModel{}, err
	}
	return a.Load(ctx, name, opt)
}

// UnloadModel has the server let a model go and returns when it has.
func (d *Desk) UnloadModel(ctx context.Context, name string) error {
	a, err := d.admin(ctx)
	if err != nil {
		return err
	}
	return a.Unload(ctx, name)
}
