// Package cli is the terminal: the subcommands, their progress and their exit codes. It opens a [desk.Desk] and shows what it
// does; there is no research logic here.
//
// Start at [Main]. research.go is the main job, progress.go how it is shown, runs.go, library.go, record.go and check.go (audit, replay, check,
// render), doctor.go and bench.go the other subcommands.
//
// Exit codes: 0 delivered; 1 anything not named here; 2 usage; 3 no finding, or a web run under its floors; 4 model or server
// unavailable; 5 interrupted, can be resumed.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay/app/desk"
)

// program is the terminal with everything it touches, so that tests can stand in for each.
type program struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	signals  <-chan os.Signal
	exit     func(int) // ends the process at once
	version  string

	ran  bool // a command's own code began: what fails before it is usage
	code int  // set by a command that ends without an error but not with 0
}

// Main runs the terminal program with its arguments, the program's name left out, and returns the exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	p := &program{in: in, out: out, err: errOut, getenv: os.Getenv, signals: signals, exit: os.Exit, version: desk.BuildVersion()}
	return p.run(args)
}

// run does one command line.
func (p *program) run(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	ended := make(chan struct{})
	defer close(ended)
	go p.watchSignals(ctx, cancel, ended)

	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return p.code
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = &codedError{desk.ExitInterrupted, errors.New("interrupted; do it again to go on")}
	}
	say(p.err, "assay: %v\n", err)
	return p.exitCode(ctx, err)
}

// errSignal is the cause of a context that a signal ended.
var errSignal = errors.New("interrupted")

// watchSignals ends ctx at the first signal and the process at the second.
func (p *program) watchSignals(ctx context.Context, cancel context.CancelCauseFunc, ended <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-p.signals:
			if n > 0 {
				p.exit(desk.ExitInterrupted)
				return
			}
			cancel(errSignal)
		case <-ended:
			return
		}
	}
}

// exitCode is the code of an error.
func (p *program) exitCode(ctx context.Context, err error) int {
	var usage *desk.UsageError
	var coded *codedError
	switch {
	case errors.As(err, &coded):
		return coded.code
	case !p.ran, errors.As(err, &usage):
		return desk.ExitUsage
	case ctx.Err() != nil:
		return desk.ExitInterrupted
	}
	return desk.ExitFault
}

// codedError is an error with the exit code it stands for.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "Deep research that anyone can audit, on your own machine",
		Long: "Assay answers a question from documents it really read, and every statement of its report leads back to a passage.\n\n" +
			"Exit codes: 0 delivered; 2 usage; 3 no finding, or a web run under its floors; 4 model or server unavailable;\n" +
			"5 interrupted, can be resumed; 1 anything else. State is kept in the XDG folders, or in ASSAY_HOME.",
		Args:              cobra.NoArgs,
		Version:           p.version,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		PersistentPreRun:  func(*cobra.Command, []string) { p.ran = true },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagFault)
	root.SetHelpCommand(helpCommand(root))
	root.SetVersionTemplate("assay {{.Version}}\n")
	root.AddCommand(p.researchCommand(), p.auditCommand(), p.replayCommand(), p.checkCommand(), p.renderCommand(), p.runsCommand(),
		p.libraryCommand(), p.doctorCommand(), p.benchCommand(), p.versionCommand())
	root.AddCommand(p.gpuCommand(), p.webCommand(), p.discoverCommand())
	root.AddCommand(p.modelsCommand(), p.serverCommand())
	root.AddCommand(p.bakeoffCommand(), p.ablateCommand())
	root.AddCommand(p.fitCommand(), p.verifyCommand())
	root.AddCommand(p.queueCommand(), p.workerCommand())
	root.AddCommand(p.watchCommand(), p.deliverCommand(), p.knowledgeCommand())
	root.AddCommand(p.serveCommand(), p.mcpCommand())
	return root
}

// helpCommand prints the help of a command and fails when there is no such command.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Say how a command is used",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return &desk.UsageError{Err: fmt.Errorf("help: there is no command %q; see assay --help", strings.Join(args, " "))}
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, "assay", p.version)
			return err
		},
	}
}

// open opens the home, runs fn on it and closes it.
func (p *program) open(fn func(*desk.Desk) error) error {
	d, err := desk.Open(desk.Options{Program: "terminal", Version: p.version, Getenv: p.getenv})
	if err != nil {
		return err
	}
	return errors.Join(fn(d), d.Close())
}

// oneArg and someArgs say in words how many arguments a command takes.
func oneArg(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one argument and was given %d: write it as %s", cmd.CommandPath(), len(args), cmd.UseLine())
	}
	return nil
}

func someArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s takes an argument and was given none: write it as %s", cmd.CommandPath(), cmd.UseLine())
	}
	return nil
}

// flagFault words the fault of an option without the names of what reads it.
func flagFault(cmd *cobra.Command, err error) error {
	text, _, cut := strings.Cut(err.Error(), ": strconv.")
	if cut {
		text += ": it is not a number that fits there"
	}
	return fmt.Errorf("%s; see %s --help", text, cmd.CommandPath())
}

// terminal reports whether w is one.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
