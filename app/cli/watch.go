package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/render"
	"assay/engine/research"
)

func (p *program) watchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "watch", Short: "Ask a question on a schedule and say what changed", Args: cobra.NoArgs,
		Long: "A watch asks its question at the times of its schedule and holds each report against the one before: new findings, changed confidences,\n" +
			"contradictions with the earlier report, findings gone, sources that changed or died. Its runs are done by the window while it is open,\n" +
			"or by assay watch daemon; due times that pass while neither runs are made up once, and that is said.\n\n" +
			"A schedule is in the five fields of cron: minute, hour, day, month, day of the week, or @hourly, @daily, @weekly, @monthly. It goes by\n" +
			"the clocks of --zone: a time that is skipped when clocks are set forward is taken at that moment, one that comes twice the first time.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.watchAdd(), p.watchList(), p.watchShow(), p.watchRun(), p.watchRemove(), p.watchDiff(), p.watchDaemon(), p.watchBriefing())
	return cmd
}

func (p *program) watchAdd() *cobra.Command {
	var w desk.Watch
	var depth, shape string
	var offline, web, own, asJSON bool
	cmd := &cobra.Command{Use: "add NAME QUESTION --schedule CRON", Short: "Add a watch",
		Example: "  assay watch add lenny \"When did lenny come out?\" --schedule \"0 7 * * mon-fri\" --library /usr/share/doc/debian-history",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("%s takes a name and a question: write it as %s", cmd.CommandPath(), cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			w.Name, w.Request.Question = args[0], strings.Join(args[1:], " ")
			w.Request.Depth, w.Request.Shape = research.Depth(depth), research.Shape(shape)
			reach, err := reachOf(offline, web, own)
			if err != nil {
				return err
			}
			w.Request.Egress, w.Request.Servers, w.Request.AllowPartial = reach, own, true
			return p.open(func(d *desk.Desk) error {
				added, err := d.AddWatch(w)
				if err != nil {
					return err
				}
				info, err := d.Watch(added.Name)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, info)
				}
				say(p.out, "Added %s; next due %s.\n", info.Name, atTime(info.NextMs))
				if d.WatchKeeper() == "" {
					say(p.out, "No program keeps the watches now: open the window, or start assay watch daemon.\n")
				}
				return nil
			})
		}}
	fl := cmd.Flags()
	fl.StringVar(&w.Schedule, "schedule", "", "when, as `CRON`: \"0 7 * * 1-5\"")
	fl.StringVar(&w.Zone, "zone", "", "by the clocks of `ZONE`, such as Europe/Berlin (default that of this machine)")
	fl.StringArrayVar(&w.Request.Libraries, "library", nil, "search the documents of folder `DIR`; may be repeated")
	fl.StringArrayVar(&w.Request.Attach, "attach", nil, "use `FILE` as a source; may be repeated")
	fl.BoolVar(&web, "web", false, "search the web too")
	fl.BoolVar(&own, "own", false, "search the servers of your own too, and nobody else's")
	fl.BoolVar(&offline, "offline", false, "let no byte leave this machine")
	fl.StringVar(&depth, "depth", "", "`quick|standard|deep`")
	fl.StringVar(&shape, "shape", "", "`auto|debate|survey`")
	fl.StringVar(&w.Request.Model, "model", "", "who answers, as of assay research")
	fl.StringVar(&w.Request.Lang, "lang", "", "`auto|en|zh`")
	fl.StringVar(&w.Request.About, "about", "", "who the reader is, as `TEXT`")
	fl.StringArrayVar(&w.Deliver, "deliver", nil, "hand each result to the delivery `NAME`; may be repeated")
	fl.BoolVar(&w.Quiet, "quiet", false, "deliver nothing when nothing is new")
	fl.StringVar(&w.Kind, "kind", "", "what its lines count as in a briefing: `"+strings.Join(desk.BriefKinds, "|")+"` (default that of each line's source)")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// atTime is a time in words; zero is never.
func atTime(ms int64) string {
	if ms == 0 {
		return "never"
	}
	return time.UnixMilli(ms).Format(time.RFC3339)
}

