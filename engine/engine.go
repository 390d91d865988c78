// Package engine is one research run: a question in, an audited report out.
//
// Start at [Engine.Run], which reads the eight stages top to bottom. Each stage is a file of its name: understand.go,
// hypothesize.go, plan.go, gather.go (Search), extract.go, reason.go, report.go, save.go (Persist). once.go holds the one
// place where a step is recorded and, on resume, taken from the record.
package engine

import (
	"context"

	"assay/engine/research"
)

// Model answers calls. Chat may be called from several goroutines, returns within two seconds of its context's end, and
// returns an error only when there is no answer to judge; an empty or malformed answer is an answer. Embed returns one
// vector a text, or an error when the channel has no embeddings. Limits is cheap and may change after the first call.
type Model interface {
	Chat(context.Context, research.Call) (research.Answer, error)
	Embed(context.Context, []string) ([][]float32, error)
	Limits() research.Limits
}

// Provider finds where something may stand. An empty result without an error means that nothing was found; whatever kept
// the provider from looking is an error.
type Provider interface {
	Name() string
	Search(context.Context, research.Query) ([]research.Hit, error)
}

// Reader opens a location that a provider named and gives its clean text. A document that cannot be read is not an error:
// it has a Fault and a Verdict. An error means that the reader itself could not work.
type Reader interface {
	Read(ctx context.Context, location string) (research.Document, error)
}

// Config is everything a run needs besides its record. All fields are required unless said otherwise.
type Config struct {
	Request   research.Request
	Model     Model
	ModelWhy  string     // why this channel, one sentence
	Providers []Provider // may be empty: then nothing is found
	Reader    Reader
	// Fallback answers a call whose model failed for good. It is the extractive channel.
	Fallback Model
	// Watch, when set, sees every event after it is on disk. It must not block.
	Watch func(research.Event)
	// Code is the version of the program, for the record.
	Code string
	// Approve, when set, shows the plan before the search and returns it as the person left it.
	Approve func(context.Context, research.Understanding, []research.Hypothesis, research.Plan) (research.Plan, []research.Hypothesis, error)
}

// run is one execution: a config and its record.
type run struct {
	Config
	record Record
	watch  func(research.Event)
}
