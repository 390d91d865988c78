package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/engine/ollama"
	"assay/gpu"
)

// FitRequest asks whether a model fits. The zero value of a field lets it be found or planned.
type FitRequest struct {
	// Model is a model of the server or of the catalogue, or a name for what ModelInfo describes.
	Model string
	// ModelInfo is a file with an answer of /api/show.
	ModelInfo string
	// Free is what one card has free, such as "15.2GiB", in place of this machine's.
	Free     string
	Context  int    // tokens
	KV       string // "f16", "q8_0" or "q4_0"
	Parallel int    // calls at once
	Version  string // of the server
}

// Where the figures of a model come from.
const (
	FromServer    = "server"    // the server has it
	FromCatalogue = "catalogue" // it is well known and not pulled yet
	FromFile      = "file"
)

// FitReport says what a model takes and whether it fits. Sizes are bytes.
type FitReport struct {
	Model        string `json:"model"`
	From         string `json:"from"`   // server, catalogue or file
	Origin       string `json:"origin"` // where in it, in words
	Architecture string `json:"architecture"`
	Quantisation string `json:"quantisation"`
	ContextLimit int    `json:"context_limit"` // tokens the model was made for
	Installed    bool   `json:"installed"`
	Version      string `json:"ollama_version"` // whose rules hold; "" is unknown
	Generation   string `json:"generation"`     // the rules in words
	// Free is what the cards have free for models, nil when it is not known, and Reserve what of it is left to other programs.
	Free    *int64 `json:"free_bytes"`
	Reserve int64  `json:"reserve_bytes"`
	Cards   int    `json:"cards"`   // how many Free and Reserve are of
	Card    string `json:"card"`    // their names, or that it was stated; "" when there is none
	NoCard  string `json:"no_card"` // why nothing is said about fitting; "" when something is
	Stated  bool   `json:"stated"`  // Free was given and not measured
	Table   []Cell `json:"table"`   // contexts by cache types
	Largest *Cell  `json:"largest"` // the longest window that fits at f16, else at q8_0; nil when none fits or nothing is known
	Chosen  Chosen `json:"chosen"`  // the cell that is told of in full
	// Sum is how the chosen cell stands to the cards, so that it can be done again: a sentence for each card and one for the result;
	// empty when nothing is known of a card.
	Sum  []string `json:"sum"`
	Next string   `json:"next"` // the next better choice and what it lacks; "" when there is none
	Why  string   `json:"why"`  // of the choice, or why none fits and by how much
	// Measured is what an earlier load like the chosen one showed, as a ratio to the prediction; nil when there was none.
	Measured   *float64 `json:"measured_ratio"`
	Calibrated string   `json:"measured"`   // the same in words; "" when there was none
	Overridden []string `json:"overridden"` // what was insisted on, a sentence each
	Notes      []string `json:"notes"`
	Missing    []string `json:"missing"` // what the description does not give: parts are then bounds
}

// Cell is a window and cache type of the table.
type Cell struct {
	Context int        `json:"context"`
	KV      gpu.KVType `json:"kv"`
	Needs   int64      `json:"needs_bytes"` // what the cards' free memory falls by
	Left    *int64     `json:"left_bytes"`
	Over    *int64     `json:"over_bytes"` // what is missing before it fits, the reserve and Held counted; 0 when it fits
	Held    int64      `json:"held_bytes"` // what the server keeps free beside it on each card, or it moves layers off the card
	Devices int        `json:"devices"`    // cards that would hold it; more than one is a split, 0 is unknown
	Fit     gpu.Fit    `json:"fit"`        // fits, reserve, spills, unknown
	KVBytes int64      `json:"kv_bytes"`
	Bound   bool       `json:"bound"` // at most this much
}