func (p *program) watchList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the watches, when they are due and what they last found", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				all, err := d.Watches()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, all)
				}
				return p.table("NAME\tSCHEDULE\tNEXT\tLAST", len(all), func(w io.Writer, i int) {
					last := "has not run yet"
					if all[i].Last != nil {
						last = all[i].Last.Line
					}
					if all[i].Fault != "" {
						last = all[i].Fault
					}
					say(w, "%s\t%s\t%s\t%s\n", all[i].Name, strings.TrimSpace(all[i].Schedule+" "+all[i].Zone), atTime(all[i].NextMs), last)
				}, "There are no watches; add one with assay watch add.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) watchShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "show NAME", Short: "Show a watch with its results, newest first", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				info, err := d.Watch(args[0])
				if err != nil {
					return err
				}
				history, err := d.WatchHistory(args[0], 0)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, struct {
						desk.WatchInfo
						History []desk.WatchResult `json:"history"`
					}{info, history})
				}
				say(p.out, "%s: %s\nSchedule: %s %s\nNext: %s\n", info.Name, info.Request.Question, info.Schedule, info.Zone, atTime(info.NextMs))
				if info.Fault != "" {
					say(p.out, "Fault: %s\n", info.Fault)
				}
				for _, r := range history {
					say(p.out, "%s  %s  %s\n", atTime(r.AtMs), r.Run, watchLine(r))
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// watchLine says in a sentence how a run of a watch ended.
func watchLine(r desk.WatchResult) string {
	line := r.Line
	if r.State == desk.WatchFailed {
		line = "Failed: " + line
	}
	if r.Missed > 0 {
		line += fmt.Sprintf(" (%s made up by this run)", count(r.Missed, "missed time"))
	}
	return line
}

func (p *program) watchRun() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "run NAME", Short: "Run a watch now and say what changed", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				r, err := d.RunWatch(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				p.delivered(cmd.Context(), d)
				return p.tellWatchResult(d, r, asJSON, true)
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// tellWatchResult prints a result, with what changed when whole.
func (p *program) tellWatchResult(d *desk.Desk, r desk.WatchResult, asJSON, whole bool) error {
	if asJSON {
		if err := printJSON(p.out, r); err != nil {
			return err
		}
	} else {
		say(p.out, "%s: %s\n", r.Watch, watchLine(r))
		if whole && r.Difference != nil && r.State == desk.WatchNews {
			p.differenceLines(*r.Difference)
		}
		if r.Run != "" {
			say(p.out, "Report: %s\n", filepath.Join(d.RunDir(r.Run), desk.FileHTML))
		}
	}
	if r.State == desk.WatchFailed && whole {
		return &codedError{desk.ExitFault, fmt.Errorf("watch %s: %s", r.Watch, r.Line)}
	}
	return nil
}

// differenceLines prints what changed, a line each.
func (p *program) differenceLines(d research.Difference) {
	for _, f := range d.New {
		say(p.out, "+ %s\n", f.Text)
	}
	for _, f := range d.Gone {
		say(p.out, "- %s\n", f.Text)
	}
	for _, c := range d.Contradictions {
		say(p.out, "! %s\n  earlier: %s (%s)\n", c.Later, c.Earlier, c.Reason)
	}
	for _, c := range d.Confidences {
		say(p.out, "~ %s: confidence %s, was %s\n", c.Text, c.To.Decimal(2), c.From.Decimal(2))
	}
	for _, s := range d.Sources {
		say(p.out, "  source %s: %s%s\n", s.What, research.RealLocation(s.Location), optional(": ", s.Note))
	}
}

func optional(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

func (p *program) watchRemove() *cobra.Command {
	return &cobra.Command{Use: "remove NAME", Short: "Remove a watch; its runs remain", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				remain, err := d.RemoveWatch(args[0])
				for _, line := range remain {
					say(p.out, "%s\n", line)
				}
				return err
			})
		}}
}

