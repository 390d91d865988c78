package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/gpu"
)

// fitCommand says whether a model fits, or which of the installed ones a research would use.
func (p *program) fitCommand() *cobra.Command {
	var r desk.FitRequest
	var asJSON bool
	cmd := &cobra.Command{
		Use: "fit [MODEL]", Short: "Say what a model takes at each window and whether it fits the graphics card",
		Long: "Say what a model takes at each window and type of cache, whether it fits the graphics card, and why.\n\n" +
			"A model that the server does not have is looked up in a catalogue of well-known ones; --model-info reads an answer of\n" +
			"/api/show instead. Without MODEL, plan over all installed models: which one a research would use now, how it would be\n" +
			"loaded, and what else there is, best first.",
		Example: "  assay fit gpt-oss:20b\n  assay fit qwen3:14b --free 15.2GiB --kv q8_0\n  assay fit --model-info show.json --free 11GiB --ollama-version 0.32.7 --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return oneArg(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				r.Model = args[0]
			}
			for flag, value := range map[string]*string{"free": &r.Free, "model-info": &r.ModelInfo, "kv": &r.KV, "ollama-version": &r.Version} {
				if cmd.Flags().Changed(flag) && strings.TrimSpace(*value) == "" {
					return &desk.UsageError{Err: fmt.Errorf("--%s was given nothing", flag)}
				}
			}
			for flag, value := range map[string]int{"ctx": r.Context, "parallel": r.Parallel} {
				if cmd.Flags().Changed(flag) && value <= 0 {
					return &desk.UsageError{Err: fmt.Errorf("--%s %d: use a number from 1 on", flag, value)}
				}
			}
			return p.open(func(d *desk.Desk) error {
				if r.Model == "" && r.ModelInfo == "" && len(args) == 0 {
					return serverFault(p.fitAll(cmd.Context(), d, r, asJSON))
				}
				if len(args) == 1 && strings.TrimSpace(r.Model) == "" {
					return &desk.UsageError{Err: fmt.Errorf("the name of the model is empty")}
				}
				report, err := d.Fit(cmd.Context(), r)
				if err != nil {
					return serverFault(err)
				}
				if asJSON {
					return printJSON(p.out, report)
				}
				p.printFit(report)
				return nil
			})
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&r.ModelInfo, "model-info", "", "read the model from this `FILE`, an answer of /api/show")
	fl.StringVar(&r.Free, "free", "", "plan for a card with this `SIZE` free, such as 15.2GiB, in place of this machine's")
	fl.IntVar(&r.Context, "ctx", 0, "the window of a call, in tokens (default: the longest that fits)")
	fl.StringVar(&r.KV, "kv", "", "`f16|q8_0|q4_0`: the type of the cache (default: f16, or q8_0 where only that fits)")
	fl.IntVar(&r.Parallel, "parallel", 0, "calls at once, each with a window of its own (default 1)")
	fl.StringVar(&r.Version, "ollama-version", "", "the `VERSION` of Ollama whose rules hold (default: the server's)")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printFit prints one model's report.
func (p *program) printFit(r desk.FitReport) {
	line := func(what, format string, args ...any) {
		say(p.out, "%-10s "+format+"\n", append([]any{what}, args...)...)
	}
	line("model", "%s (%s)", r.Model, strings.Join(nonEmpty(r.Architecture, r.Quantisation, contextWords(r.ContextLimit)), ", "))
	line("figures", "%s", r.Origin)
	line("rules", "%s", rulesWords(r))
	switch {
	case r.NoCard != "":
		line("card", "%s", r.NoCard)
	case r.Free != nil:
		each := ""
		if r.Cards > 1 {
			each = fmt.Sprintf(" on %d cards together", r.Cards)
		}
		line("card", "%s: %s free for models%s, of which %s are the reserve", r.Card, sizeWords(r.Free), each, sizeWords(&r.Reserve))
	}
	say(p.out, "\n")
	p.fitTable(r)
	c := r.Chosen
	say(p.out, "\n")
	line("choice", "%s", r.Why)
	line("", "window %d, cache %s, %s at once, batch %d, flash attention %s", c.Context, string(c.KV), count(c.Parallel, "call"), c.Batch, string(c.Flash))
	for _, part := range c.Parts { // each is rounded up, so their sum may show some MiB less
		most := ""
		if part.Bound {
			most = "at most "
		}
		where := ""
		if part.Host {
			where = "main memory: "
		}
		line("", "%10s  %s: %s%s%s", mibText(part.Bytes), partWords(part.Kind), most, where, part.Why)
	}
	on := "the card"
	if c.Devices > 1 {
		on = count(c.Devices, "card")
	}
	line("", "%10s  together on %s; %s in main memory", mibText(c.Card), on, mibText(c.Host))
	if c.HeldWhy != "" {
		line("", "%10s  beside it to stay free: %s", mibText(c.Held), c.HeldWhy)
	}
	for i, s := range r.Sum {
		line(map[bool]string{true: "sum"}[i == 0], "%s", s)
	}
	if r.Calibrated != "" {
		line("measured", "%s", r.Calibrated)
	}
	if r.Next != "" {
		line("next", "%s", r.Next)
	}
	for _, s := range r.Overridden {
		line("asked", "%s", s)
	}
	if len(r.Missing) > 0 {
		line("missing", "the description does not give %s, so parts are bounds", strings.Join(r.Missing, ", "))
	}
	for _, s := range r.Notes {
		line("note", "%s", s)
	}
}

