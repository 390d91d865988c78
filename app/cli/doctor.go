package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"assay/app/desk"
)

func (p *program) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "doctor", Short: "Say what is installed, reachable and wrong, and the cure", Args: cobra.NoArgs,
		Long: "Say what is installed, reachable and wrong, and the cure. The records of the runs, newest first, and the index of the\n" +
			"library are read whole and held against their checksums, for about " + desk.DoctorTime.String() + " each; what the time was too short for is told.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			// Not as the other commands: settings that cannot be read are what a doctor is asked about.
			d, err := desk.Open(desk.Options{Program: "terminal", Version: p.version, Getenv: p.getenv, AnySettings: true})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			lines := d.Doctor(cmd.Context())
			bad := false
			for _, l := range lines {
				bad = bad || l.Level == desk.LevelWrong
			}
			if asJSON {
				if err := printJSON(p.out, lines); err != nil {
					return err
				}
			} else {
				for _, l := range lines {
					say(p.out, "%-8s %-12s %s\n", l.Level, l.Name, l.Text)
					if l.Cure != "" {
						say(p.out, "%-21s %s\n", "", l.Cure)
					}
				}
			}
			if bad {
				return &codedError{desk.ExitFault, errors.New("something is wrong: see the lines above")}
			}
			return nil
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
