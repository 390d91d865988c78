package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/engine/bakeoff"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// stage proves the mode and writes down the setup. A trial that was begun under another setup is begun again.
func (c *conductor) stage(ctx context.Context, s *seat, t *bakeoff.Trial) error {
	version := ""
	var proof *bakeoff.Proof
	if s.served() {
		var err error
		if proof, version, err = c.prove(ctx, s); err != nil {
			return err
		}
	}
	setup := c.setup(s, version)
	if s != c.baseline && c.b.Request.Role != "" && c.baseline.served() && proof.Fault == "" {
		swap, err := c.squeezed(ctx)
		if err != nil {
			return err
		}
		setup.Swaps = append(setup.Swaps, swap...)
	}
	if len(t.Answers) > 0 && !sameSetup(t, s, setup) {
		t.Notes = append(t.Notes, "The trial was begun again because its setup had changed meanwhile.")
		t.Answers = []bakeoff.Answer{}
	}
	t.Candidate, t.Setup, t.Proof = s.about, setup, proof
	t.Notes = append(t.Notes, c.takeNotes()...)
	return c.keep()
}

func sameSetup(t *bakeoff.Trial, s *seat, setup bakeoff.Setup) bool {
	return t.Candidate.Digest == s.about.Digest && t.Setup.Version == setup.Version && len(bakeoff.Diff(t.Setup, setup)) == 0
}

// tries is how often a refused raw call is made before the refusal is believed: what another program held may be free then.
const tries = 2

// prove makes the raw call of rule 1.
func (c *conductor) prove(ctx context.Context, s *seat) (*bakeoff.Proof, string, error) {
	for n := 1; ; n++ {
		mode, err := s.prove(ctx)
		if errors.Is(err, research.ErrHung) {
			mode.Fault, err = err.Error(), nil
		}
		if err != nil {
			return nil, "", fmt.Errorf("prove in which mode %s runs: %w", s.about.Model, err)
		}
		if mode.Fault == "" || n == tries {
			return proofOf(mode, n), mode.Version, nil
		}
	}
}

func proofOf(m ollama.Mode, attempts int) *bakeoff.Proof {
	p := &bakeoff.Proof{
		At: time.Now().UTC().Format(time.RFC3339), AskedContext: m.AskedContext, HeldContext: m.HeldContext, AskedThinking: m.AskedThinking,
		Thinking: m.Thinking, ThinkingInText: m.ThinkingInText, SchemaKept: m.SchemaKept, PromptTokens: m.PromptTokens,
		Size: m.Size, SizeVRAM: m.SizeVRAM, Fault: m.Fault, Memory: m.Memory, Attempts: attempts, Exchanges: []bakeoff.Exchange{},
	}
	for _, e := range m.Exchanges {
		p.Exchanges = append(p.Exchanges, bakeoff.Exchange(e))
	}
	return p
}

// setup writes down everything about a trial of a seat but what it will do.
func (c *conductor) setup(s *seat, version string) bakeoff.Setup {
	req := c.b.Request
	out := bakeoff.Setup{
		Role: req.Role, Depth: req.Depth, Library: c.library, Clock: req.Now, Seed: req.Seed, Program: c.b.Code, Machine: c.machine,
		Swaps: []bakeoff.Swap{},
	}
	for _, role := range bakeoff.Roles {
		who := c.baseline.about
		if req.Role == "" || req.Role == role {
			who = s.about
		}
		out.Seats = append(out.Seats, bakeoff.Seat{Role: role, Model: who.Model, Digest: who.Digest})
	}
	if b, err := json.Marshal(req.Questions); err == nil { // strings only
		out.Questions = research.SHA256(string(b))
	}
	if s.served() {
		n := s.model.Limits().NumCtx
		out.Backend, out.Version, out.NumCtx, out.KVType = "ollama", version, &n, or(s.kv, req.KVType)
		out.Thinking, out.ToolFormat = bakeoff.ThinkingLeast, bakeoff.FormatSchema
	}
	return out
}

// squeezed looks whether the baseline's model still stands in memory as it did in its own trial.
func (c *conductor) squeezed(ctx context.Context) ([]bakeoff.Swap, error) {
	var was *bakeoff.Proof
	for _, t := range c.b.Trials {
		if t.Reference {
			was = t.Proof
		}
	}
	is, _, err := c.prove(ctx, c.baseline)
	if err != nil || was == nil {
		return nil, err
	}
	from, to := standing(was), standing(is)
	if from == to {
		return nil, nil
	}
	return []bakeoff.Swap{{From: c.baseline.about.Model + " " + from, To: to}}, nil
}

// standing says in words how a model stands in memory.
func standing(p *bakeoff.Proof) string {
	out := "with a window not told"
	switch {
	case p.Fault != "":
		return "refused: " + p.Fault
	case p.HeldContext != nil:
		out = fmt.Sprintf("with %s tokens", gpu.Grouped(*p.HeldContext))
	}
	if p.Size != nil && p.SizeVRAM != nil && *p.Size > 0 {
		out += fmt.Sprintf(", %d %% on the GPU", *p.SizeVRAM*100 / *p.Size)
	}
	return out
}

// load has the servers load and measure the models, and pins the limits that prompts are cut to. A trial that goes on keeps
// those it began with.
func (c *conductor) load(ctx context.Context, s *seat, t *bakeoff.Trial, model router) error {
	for _, x := range []*seat{c.baseline, s} {
		if !x.served() || x == c.baseline && c.b.Request.Role == "" && s != c.baseline {
			continue // nobody asks the baseline
		}
		if err := warm(ctx, Channel{Name: x.about.Model, model: x.model}, func(string, string) error { return nil }); err != nil {
			return fmt.Errorf("load %s: %w", x.about.Model, err)
		}
	}
	if len(t.Answers) == 0 {
		t.Limits = model.Limits()
		t.Limits.TokensPerByte *= denser
	}
	return nil
}

// sameServer is rule 3 within a trial: the server that ended it must be the one that began it.
func (c *conductor) sameServer(ctx context.Context, s *seat, t *bakeoff.Trial) error {
	if !s.served() {
		return nil
	}
	now, err := s.version(ctx)
	if err != nil {
		return fmt.Errorf("ask the server for its version after the trial: %w", err)
	}
	if now != t.Setup.Version {
		t.Answers = []bakeoff.Answer{}
		t.Notes = append(t.Notes, fmt.Sprintf("The server was version %s when the trial began and %s when it ended, so its answers were dropped.", t.Setup.Version, now))
		return fmt.Errorf("the model server changed from version %s to %s during a trial: resume the bake-off to run the trial again", t.Setup.Version, now)
	}
	return nil
}
