package desk

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/library"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/search"
	"assay/gpu"
)

// Approve is shown the plan before the search and returns it as the person left it.
type Approve = func(context.Context, research.Understanding, []research.Hypothesis, research.Plan) (research.Plan, []research.Hypothesis, error)

// wiring is what a desk is joined to; tests put other things in its place.
type wiring struct {
	// keyring is where keys are kept; nil: nowhere.
	keyring secrets
	// roots are the authorities that mail servers are held against; nil: those of the system.
	roots *x509.CertPool
	// dialed, when set, is told of every address that a search or a page connects to.
	dialed func(network, address string)
	// ollama returns a channel to the model of this name, or to the best one there is when the name is empty.
	ollama func(ctx context.Context, name string, egress research.Egress, at pinnedLoad, tell told) (Channel, error)
	// memory looks at the cards and at what the server has loaded, and watch does so while a run goes on: it returns the looks,
	// until ctx ends, and a function that has one made now.
	memory func(*ollama.Admin) *gpu.Sampler
	watch  func(context.Context, *spot) (looks <-chan gpu.Sample, now func())
	// embed finds the embedding model of the library, on the processor or where the server puts it.
	embed func(ctx context.Context, onProcessor bool) (*embedding, error)
	// now is the clock of schedules and deliveries.
	now func() time.Time
	// after is the clock of waiting: a channel that gets the time, and a function that forgets it.
	after func(time.Duration) (<-chan time.Time, func())
	// soFarEvery is how often the page of what was found so far is written; if zero, a minute.
	soFarEvery time.Duration
	// kit makes the parts of a run.
	kit func(context.Context, *Job) (kit, error)
	// run is the engine.
	run func(context.Context, engine.Config, engine.Record) (research.Digest, error)
}

// kit is what one run works with.
type kit struct {
	config engine.Config
	guard  *guard // nil when no server answers
	close  func() error
}

func realWiring(d *Desk) wiring {
	return wiring{
		keyring: systemKeyring{},
		ollama:  d.ollamaChannel,
		memory:  d.realMemory,
		watch:   d.watchMemory,
		embed:   d.embedder,
		now:     time.Now,
		after: func(t time.Duration) (<-chan time.Time, func()) {
			timer := time.NewTimer(t)
			return timer.C, func() { timer.Stop() }
		},
		kit: d.realKit,
		run: func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
			return (&engine.Engine{Config: cfg}).Run(ctx, rec)
		},
	}
}

// realKit reads the libraries, chooses who answers and records both, once.
func (d *Desk) realKit(ctx context.Context, j *Job) (kit, error) {
	req := j.rec.Request()
	k := kit{close: func() error { return nil }}
	setup, held, err := heldSetup(j.rec)
	if err != nil {
		return k, err
	}
	look, err := d.lookIn(ctx, req, j.news.tickIngest, func(text string) error {
		if held {
			return nil // said when the run began
		}
		return j.note("warn", text)
	}, func(text string) { _ = j.note("info", text) })
	if err != nil {
		return k, err
	}
	if err := d.mayAsk(req); err != nil {
		return k, err
	}
	out, err := d.lookOutside(req, j.outbox, j.keepPage)
	if err != nil {
		return k, err
	}
	if out != nil {
		if !j.opt.Fresh {
			out.reader.kept = d.youngPages(req)
		}
		look.join(out)
		k.close = look.end
		for _, text := range out.refused {
			if !held {
				if err := j.note("warn", text); err != nil {
					return k, errors.Join(err, k.close())
				}
			}
		}
	}
	if look.reader == nil {
		return k, errors.New("there is nothing to search: name a folder of documents with --library DIR, or search the web with --web")
	}
	model, at := modelOn(ctx, req.Model), pinnedLoad{}
	if held { // a resumed run keeps to the channel and the window it began with
		model, at = setup.Model, pinnedLoad{NumCtx: setup.Limits.NumCtx, NumBatch: setup.NumBatch}
	}
	ch, err := d.channel(ctx, model, modelReach(req), at, j.told(req.Embedding))
	if err != nil {
		return k, errors.Join(err, k.close())
	}
	k.close = closing(ch.end, look.end)
	if ch.spot != nil {
		k.guard = d.newGuard(ctx, j, ch)
		ch.model, k.close = k.guard, closing(k.guard.finish, look.end)
		if err := k.guard.before(ctx); err != nil {
			return k, errors.Join(err, k.close())
		}
	}
	meant, err := d.meaning(ctx, &look, held, setup.Meaning, func(text string) error { return j.note("info", text) })
	if err != nil {
		return k, errors.Join(err, k.close())
	}
	if !held {
		if setup, err = j.begin(ctx, ch, look, meant); err != nil {
			return k, errors.Join(err, k.close())
		}
	}
	if both, ok := look.reader.(bothWorlds); ok { // a resumed run keeps to those it began with
		both.web.own = map[string]bool{}
		for _, host := range setup.Own {
			both.web.own[host] = true
		}
	}
	var answers engine.Model = pin(ch.model, setup.Limits)
	if k.guard != nil {
		k.guard.keep(setup.Limits)
		answers = k.guard
	}
	answers = ch.whole(answers, setup.Limits)
	k.config = engine.Config{
		Request: req, Model: answers, ModelWhy: setup.Why, Providers: look.providers, Reader: look.reader, Fallback: extractive.Model{}, Catalogues: look.works,
		Knowledge: d.knower(j.id),
	}
	return k, nil
}

