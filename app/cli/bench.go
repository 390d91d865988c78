package cli

import (
	"github.com/spf13/cobra"
)

func (p *program) benchCommand() *cobra.Command {
	return &cobra.Command{Use: "bench NAME", Short: "Measure a part of the program on labelled data", DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		}}
}
