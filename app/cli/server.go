package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
)

func (p *program) serverCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "server", Short: "See, start and stop the model server that Assay runs itself", Args: cobra.NoArgs,
		Long: "See, start and stop the model server that Assay runs itself: the installed Ollama on a port of its own, which the\n" +
			"programs of this home share. It ends with the program that started it.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.serverStatus(), p.serverStart(), p.serverStop(), p.serverLog())
	return cmd
}

func (p *program) serverStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "status", Short: "Say which model servers run and which one a research would ask", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				st, err := d.ServerStatus(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, st)
				}
				p.tellServers(st)
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) tellServers(st desk.ServerStatus) {
	if m := st.Managed; m != nil {
		say(p.out, "Started by Assay (%s): Ollama %s at %s, %s, process %d, since %s\n", m.Holder, known(m.Version), m.URL, m.State, m.PID,
			time.UnixMilli(m.SinceMs).Format("15:04"))
		if m.Restarts > 0 {
			say(p.out, "  started again %s; the last time it %s\n", times(m.Restarts), m.Why)
		}
		say(p.out, "  told: %s\n  log: %s\n", strings.Join(m.Tuned, " "), m.LogFile)
	} else {
		say(p.out, "No model server that Assay started is running.\n")
	}
	for _, o := range st.Others {
		say(p.out, "Not started by Assay, and never stopped by it: Ollama %s at %s\n", known(o.Version), o.URL)
	}
	switch {
	case st.InUse != "":
		say(p.out, "A research asks %s.\n", st.InUse)
	case st.On:
		say(p.out, "A research starts a server of its own first.\n")
	default:
		if st.AskedFault != "" {
			say(p.out, "%s.\n", st.AskedFault)
		}
		say(p.out, "A research finds no model server at %s, which the settings or OLLAMA_HOST name; start one with assay server start.\n", st.Asked)
	}
	if st.BinaryFault != "" {
		say(p.out, "Program: %s\n", st.BinaryFault)
	} else {
		say(p.out, "Program: %s\n", st.Binary)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (p *program) serverStart() *cobra.Command {
	return &cobra.Command{Use: "start", Short: "Start the installed Ollama and keep it running until Ctrl-C", Args: cobra.NoArgs,
		Long: "Start the installed Ollama on a port of its own, with the settings for flash attention, cache type and parallel calls,\n" +
			"and keep it running until Ctrl-C or assay server stop. It is started again when it dies. Every research of this home\n" +
			"asks it while it runs.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error { return p.keepServer(cmd.Context(), d) })
		}}
}

// keepServer runs the server until it is stopped from here or from elsewhere, or gives up.
func (p *program) keepServer(ctx context.Context, d *desk.Desk) error {
	m, err := d.StartServer(ctx)
	if err != nil {
		return serverFault(err)
	}
	if !m.Mine {
		say(p.out, "A model server runs already: %s started it at %s.\n", m.Holder, m.URL)
		return nil
	}
	say(p.out, "Ollama %s answers at %s; Ctrl-C or assay server stop ends it. Log: %s\n", known(m.Version), m.URL, m.LogFile)
	done := d.ServerDone()
	select {
	case <-ctx.Done():
		if _, err := d.StopServer(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		say(p.out, "Stopped the model server.\n")
		return nil
	case <-done:
	}
	if why := d.ServerFault(); why != "" {
		return &codedError{desk.ExitModel, errors.New(why)}
	}
	say(p.out, "The model server was stopped by another program.\n")
	return nil
}

func (p *program) serverStop() *cobra.Command {
	return &cobra.Command{Use: "stop", Short: "Stop the model server that Assay started, and no other", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				said, err := d.StopServer(cmd.Context())
				if err != nil {
					return err
				}
				say(p.out, "%s\n", said)
				return nil
			})
		}}
}

func (p *program) serverLog() *cobra.Command {
	var lines int
	var asJSON bool
	cmd := &cobra.Command{Use: "log", Short: "Show the end of the log of the model server that Assay started", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if lines < 1 || lines > 100000 {
				return &desk.UsageError{Err: fmt.Errorf("lines %d: use a number from 1 to 100000", lines)}
			}
			return p.open(func(d *desk.Desk) error {
				l, err := d.ServerLog(lines)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, l)
				}
				if len(l.Lines) == 0 {
					say(p.out, "There is no log yet: Assay has started no model server in this home.\n")
				}
				for _, line := range l.Lines {
					say(p.out, "%s\n", line)
				}
				return nil
			})
		}}
	cmd.Flags().IntVar(&lines, "lines", 50, "the last `N` lines")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the lines, and what the log says of settings, devices and loads")
	return cmd
}
