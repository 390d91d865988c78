package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/bench"
	"assay/app/desk"
)

// benchCommand hands its arguments to package bench, which reads its own flags and prints its own faults.
func (p *program) benchCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "bench NAME",
		Short:              "Measure a part of the program on labelled data",
		Long:               "Measure a part of the program on labelled data. The benches are: " + strings.Join(bench.Names(), ", ") + ".",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			if p.code = bench.Main(cmd.Context(), args, p.out, p.err); cmd.Context().Err() != nil {
				return &codedError{desk.ExitInterrupted, errors.New("interrupted")}
			}
			return nil
		},
	}
}
