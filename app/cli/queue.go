package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/render"
	"assay/engine/research"
)

// enqueue puts a research into the queue.
func (p *program) enqueue(ctx context.Context, f researchFlags, args []string) error {
	if f.resume != "" || f.review || f.yes {
		return &desk.UsageError{Err: errors.New("--queue leaves the run to a worker: leave --resume, --review and --yes out; assay queue retry puts a run back")}
	}
	f.req.Question = strings.Join(args, " ")
	shared := f.nats != ""
	if shared && f.out != "" {
		return &desk.UsageError{Err: errors.New("--out is for this machine, and a shared queue is worked on elsewhere: leave it out, and use assay queue fetch ID --out DIR when it is done")}
	}
	return p.open(func(d *desk.Desk) error {
		id, err := "", error(nil)
		if shared {
			err = p.shared(ctx, d, f.nats, func(q *desk.SharedQueue) error { id, err = q.Add(ctx, f.req, f.priority); return err })
		} else {
			id, err = d.Enqueue(f.req, desk.QueueOptions{Priority: f.priority, Out: f.out})
		}
		if err != nil {
			return err
		}
		if f.json {
			return printJSON(p.out, map[string]any{"id": id, "state": "queued"})
		}
		_, err = fmt.Fprintf(p.out, "Queued as %s. A worker takes it: assay worker, or the window when it works on the queue.\n", id)
		return err
	})
}

// shared opens the queue of a server, runs fn on it and lets it go.
func (p *program) shared(ctx context.Context, d *desk.Desk, address string, fn func(*desk.SharedQueue) error) error {
	q, err := d.OpenQueue(ctx, address, func(text string) { say(p.err, "%s\n", text) })
	if err != nil {
		return err
	}
	defer q.Close()
	return fn(q)
}

// either does one thing on the queue of this home, or on that of a server when an address is given.
func (p *program) either(ctx context.Context, address string, local func(*desk.Desk) error, shared func(*desk.SharedQueue) error) error {
	return p.open(func(d *desk.Desk) error {
		if address == "" {
			return local(d)
		}
		return p.shared(ctx, d, address, shared)
	})
}

// natsFlag adds the option that names a server.
func natsFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "nats", "", "the queue of the NATS server at `URL`, such as nats://127.0.0.1:4222, instead of this home's; a token is read from "+desk.NATSTokenEnv)
}

func (p *program) queueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Runs that wait for a worker: list, order, take out, put back",
		Long: "Runs that wait for a worker. Put one in with assay research --queue \"QUESTION\"; assay worker works on them, one that needs\n" +
			"a model at a time and two that only read documents, unless the settings say otherwise.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.queueList(), p.queueMove(), p.queuePriority(), p.queueRemove(), p.queueRetry(), p.queueFetch(), p.queueHosts(), p.queueMorning())
	return cmd
}

// queueLine is a run of the queue in JSON.
type queueLine struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Model    string `json:"model"`
	State    string `json:"state"`
	Detail   string `json:"detail,omitempty"`
	Priority int    `json:"priority"`
	Worker   string `json:"worker,omitempty"`
	AddedMs  int64  `json:"added_ms"`
	EndedMs  int64  `json:"ended_ms,omitempty"`
}

