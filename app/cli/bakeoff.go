package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/app/bench"
	"assay/app/desk"
	"assay/engine/research"
)

// bakeoffFlags are the flags of `assay bakeoff`.
type bakeoffFlags struct {
	req       desk.BakeoffRequest
	models    []string
	questions []string
	libraries []string
	role      string
	depth     string
	limit     int
	resume    string
	json      bool
}

func (p *program) bakeoffCommand() *cobra.Command {
	var f bakeoffFlags
	cmd := &cobra.Command{
		Use:   "bakeoff",
		Short: "Hold models against a baseline on the same questions, and judge them",
		Long: "Run the same questions with each model and with a baseline, and judge each model by six rules: its operating mode is\n" +
			"proven by a raw call first; it is the only variable; backend and version stand in every verdict; a discard needs two runs that\n" +
			"failed; verdicts are kept in a changelog that is only added to; a model that cannot hold 8192 tokens of context on this machine is\n" +
			"discarded outright, unless that is its own limit. Everything stays on this machine.\n\n" +
			"A file of questions has one question a line, or is JSON lines as the qa bench reads them; those with right answers are scored.",
		Example: "  assay bakeoff --models qwen3:8b,gemma3:12b --questions \"When was Debian first released?\" --library ~/docs --runs 2\n" +
			"  assay bakeoff --models qwen3:8b --baseline ollama:gpt-oss:20b --role reader --questions questions.jsonl --library ~/corpus\n" +
			"  assay bakeoff log --model qwen3:8b",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().NFlag() == 0 {
				return cmd.Help()
			}
			if cmd.Flags().Changed("runs") && f.req.Runs < 1 {
				return &desk.UsageError{Err: fmt.Errorf("--runs %d: use a number from 1 on", f.req.Runs)}
			}
			return p.bakeoff(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.models, "models", nil, "`NAMES` of the models to try, separated by commas")
	fl.StringVar(&f.req.Baseline, "baseline", "extractive", "`extractive|ollama:NAME`: what they are held against")
	fl.StringArrayVar(&f.questions, "questions", nil, "a `FILE` of questions, or one question; may be repeated")
	fl.StringArrayVar(&f.libraries, "library", nil, "search the documents of folder `DIR`; may be repeated")
	fl.StringVar(&f.role, "role", "all", "`ROLE` that the models take, the baseline keeping the others")
	fl.IntVar(&f.req.Runs, "runs", 0, "run each model `N` times (default 1)")
	fl.IntVar(&f.limit, "limit", 0, "only the first `N` questions of each file")
	fl.StringVar(&f.depth, "depth", "quick", "`quick|standard|deep`: how much work a question gets")
	fl.IntVar(&f.req.NumCtx, "num-ctx", 0, "window of every call in `TOKENS` (default 8192)")
	fl.StringVar(&f.req.KVType, "kv", "", "`f16|q8_0|q4_0`: the cache type the server was started with, which it does not tell")
	fl.StringVar(&f.req.Now, "clock", "", "the clock of the runs, as `RFC3339` (default today at midnight UTC)")
	fl.Int64Var(&f.req.Seed, "seed", 0, "the seed of the first run; each further one takes the next")
	fl.StringVar(&f.resume, "resume", "", "go on with the bake-off `ID`, or add to it with a higher --runs")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	cmd.AddCommand(p.bakeoffList(), p.bakeoffShow(), p.bakeoffLog(), p.bakeoffSupersede(), p.bakeoffRemove())
	return cmd
}

// bakeoff does the work and prints what came of it.
func (p *program) bakeoff(ctx context.Context, f bakeoffFlags) error {
	req := f.req
	req.Models, req.Libraries, req.Depth, req.Role = f.models, f.libraries, research.Depth(f.depth), research.Role(f.role)
	corpus := ""
	if f.limit < 0 {
		return &desk.UsageError{Err: fmt.Errorf("limit %d: use a number from 1 on", f.limit)}
	}
	if f.resume == "" {
		var err error
		if req.Questions, corpus, err = readQuestions(f.questions, f.libraries, f.limit); err != nil {
			return err
		}
	}
	return p.open(func(d *desk.Desk) error {
		opt := desk.BakeoffOptions{}
		if !f.json {
			opt.Tell = p.tellBakeoff()
		}
		var b desk.Bakeoff
		var err error
		if f.resume == "" {
			opt.Score = scorer(corpus)
			b, err = d.StartBakeoff(ctx, req, opt)
		} else {
			b, err = p.resumeBakeoff(ctx, d, f, opt)
		}
		if err != nil {
			return bakeoffFault(ctx, b, err)
		}
		v, err := d.Bakeoff(b.ID)
		if err != nil {
			return err
		}
		if f.json {
			return printJSON(p.out, v)
		}
		return p.showBakeoff(v, false)
	})
}

// resumeBakeoff finds the corpus of the questions again, for the scorer.
func (p *program) resumeBakeoff(ctx context.Context, d *desk.Desk, f bakeoffFlags, opt desk.BakeoffOptions) (desk.Bakeoff, error) {
	v, err := d.Bakeoff(f.resume)
	if v.ID == "" {
		return desk.Bakeoff{}, err // a damaged changelog is told by what adds to it
	}
	opt.Score = scorer(corpusOf(v.Request.Questions, v.Request.Libraries))
	return d.ResumeBakeoff(ctx, v.ID, f.req.Runs, opt)
}

// scorer marks reports by the rules of the qa bench.
func scorer(corpus string) func(desk.BakeoffQuestion, research.Digest) (map[string]float64, error) {
	score := bench.Scorer(corpus)
	return func(q desk.BakeoffQuestion, digest research.Digest) (map[string]float64, error) {
		return score(q.Label, digest)
	}
}

// bakeoffFault gives the end of a bake-off its exit code and says how to go on.
func bakeoffFault(ctx context.Context, b desk.Bakeoff, err error) error {
	var usage *desk.UsageError
	again := "; go on with: assay bakeoff --resume " + b.ID
	switch {
	case b.ID == "", errors.As(err, &usage):
		return err
	case ctx.Err() != nil:
		return &codedError{desk.ExitInterrupted, errors.New("interrupted; finished trials are kept" + again)}
	}
	for _, cause := range []error{research.ErrUnavailable, research.ErrMissing, research.ErrForbidden, research.ErrHung, research.ErrBusy, research.ErrServer} {
		if errors.Is(err, cause) {
			return &codedError{desk.ExitModel, fmt.Errorf("%w%s", err, again)}
		}
	}
	return fmt.Errorf("%w%s", err, again)
}

// tellBakeoff prints each step of the work once.
func (p *program) tellBakeoff() func(desk.BakeoffTick) {
	last := ""
	return func(t desk.BakeoffTick) {
		line := ""
		switch t.Step {
		case "library":
			line = "Reading the library."
		case "prove":
			line = fmt.Sprintf("Trial %d of %d: %s, run %d", t.Trial, t.Trials, t.Model, t.Run)
		case "question":
			line = fmt.Sprintf("  question %d of %d", t.Question, t.Total)
		case "unproven":
			line = fmt.Sprintf("  %s: the benchmark is not run, because its mode of working could not be proven", t.Model)
		case "judge":
			line = "Judging."
		}
		if line != "" && line != last {
			last = line
			say(p.err, "%s\n", line)
		}
	}
}

func (p *program) bakeoffList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List all bake-offs, newest first", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				list, err := d.Bakeoffs()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, list)
				}
				return p.table("ID\tSTATE\tTRIALS\tQUESTIONS\tBASELINE\tMODELS", len(list), func(w io.Writer, i int) {
					b := list[i]
					say(w, "%s\t%s\t%d of %d done\t%d\t%s\t%s\n", b.ID, b.State, b.Done, b.Trials, b.Questions, b.Baseline, strings.Join(b.Models, ", "))
				}, "There are no bake-offs yet.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) bakeoffShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "show ID", Short: "Show one bake-off; the beginning of its id is enough", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				v, err := d.Bakeoff(args[0])
				if v.ID == "" {
					return err
				}
				if asJSON {
					return errors.Join(printJSON(p.out, v), err)
				}
				return errors.Join(p.showBakeoff(v, true), err)
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the raw calls that proved the modes")
	return cmd
}