// fitTable prints the windows down and the cache types across.
func (p *program) fitTable(r desk.FitReport) {
	var kinds []gpu.KVType
	var windows []int
	for _, c := range r.Table {
		if !slices.Contains(kinds, c.KV) {
			kinds = append(kinds, c.KV)
		}
		if !slices.Contains(windows, c.Context) {
			windows = append(windows, c.Context)
		}
	}
	slices.SortStableFunc(kinds, func(a, b gpu.KVType) int { return kvOrder(a) - kvOrder(b) })
	say(p.out, "%-10s", "window")
	for _, k := range kinds {
		say(p.out, "  %-26s", string(k))
	}
	say(p.out, "\n")
	for _, n := range windows {
		say(p.out, "%-10d", n)
		for _, k := range kinds {
			text := "the server drops it"
			for _, c := range r.Table {
				if c.Context == n && c.KV == k {
					text = fitWords(c)
				}
			}
			say(p.out, "  %-26s", text)
		}
		say(p.out, "\n")
	}
	if slices.ContainsFunc(r.Table, func(c desk.Cell) bool { return c.Fit == gpu.InReserve || c.Fit == gpu.Spills }) {
		say(p.out, "%-10s  reserve: so much would be taken of the reserve; lacks: a part would run from main memory, and so much more has to be free\n", "")
		say(p.out, "%-10s  before it fits, the reserve or what the server keeps free beside it counted, whichever is more\n", "")
	}
}

func kvOrder(k gpu.KVType) int { return slices.Index([]gpu.KVType{gpu.F16, gpu.Q8, gpu.Q4}, k) }

// fitWords is what a cell takes and how it stands.
func fitWords(c desk.Cell) string {
	most := ""
	if c.Bound {
		most = "<= "
	}
	words := most + gibText(c.Needs)
	switch c.Fit {
	case gpu.Fits:
		return words + " fits"
	case gpu.InReserve:
		return fmt.Sprintf("%s reserve +%s", words, mibText(*c.Over))
	case gpu.Spills:
		return fmt.Sprintf("%s lacks %s", words, mibText(*c.Over))
	}
	return words
}

func gibText(n int64) string { return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30)) }
func mibText(n int64) string { return gpu.Grouped((n+(1<<20)-1)>>20) + " MiB" }

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}

func contextWords(n int) string {
	if n == 0 {
		return ""
	}
	return "made for " + count(n, "token")
}

// rulesWords says by whose rules was counted.
func rulesWords(r desk.FitReport) string {
	if r.Version == "" {
		return r.Generation + ", because no server's version is known"
	}
	return fmt.Sprintf("%s (server %s)", r.Generation, r.Version)
}

// partWords are the names of the parts.
func partWords(k gpu.PartKind) string {
	words := map[gpu.PartKind]string{
		gpu.PartWeights: "weights", gpu.PartInput: "input", gpu.PartAdapter: "adapter", gpu.PartKV: "cache", gpu.PartKVWindowed: "windowed cache",
		gpu.PartRecurrent: "state", gpu.PartCompute: "working memory", gpu.PartComputeHost: "working memory of the processor",
		gpu.PartProjector: "image part", gpu.PartImage: "working memory for images", gpu.PartOverhead: "driver", gpu.PartCalibration: "by measurement",
	}
	if w, ok := words[k]; ok {
		return w
	}
	return string(k)
}

// fitAll prints the plan over all installed models.
func (p *program) fitAll(ctx context.Context, d *desk.Desk, r desk.FitRequest, asJSON bool) error {
	plan, err := d.PlanWith(ctx, r)
	if err != nil {
		return err
	}
	refused := func() error {
		if plan.Refusal == "" {
			return nil
		}
		return &codedError{desk.ExitModel, errors.New("no model is planned, for the reason given")}
	}
	if asJSON && plan.Known {
		if err := printJSON(p.out, plan); err != nil {
			return err
		}
		return refused()
	} else if asJSON {
		return printJSON(p.out, plan)
	}
	if !plan.Known {
		say(p.out, "%s\n", plan.Refusal)
		if plan.Rule != "" {
			say(p.out, "The model would be %s.\n", plan.Rule)
		}
		say(p.out, "Say how much a card has free to plan for it: assay fit --free 15.2GiB\n")
		return nil
	}
	if plan.Refusal != "" {
		say(p.out, "%s\n", plan.Refusal)
	}
	for _, o := range plan.Options {
		say(p.out, "Plan: %s, window %d, cache %s, %s at once, batch %d: %s on the card, %s stay free.\n",
			o.Model, o.Context, string(o.KV), count(o.Parallel, "call"), o.Batch, gibText(o.Needs), gibText(o.Left))
	}
	for _, s := range slices.Concat(plan.Overridden, plan.Why, nonEmpty(plan.Later, plan.Next, plan.Better)) {
		say(p.out, "  %s\n", s)
	}
	if plan.Measured != "" {
		say(p.out, "  It was %s.\n", plan.Measured)
	}
	if len(plan.Alternatives) > 0 {
		say(p.out, "\nAlternatives, best first:\n")
		for _, o := range plan.Alternatives {
			left := gibText(o.Left) + " left"
			if o.Fit == gpu.Spills { // what is not there is not left
				left = gibText(o.Over) + " short"
			}
			say(p.out, "  %-32s %8d  %-5s %12s needed %18s  %-8s %s\n", o.Model, o.Context, string(o.KV), gibText(o.Needs), left, string(o.Fit), o.Why)
		}
	}
	for _, s := range plan.Aside {
		say(p.out, "Left out: %s\n", s)
	}
	return refused()
}
