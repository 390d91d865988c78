package desk

import (
	"context"
	"errors"
	"sync"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// DiscoverOptions are what a discovery needs besides the request.
type DiscoverOptions struct {
	Tell func(IngestTick) // hears of files that are read; may be nil, must not block
}

// Discover searches for where a question could be answered and opens no page of the web. No model is asked: what is found is the
// same each time. What the libraries hold that could not be read is among the notes.
func (d *Desk) Discover(ctx context.Context, req research.Request, opt DiscoverOptions) (research.Discovery, error) {
	var none research.Discovery
	req.Model = "extractive"
	req, err := d.complete(req)
	if err != nil {
		return none, err
	}
	var notes []string
	note := func(s string) error { notes = append(notes, s); return nil }
	look, err := d.lookIn(ctx, req, opt.Tell, note, func(string) {})
	if err != nil {
		return none, err
	}
	defer func() { _ = look.end() }() // connections
	if _, err := d.meaning(ctx, &look, false, "", note); err != nil {
		return none, err
	}
	var mu sync.Mutex
	outbox := []research.Outbound{}
	out, err := d.lookOutside(req, func(o research.Outbound) {
		mu.Lock()
		defer mu.Unlock()
		outbox = append(outbox, o)
	}, nil)
	if err != nil {
		return none, err
	}
	if out != nil {
		look.join(out)
		notes = append(notes, out.refused...)
	}
	if look.reader == nil {
		return none, errors.New("there is nothing to search: name a folder of documents with --library DIR, or leave --offline out")
	}
	cfg := engine.Config{Request: req, Model: extractive.Model{}, Fallback: extractive.Model{}, Providers: look.providers, Reader: look.reader, Code: d.version}
	found, err := (&engine.Engine{Config: cfg}).Discover(ctx, store.NewMemory(req, d.version))
	found.Notes = append(found.Notes, notes...)
	mu.Lock()
	defer mu.Unlock()
	found.Outbox = outbox
	return found, err
}
