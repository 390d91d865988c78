package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) checkCommand() *cobra.Command {
	var asJSON bool
	var diff string
	cmd := &cobra.Command{Use: "check RUN.json...", Short: "Hold stored reports against the whole bank of checks",
		Long: "Evaluate the whole bank of checks over stored runs, each named by its run.json or its id, and end with code 3 when a check\n" +
			"that blocks fires. With --diff a result that another version printed with --json is compared: what fires newly, and what\n" +
			"no longer does.",
		Args: someArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				res, err := d.Check(args, p.tellChecking)
				if err != nil {
					return err
				}
				if diff != "" {
					old, err := desk.ReadChecked(diff)
					if err != nil {
						return err
					}
					since := res.Since(old)
					res.Diff = &since
				}
				return p.tellCheck(res, asJSON)
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&diff, "diff", "", "compare with the result in `FILE`, printed with --json before")
	return cmd
}

// manyFindings is from how many findings on a check takes long enough to be announced.
const manyFindings = 200

// tellChecking says what is about to be checked where one may have to wait for it.
func (p *program) tellChecking(n desk.CheckNews) {
	if n.Of > 1 || n.Findings >= manyFindings {
		say(p.err, "Checking %s (%d of %d): %s from %s\n", n.Run, n.N, n.Of, count(n.Findings, "finding"), count(n.Sources, "source"))
	}
}

func (p *program) tellCheck(res desk.CheckedRuns, asJSON bool) error {
	if asJSON {
		if err := printJSON(p.out, res); err != nil {
			return err
		}
	} else {
		for _, r := range res.Runs {
			p.tellChecked(r, res.Checks)
		}
		p.tellCheckDiff(res.Diff)
	}
	if res.Blocking > 0 {
		return &codedError{desk.ExitNoFinding, fmt.Errorf("%s of the bank that blocks does not let the report stand", count(res.Blocking, "finding"))}
	}
	return nil
}

const (
	maxHits  = 20  // of one check at one place that are printed
	maxShown = 700 // runes of one line
)

// shortened is a line of a check on one line.
func shortened(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= maxShown {
		return string(r)
	}
	return string(r[:maxShown-1]) + "…"
}

func (p *program) tellChecked(r desk.CheckedRun, bank int) {
	for _, f := range r.Fires {
		say(p.out, "%s at %s (%s, %s)\n", f.Check, oneLine(f.Key), f.Class, f.Action)
		for i, h := range f.Hits {
			if i == maxHits {
				say(p.out, "  and %d more (--json has all)\n", len(f.Hits)-i)
				break
			}
			say(p.out, "  %s\n", shortened(h))
		}
	}
	say(p.out, "%s: %s, %d of them blocking, by %s.\n", r.Run, count(len(r.Fires), "remark"), r.Blocking, count(bank, "check"))
	say(p.out, "Checklist:\n")
	for _, g := range r.Gates {
		state := map[research.GateState]string{research.GatePass: "holds", research.GateFail: "does not hold"}[g.State]
		if state == "" {
			state = "not checked"
		}
		say(p.out, "  %-14s %-14s %s\n", g.Name, state, shortened(strings.Join(g.Notes, "; ")))
	}
	if r.Identifiers.Total > 0 {
		say(p.out, "Identifiers held against their sources: %d of %d.\n", r.Identifiers.Checked, r.Identifiers.Total)
	}
	if r.References.Total == 0 {
		say(p.out, "Academic references: not checked.\n")
	} else {
		say(p.out, "Academic references that a catalogue answered for: %d of %d.\n", r.References.Checked, r.References.Total)
	}
}

func (p *program) tellCheckDiff(diff *desk.CheckDiff) {
	if diff == nil {
		return
	}
	for _, part := range []struct {
		name string
		list []string
	}{{"Fires newly", diff.NewlyFiring}, {"No longer fires", diff.NewlySilent}, {"Fires on other content or with another class", diff.Changed}, {"Not compared", diff.NotCompared}} {
		for _, line := range part.list {
			say(p.out, "%s: %s\n", part.name, line)
		}
	}
	if len(diff.NewlyFiring)+len(diff.NewlySilent)+len(diff.Changed) == 0 {
		say(p.out, "Nothing differs from the earlier result.\n")
	}
}
