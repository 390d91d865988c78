package app

import (
	"strings"

	"assay/app/desk"
)

// What would be loaded for a research, and what fits, as the page sees it. Sizes are bytes.

// PlanView is the plan with the reasons for it.
type PlanView struct {
	Decision desk.PlanDecision `json:"decision"`
	Server   string            `json:"server"`        // its address
	Known    bool              `json:"known"`         // the free memory is known; otherwise the decision's refusal says why nothing is planned
	Rule     string            `json:"rule"`          // the model that the rule without a plan takes; empty when there is a plan
	Aside    []string          `json:"aside"`         // models left out, a sentence each
	Better   string            `json:"better"`        // what another setting of the server would make possible
	Measured string            `json:"measured"`      // what an earlier load of the plan's model showed
	Later    string            `json:"later"`         // that it fits only once other programs give memory back
	Reserve  int64             `json:"reserve_bytes"` // to be left free on a card
	Chosen   bool              `json:"chosen"`        // the person insists on something that [API.ResetPlan] takes back
	// Shares are the parts of the models that are loaded now, by name, as they were estimated.
	Shares map[string][]MemoryShare `json:"shares"`
	// Look holds the plan against the server, when its model is loaded.
	Look *LoadLook `json:"look"`
}

// MemoryShare is a part of a model's memory.
type MemoryShare struct {
	Kind  string `json:"kind"`
	Bytes int64  `json:"bytes"`
	Host  bool   `json:"host"`  // not on a card
	Bound bool   `json:"bound"` // at most this much
	Why   string `json:"why"`
}

// LoadLook is a load beside its prediction.
type LoadLook struct {
	Text    string `json:"text"`    // one sentence
	Checked bool   `json:"checked"` // it was measured, and is not the server's own estimate
	Close   bool   `json:"close"`   // within 5 % of the prediction, with the window that was asked for
}

// FitCell says whether a model fits with one window and cache type.
type FitCell struct {
	Context int    `json:"context"` // tokens
	KV      string `json:"kv"`
	Needs   int64  `json:"needs_bytes"`
	Left    int64  `json:"left_bytes"`
	Over    int64  `json:"over_bytes"` // what is missing before it fits
	Fit     string `json:"fit"`        // fits, reserve, spills, unknown
	Bound   bool   `json:"bound"`      // at most this much: the exact figure is not known
}

// FitRow is a model's line of the table.
type FitRow struct {
	Model string    `json:"model"`
	Cells []FitCell `json:"cells"`
	Fault string    `json:"fault"` // why there is none
}

// FitTable says for every model of the server what it takes at each window.
type FitTable struct {
	Contexts       []int    `json:"contexts"`
	KV             string   `json:"kv"`   // that the server uses
	Card           bool     `json:"card"` // of GPU memory; otherwise of the machine's
	Free           *int64   `json:"free_bytes"`
	Reserve        int64    `json:"reserve_bytes"`
	Rows           []FitRow `json:"rows"`
	PlannedModel   string   `json:"planned_model"`
	PlannedContext int      `json:"planned_context"`
}

// FitWords says of a model that is not here whether it would fit.
type FitWords struct {
	Fit  string `json:"fit"`  // fits, reserve, spills, unknown
	Text string `json:"text"` // a sentence; empty when nothing is known of the model
}

// ModelFacts is all about one model.
type ModelFacts struct {
	Name         string             `json:"name"`
	Architecture string             `json:"architecture"`
	Layers       int                `json:"layers"`
	Experts      int                `json:"experts"`
	Context      int                `json:"context"` // for which the parts are
	KV           string             `json:"kv"`
	Card         bool               `json:"card"`
	Parts        []MemoryShare      `json:"parts"`
	Predicted    int64              `json:"predicted_bytes"`
	Measured     *LoadLook          `json:"measured"` // null: it was never loaded
	Notes        []string           `json:"notes"`
	Table        []FitCell          `json:"table"` // windows by cache types
	Verdicts     []desk.VerdictLine `json:"verdicts"`
}

// Plan says which model a research would use now, and how it would be loaded. It loads nothing.
func (a *API) Plan() (p PlanView, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return p, err
	}
	plan, err := d.Plan(ctx)
	if err != nil {
		return p, err
	}
	p = PlanView{
		Decision: plan.Decision, Server: plan.Server, Known: plan.Known, Rule: plan.Rule, Aside: append([]string{}, plan.Aside...),
		Better: plan.Better, Measured: plan.Measured, Later: plan.Later, Reserve: d.Reserve(plan), Chosen: d.PlanChosen(), Shares: map[string][]MemoryShare{},
	}
	check, err := d.PlanCheck(ctx, plan)
	if err != nil {
		return p, err
	}
	p.Look = lookOf(check)
	parts, err := d.LoadedParts(ctx)
	for name, list := range parts {
		p.Shares[name] = sharesOf(list)
	}
	return p, err
}

