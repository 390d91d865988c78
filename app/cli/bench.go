package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
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
			for i, a := range args {
				name, given := strings.CutPrefix(strings.TrimLeft(a, "-"), "data=")
				if !given && strings.TrimLeft(a, "-") == "data" && a != "data" && i+1 < len(args) {
					name, given = args[i+1], true
				}
				if _, err := os.Stat(name); given && err != nil {
					return &desk.UsageError{Err: fmt.Errorf("bench: data %s: it does not exist or may not be read: check the spelling", name)}
				}
			}
			if p.code = bench.Main(cmd.Context(), args, p.out, benchFaults{p.err}); cmd.Context().Err() != nil {
				return &codedError{desk.ExitInterrupted, errors.New("interrupted")}
			}
			return nil
		},
	}
}

// benchFaults puts the program's name before the faults of a bench, as before all others.
type benchFaults struct{ io.Writer }

func (w benchFaults) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("bench")) {
		if _, err := io.WriteString(w.Writer, "assay: "); err != nil {
			return 0, err
		}
	}
	return w.Writer.Write(b)
}
