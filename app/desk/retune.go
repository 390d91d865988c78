package desk

import (
	"context"
	"fmt"
	"sync"

	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
	"assay/gpu"
)

// A server keeps the cache type that it was started with. Where the settings leave it to the plan, a server that Assay started is
// started anew when a plan needs another type, unless something goes on with it; another server is only spoken of.

// kvByPlan reports whether the settings leave the cache type to the plan.
func (s Settings) kvByPlan() bool {
	return (s.KVType == "" || s.KVType == "auto") && s.FlashAttention != "off"
}

// use notes that a bake-off or a pull of this program goes on with the managed server, and returns what ends that.
func (m *managed) use() (ended func()) { return m.count(&m.uses) }

// open notes a channel to the managed server, and returns what ends that.
func (m *managed) open() (ended func()) { return m.count(&m.runs) }

func (m *managed) count(n *int) (ended func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*n++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		*n--
	})
}

// used reports whether something goes on with the managed server.
func (m *managed) used() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.runs+m.uses > 0
}

// wantedServer is what the managed server is to be started with: by the settings, with the cache type f16 where they leave it to
// the plan.
func wantedServer(set Settings) gpu.Server {
	s := gpu.Server{KV: gpu.F16, Parallel: max(1, set.Parallel)}
	if set.KVType != "" && set.KVType != "auto" {
		s.KV = gpu.KVType(set.KVType)
	}
	if f := gpu.Flash(set.FlashAttention); f == gpu.FlashOn || f == gpu.FlashOff {
		s.Flash = f
	}
	if s.KV != gpu.F16 {
		s.Flash = gpu.FlashOn
	}
	return s
}

// tuning is what the managed server is started with: by the settings, and by the last plan where they leave it to that.
func (d *Desk) tuning() ollama.Tuning {
	set := d.Settings()
	t := set.tuning()
	if set.kvByPlan() {
		d.managed.mu.Lock()
		defer d.managed.mu.Unlock()
		t.KVType = d.managed.kv
	}
	return t
}

// halved is the server with the cache type that takes half the memory.
func halved(s gpu.Server) gpu.Server {
	s.KV, s.Flash, s.Settable = gpu.Q8, gpu.FlashOn, false
	return s
}

// retuneError says that the managed server has to be started anew before the model is asked.
type retuneError struct{ kv gpu.KVType }

func (e *retuneError) Error() string {
	return fmt.Sprintf("the model server has to be started anew with a cache of %s", e.kv)
}

// retune starts the managed server anew with another cache type, also one that another program of this home owns, which lets it
// go unless it is in use there. The error says why the server stays as it is, or that it does not come back.
func (d *Desk) retune(ctx context.Context, kv gpu.KVType) error {
	m := &d.managed
	if m.used() {
		return fmt.Errorf("something else is using it: %w", ErrServerInUse)
	}
	if m.own() != nil {
		m.close()
	} else if holder, held := store.LeaseHolder(d.serverDir()); held {
		if _, err := d.askToStop(ctx, holder); err != nil {
			return err
		}
	}
	m.mu.Lock()
	m.kv = string(kv)
	m.mu.Unlock()
	_, err := d.serving(ctx)
	return err
}

// retuned starts the managed server anew for a channel, and tells of it. When that cannot be, the server stays as it is.
func (d *Desk) retuned(ctx context.Context, kv gpu.KVType, tell told) error {
	text := fmt.Sprintf("The model server was started anew with a cache of %s, which the plan needs.", kv)
	level := "info"
	if err := d.retune(ctx, kv); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		level, text = "warn", fmt.Sprintf("The model server was not started anew with a cache of %s: %v.", kv, err)
	}
	if tell.note != nil {
		tell.note(research.Note{Level: level, Text: text})
	}
	return nil
}