func lookOf(c desk.LoadCheck) *LoadLook {
	if c.Text == "" {
		return nil
	}
	return &LoadLook{Text: c.Text, Checked: c.Checked, Close: c.Close}
}

func sharesOf(parts []desk.MemoryPart) []MemoryShare {
	out := []MemoryShare{}
	for _, p := range parts {
		out = append(out, MemoryShare{Kind: string(p.Kind), Bytes: p.Bytes, Host: p.Host, Bound: p.Bound, Why: p.Why})
	}
	return out
}

// UsePlan has researches use a model with a window of so many tokens instead of what is planned; reserve lets it take the
// memory that is to be left free.
func (a *API) UsePlan(model string, context int, reserve bool) (err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return err
	}
	return d.UsePlan(model, context, reserve)
}

// ResetPlan lets the plan choose again.
func (a *API) ResetPlan() (err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return err
	}
	return d.ResetPlan()
}

// FitTable says for every model of the server what it takes at each window.
func (a *API) FitTable() (t FitTable, err error) {
	defer recovered(&err)
	t.Contexts, t.Rows = []int{}, []FitRow{}
	ctx, d, err := a.open()
	if err != nil {
		return t, err
	}
	room, err := d.RoomTable(ctx)
	if err != nil {
		return t, err
	}
	t = FitTable{Contexts: room.Contexts, KV: string(room.KV), Card: room.Card, Free: room.Free, Reserve: room.Reserve, Rows: []FitRow{}}
	for _, r := range room.Rows {
		t.Rows = append(t.Rows, FitRow{Model: r.Model, Cells: cellsOf(r.Cells), Fault: r.Fault})
	}
	plan, err := d.Plan(ctx)
	if err == nil && len(plan.Options) > 0 {
		t.PlannedModel, t.PlannedContext = plan.Options[0].Model, plan.Options[0].Context
	}
	return t, nil // without a plan the table stands
}

func cellsOf(cells []desk.FitCell) []FitCell {
	out := []FitCell{}
	for _, c := range cells {
		out = append(out, FitCell{
			Context: c.Context, KV: string(c.KV), Needs: c.Needs, Left: c.Left, Over: c.Over, Fit: string(c.Fit), Bound: len(c.Estimate.Missing) > 0,
		})
	}
	return out
}

// FitWords says of a well-known model, before it is pulled, whether it would fit.
func (a *API) FitWords(model string) (w FitWords, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return w, err
	}
	fit, text, err := d.Room(ctx, strings.TrimSpace(model))
	return FitWords{Fit: string(fit), Text: text}, err
}

// ModelFacts returns all about one model: its description, its memory part by part, and what was said of it.
func (a *API) ModelFacts(name string) (f ModelFacts, err error) {
	defer recovered(&err)
	f.Name, f.Parts, f.Notes, f.Table, f.Verdicts = name, []MemoryShare{}, []string{}, []FitCell{}, []desk.VerdictLine{}
	ctx, d, err := a.open()
	if err != nil {
		return f, err
	}
	room, err := d.ModelRoom(ctx, name, 0)
	if err != nil {
		return f, err
	}
	e := room.Estimate
	f.Architecture, f.Layers, f.Experts = room.Shape.Architecture, room.Shape.Layers, room.Shape.Experts
	f.Context, f.KV, f.Card, f.Measured = e.Load.Context, string(e.Load.KV), room.Card, lookOf(room.Measured)
	f.Parts, f.Notes, f.Table = sharesOf(e.Parts), append(f.Notes, e.Notes...), cellsOf(room.Cells)
	if f.Predicted = e.Card(); !room.Card {
		f.Predicted = e.Host()
	}
	if len(e.Missing) > 0 {
		f.Notes = append(f.Notes, "The server's description of it does not give "+strings.Join(e.Missing, ", ")+", so parts are bounds.")
	}
	log, err := d.Changelog(ctx, name)
	for _, l := range log.Lines {
		if l.Entry.Verdict != nil {
			f.Verdicts = append(f.Verdicts, l)
		}
	}
	return f, err
}
