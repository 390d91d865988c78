// Package engine is one research run: a question in, an audited report out.
//
// Start at [Engine.Run], which reads the eight stages top to bottom. Each stage is a file of its name: understand.go,
// hypothesize.go, plan.go, gather.go (Search), extract.go, reason.go, report.go, save.go (Persist). once.go holds the one
// place where a step is recorded and, on resume, taken from the record; model.go the one road to a model.
package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/search"
)

// Model answers calls. Chat may be called from several goroutines, returns within two seconds of its context's end, and
// returns an error only when there is no answer to judge; an empty or malformed answer is an answer. Its errors wrap one of
// the Err values of package research. Embed returns one vector a text, or an error when the channel has no embeddings.
// Limits is cheap and may change after the first call.
type Model interface {
	Chat(context.Context, research.Call) (research.Answer, error)
	Embed(context.Context, []string) ([][]float32, error)
	Limits() research.Limits
}

// Waiter is a [Model] that knows when its server is back. Wait returns nil when the server answers again.
type Waiter interface {
	Wait(context.Context) error
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
	// Knowledge, when set, says what earlier runs found, for the plan and the report to show.
	Knowledge Knower
	// Watch, when set, sees every event after it is on disk. It must not block.
	Watch func(research.Event)
	// Catalogues know scholarly works. They are asked only where the request says so; empty: then nothing is checked.
	Catalogues []search.Catalogue
	// Without names checks and mechanisms that are left out, for an ablation (see [Switches]); the report says so.
	Without []string
	// Code is the version of the program, for the record.
	Code string
	// Approve, when set, shows each round's plan before its search and returns it as the person left it; the plan's number of
	// the round tells the first one from those for gaps.
	Approve func(context.Context, research.Understanding, []research.Hypothesis, research.Plan) (research.Plan, []research.Hypothesis, error)

	attempts int // of the repair loop at most; 0: maxAttempts. Tests of runs that come to no end by themselves have fewer
}

// Engine runs one question. It may be run again over the same record, which resumes it.
type Engine struct {
	Config
}

// What a run can end with beside its digest.
var (
	// ErrNoFinding: nothing that was read answers the question. The digest lists the gaps and is returned with it.
	ErrNoFinding = errors.New("the sources hold no answer")
	// ErrModelUnavailable: the model that was asked for cannot be used at all.
	ErrModelUnavailable = errors.New("model unavailable")
)

// ShortfallError says that a web run ended under its floors. The digest is returned with it.
type ShortfallError struct{ Missing []string }

func (e *ShortfallError) Error() string {
	return "the pool of sources is below its floor: " + strings.Join(e.Missing, "; ")
}

// run is one execution: a config and its record.
type run struct {
	Config
	record Record
	watch  func(research.Event)
	now    time.Time
	shelf  *shelf
	// rounds is how many rounds of search the run may go through; 0 for as many as it wants.
	rounds int
	// told, when set, is what the report says of the model: that of the report which this one restates.
	told *research.ModelUse
	// under, when set, names the calibration map of the report that this one restates; "" for none.
	under *string
	// levelled, when set, are the reading levels that a restatement keeps what it can of.
	levelled *levelled
	// nameFaults and nameNotes are what kept other names of the subject from being known.
	nameFaults, nameNotes []string
}

// Run answers the question of the config's request, recording every step in rec; steps that rec already holds are not done
// again. Together with [ErrNoFinding] or a [*ShortfallError] the digest is whole; with any other error it is empty, and
// what was found is in the record.
func (e *Engine) Run(ctx context.Context, rec Record) (research.Digest, error) {
	r, err := e.begin(ctx, rec)
	if err != nil {
		return research.Digest{}, err
	}
	return r.stages(ctx)
}

// stages goes through the eight stages.
func (r *run) stages(ctx context.Context) (research.Digest, error) {
	none := research.Digest{}
	meaning, err := stage(ctx, r, "understand", 0, r.Request, r.understand)
	if err != nil {
		return none, err
	}
	hypotheses, err := stage(ctx, r, "hypothesise", 0, meaning, r.hypothesise)
	if err != nil {
		return none, err
	}
	if err := r.lookBack(ctx, meaning); err != nil {
		return none, err
	}
	var known ledger    // what was read and claimed so far
	var result reasoned // what follows from it
	round := 0
	// Each round searches for what the last one left open; round 0 is the plan itself.
	for ; ; round++ {
		plan, err := stage(ctx, r, "plan", round, planInput{round, meaning, hypotheses, result.Gaps}, r.plan)
		if err != nil {
			return none, err
		}
		hypotheses = plan.Hypotheses
		if round == 0 {
			if meaning, err = r.otherNames(ctx, meaning, plan.Plan); err != nil {
				return none, err
			}
		}
		if round > 0 && len(plan.Plan.Tasks) == 0 {
			round--
			break // the person wants nothing more searched
		}
		sources, err := stage(ctx, r, "search", round, gatherInput{round, meaning, plan.Plan, known.locations()}, r.gather)
		if err != nil {
			return none, err
		}
		read, err := stage(ctx, r, "extract", round, extractInput{round, meaning, append(known.Sources, sources.Sources...)}, r.extract)
		if err != nil {
			return none, err
		}
		before := len(known.Claims)
		known = known.with(sources, read)
		result, err = stage(ctx, r, "reason", round, reasonInput{round, meaning, hypotheses, known}, r.reason)
		if err != nil {
			return none, err
		}
		if r.without(withoutGapRounds) || round+1 == r.rounds || round >= meaning.Budget.GapRounds || !result.searchAgain() || (round > 0 && len(known.Claims) == before) {
			break
		}
	}
	digest, err := stage(ctx, r, "report", 0, reportInput{round, meaning, known, result}, r.report)
	if err != nil {
		return none, err
	}
	if digest, err = stage(ctx, r, "persist", 0, digest, r.save); err != nil {
		return none, err
	}
	return digest, r.verdict(digest)
}

// begin opens the run: it checks the request and records it first.
func (e *Engine) begin(ctx context.Context, rec Record) (*run, error) {
	r := &run{Config: e.Config, record: rec, watch: e.Watch, shelf: &shelf{}}
	if strings.TrimSpace(r.Request.Question) == "" {
		return nil, errors.New("the question is empty; say what you want to know")
	}
	now, err := time.Parse(time.RFC3339, r.Request.Now)
	if err != nil {
		return nil, fmt.Errorf("the run's clock %q is not a time such as 2026-11-30T12:00:00Z", r.Request.Now)
	}
	r.now = now
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, r.news(research.EventRequest, r.Request)
}

// calibrate puts a support under the calibration map of this report: the one in force, or that of the report which it restates.
func (r *run) calibrate(s research.Support, sources map[string]research.Source) research.Support {
	if r.under == nil {
		return evidence.Calibrate(s, sources)
	}
	return evidence.CalibrateUnder(*r.under, s, sources)
}

// verdict says whether the digest may be delivered.
func (r *run) verdict(d research.Digest) error {
	if r.Request.AllowPartial {
		return nil
	}
	if d.Metrics.Findings == 0 {
		return ErrNoFinding
	}
	if r.Request.Egress == research.Web && !d.SourceStats.ClosedLibrary && len(d.SourceStats.Shortfall) > 0 {
		return &ShortfallError{d.SourceStats.Shortfall}
	}
	return nil
}
