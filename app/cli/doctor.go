package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"assay/app/desk"
)

func (p *program) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "doctor", Short: "Say what is installed, reachable and wrong, and the cure", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				lines := d.Doctor(cmd.Context())
				if asJSON {
					return printJSON(p.out, lines)
				}
				bad := false
				for _, l := range lines {
					say(p.out, "%-8s %-12s %s\n", l.Level, l.Name, l.Text)
					if l.Cure != "" {
						say(p.out, "%-21s %s\n", "", l.Cure)
					}
					bad = bad || l.Level == desk.LevelWrong
				}
				if bad {
					return &codedError{desk.ExitFault, errors.New("something is wrong: see the lines above")}
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
