package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/app/mcp"
	"assay/app/serve"
)

// defaultListen is where a home is served unless told otherwise: this machine only.
const defaultListen = "127.0.0.1:7557"

func (p *program) serveCommand() *cobra.Command {
	var listen string
	var hosts []string
	var noMCP, work bool
	cmd := &cobra.Command{Use: "serve", Short: "Let other programs use this home over HTTP, until Ctrl-C", Args: cobra.NoArgs,
		Long: "Let other programs use this home: REST under /v1, described at /v1/openapi.json, and the Model Context Protocol at /mcp.\n" +
			"Each request needs a token, which assay serve token add makes. Only programs of this machine reach it unless --listen\n" +
			"says otherwise; there is no TLS, so beyond this machine it belongs behind a proxy that has it. Ctrl-C ends it; runs\n" +
			"that go on are interrupted then and can be resumed. A line for each request is written as JSON to standard error.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.openServing(func(d *desk.Desk) error { return p.serve(cmd.Context(), d, listen, hosts, noMCP, work) })
		}}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "answer at `ADDR`; one that others reach needs a token to exist first")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "answer to this `NAME` too, by which a proxy or another machine asks")
	cmd.Flags().BoolVar(&noMCP, "no-mcp", false, "do not answer at /mcp")
	cmd.Flags().BoolVar(&work, "work", false, "work on the queue too, as assay worker does")
	cmd.AddCommand(p.serveToken(), p.serveOpenAPI())
	return cmd
}

// openServing opens the home as its server.
func (p *program) openServing(fn func(*desk.Desk) error) error {
	d, err := desk.Open(desk.Options{Program: "server", Version: p.version, Getenv: p.getenv})
	if err != nil {
		return err
	}
	return errors.Join(fn(d), d.Close())
}

func (p *program) serve(ctx context.Context, d *desk.Desk, listen string, hosts []string, noMCP, work bool) error {
	opt := serve.Options{Hosts: hosts, Log: slog.New(slog.NewJSONHandler(p.err, nil))}
	if !noMCP {
		opt.MCP = mcp.New(d, desk.Caller{}).Handler()
	}
	s := serve.New(d, opt)
	l, note, err := serve.Listen(d, listen)
	if err != nil {
		return err
	}
	tokens, err := d.Tokens()
	if err != nil {
		return errors.Join(err, l.Close())
	}
	say(p.out, "Serving this home at http://%s/v1 until Ctrl-C.\n", l.Addr().String())
	if !noMCP {
		say(p.out, "Assistants ask http://%s/mcp.\n", l.Addr().String())
	}
	if note != "" {
		say(p.out, "%s\n", note)
	}
	if len(tokens) == 0 {
		say(p.out, "There is no token yet, so every request is refused: make one with assay serve token add NAME --role researcher.\n")
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	worked := make(chan error, 1)
	if work {
		say(p.out, "Works on the queue.\n")
		go func() {
			err := d.WorkQueue(ctx, desk.WorkOptions{Tell: p.tellQueue(false)})
			if err != nil {
				end() // a server that was to work and does not is not left to look as if it did
			}
			worked <- err
		}()
	} else {
		worked <- nil
	}
	err = s.Serve(ctx, l)
	end()
	if err != nil {
		err = fmt.Errorf("serve: %w", err)
	}
	if err = errors.Join(err, <-worked); err != nil {
		return err
	}
	say(p.out, "Ended. Runs that went on are interrupted and can be resumed.\n")
	return nil
}

func (p *program) serveToken() *cobra.Command {
	cmd := &cobra.Command{Use: "token", Short: "Make, list and revoke the tokens of other programs", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var role string
	add := &cobra.Command{Use: "add NAME", Short: "Make a token and print it, once", Args: oneArg,
		Long: "Make a token and print it. It is shown this once: only its hash is kept.\n\n" +
			"A reader reads what was researched, searches the library and has claims verified; a researcher also starts and stops runs\n" +
			"over the folders of the library; an admin also names folders and files of this machine, deletes runs and sees the settings.\n" +
			"\"access\" in settings.json changes how much each may in a day, as in {\"researcher\": {\"runs\": 50, \"depth\": \"deep\"}}.",
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				token, err := d.AddToken(args[0], desk.Role(role))
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.out, token)
				return err
			})
		}}
	add.Flags().StringVar(&role, "role", string(desk.Reader), "`ROLE`: reader, researcher or admin")
	var asJSON bool
	list := &cobra.Command{Use: "list", Short: "List the tokens by name", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error { return p.listTokens(d, asJSON) })
		}}
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	remove := &cobra.Command{Use: "remove NAME", Aliases: []string{"rm"}, Short: "Revoke a token; a server that runs refuses it from then on", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				if err := d.RemoveToken(args[0]); err != nil {
					return err
				}
				say(p.out, "Revoked the token %s.\n", args[0])
				return nil
			})
		}}
	cmd.AddCommand(add, list, remove)
	return cmd
}