// showBakeoff prints the table of a bake-off and its verdicts; whole adds what only `show` tells.
func (p *program) showBakeoff(v desk.BakeoffView, whole bool) error {
	role := string(v.Request.Role)
	if role == "" {
		role = "every role"
	}
	say(p.out, "Bake-off %s: %s against %s as %s, %s, depth %s\n", v.ID, count(len(v.Request.Models), "model"), v.Request.Baseline, role,
		count(len(v.Request.Questions), "question"), v.Request.Depth)
	if whole || v.State != "done" {
		say(p.out, "State: %s\n", strings.TrimSuffix(v.State+": "+v.Detail, ": "))
	}
	if whole {
		say(p.out, "Records: %s\n", v.Folder)
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tRUN\tFINDINGS\tAUDITED\tPARTS\tPOINTS\tUNUSABLE\tCALLS\tTOKENS\tTOK/S\tGPU\tTIME\tPASS")
	for _, r := range v.Rows {
		t := r.Total
		say(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Model, r.Run, t.Findings, percent(r.Grounded), percent(r.Answered), decimal(r.Points),
			percent(r.Unusable), t.Calls, tokenCount(t.PromptTokens, t.AnswerTokens), decimal(r.Speed), gibOf(r.SizeVRAM),
			(time.Duration(t.WallMs) * time.Millisecond).Round(100*time.Millisecond), passed(r))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range v.Rows {
		for _, line := range append(append(append([]string{}, r.Unproven...), r.Why...), r.Notes...) {
			say(p.out, "  %s: %s\n", r.Trial, line)
		}
	}
	for _, l := range v.Verdicts {
		if l.Standing || whole {
			p.showVerdict(l)
		}
	}
	return nil
}

// showVerdict prints a verdict with its reasons.
func (p *program) showVerdict(l desk.VerdictLine) {
	e := l.Entry.Verdict
	say(p.out, "%s: %s (entry %s%s)\n", e.Candidate.Model, strings.ToUpper(string(e.Outcome)), l.Entry.ID, standing(l))
	for _, r := range e.Reasons {
		say(p.out, "  %s\n", r)
	}
	for _, label := range e.Labels {
		say(p.out, "  Read with it: %s.\n", label)
	}
	for _, u := range e.Unchecked {
		say(p.out, "  Not checked: %s.\n", u)
	}
	if e.Outcome == "informational" && e.Failed == 1 && e.Passed == 0 {
		say(p.out, "  Add a run with: assay bakeoff --resume %s --runs 2\n", l.Entry.Bakeoff)
	}
}

// standing says in a few words whether a verdict stands.
func standing(l desk.VerdictLine) string {
	switch {
	case !l.Standing:
		return fmt.Sprintf(", superseded by %s, retest %s", l.SupersededBy, l.Retest)
	case l.Elsewhere != "":
		return ", " + l.Elsewhere
	}
	return ""
}

func percent(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", *f*100)
}

func decimal(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *f)
}

func tokenCount(prompt, answer int) string {
	if prompt == 0 && answer == 0 {
		return "-"
	}
	return fmt.Sprintf("%d+%d", prompt, answer)
}

// gibOf is a size in GiB; what the server does not tell is unknown, which is not 0.
func gibOf(n *int64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f GiB", float64(*n)/(1<<30))
}

func passed(r desk.BakeoffRow) string {
	switch {
	case r.Reference:
		return "baseline"
	case len(r.Unproven) > 0:
		return "not proven"
	case r.Pass == nil:
		return "not done"
	case *r.Pass:
		return "yes"
	}
	return "no"
}

func (p *program) bakeoffLog() *cobra.Command {
	var model string
	var asJSON bool
	cmd := &cobra.Command{Use: "log", Short: "Show the changelog of verdicts, oldest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				log, err := d.Changelog(cmd.Context(), model)
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(p.out, log)
				} else {
					err = p.showLog(log)
				}
				for _, line := range log.Lost {
					err = errors.Join(err, errors.New(line))
				}
				if log.Fault != "" {
					err = errors.Join(err, errors.New(log.Fault))
				}
				return err
			})
		}}
	cmd.Flags().StringVar(&model, "model", "", "only the verdicts on model `NAME`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// showLog prints the changelog as a table. On a terminal what no longer stands is struck through; everywhere it is said.
func (p *program) showLog(log desk.Changelog) error {
	if len(log.Lines) == 0 {
		_, err := fmt.Fprintln(p.out, "There are no verdicts yet.")
		return err
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ENTRY\tWHEN\tMODEL\tROLE\tVERDICT\tBACKEND\tWINDOW\tSTANDS")
	struck := []bool{false}
	for _, l := range log.Lines {
		logRow(w, l)
		struck = append(struck, l.Entry.Verdict != nil && !l.Standing)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(b.String()) {
		if text := strings.TrimRight(line, " \n"); struck[n] && terminal(p.out) {
			line = "\x1b[9m" + text + "\x1b[29m\n"
		}
		if _, err := io.WriteString(p.out, line); err != nil {
			return err
		}
		n++
	}
	return nil
}

// logRow prints one entry.
func logRow(w io.Writer, l desk.VerdictLine) {
	e := l.Entry
	if e.Removed {
		say(w, "%s\t%s\t\t\tdata of bake-off %s removed\t\t\tits verdicts stay\n", e.ID, e.At, e.Bakeoff)
		return
	}
	if e.Verdict == nil {
		say(w, "%s\t%s\t\t\tsupersedes %s\t\t\tretest %s: %s\n", e.ID, e.At, e.Supersedes, e.Retest, e.Reason)
		return
	}
	v := e.Verdict
	role, window, stands := string(v.Role), "-", "yes"
	if role == "" {
		role = "all"
	}
	if v.NumCtx != nil {
		window = fmt.Sprint(*v.NumCtx)
	}
	switch {
	case !l.Standing:
		stands = fmt.Sprintf("no: superseded by %s, retest %s", l.SupersededBy, l.Retest)
	case l.Elsewhere != "":
		stands = "yes, " + l.Elsewhere
	}
	if l.RemovedAt != "" {
		stands += ", its data were removed"
	}
	if len(v.Labels) > 0 {
		stands += " (" + strings.Join(v.Labels, "; ") + ")"
	}
	say(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.At, v.Candidate.Model, role, v.Outcome, strings.TrimSpace(v.Backend+" "+v.Version), window, stands)
}

func (p *program) bakeoffRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{Use: "rm ID", Short: "Delete the trials and records of a bake-off; its verdicts stay in the changelog", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				id, err := d.DeleteBakeoff(args[0], yes)
				if errors.Is(err, desk.ErrUnconfirmed) {
					var ok bool
					if ok, err = p.confirm(cmd.Context(), err, "--yes", "yes"); ok {
						id, err = d.DeleteBakeoff(id, true)
					}
				}
				if err != nil {
					return err
				}
				say(p.out, "Deleted the data of bake-off %s; the changelog keeps what it led to.\n", id)
				return nil
			})
		}}
	cmd.Flags().BoolVar(&yes, "yes", false, "delete without asking")
	return cmd
}

func (p *program) bakeoffSupersede() *cobra.Command {
	var reason, retest string
	cmd := &cobra.Command{Use: "supersede ENTRY", Short: "Mark a verdict as superseded by a later, corrected one; both stay", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			if retest == "" || strings.TrimSpace(reason) == "" {
				return &desk.UsageError{Err: errors.New("name the corrected verdict with --retest ENTRY and say why with --reason TEXT")}
			}
			return p.open(func(d *desk.Desk) error {
				e, err := d.Supersede(args[0], retest, reason)
				if err != nil {
					return err
				}
				say(p.out, "Entry %s: %s is superseded, its retest is %s.\n", e.ID, e.Supersedes, e.Retest)
				return nil
			})
		}}
	cmd.Flags().StringVar(&reason, "reason", "", "why, as `TEXT`")
	cmd.Flags().StringVar(&retest, "retest", "", "the later verdict that corrects it, as `ENTRY`")
	return cmd
}