// Chosen is one cell in full.
type Chosen struct {
	Cell
	Parallel int        `json:"parallel"`
	Batch    int        `json:"batch"`
	Flash    gpu.Flash  `json:"flash_attention"`
	Parts    []gpu.Part `json:"parts"`
	Card     int64      `json:"card_bytes"`   // what the cards' free memory falls by
	Server   int64      `json:"server_bytes"` // what of it the server counts
	Host     int64      `json:"host_bytes"`   // main memory
	Margin   int64      `json:"margin_bytes"` // to stay free on each card, or the server moves layers off it; the driver's part counts toward it
	// HeldWhy says in a phrase with its numbers what Margin is made of.
	HeldWhy string `json:"margin_why"`
}

// fitKV are the cache types of the table, the exact one first.
var fitKV = []gpu.KVType{gpu.F16, gpu.Q8, gpu.Q4}

var release = regexp.MustCompile(`^v?[0-9]{1,5}(\.[0-9]{1,5}){1,3}([-+ ].{0,40})?$`)

// maxDescription bounds a file with an answer of /api/show, in bytes: a verbose one holds the vocabulary.
const maxDescription = 128 << 20

// check says what is wrong with a request.
func (r FitRequest) check() error {
	var errs error
	switch {
	case r.Model == "" && r.ModelInfo == "":
		errs = errors.New("name a model, or give its description with --model-info")
	case len(r.Model) > 300:
		errs = fmt.Errorf("model %q: it is no name", short(r.Model))
	case r.Context < 0 || r.Context > maxWindow:
		errs = fmt.Errorf("context %d: use 1 to %s tokens", r.Context, gpu.Grouped(maxWindow))
	case r.Parallel < 0 || r.Parallel > maxAtOnce:
		errs = fmt.Errorf("parallel %d: use 1 to %d", r.Parallel, maxAtOnce)
	case r.KV != "" && !slices.Contains(fitKV, gpu.KVType(r.KV)):
		errs = fmt.Errorf("cache type %q: use f16, q8_0 or q4_0", short(r.KV))
	case r.Version != "" && !release.MatchString(r.Version):
		errs = fmt.Errorf("version %q of Ollama: write it as 0.32.7", short(r.Version))
	}
	if errs != nil {
		return &UsageError{Err: errs}
	}
	return nil
}

// Fit says what a model takes at every window and cache type, and which of them fits. A model that the server does not have is
// looked up in the catalogue. The error is a [*UsageError] when the request is wrong or nobody knows the model.
func (d *Desk) Fit(ctx context.Context, r FitRequest) (FitReport, error) {
	if err := r.check(); err != nil {
		return FitReport{}, err
	}
	f := fitter{desk: d, request: r, set: d.Settings()}
	if err := f.free(); err != nil {
		return FitReport{}, err
	}
	if err := f.model(ctx); err != nil {
		return FitReport{}, err
	}
	if !f.shape.Weighed() {
		return FitReport{}, usage("model %s: its weights are not known, because its description has no list of tensors with sizes and no number of parameters, so nothing can be said about fitting; pull it again, or give its whole description with --model-info", f.shape.Name)
	}
	f.machine(ctx)
	if err := ctx.Err(); err != nil {
		return FitReport{}, err
	}
	return f.answer(), nil
}

// fitter answers one request.
type fitter struct {
	desk    *Desk
	request FitRequest
	set     Settings
	stated  *int64 // free memory that was given
	report  FitReport
	shape   gpu.Model
	onto    gpu.Machine
	admin   *ollama.Admin // nil when no server answers
	list    ollama.Models
	base    string
	own     bool
	cells   []gpu.Cell
}

func (f *fitter) free() error {
	if f.request.Free == "" {
		return nil
	}
	n, err := ParseSize(f.request.Free)
	if err != nil {
		return usage("free memory %w", err)
	}
	f.stated = &n
	return nil
}

