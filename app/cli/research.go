package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

// graceTime is how long an interrupted run may take to stop before the program ends all the same. What is recorded is on
// disk, so nothing is lost either way. With the time to start and print it stays under the two seconds of the contract.
const graceTime = 1500 * time.Millisecond

// researchFlags are the flags of `assay research`.
type researchFlags struct {
	req       research.Request
	shape     string
	depth     string
	offline   bool
	web, own  bool
	out       string
	yes       bool
	json      bool
	resume    string
	queue     bool // for a worker, instead of now
	priority  int
	nats      string // the shared queue; "" this home's
	review    bool
	rerun     string // the run that is taken over up to the stage from
	from      string
	patience  time.Duration
	deliver   []string
	libraries []string
	attach    []string
}

// defaultPatience is how long a run waits for memory when nobody can be asked.
const defaultPatience = 5 * time.Minute

func (p *program) researchCommand() *cobra.Command {
	var f researchFlags
	cmd := &cobra.Command{
		Use:   "research QUESTION",
		Short: "Answer a question with an audited report",
		Long: "Answer a question from documents and write report.html, report.md, digest.json and run.json.\n\n" +
			"Without --library, the folders added with `assay library add` are searched. The web is searched with --web only.",
		Example: "  assay research \"When was Debian first released?\" --library ~/docs --out report\n" +
			"  assay research --resume 20260131-120000-0a1b2c",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.req.Libraries, f.req.Attach = f.libraries, f.attach
			f.req.Shape, f.req.Depth = research.Shape(f.shape), research.Depth(f.depth)
			reach, err := reachOf(f.offline, f.web, f.own)
			if err != nil {
				return err
			}
			f.req.Egress, f.req.Servers = reach, f.own
			if f.queue {
				return p.enqueue(cmd.Context(), f, args)
			}
			if cmd.Flags().Changed("priority") || f.nats != "" {
				return &desk.UsageError{Err: errors.New("--priority and --nats are for --queue: add it, or leave them out")}
			}
			if f.resume != "" {
				p.tellIgnored(cmd.Flags().Changed)
			}
			return p.research(cmd.Context(), f, args)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.libraries, "library", nil, "search the documents of folder `DIR`; may be repeated")
	fl.BoolVar(&f.web, "web", false, "search the web too; see assay web for whom is asked")
	fl.BoolVar(&f.own, "own", false, "search the servers of your own too (see assay web), and nobody else's; with --offline only those of this machine")
	fl.BoolVar(&f.offline, "offline", false, "let no byte leave this machine")
	fl.StringArrayVar(&f.attach, "attach", nil, "use `FILE` as a source; may be repeated")
	fl.StringVar(&f.req.About, "about", "", "who the reader is, as `TEXT`; used in planning only")
	fl.StringVar(&f.shape, "shape", "", "`auto|debate|survey`: the form of the argument (default auto)")
	fl.StringVar(&f.req.Embedding, "embedding-model", "", "auto|off|`NAME`: the embedding model of the server that holds pages against the question besides their words (default auto)")
	fl.StringVar(&f.req.Template, "template", "", "`NAME` of the report's template: auto, "+strings.Join(desk.TemplateNames(), ", ")+" (default auto: by the question)")
	fl.BoolVar(&f.req.LookUp, "look-up", false, "with --web, look up the scholarly works that the report cites; their titles, authors and identifiers leave this machine")
	fl.StringVar(&f.req.Model, "model", "", "`auto|extractive|ollama:NAME|openai:NAME|recorded:RUN.json`: who answers; ollama:A,openai:B has the second answer whenever the first cannot (default auto)")
	fl.StringVar(&f.depth, "depth", "", "`quick|standard|deep`: how much work (default standard)")
	fl.StringVar(&f.req.Lang, "lang", "", "`auto|en|zh`: language of the report (default auto)")
	fl.StringVar(&f.out, "out", "", "write the report's files into `DIR`")
	fl.BoolVar(&f.yes, "yes", false, "start the search without showing the plan")
	fl.BoolVar(&f.review, "review", false, "take changes of each round's plan from standard input, also where it is no terminal")
	fl.BoolVar(&f.req.AllowPartial, "allow-partial", false, "end with code 0 although nothing was found or floors were missed")
	fl.StringVar(&f.req.Now, "clock", "", "the run's clock, as `RFC3339` (default now)")
	fl.Int64Var(&f.req.Seed, "seed", 0, "the run's seed")
	fl.StringArrayVar(&f.deliver, "deliver", nil, "hand the result to the delivery `NAME` too, see assay deliver; may be repeated")
	fl.BoolVar(&f.json, "json", false, "print events as JSON, a line each")
	fl.BoolVar(&f.queue, "queue", false, "put it into the queue for a worker (see assay queue, assay worker) instead of doing it now")
	fl.IntVar(&f.priority, "priority", 0, "with --queue: `-9..9`, higher goes first")
	natsFlag(cmd, &f.nats)
	fl.StringVar(&f.resume, "resume", "", "go on with the run `ID`")
	fl.DurationVar(&f.patience, "patience", defaultPatience, "how long to wait when memory is missing and nobody can be asked, such as 90s; then go on as it is")
	return cmd
}

