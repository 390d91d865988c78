package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
)

// runsStrike is the command that takes sources out of a finished run, or with restore the one that puts them back.
func (p *program) runsStrike(restore bool) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "strike ID SOURCE...", Short: "Take sources out of a finished run; its report follows",
		Long: "Take sources out of a finished run, by their id, location or voice, as its report lists them. Findings, confidences, coverage and\n" +
			"gaps follow at once, without a model and without the network. assay runs restore puts them back."}
	if restore {
		cmd.Use, cmd.Short, cmd.Long = "restore ID SOURCE...", "Put struck sources back into a run", ""
	}
	cmd.Args = someArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withRun(args[0], func(d *desk.Desk, id string) error {
			res, err := d.Strike(cmd.Context(), id, args[1:], restore)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.out, res)
			}
			left, err := d.Struck(id)
			if err != nil {
				return err
			}
			m := res.Digest.Metrics
			say(p.out, "The report now has %d findings from %d voices (restated in %d ms).\n", m.Findings, res.Digest.SourceStats.Independent, res.Took.Milliseconds())
			for _, s := range left {
				say(p.out, "Struck: %s  %s\n", s.ID, s.Location)
			}
			say(p.out, "Report: %s\n", res.Files[0])
			return nil
		})
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// runsAsk is the command that asks further of a finished run.
func (p *program) runsAsk() *cobra.Command {
	var asJSON, search bool
	cmd := &cobra.Command{Use: "ask ID QUESTION", Short: "Ask a further question of a finished run",
		Long: "Answer a further question from what a finished run has claimed, with its passages; nothing is searched and no model is asked.\n" +
			"When the answer is not in the research, it says so and ends with code 3, or with --search researches it over the same documents.",
		Args: someArgs}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		question := strings.Join(args[1:], " ")
		return p.withRun(args[0], func(d *desk.Desk, id string) error {
			got, err := d.Ask(cmd.Context(), id, question)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(p.out, got)
			} else {
				p.tellFollowUp(got)
			}
			switch {
			case err != nil || got.Answered:
				return err
			case search:
				return p.searchFurther(cmd.Context(), d, id, question)
			}
			return &codedError{desk.ExitNoFinding, fmt.Errorf("the answer is not in this research; to search for it: assay runs ask %s %q --search", id, question)}
		})
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&search, "search", false, "research the question when the run does not answer it")
	return cmd
}

func (p *program) tellFollowUp(f desk.FollowUp) {
	if !f.Answered {
		return
	}
	for _, s := range f.Digest.Sections {
		for _, x := range s.Findings {
			keys := ""
			for _, r := range x.Refs {
				keys += fmt.Sprintf("[%d]", r+1)
			}
			say(p.out, "%s %s (confidence %s)\n", x.Text, keys, x.Confidence.Decimal(2))
		}
	}
	say(p.out, "\n")
	cited := map[int]bool{}
	for _, s := range f.Digest.Sections {
		for _, x := range s.Findings {
			for _, r := range x.Refs {
				cited[r] = true
			}
		}
	}
	for i, s := range f.Digest.Sources {
		if cited[i] {
			say(p.out, "[%d] %s\n    %s\n", i+1, s.Title, s.URL)
		}
	}
	for _, g := range f.Digest.Gaps {
		if g.Importance == "high" {
			say(p.out, "Gap: %s: %s\n", g.Name, g.Reason)
		}
	}
}

// searchFurther researches what a run did not answer.
func (p *program) searchFurther(ctx context.Context, d *desk.Desk, id, question string) error {
	job, err := d.SearchFurther(ctx, id, question, desk.StartOptions{})
	if err != nil {
		return err
	}
	res, err := job.Wait(ctx)
	if err != nil {
		job.Interrupt()
		return errors.Join(err, ctx.Err())
	}
	if len(res.Files) > 0 {
		say(p.out, "Not in this research; a new one was made.\nReport: %s\nRun: %s\n", res.Files[0], job.ID())
	}
	if res.Err != nil {
		return &codedError{res.Exit, res.Err}
	}
	p.code = res.Exit
	return nil
}