// model finds the model: in the file, on the server, in the catalogue.
func (f *fitter) model(ctx context.Context) error {
	if f.request.ModelInfo != "" {
		return f.described()
	}
	f.ask(ctx)
	if f.admin != nil {
		for _, m := range f.list.Models {
			if !sameModel(m.Name, f.request.Model) {
				continue
			}
			if m.Remote != "" {
				return usage("model %s runs on %s and not on this machine, so it takes no memory here", m.Name, m.Remote)
			}
			shape, err := f.desk.shape(ctx, f.admin, m.Info)
			if err != nil {
				return fmt.Errorf("model %s: %w", m.Name, err)
			}
			f.shape, f.report.Installed = shape, true
			f.report.From, f.report.Origin = FromServer, fmt.Sprintf("as the Ollama server %s at %s describes it", known(f.list.Version), f.base)
			return nil
		}
	}
	shape, err := gpu.Known(f.request.Model)
	if err != nil {
		return f.unknown(err)
	}
	f.shape = shape
	f.report.From, f.report.Origin = FromCatalogue, "not pulled yet; the catalogue has it from "+shape.Origin
	return nil
}

func known(version string) string {
	if version == "" {
		return "of unknown version"
	}
	return version
}

// ask looks at the server, if one answers.
func (f *fitter) ask(ctx context.Context) {
	a, base, own, err := f.desk.planAdmin(ctx)
	if err != nil {
		return
	}
	if list, err := a.List(ctx); err == nil {
		f.admin, f.list, f.base, f.own = a, list, base, own
	}
}

// unknown says that nobody knows the model, and which names come near.
func (f *fitter) unknown(err error) error {
	var none *gpu.UnknownModelError
	if !errors.As(err, &none) {
		return err
	}
	near := slices.Clone(none.Near)
	for _, m := range f.list.Models {
		if a, _, _ := strings.Cut(m.Name, ":"); strings.HasPrefix(strings.ToLower(f.request.Model), strings.ToLower(a)) && !slices.Contains(near, m.Name) {
			near = append([]string{m.Name}, near...)
		}
	}
	text := fmt.Sprintf("model %q: neither the model server nor the catalogue knows it", short(f.request.Model))
	if f.admin == nil {
		text = fmt.Sprintf("model %q: no model server answers, and the catalogue does not know it", short(f.request.Model))
	}
	if len(near) > 0 {
		text += "; the nearest names are " + strings.Join(near[:min(len(near), 5)], ", ")
	}
	return usage("%s; pull it, or give its description with --model-info", text)
}

// described reads the description that was given.
func (f *fitter) described() error {
	name := f.request.ModelInfo
	if _, err := checkFile(name); err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return usage("description %s: it may not be read: change its permissions", name)
	}
	defer func() { _ = file.Close() }() // opened for reading
	b, err := io.ReadAll(io.LimitReader(file, maxDescription+1))
	if err != nil {
		return fmt.Errorf("description %s: %w", name, err)
	}
	if len(b) > maxDescription {
		return usage("description %s: it has more than %d MiB, which no answer of /api/show has", name, maxDescription>>20)
	}
	m, err := gpu.ReadShow(b)
	switch {
	case err != nil:
		return usage("description %s: it is no answer of /api/show of Ollama (%s); assay models show NAME --raw writes one", name, strings.TrimPrefix(BadJSON(err), "read the model's description: "))
	case m.Remote:
		return usage("description %s: the model runs on another machine, so it takes no memory here", name)
	case m.Layers == 0 || m.Embedding == 0:
		return usage("description %s: it lacks %s, so nothing can be estimated", name, strings.Join(m.Missing, ", "))
	}
	m.Name = or(f.request.Model, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	f.shape = m
	f.report.From, f.report.Origin = FromFile, "as described in "+name
	return nil
}