// tokenLine is a token as it is listed: nothing of what is kept of it can be used.
type tokenLine struct {
	Name      string     `json:"name"`
	Role      desk.Role  `json:"role"`
	CreatedMs int64      `json:"created_ms"`
	Spent     desk.Spent `json:"spent"`
}

func (p *program) listTokens(d *desk.Desk, asJSON bool) error {
	tokens, err := d.Tokens()
	if err != nil {
		return err
	}
	lines := []tokenLine{}
	for _, t := range tokens {
		spent, err := d.Spent(desk.Caller{Name: t.Name, Role: t.Role})
		if err != nil {
			return err
		}
		lines = append(lines, tokenLine{t.Name, t.Role, t.CreatedMs, spent})
	}
	if asJSON {
		return printJSON(p.out, lines)
	}
	if len(lines) == 0 {
		say(p.out, "There is no token: make one with assay serve token add NAME --role researcher.\n")
	}
	for _, t := range lines {
		say(p.out, "%-20s %-10s made %s, today %d runs and %d lookups\n", t.Name, t.Role, time.UnixMilli(t.CreatedMs).UTC().Format(time.DateOnly), t.Spent.Runs, t.Spent.Lookups)
	}
	return nil
}

func (p *program) serveOpenAPI() *cobra.Command {
	var old bool
	cmd := &cobra.Command{Use: "openapi", Short: "Print the description of the interface (OpenAPI 3.1)", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				b, err := serve.New(d, serve.Options{}).OpenAPI(old)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.out, "%s\n", b)
				return err
			})
		}}
	cmd.Flags().BoolVar(&old, "old", false, "in version 3.0.3, for generators that know only that")
	return cmd
}

func (p *program) mcpCommand() *cobra.Command {
	var role string
	cmd := &cobra.Command{Use: "mcp", Short: "Let an assistant use this home: the Model Context Protocol on standard input and output", Args: cobra.NoArgs,
		Long: "Answer the Model Context Protocol on standard input and output, for an assistant that starts this command itself. It has the\n" +
			"role that --role names, with its quotas, and reads no folder that is not in the library unless that is admin. ASSAY_TOKEN,\n" +
			"when it is set, is a token whose name and role hold in place of that. Nothing but the protocol is written to standard output.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.openServing(func(d *desk.Desk) error { return p.mcp(cmd.Context(), d, desk.Role(role)) })
		}}
	cmd.Flags().StringVar(&role, "role", string(desk.Researcher), "`ROLE` of the assistant: reader, researcher or admin")
	return cmd
}

// mcp answers one assistant until it ends.
func (p *program) mcp(ctx context.Context, d *desk.Desk, role desk.Role) error {
	caller := desk.Caller{Name: "mcp", Role: role}
	if token := p.getenv("ASSAY_TOKEN"); token != "" {
		known, ok, err := d.Identify(token)
		if err != nil {
			return err
		}
		if !ok {
			return &desk.UsageError{Err: errors.New("the token in ASSAY_TOKEN is not known: list them with assay serve token list")}
		}
		caller = known
	}
	if !caller.Role.May(desk.Reader) {
		return &desk.UsageError{Err: fmt.Errorf("role %q: use reader, researcher or admin", role)}
	}
	in, ok := p.in.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(p.in)
	}
	err := mcp.New(d, caller).Run(ctx, in, open{p.out})
	if err != nil && (ctx.Err() != nil || errors.Is(err, io.EOF)) {
		return nil // the assistant has ended, or this program is to
	}
	return err
}

// open is a writer that stays open.
type open struct{ io.Writer }

func (open) Close() error { return nil }
