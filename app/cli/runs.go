package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) runsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "runs", Short: "List, show, rename, export, ask, strike from, run again and delete runs", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.runsList(), p.runsShow(), p.runsRename(), p.runsRemove(), p.runsExport(), p.runsStrike(false), p.runsStrike(true), p.runsAsk(), p.runsRerun(), p.runsSoFar())
	return cmd
}

func (p *program) runsList() *cobra.Command {
	var asJSON bool
	var project string
	cmd := &cobra.Command{Use: "list", Short: "List all runs, newest first", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				runs, err := d.Runs()
				if err != nil {
					return err
				}
				kept := make([]research.RunInfo, 0, len(runs))
				for _, r := range runs {
					if project == "" || r.Project == project {
						kept = append(kept, r)
					}
				}
				if asJSON {
					return printJSON(p.out, kept)
				}
				return p.table("ID\tSTATE\tFINDINGS\tSOURCES\tTITLE", len(kept), func(w io.Writer, i int) {
					r := kept[i]
					say(w, "%s\t%s\t%d\t%d\t%s\n", r.ID, r.State, r.Findings, r.Sources, r.Title)
				}, "There are no runs yet.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&project, "project", "", "only the runs of project `NAME`")
	return cmd
}

// runsRerun is the command that takes a run over up to a stage and does the rest anew.
func (p *program) runsRerun() *cobra.Command {
	var f researchFlags
	cmd := &cobra.Command{Use: "rerun ID --from STAGE", Short: "Begin a new run that takes over an old one up to a stage",
		Long: "Begin a new run that takes over what a run had recorded before a stage, and do that stage and all after it anew; the old run stays.\n" +
			"On a terminal, or with --review, the plan can be changed on the way.\n\nStages: " + strings.Join(research.StageNames, ", ") + ".",
		Example: "  assay runs rerun 20260131-120000-0a1b2c --from plan",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return oneArg(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.from == "" {
				return &desk.UsageError{Err: fmt.Errorf("say from which stage with --from: %s", strings.Join(research.StageNames, ", "))}
			}
			f.rerun = args[0]
			return p.research(cmd.Context(), f, nil)
		}}
	fl := cmd.Flags()
	fl.StringVar(&f.from, "from", "", "the `STAGE` that is done anew first")
	fl.StringVar(&f.out, "out", "", "write the report's files into `DIR`")
	fl.BoolVar(&f.yes, "yes", false, "do not show the plan")
	fl.BoolVar(&f.review, "review", false, "take changes of each round's plan from standard input, also where it is no terminal")
	fl.BoolVar(&f.json, "json", false, "print events as JSON, a line each")
	fl.DurationVar(&f.patience, "patience", defaultPatience, "how long to wait when memory is missing and nobody can be asked")
	return cmd
}

// runsSoFar is the command that makes the page of what a run has found so far.
func (p *program) runsSoFar() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "sofar ID", Short: "Write the page of what a run has found so far", Args: oneArg,
		Long: "Write the page that a run would deliver if it ended now, from its record alone, while it goes on: every statement stands in a\n" +
			"passage, and the page says how much of the text the model has read.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withRun(args[0], func(d *desk.Desk, id string) error {
				s, err := d.SoFar(cmd.Context(), id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, s)
				}
				say(p.out, "%s so far; the model has read %d of %s.\nPage: %s\n", count(s.Digest.Metrics.Findings, "finding"), s.Read, stretches(s.Windows), s.File)
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func stretches(n int) string {
	if n == 1 {
		return "1 stretch of text"
	}
	return fmt.Sprintf("%d stretches of text", n)
}

// table prints n rows in columns, or none when there are none.
func (p *program) table(head string, n int, row func(io.Writer, int), none string) error {
	if n == 0 {
		_, err := fmt.Fprintln(p.out, none)
		return err
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for i := range n {
		row(w, i)
	}
	return w.Flush()
}

func (p *program) runsShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "show ID", Short: "Show one run; the beginning of its id is enough", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.withRun(args[0], func(d *desk.Desk, id string) error {
				r, err := d.Run(id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, r)
				}
				p.showRun(d, r)
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) showRun(d *desk.Desk, r research.RunInfo) {
	line := func(name, value string) {
		if value != "" {
			say(p.out, "%-10s%s\n", name, value)
		}
	}
	at := func(ms int64) string { return time.UnixMilli(ms).Format(time.RFC3339) }
	line("Run", r.ID)
	line("Title", r.Title)
	line("Project", r.Project)
	if r.Question != r.Title {
		line("Question", r.Question)
	}
	line("State", strings.TrimSuffix(r.State+": "+r.Detail, ": "))
	line("In use by", r.Holder)
	line("Begun", at(r.CreatedMs))
	line("Changed", at(r.UpdatedMs))
	line("Model", r.Model)
	line("Depth", r.Depth)
	line("Made by", fmt.Sprintf("version %s, record %d", r.Code, r.Schema))
	line("Result", count(r.Findings, "finding")+", "+count(r.Sources, "source"))
	for _, name := range []string{desk.FileHTML, desk.FileMarkdown, desk.FileDigest, desk.FileRun} {
		file := filepath.Join(d.RunDir(r.ID), name)
		if _, err := os.Stat(file); err == nil {
			line("File", file)
		}
	}
}

// withRun opens the home and finds the run an id begins with.
func (p *program) withRun(prefix string, fn func(*desk.Desk, string) error) error {
	return p.open(func(d *desk.Desk) error {
		id, err := d.FindRun(prefix)
		if err != nil {
			return err
		}
		return fn(d, id)
	})
}

func (p *program) runsRename() *cobra.Command {
	var project string
	cmd := &cobra.Command{Use: "rename ID [TITLE]", Short: "Give a run another title, or file it under a project",
		Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withRun(args[0], func(d *desk.Desk, id string) error {
				title, file := strings.Join(args[1:], " "), cmd.Flags().Changed("project")
				if strings.TrimSpace(title) == "" && !file {
					return &desk.UsageError{Err: errors.New("the new title is empty: write it after the id")}
				}
				var errs []error
				if title != "" {
					errs = append(errs, d.RenameRun(id, title))
				}
				if file {
					errs = append(errs, d.SetProject(id, project))
				}
				return errors.Join(errs...)
			})
		}}
	cmd.Flags().StringVar(&project, "project", "", "file the run under project `NAME`; \"\" takes it out")
	return cmd
}

func (p *program) runsRemove() *cobra.Command {
	return &cobra.Command{Use: "rm ID...", Short: "Delete runs and say what remains", Args: someArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, arg := range args {
				err := p.withRun(arg, func(d *desk.Desk, id string) error {
					remain, err := d.DeleteRun(id)
					if err != nil {
						return err
					}
					say(p.out, "Deleted run %s with its record and its report.\n", id)
					for _, line := range remain {
						say(p.out, "%s\n", line)
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		}}
}

func (p *program) runsExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{Use: "export ID", Short: "Write the whole record of a run, also of one that is not done", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.withRun(args[0], func(d *desk.Desk, id string) error {
				if out == "" {
					w := bufio.NewWriter(p.out)
					return errors.Join(d.Export(id, w), w.Flush())
				}
				return d.ExportFile(id, out)
			})
		}}
	cmd.Flags().StringVar(&out, "out", "", "write `FILE` (default: standard output)")
	return cmd
}