func (p *program) watchDiff() *cobra.Command {
	var asJSON bool
	var out string
	cmd := &cobra.Command{Use: "diff NAME | diff RUN RUN", Short: "Say what changed between the last two reports of a watch, or between two runs",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("%s takes a watch or two runs: write it as %s", cmd.CommandPath(), cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				diff, err := p.difference(d, args)
				if err != nil || diff == nil {
					return err
				}
				if out != "" {
					page, _, err := render.Difference(*diff)
					if err != nil {
						return err
					}
					if err := desk.WriteFile(out, page); err != nil {
						return err
					}
				}
				if asJSON {
					return printJSON(p.out, diff)
				}
				say(p.out, "%s\n", diff.Line)
				p.differenceLines(*diff)
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&out, "out", "", "write the page to `FILE`")
	return cmd
}

// difference is that of a watch's last run with another one before it, or of two runs; nil when there is nothing to compare.
func (p *program) difference(d *desk.Desk, args []string) (*research.Difference, error) {
	if len(args) == 2 {
		diff, err := d.Difference(args[0], args[1])
		return &diff, err
	}
	history, err := d.WatchHistory(args[0], 0)
	if err != nil {
		return nil, err
	}
	for _, r := range history {
		if r.Difference != nil {
			return r.Difference, nil
		}
	}
	say(p.out, "%s has no two reports yet.\n", args[0])
	return nil, nil
}

func (p *program) watchDaemon() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "daemon", Short: "Run the watches when they are due, until it is interrupted", Args: cobra.NoArgs,
		Long: "Run every watch when it is due, one after the other, until Ctrl-C. One program keeps the watches of a home at a time; while the window\n" +
			"does, this says so and ends. A run that is cut short is gone on with at the next start.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				d.StartDelivering()
				say(p.err, "Keeping the watches; Ctrl-C ends it.\n")
				err := d.KeepWatches(cmd.Context(), func(r desk.WatchResult) {
					if err := p.tellWatchResult(d, r, asJSON, false); err != nil {
						say(p.err, "assay: %v\n", err)
					}
				}, func(err error) { say(p.err, "assay: %v\n", err) })
				if errors.Is(err, context.Canceled) {
					return nil
				}
				return err
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each result")
	return cmd
}

func (p *program) watchBriefing() *cobra.Command {
	var opt desk.BriefOptions
	var mix []string
	var asJSON bool
	cmd := &cobra.Command{Use: "briefing [NAME]... --out DIR", Short: "Gather the news of several watches on one page, mixed by kinds of sources",
		Example: "  assay watch briefing gold silver --mix news=40,feeds=40,social=20 --out briefing",
		RunE: func(_ *cobra.Command, args []string) error {
			opt.Watches, opt.Mix = args, map[string]int{}
			for _, m := range mix {
				kind, share, ok := strings.Cut(m, "=")
				n, err := strconv.Atoi(share)
				if !ok || err != nil {
					return &desk.UsageError{Err: fmt.Errorf("mix %q: write each share as news=40", m)}
				}
				opt.Mix[kind] = n
			}
			return p.open(func(d *desk.Desk) error {
				got, err := d.Brief(opt)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, got)
				}
				for _, l := range got.Briefing.Lines {
					say(p.out, "- [%s] %s (%s)\n", l.Kind, l.Text, l.Watch)
				}
				for _, w := range got.Briefing.Watches {
					say(p.out, "%s: %s\n", w.Name, w.Line)
				}
				for _, m := range got.Briefing.Mix {
					if m.Wanted > m.Taken {
						say(p.out, "Of %s there were %d lines where %d were wanted.\n", m.Kind, m.Had, m.Wanted)
					}
				}
				if len(got.Files) > 0 {
					say(p.out, "Page: %s\n", got.Files[0])
				}
				return nil
			})
		}}
	fl := cmd.Flags()
	fl.StringSliceVar(&mix, "mix", nil, "shares in percent, as `KIND=N,...`; kinds: "+strings.Join(desk.BriefKinds, ", "))
	fl.IntVar(&opt.Lines, "lines", 0, "the most lines (default 20)")
	fl.StringVar(&opt.Title, "title", "", "the headline")
	fl.StringVar(&opt.Out, "out", "", "write the page, its Markdown and copies of the reports into `DIR`")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