func (p *program) queueList() *cobra.Command {
	var asJSON bool
	var nats string
	cmd := &cobra.Command{
		Use: "list", Short: "Show what is worked on, what waits in its order, and what has ended", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var items []desk.QueueItem
			err := p.either(cmd.Context(), nats,
				func(d *desk.Desk) (err error) { items, err = d.Queue(); return err },
				func(q *desk.SharedQueue) (err error) { items, err = q.List(cmd.Context()); return err })
			if err != nil {
				return err
			}
			return p.printQueue(items, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	natsFlag(cmd, &nats)
	return cmd
}

func (p *program) printQueue(items []desk.QueueItem, asJSON bool) error {
	if asJSON {
		lines := make([]queueLine, len(items))
		for i, it := range items {
			lines[i] = queueLine{it.ID, it.Request.Question, it.Request.Model, it.State, it.Detail, it.Priority, it.Worker, it.AddedMs, it.EndedMs}
		}
		return printJSON(p.out, lines)
	}
	if len(items) == 0 {
		_, err := fmt.Fprintln(p.out, "The queue is empty. Put a research into it with assay research --queue \"QUESTION\".")
		return err
	}
	for _, it := range items {
		line := fmt.Sprintf("%s  %-11s  %2d  %s", it.ID, it.State, it.Priority, oneLine(it.Request.Question))
		if it.Worker != "" {
			line += "  (" + it.Worker + ")"
		} else if it.Detail != "" && !it.Waits() {
			line += "  (" + oneLine(it.Detail) + ")"
		}
		if _, err := fmt.Fprintln(p.out, line); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) queueMove() *cobra.Command {
	var before string
	cmd := &cobra.Command{
		Use: "move ID [--before ID]", Short: "Put a waiting run before another one, or last of its priority", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error { return d.MoveQueued(args[0], before) })
		},
	}
	cmd.Flags().StringVar(&before, "before", "", "the waiting run `ID` that it goes before, whose priority it takes")
	return cmd
}

func (p *program) queuePriority() *cobra.Command {
	var to int
	var nats string
	cmd := &cobra.Command{
		Use: "priority ID --to N", Short: "Give a waiting run another priority, -9 to 9; higher goes first", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("to") {
				return &desk.UsageError{Err: errors.New("no priority was given: name one with --to, from -9 to 9")}
			}
			return p.either(cmd.Context(), nats,
				func(d *desk.Desk) error { return d.SetPriority(args[0], to) },
				func(q *desk.SharedQueue) error { return q.SetPriority(cmd.Context(), args[0], to) })
		},
	}
	cmd.Flags().IntVar(&to, "to", 0, "the priority `N`")
	natsFlag(cmd, &nats)
	return cmd
}

func (p *program) queueRemove() *cobra.Command {
	var nats string
	cmd := &cobra.Command{
		Use: "remove ID", Short: "Take a waiting run out of the queue; it is kept and can be put back", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.either(cmd.Context(), nats,
				func(d *desk.Desk) error { return d.Unqueue(args[0]) },
				func(q *desk.SharedQueue) error { return q.Remove(cmd.Context(), args[0]) })
		},
	}
	natsFlag(cmd, &nats)
	return cmd
}

func (p *program) queueRetry() *cobra.Command {
	var nats string
	cmd := &cobra.Command{
		Use: "retry ID", Short: "Put a run that failed or was stopped back into the queue; it goes on where it ended", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.either(cmd.Context(), nats,
				func(d *desk.Desk) error { return d.Requeue(args[0]) },
				func(q *desk.SharedQueue) error { return q.Retry(cmd.Context(), args[0]) })
		},
	}
	natsFlag(cmd, &nats)
	return cmd
}

func (p *program) queueFetch() *cobra.Command {
	var nats, out string
	cmd := &cobra.Command{
		Use: "fetch ID --nats URL", Short: "Bring a completed run of a shared queue into this home", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				return p.shared(cmd.Context(), d, nats, func(q *desk.SharedQueue) error {
					if err := q.Fetch(cmd.Context(), args[0], out); err != nil {
						return err
					}
					_, err := fmt.Fprintf(p.out, "Report: %s\n", filepath.Join(d.RunDir(args[0]), desk.FileHTML))
					return err
				})
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write copies of the report's files into `DIR`")
	natsFlag(cmd, &nats)
	return cmd
}

func (p *program) queueHosts() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "hosts", Short: "Show the model servers that answer runs of the queue: health, models, room", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				hosts := d.Hosts(cmd.Context())
				if asJSON {
					return printJSON(p.out, hosts)
				}
				if len(hosts) == 0 {
					_, err := fmt.Fprintln(p.out, "No hosts are set: the model server that answers all runs answers those of the queue. Put \"queue\": {\"hosts\": [{\"kind\": \"ollama\", \"url\": \"http://box:11434\", \"at_once\": 1}]} into settings.json for others.")
					return err
				}
				for _, h := range hosts {
					printHost(p.out, h)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) queueMorning() *cobra.Command {
	var since time.Duration
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "morning", Short: "One page of what each run found and what needs you", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if since <= 0 {
				return &desk.UsageError{Err: fmt.Errorf("--since %s: use a time such as 12h", since)}
			}
			return p.open(func(d *desk.Desk) error {
				now := time.Now()
				m, err := d.Morning(now.Add(-since), now)
				if err != nil {
					return err
				}
				if out != "" {
					name, err := d.WriteMorning(m, out)
					if err != nil {
						return err
					}
					say(p.err, "Written to %s.\n", name)
				}
				if asJSON {
					return printJSON(p.out, m)
				}
				return p.printMorning(m)
			})
		},
	}
	cmd.Flags().DurationVar(&since, "since", 12*time.Hour, "how far back, as `TIME`")
	cmd.Flags().StringVar(&out, "out", "", "write the page, with the reports beside it, into `DIR`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) printMorning(m research.Morning) error {
	_, text, err := render.Morning(m)
	if err != nil {
		return err
	}
	_, err = p.out.Write(text)
	return err
}