// reachOf is how far the options let a research reach.
func reachOf(offline, web, own bool) (research.Egress, error) {
	switch {
	case web && offline:
		return "", &desk.UsageError{Err: errors.New("--web and --offline exclude each other: leave one out")}
	case offline:
		return research.Closed, nil
	case web:
		return research.Web, nil
	case own:
		return research.Own, nil
	}
	return "", nil
}

// tellIgnored names the options that a resumed run does not heed, because it keeps those it began with.
func (p *program) tellIgnored(given func(string) bool) {
	var names []string
	for _, name := range []string{"library", "web", "own", "offline", "attach", "about", "shape", "template", "look-up", "model", "depth", "lang", "allow-partial", "clock", "seed"} {
		if given(name) {
			names = append(names, "--"+name)
		}
	}
	if len(names) > 0 {
		say(p.err, "A resumed run keeps the options it began with; ignored: %s.\n", strings.Join(names, ", "))
	}
}

// notLookedUp says why nothing is looked up in a research that may not reach the web.
func notLookedUp(reach research.Egress) string {
	if reach == research.Closed {
		return "because --offline lets no byte leave this machine"
	}
	return "because only --web lets their titles, authors and identifiers leave this machine"
}

func (p *program) research(ctx context.Context, f researchFlags, args []string) error {
	f.req.Question = strings.Join(args, " ")
	if f.yes && f.review {
		return &desk.UsageError{Err: errors.New("--yes starts without showing the plan and --review shows it: use one of them")}
	}
	if f.out != "" {
		abs, err := filepath.Abs(f.out)
		if err != nil {
			return &desk.UsageError{Err: fmt.Errorf("out %s: %w", f.out, err)}
		}
		f.out = abs
	}
	if f.resume != "" && len(args) > 0 {
		return &desk.UsageError{Err: errors.New("--resume goes on with the question of that run: leave the question out")}
	}
	if f.req.LookUp && f.req.Egress != research.Web && f.resume == "" {
		say(p.err, "--look-up: the works that the report cites are not looked up, %s; the report says of them: not checked.\n", notLookedUp(f.req.Egress))
	}
	d, err := desk.Open(desk.Options{Program: "terminal", Version: p.version, Getenv: p.getenv})
	if err != nil {
		return err
	}
	if f.patience <= 0 {
		return errors.Join(&desk.UsageError{Err: fmt.Errorf("--patience %s: use a time such as 90s or 5m", f.patience)}, d.Close())
	}
	opt := desk.StartOptions{Out: f.out, Patience: f.patience, Deliver: f.deliver}
	if f.review && !terminal(p.err) {
		p.err = &oneAtATime{to: p.err} // the plan is shown by the run's goroutine, the news by another
	}
	v := p.view(f.json)
	var asked *relief
	if !f.yes && !f.json && terminal(p.in) && terminal(p.err) {
		opt.Approve = p.approve(v)
		opt.Patience = 0 // somebody is there
		asked = &relief{program: p, desk: d, view: v}
	} else if f.review {
		opt.Approve = p.approve(v)
	}
	var job *desk.Job
	switch {
	case f.resume != "":
		job, err = d.Resume(ctx, f.resume, opt)
	case f.rerun != "":
		job, err = d.Rerun(ctx, f.rerun, f.from, opt)
	default:
		job, err = d.Start(ctx, f.req, opt)
	}
	if err != nil {
		return errors.Join(err, d.Close())
	}
	res, err := p.follow(ctx, job, v, asked)
	if err != nil { // it did not stop in time: the process ends, the record stands
		return p.interrupted(job)
	}
	err = p.tell(job, res, f.json)
	p.delivered(ctx, d)
	return errors.Join(err, d.Close())
}