// begin loads the model, measures how it counts, and records what the run works with.
// meant is the embedding model by which the library is searched besides its words.
func (j *Job) begin(ctx context.Context, ch Channel, in look, meant string) (research.Setup, error) {
	providers := in.providers
	setup := research.Setup{Model: ch.Name, Why: ch.Why, Providers: make([]string, len(providers)), Meaning: meant}
	for i, p := range providers {
		setup.Providers[i] = p.Name()
		if o, ok := p.(engine.Outsider); ok {
			setup.Outside = append(setup.Outside, research.Outsider{Name: o.Name(), Host: o.Host()})
		}
	}
	if both, ok := in.reader.(bothWorlds); ok {
		setup.Own = slices.Sorted(maps.Keys(both.web.own))
	}
	if ch.spot != nil && ch.spot.warn != "" {
		if err := j.note("warn", ch.spot.warn); err != nil {
			return setup, err
		}
	}
	if err := warm(ctx, ch, j.note); err != nil {
		return setup, err
	}
	if g, ok := ch.model.(*guard); ok {
		setup.Plan, setup.NumBatch = g.planned()
		setup.Limits = g.current().Limits()
	} else {
		setup.Limits = ch.model.Limits()
	}
	if ch.spot != nil {
		setup.Limits.Parallel = max(1, j.desk.serverOf(ch.spot.own, j.desk.Settings()).Parallel)
	}
	setup.Limits = ch.tighter(setup.Limits)
	setup.Limits.TokensPerByte *= denser
	return setup, j.append(research.EventSetup, research.EventSetup, setup)
}

// told records what the channel says, and carries which embedding model the run asks for. A note that cannot be kept ends nothing: the next step meets the same disk.
func (j *Job) told(embedding string) told {
	return told{
		embedding: embedding,
		note:      func(n research.Note) { _ = j.note(n.Level, n.Text) },
		outbox: func(o research.Outbound) {
			host, _, err := net.SplitHostPort(o.Host)
			if err != nil {
				host = o.Host
			}
			// What goes to a program on this machine has not left it.
			if o.Fault != "" || !loopback("http://"+net.JoinHostPort(host, "80")) {
				_ = j.append(research.EventOutbox, "", o)
			}
		},
	}
}

// heldSetup returns what the record says that the run works with now, if it says so.
func heldSetup(rec engine.Record) (setup research.Setup, held bool, err error) {
	all, err := heldSetups(rec)
	if err != nil || len(all) == 0 {
		return setup, false, err
	}
	return all[len(all)-1], true, nil
}

// maxSetups bounds the setups of a run; a window can be halved only so often.
const maxSetups = 32