func printHost(w io.Writer, h desk.HostView) {
	say(w, "%s  %s  %d of %d runs\n", h.URL, h.Kind, len(h.Running), max(1, h.AtOnce))
	if h.Fault != "" {
		say(w, "  not used: %s\n", h.Fault)
		return
	}
	say(w, "  models: %s\n", strings.Join(h.Models, ", "))
	if len(h.Loaded) > 0 {
		say(w, "  loaded: %s\n", strings.Join(h.Loaded, ", "))
	}
	for _, line := range h.Plan {
		say(w, "  %s\n", line)
	}
}

func (p *program) workerCommand() *cobra.Command {
	var opt desk.WorkOptions
	var asJSON bool
	var nats string
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Work on the queue until stopped",
		Long: "Work on the queue until it is stopped with Ctrl-C. What is worked on then is interrupted and goes on, from what is\n" +
			"recorded, when a worker takes it up again. The machine is kept awake while a run is worked on.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.Tell = p.tellQueue(asJSON)
			return p.work(cmd.Context(), nats, opt)
		},
	}
	cmd.Flags().BoolVar(&opt.UntilEmpty, "until-empty", false, "end when nothing waits any more")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what happens as JSON, a line each")
	natsFlag(cmd, &nats)
	return cmd
}

// work works on the queue of the home, or on that of a server. What does not stop in time is left to the next worker.
func (p *program) work(ctx context.Context, nats string, opt desk.WorkOptions) error {
	d, err := desk.Open(desk.Options{Program: "worker", Version: p.version, Getenv: p.getenv})
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	work := func() error { return d.WorkQueue(ctx, opt) }
	if nats != "" {
		work = func() error {
			return p.shared(ctx, d, nats, func(q *desk.SharedQueue) error { return q.Work(ctx, opt) })
		}
	}
	go func() { done <- errors.Join(work(), d.Close()) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(graceTime):
		}
	}
	if ctx.Err() != nil {
		return errors.Join(&codedError{desk.ExitInterrupted, errors.New("stopped; what was worked on goes on when a worker takes it up again")}, err)
	}
	return err
}

// tellQueue prints what a worker tells.
func (p *program) tellQueue(asJSON bool) func(desk.QueueNews) {
	return func(n desk.QueueNews) {
		if asJSON {
			line := map[string]any{"kind": n.Kind, "id": n.ID}
			if n.Text != "" {
				line["text"] = n.Text
			}
			if r := n.Result; r != nil {
				line["state"], line["exit"] = r.State.State, r.Exit
			}
			_ = printJSON(p.out, line)
			return
		}
		switch text := n.Text; {
		case n.Result != nil && n.Result.Err != nil:
			say(p.out, "%s  ended: %v\n", n.ID, n.Result.Err)
		case n.Result != nil:
			say(p.out, "%s  done: %s\n", n.ID, reportOf(n.Result.Files))
		case text != "":
			say(p.out, "%s\n", text)
		default:
			say(p.out, "%s  %s: %s\n", n.ID, n.Kind, oneLine(n.Title))
		}
	}
}

// reportOf returns the page among the files of a report.
func reportOf(files []string) string {
	for _, f := range files {
		if filepath.Base(f) == desk.FileHTML {
			return f
		}
	}
	return "no report"
}