// follow shows the run until it has ended. It returns an error when an interrupted run does not stop in time.
func (p *program) follow(ctx context.Context, job *desk.Job, v view, asked *relief) (desk.Result, error) {
	shown := make(chan error, 1)
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go func() {
		shown <- job.Follow(follow, 0, func(events []research.Event) error {
			for _, ev := range events {
				v.event(ev)
				asked.event(follow, job, ev)
			}
			return nil
		})
	}()
	select {
	case <-job.Done():
	case <-ctx.Done():
		job.Interrupt()
		select {
		case <-job.Done():
		case <-time.After(graceTime):
			stop()
			<-shown
			v.end()
			return desk.Result{}, ctx.Err()
		}
	}
	err := <-shown
	v.end()
	res, werr := job.Wait(follow)
	if err != nil { // the run itself is sound: only the showing was not
		say(p.err, "assay: show progress: %v\n", err)
	}
	return res, werr
}

// interrupted is the end of a run that was stopped.
func (p *program) interrupted(job *desk.Job) error {
	return &codedError{desk.ExitInterrupted, fmt.Errorf("interrupted; nothing that was found is lost; go on with: assay research --resume %s", job.ID())}
}

// tell prints how a run ended.
func (p *program) tell(job *desk.Job, res desk.Result, asJSON bool) error {
	if asJSON {
		line := resultLine{Kind: "result", ID: job.ID(), State: res.State.State, Exit: res.Exit, Files: res.Files}
		if res.Err != nil {
			line.Error = res.Err.Error()
		}
		if err := printJSON(p.out, line); err != nil {
			return err
		}
	} else {
		p.summary(job, res)
	}
	switch {
	case res.Exit == desk.ExitDone:
		if res.State.Detail != "" && !asJSON { // allowed to be partial
			say(p.err, "Note: %s\n", res.State.Detail)
		}
		return nil
	case res.Exit == desk.ExitInterrupted:
		return p.interrupted(job)
	case res.Exit == desk.ExitNoFinding, res.Exit == desk.ExitUsage, res.Digest != nil:
		return &codedError{res.Exit, res.Err}
	}
	return &codedError{res.Exit, fmt.Errorf("%w; what was found is kept, go on with: assay research --resume %s", res.Err, job.ID())}
}

// resultLine is the last line of --json.
type resultLine struct {
	Kind  string   `json:"kind"` // "result"
	ID    string   `json:"id"`
	State string   `json:"state"`
	Exit  int      `json:"exit"`
	Error string   `json:"error,omitempty"`
	Files []string `json:"files,omitempty"`
}

// maxPrinted is how many findings the terminal shows; the report has all.
const maxPrinted = 8

// summary prints the figures of a report and where it is.
func (p *program) summary(job *desk.Job, res desk.Result) {
	if d := res.Digest; d != nil {
		say(p.out, "%s\n", d.Title)
		if d.Summary != "" {
			say(p.out, "%s\n", d.Summary)
		}
		printed, all := 0, 0
		for _, s := range d.Sections {
			for _, f := range s.Findings {
				if all++; printed < maxPrinted {
					say(p.out, "- %s %s\n", f.Text, keys(f.Refs))
					printed++
				}
			}
		}
		if all > printed {
			say(p.out, "and %s in the report.\n", count(all-printed, "more finding"))
		}
		for _, g := range d.Gaps {
			say(p.out, "Gap: %s\n", gapText(g))
		}
		for _, s := range d.SourceStats.Shortfall {
			say(p.out, "Short: %s\n", s)
		}
	}
	for _, file := range res.Files {
		if filepath.Base(file) == desk.FileHTML {
			say(p.out, "Report: %s\n", file)
			break
		}
	}
	say(p.out, "Run: %s\n", job.ID())
}

// keys prints citation keys: refs are indices, keys are one more.
func keys(refs []int) string {
	var b strings.Builder
	for _, r := range refs {
		say(&b, "[%d]", r+1)
	}
	return b.String()
}

// readLine reads a line, or gives up when ctx ends; the read itself then ends with the process.
func readLine(ctx context.Context, r io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(r).ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil
		}
		got <- answer{line, err}
	}()
	select {
	case a := <-got:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
