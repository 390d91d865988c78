package cli

import (
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
