package desk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"assay/engine"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// told is who hears of what a channel does meanwhile; any field may be nil, and none may block for long.
type told struct {
	note   func(research.Note)
	outbox func(research.Outbound)
	// embedding is what the run asks for, as [research.Request.Embedding].
	embedding string
}

// ownTries is how often a server of our own that died is asked again before a run waits for it by itself. A server that keeps
// dying is given up sooner, by package ollama.
const ownTries = 40

// ollamaChannel asks the model server for the model of this name, or for the best it has when the name is empty.
func (d *Desk) ollamaChannel(ctx context.Context, name string, egress research.Egress, at pinnedLoad, tell told) (Channel, error) {
	asis := false // the server was started anew for this channel, or could not be
	for try := 1; ; try++ {
		base, own, err := d.modelServer(ctx)
		if err != nil {
			return Channel{}, err
		}
		ch, err := d.channelAt(ctx, base, own, asis, name, egress, at, tell)
		if re := (*retuneError)(nil); errors.As(err, &re) {
			if err := d.retuned(ctx, re.kv, tell); err != nil {
				return Channel{}, err
			}
			asis = true
			continue
		}
		if !own || !errors.Is(err, research.ErrUnavailable) || try == ownTries {
			return ch, err
		}
	}
}

// channelAt asks the model server at base. The error is a [*retuneError] when a server of our own has to be started anew first,
// unless it is to be taken as it is.
func (d *Desk) channelAt(ctx context.Context, base string, own, asis bool, name string, egress research.Egress, at pinnedLoad, tell told) (ch Channel, err error) {
	if u, err := url.Parse(base); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ch, fmt.Errorf("OLLAMA_HOST is not an address such as 127.0.0.1:11434; correct or unset it: %w", research.ErrUnavailable)
	}
	if egress == research.Closed && !loopback(base) {
		return ch, fmt.Errorf("the model server %s is on another machine and this version keeps every research on this one; start Ollama here and unset OLLAMA_HOST, or use --model extractive: %w", base, research.ErrForbidden)
	}
	client, err := fetch.New(fetch.Policy{
		Egress:   egress,
		Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}},
		Outbox:   tell.outbox,
	})
	if err != nil {
		return ch, err
	}
	defer func() {
		if err != nil {
			client.Close()
		}
	}()
	web := client.HTTP(fetch.Model)
	why := "This model was asked for."
	admin, err := ollama.NewAdmin(web, base)
	if err != nil {
		return ch, err
	}
	spot, err := d.findSpot(ctx, admin, base, own, asis, name, at)
	if err != nil {
		return ch, err
	}
	if spot.retune != "" {
		return ch, &retuneError{spot.retune}
	}
	if spot.name != "" && at == (pinnedLoad{}) {
		at = spot.pin()
		if name == "" {
			name, why = spot.name, spot.why
		}
	}
	if name == "" {
		server, err := ollama.Probe(ctx, web, base)
		if err != nil {
			return ch, err
		}
		if name, why = server.Auto, server.Why; name == "" {
			return ch, fmt.Errorf("%s: %w", server.Why, research.ErrMissing)
		}
	}
	cfg := ollama.Config{HTTP: web, BaseURL: base, Model: name, Closed: egress == research.Closed, Note: tell.note,
		NumCtx: at.NumCtx, NumBatch: at.NumBatch, TokensPerByte: at.TokensPerByte}
	alone := ""
	if cfg.Embedding, alone, err = lockEmbedding(ctx, admin, tell.embedding); err != nil {
		return ch, err
	}
	cfg.NoEmbedding = alone != "" && (tell.embedding != "")
	model, err := ollama.New(ctx, cfg)
	if err != nil {
		return ch, err
	}
	if alone != "" && !model.Limits().Embeds && tell.note != nil {
		tell.note(research.Note{Level: "info", Text: "How near a page is to the question is judged by its words alone, because " + alone + "."})
	}
	spot.settle(model.Info(), model.Limits().NumCtx)
	ch = Channel{Name: "ollama:" + name, Why: why, model: model, close: client.Close, spot: spot}
	if own {
		ended := d.managed.open()
		ch.model, ch.close = selfServed{model, d, base}, func() { ended(); client.Close() }
	}
	return ch, nil
}

// loopback reports whether an address is of this machine.
func loopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// recordedChannel answers from the record in a file.
func (d *Desk) recordedChannel(file string) (Channel, error) {
	run, err := ReadRunFile(file)
	if err != nil {
		return Channel{}, err
	}
	setup, held, err := heldSetup(store.FromRun(run, false))
	if err != nil {
		return Channel{}, err
	}
	if !held {
		return Channel{}, usage("record %s: it holds no setup, so there are no answers in it", file)
	}
	return Channel{Name: "recorded", Why: "The answers are those of a recorded run.", model: recorded.New(recorded.FromRun(run), setup.Limits)}, nil
}

// warm has a model server load its model and measures how it counts, before anything depends on it. The load of a large model
// takes minutes, so it is said what is waited for.
func warm(ctx context.Context, ch Channel, note func(level, text string) error) error {
	if _, serves := ch.model.(engine.Waiter); !serves {
		return nil
	}
	if err := note("info", "Waiting until the server has loaded "+ch.Name+" and answers."); err != nil {
		return err
	}
	for try := 1; ; try++ {
		_, err := ch.model.Chat(ctx, research.Call{Role: research.Analyst, System: "You are ready.", Prompt: "Answer with one word: ready.", Budget: 8})
		answers := ch.model
		if g, ok := answers.(*guard); ok {
			answers = g.current()
		}
		own, ours := answers.(selfServed)
		switch {
		case err == nil:
			return nil
		case ours && try < ownTries && (errors.Is(err, research.ErrUnavailable) || errors.Is(err, research.ErrServer)):
			if err := own.Wait(ctx); err != nil {
				return err
			}
		case !ours && try < warmTries && mayPass(err):
			select { // a server that has just failed needs a moment
			case <-time.After(time.Duration(try) * 200 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		default:
			return err
		}
	}
}

// warmTries is how often a server that somebody else started is asked whether it answers: one failure of it is not the end of a run
// that has not begun.
const warmTries = 3

// mayPass reports whether a fault of a server may be gone at the next call.
func mayPass(err error) bool {
	if errors.Is(err, research.ErrRefused) || errors.Is(err, ollama.ErrMemory) {
		return false
	}
	return errors.Is(err, research.ErrServer) || errors.Is(err, research.ErrBusy)
}

// denser is how much denser than anything measured a prompt may be, in the limits of a run: they do not move with it.
const denser = 1.15

// pinned is a model whose limits stay what they were when the run began. Prompts are cut to them, so a resumed or replayed run
// asks the same only when they do not move.
type pinned struct {
	engine.Model
	limits research.Limits
}

// Limits implements the engine's Model.
func (p pinned) Limits() research.Limits { return p.limits }

// waiting is a pinned model that knows when its server is back.
type waiting struct {
	pinned
	engine.Waiter
}

func pin(m engine.Model, limits research.Limits) engine.Model {
	p := pinned{m, limits}
	if w, ok := m.(engine.Waiter); ok {
		return waiting{p, w}
	}
	return p
}
