package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"assay/engine"
	"assay/engine/research"
)

// restTime is how long a channel that could not answer is left alone while the other answers.
const restTime = time.Minute

// pairChannel chooses two channels, "ollama:A,openai:B": the first answers, and the second whenever the first cannot. Both are held to
// the same reach, so that no fallback widens it. When one of them is not there at the start, the run has the other alone.
func (d *Desk) pairChannel(ctx context.Context, first, second string, egress research.Egress, at pinnedLoad, tell told) (Channel, error) {
	a, aerr := d.channel(ctx, first, egress, at, tell)
	if ctx.Err() != nil {
		return a, errors.Join(ctx.Err(), aerr)
	}
	if aerr != nil && !passes(aerr) {
		return a, aerr
	}
	b, berr := d.channel(ctx, second, egress, at, tell)
	switch {
	case aerr != nil && berr != nil:
		return Channel{}, fmt.Errorf("%w; and %s: %s", aerr, second, berr.Error())
	case aerr != nil:
		b.Why = first + " cannot answer (" + aerr.Error() + "). " + b.Why
		return b, nil
	case berr != nil && !passes(berr):
		return Channel{}, errors.Join(berr, a.end())
	case berr != nil:
		a.Why += " " + second + ", which was to stand in for it, cannot answer (" + berr.Error() + ")."
		return a, nil
	case a.spot != nil && b.spot != nil:
		return Channel{}, errors.Join(usage("model %s,%s: both are of one Ollama server, which then loads them in turn: name one", first, second), a.end(), b.end())
	}
	pair := Channel{
		Name: a.Name + "," + b.Name, Why: a.Why + " " + b.Name + " answers whenever it cannot.",
		model: a.model, spot: a.spot, other: b.model, note: tell.note,
		close: func() { _ = errors.Join(a.end(), b.end()) },
	}
	if b.spot != nil { // memory is watched for the channel that has a place in it
		pair.model, pair.other, pair.spot, pair.otherFirst = b.model, a.model, b.spot, true
	}
	return pair, nil
}

// whole returns the model of a channel, given its first half as it is guarded by now.
func (c Channel) whole(model engine.Model, limits research.Limits) engine.Model {
	if c.other == nil {
		return model
	}
	p := &pair{first: model, second: c.other, limits: limits, note: c.note, now: time.Now}
	if c.otherFirst {
		p.first, p.second = p.second, p.first
	}
	return p
}

// tighter are the limits that both halves of a channel keep.
func (c Channel) tighter(l research.Limits) research.Limits {
	if c.other == nil {
		return l
	}
	o := c.other.Limits()
	l.Name = c.Name
	if o.NumCtx > 0 && (l.NumCtx == 0 || o.NumCtx < l.NumCtx) {
		l.NumCtx = o.NumCtx
	}
	l.TokensPerByte = max(l.TokensPerByte, o.TokensPerByte)
	l.Embeds = l.Embeds || o.Embeds
	l.Parallel = min(max(1, l.Parallel), max(1, o.Parallel))
	return l
}

// passes reports whether another server may do what one could not for this reason.
func passes(err error) bool { return rank(err) > 0 }

// rank orders the reasons for which another server may do better by how soon they pass; 0 for the others.
func rank(err error) int {
	for i, is := range []error{research.ErrMissing, research.ErrServer, research.ErrHung, research.ErrBusy, research.ErrUnavailable} {
		if errors.Is(err, is) {
			return i + 1
		}
	}
	return 0
}

// pair answers with its first model, and with the second whenever the first cannot. It is safe for concurrent use.
type pair struct {
	first, second engine.Model
	limits        research.Limits
	note          func(research.Note)
	now           func() time.Time

	mu   sync.Mutex
	rest time.Time // until then the first is left alone
}

// Limits implements the engine's Model.
func (p *pair) Limits() research.Limits { return p.limits }

// Embed implements the engine's Model. Vectors of two models cannot be compared, so only one of them is ever asked.
func (p *pair) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if p.first.Limits().Embeds {
		return p.first.Embed(ctx, texts)
	}
	return p.second.Embed(ctx, texts)
}

// Chat implements the engine's Model. Who answered stands in the answer.
func (p *pair) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	p.mu.Lock()
	resting := p.now().Before(p.rest)
	p.mu.Unlock()
	var ferr error
	if !resting {
		a, err := p.first.Chat(ctx, c)
		if err == nil || ctx.Err() != nil || !passes(err) {
			return a, err
		}
		ferr = err
		p.mu.Lock()
		if p.now().After(p.rest) && p.note != nil {
			p.note(research.Note{Level: "warn", Text: "The first model could not answer (" + strings.TrimSuffix(err.Error(), ".") + "); the second answers meanwhile."})
		}
		p.rest = p.now().Add(restTime)
		p.mu.Unlock()
	}
	a, serr := p.second.Chat(ctx, c)
	if serr == nil || ctx.Err() != nil {
		return a, serr
	}
	if resting { // the first may be well again
		if a, ferr = p.first.Chat(ctx, c); ferr == nil || ctx.Err() != nil {
			return a, ferr
		}
	}
	// What passes soonest is what the engine acts on.
	if rank(serr) > rank(ferr) {
		return a, fmt.Errorf("%w; before it: %s", serr, ferr.Error())
	}
	return a, fmt.Errorf("%w; and then: %s", ferr, serr.Error())
}

// Wait implements the engine's Waiter: it returns when either server answers again.
func (p *pair) Wait(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	back := make(chan error, 2)
	waiting := 0
	for _, m := range []engine.Model{p.first, p.second} {
		if w, ok := m.(engine.Waiter); ok {
			waiting++
			go func() { back <- w.Wait(ctx) }()
		}
	}
	var err error
	for range waiting {
		if e := <-back; e == nil {
			err = nil
			stop()
			for range waiting - 1 { // the other ends with the context
				<-back
			}
			p.mu.Lock()
			p.rest = time.Time{}
			p.mu.Unlock()
			return nil
		} else if err == nil {
			err = e
		}
		waiting--
	}
	return err
}