// machine finds what the model would be loaded onto.
func (f *fitter) machine(ctx context.Context) {
	f.onto = gpu.Machine{Devices: []gpu.Device{}, Server: f.desk.serverOf(false, f.set)}
	if f.stated != nil {
		f.onto.Devices = []gpu.Device{{Name: "the card", Backend: gpu.CUDA, Free: f.stated}}
		f.report.Stated, f.report.Card = true, "a card of which so much was said to be free"
	}
	if f.admin == nil && f.request.Version == "" {
		f.ask(ctx)
	}
	if f.stated == nil {
		f.measured(ctx)
	}
	if f.request.Version != "" {
		f.onto.Server.Version = f.request.Version
	} else {
		f.onto.Server.Version = f.list.Version
	}
}

// measured is the machine as it is.
func (f *fitter) measured(ctx context.Context) {
	if f.admin != nil {
		f.onto = f.desk.machineOf(ctx, f.base, f.own, f.admin, f.set, f.list)
	} else {
		status := f.desk.Machine(ctx)
		f.onto.Devices, f.onto.MemoryFree = status.Devices(), status.MemoryFree
	}
	policy := f.set.policy(nil)
	const offer = "; say how much a card has free with --free, such as --free 15.2GiB"
	switch {
	case plannable(f.onto, policy):
		f.report.Card = gpu.CardNames(f.onto.Devices)
	case f.admin != nil && !loopback(f.base):
		f.report.NoCard = fmt.Sprintf("The model server %s is on another machine, whose memory is not known here", f.base) + offer + "."
	case len(f.onto.Devices) == 0:
		f.report.NoCard = "This machine has no graphics card that models can use, so what a card would have to hold is told and not whether it fits" + offer + "."
	default:
		f.report.NoCard = "The free memory of the graphics card is unknown, so what it would have to hold is told and not whether it fits" + offer + "."
	}
}

// answer makes the report.
func (f *fitter) answer() FitReport {
	r := f.report
	m := f.shape
	r.Model, r.Architecture, r.Quantisation, r.ContextLimit = m.Name, m.Architecture, m.Quantisation, m.ContextLimit
	r.Version = f.onto.Server.Version
	r.Overridden, r.Notes, r.Missing = []string{}, []string{}, m.Missing
	if r.Missing == nil {
		r.Missing = []string{}
	}
	learnt, fault := f.desk.calibration()
	policy := f.set.policy(learnt)
	policy.Override = gpu.Override{Anyway: policy.Override.Anyway} // what a run is told is no part of the question
	r.Sum = []string{}
	if free, reserve, cards, known := gpu.Room(f.onto, policy); known {
		r.Free, r.Reserve, r.Cards = &free, reserve, cards
		r.Notes = append(r.Notes, gpu.Unscaled(f.onto, policy)...)
	}
	f.cells = f.table(policy)
	cells := f.cells
	for _, c := range cells {
		r.Table = append(r.Table, cellOf(c))
	}
	largest := longest(cells, policy, f.within(gpu.MinContext))
	if largest != nil {
		c := cellOf(*largest)
		r.Largest = &c
	}
	c := f.choose(cells, largest, policy)
	r.Chosen = chosenOf(c)
	r.Sum = append(r.Sum, c.Account.Words()...)
	r.Generation = c.Estimate.Generation.String()
	r.Why, r.Next = f.why(c, largest, policy), f.next(cells, c)
	r.Overridden = append(r.Overridden, f.overridden(c)...)
	r.Notes = append(r.Notes, c.Estimate.Notes...)
	r.Notes = append(r.Notes, f.dropped(cells)...)
	if fault != "" {
		r.Notes = append(r.Notes, fault)
	}
	if m.NeedsVerbose {
		r.Notes = append(r.Notes, `the description leaves lists out; ask /api/show again with "verbose": true for exact figures`)
	}
	if o, ok := learnt.Find(m.Digest, c.Estimate.Load); ok {
		ratio := o.Ratio()
		r.Measured, r.Calibrated = &ratio, measuredText(learnt, m.Digest, c.Estimate.Load)
	}
	return r
}