// heldSetups returns what the record says that the run was given, the first one first.
func heldSetups(rec engine.Record) ([]research.Setup, error) {
	var all []research.Setup
	for n := 1; n <= maxSetups; n++ {
		payload, held := rec.Get(research.SetupKey(n))
		if !held {
			break
		}
		var s research.Setup
		if err := json.Unmarshal(payload, &s); err != nil {
			return nil, fmt.Errorf("setup: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// stagesDone counts the stages that a record holds the results of.
func stagesDone(rec engine.Record) (int, error) {
	events, err := rec.Events(0, 0)
	n := 0
	for _, ev := range events {
		if strings.HasPrefix(ev.Kind, research.EventStage) {
			n++
		}
	}
	return n, err
}

// look is where a run looks.
type look struct {
	providers []engine.Provider
	works     []search.Catalogue
	reader    engine.Reader // nil when there is nothing to look at
	close     func()        // nil: nothing to close
	// scope is the folders of lib that are searched; nil when none are.
	scope *library.Scope
	lib   *library.Library
}

// lookIn brings the libraries of a request up to date and joins them to its attached files. What could not be read is told
// through note, and through busy that another program holds the index.
func (d *Desk) lookIn(ctx context.Context, req research.Request, tell func(IngestTick), note func(string) error, busy func(string)) (look, error) {
	var l look
	var readers joined
	if len(req.Attach) > 0 {
		a := attach(req.Attach, d.documentOptions())
		if err := a.load(ctx); err != nil {
			return l, err
		}
		for _, loc := range a.order {
			if doc := a.docs[loc]; doc.Fault != "" {
				if err := note(ProblemText(library.Problem{Location: loc, Why: doc.Fault})); err != nil {
					return l, err
				}
			}
		}
		l.providers = append(l.providers, a)
		readers.attached, l.reader = a, a
	}
	if len(req.Libraries) > 0 {
		lib, done, err := d.ingest(ctx, req.Libraries, tell, busy)
		if err != nil {
			return l, err
		}
		for _, g := range done {
			if err := noteIngest(g, note); err != nil {
				return l, err
			}
		}
		if len(req.Attach) == 0 && !readable(done) {
			return l, usage("the folder holds no readable document: name another one than %s", strings.Join(req.Libraries, ", "))
		}
		scope, err := lib.Within(req.Libraries...)
		if err != nil {
			return l, err
		}
		shared := patient{scope}
		l.scope, l.lib = scope, lib
		l.providers = append(l.providers, shared)
		readers.Reader, l.reader = shared, shared
		if readers.attached != nil {
			l.reader = readers
		}
	}
	return l, nil
}

// end lets go what the look holds.
func (l *look) end() error {
	if l.close != nil {
		l.close()
	}
	return nil
}

// join adds what is outside to the files of the person's own.
func (l *look) join(o *beyond) {
	l.providers = append(l.providers, o.providers...)
	l.reader = bothWorlds{files: l.reader, web: o.reader}
	l.works = o.works
	l.close = closers(l.close, o.client.Close)
}

// bothWorlds reads files, which may be none, and pages.
type bothWorlds struct {
	files engine.Reader
	web   *webReader
}

// Own implements what the engine asks of a reader of pages.
func (b bothWorlds) Own(location string) bool { return b.web.Own(location) }

// Read implements the engine's Reader.
func (b bothWorlds) Read(ctx context.Context, location string) (research.Document, error) {
	if strings.Contains(location, "://") {
		return b.web.Read(ctx, location)
	}
	if b.files == nil {
		return research.Document{Location: location, Verdict: research.Unread, Fault: location + " is no address of the web"}, nil
	}
	return b.files.Read(ctx, location)
}

// readable reports whether any folder has a document with text.
func readable(done []Ingest) bool {
	for _, g := range done {
		if g.Files > g.Unread {
			return true
		}
	}
	return false
}

// joined reads attached files and the library.
type joined struct {
	engine.Reader
	attached *attached
}

// Read implements the engine's Reader.
func (r joined) Read(ctx context.Context, location string) (research.Document, error) {
	if _, ok := r.attached.docs[location]; ok {
		return r.attached.Read(ctx, location)
	}
	return r.Reader.Read(ctx, location)
}

// maxNoted is how many unread files are named; the rest is counted.
const maxNoted = 10

// noteIngest says which files of a library could not be read.
func noteIngest(g Ingest, note func(string) error) error {
	if g.Rebuilt {
		if err := note("The index of the library was damaged or of another version and was built again."); err != nil {
			return err
		}
	}
	for i, p := range g.Problems {
		if i == maxNoted {
			return note(fmt.Sprintf("%d more files of %s could not be read.", len(g.Problems)-i+g.MoreProblems, g.Folder))
		}
		if err := note(ProblemText(p)); err != nil {
			return err
		}
	}
	return nil
}

// ProblemText says which file could not be read and why, in one sentence.
func ProblemText(p library.Problem) string {
	if strings.Contains(p.Why, p.Location) {
		return p.Why
	}
	return p.Location + ": " + p.Why
}

func (h *hub) tickIngest(t IngestTick) { h.tick(TickIngest, t) }
