package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
)

// deliverPatience is how long the terminal waits for deliveries after a research; what takes longer is tried again later.
const deliverPatience = 15 * time.Second

// delivered waits a little for what is on its way and says what is not there yet.
func (p *program) delivered(ctx context.Context, d *desk.Desk) {
	for _, line := range d.AwaitDeliveries(ctx, deliverPatience) {
		say(p.err, "%s\n", line)
	}
}

func (p *program) deliverCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "deliver", Short: "Hand results to a folder, a webhook, a command or a mail address", Args: cobra.NoArgs,
		Long: "A delivery gets the result of a research when that has ended; it never holds one up. What does not arrive is tried eight times, over a\n" +
			"night, noted in the run and said by assay doctor. A closed research sends nothing to another machine.\n\n" +
			"A webhook gets JSON with X-Assay-Timestamp (Unix seconds) and X-Assay-Signature: v1= and the hexadecimal HMAC-SHA256, keyed with the\n" +
			"secret, of the timestamp, a dot and the body. A command gets the report on standard input, without a shell and without the keys of\n" +
			"the environment; what the program does with it is its own affair.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.deliverAdd(), p.deliverList(), p.deliverTest(), p.deliverRemove(), p.deliverKey(), p.deliverRetry(), p.deliverLog())
	return cmd
}

func (p *program) deliverAdd() *cobra.Command {
	var v desk.Delivery
	var folder, webhook, server string
	var command bool
	cmd := &cobra.Command{Use: "add NAME [-- PROGRAM ARGUMENT...]", Short: "Add a delivery",
		Example: "  assay deliver add reports --folder ~/reports --all\n" +
			"  assay deliver add hook --webhook https://hooks.example.org/assay && assay deliver key hook\n" +
			"  assay deliver add print --command -- /usr/bin/lp -t Assay\n" +
			"  assay deliver add me --mail mail.example.org:587 --user me --from me@example.org --to me@example.org",
		Args: someArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			v.Name, v.Dir, v.URL, v.Server = args[0], folder, webhook, server
			n := 0
			for kind, given := range map[string]bool{desk.DeliverFolder: folder != "", desk.DeliverWebhook: webhook != "", desk.DeliverCommand: command, desk.DeliverMail: server != ""} {
				if given {
					v.Kind = kind
					n++
				}
			}
			if n != 1 {
				return &desk.UsageError{Err: errors.New("say where to: one of --folder DIR, --webhook URL, --command -- PROGRAM and --mail HOST:PORT")}
			}
			if v.Kind == desk.DeliverCommand {
				v.Argv = args[1:]
			} else if len(args) > 1 {
				return &desk.UsageError{Err: fmt.Errorf("%q: a program is for --command only", args[1])}
			}
			return p.open(func(d *desk.Desk) error {
				added, err := d.AddDelivery(v)
				if err != nil {
					return err
				}
				say(p.out, "Added %s: %s to %s.\n", added.Name, added.Kind, added.Where())
				if v.Kind == desk.DeliverWebhook || v.User != "" {
					say(p.out, "Now keep its secret: assay deliver key %s\n", added.Name)
				}
				return nil
			})
		}}
	fl := cmd.Flags()
	fl.StringVar(&folder, "folder", "", "a folder of each run's name in `DIR`")
	fl.StringVar(&webhook, "webhook", "", "POST to `URL`, which begins with https:// unless it is on this machine")
	fl.BoolVar(&command, "command", false, "run the program after --")
	fl.StringVar(&server, "mail", "", "send mail through `HOST:PORT`; off this machine by TLS only")
	fl.BoolVar(&v.All, "all", false, "it gets the result of every research, and not only of those that name it")
	fl.IntVar(&v.Seconds, "seconds", 0, "how long the program may take (default 60)")
	fl.StringVar(&v.User, "user", "", "who logs in at the mail server")
	fl.StringVar(&v.From, "from", "", "the sender's `ADDRESS`")
	fl.StringArrayVar(&v.To, "to", nil, "a recipient's `ADDRESS`; may be repeated")
	return cmd
}

func (p *program) deliverList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the deliveries, what waits for them and what is wrong", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				all, err := d.Deliveries()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, all)
				}
				return p.table("NAME\tKIND\tGETS\tWAITING\tFAILED\tWHERE\tFAULT", len(all), func(w io.Writer, i int) {
					l := all[i]
					gets := "named"
					if l.All {
						gets = "all"
					}
					say(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", l.Name, l.Kind, gets, l.Waiting, l.Failed, l.Where, l.Fault)
				}, "There are no deliveries; add one with assay deliver add.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) deliverTest() *cobra.Command {
	return &cobra.Command{Use: "test NAME", Short: "Hand over a made result now and say how that went", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				if err := d.TestDelivery(cmd.Context(), args[0]); err != nil {
					return fmt.Errorf("delivery %s: %w", args[0], err)
				}
				say(p.out, "Delivered.\n")
				return nil
			})
		}}
}

func (p *program) deliverRemove() *cobra.Command {
	return &cobra.Command{Use: "remove NAME", Short: "Remove a delivery, its secret and what waits for it", Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error { return d.RemoveDelivery(args[0]) })
		}}
}

func (p *program) deliverKey() *cobra.Command {
	return &cobra.Command{Use: "key NAME", Short: "Keep the secret of a webhook or the password of a mail server, read from standard input", Args: oneArg,
		Long: "The secret is kept in the keyring of the system; where there is none, set ASSAY_DELIVER_NAME_KEY. An empty line takes it out.",
		RunE: func(_ *cobra.Command, args []string) error {
			if terminal(p.in) {
				fmt.Fprint(p.err, "Secret: ")
			}
			b, err := io.ReadAll(io.LimitReader(firstLine{p.in}, 1024))
			if err != nil {
				return fmt.Errorf("read the secret: %w", err)
			}
			return p.open(func(d *desk.Desk) error { return d.SetDeliveryKey(args[0], strings.TrimSpace(string(b))) })
		}}
}

func (p *program) deliverRetry() *cobra.Command {
	return &cobra.Command{Use: "retry", Short: "Hand over now what waits and what was given up", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				n, err := d.RetryDeliveries()
				if err != nil {
					return err
				}
				left := d.AwaitDeliveries(cmd.Context(), deliverPatience)
				for _, line := range left {
					say(p.err, "%s\n", line)
				}
				say(p.out, "%s tried again, %d still on the way; see assay deliver list.\n", deliveriesWere(n), len(left))
				return nil
			})
		}}
}

func (p *program) deliverLog() *cobra.Command {
	var asJSON bool
	limit := 20
	cmd := &cobra.Command{Use: "log", Short: "List what was handed over and what failed, newest first", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				log := d.DeliveryLog(limit)
				if asJSON {
					return printJSON(p.out, log)
				}
				return p.table("AT\tDELIVERY\tRUN\tTRY\tRESULT", len(log), func(w io.Writer, i int) {
					e := log[i]
					result := "delivered"
					if e.Fault != "" {
						result = e.Fault
					}
					run := e.Run
					if e.Test {
						run = "test"
					}
					say(w, "%s\t%s\t%s\t%d\t%s\n", time.UnixMilli(e.AtMs).Format(time.RFC3339), e.Delivery, run, e.Try, result)
				}, "Nothing was delivered yet.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&limit, "limit", limit, "the most lines")
	return cmd
}

func deliveriesWere(n int) string {
	if n == 1 {
		return "1 delivery was"
	}
	return fmt.Sprintf("%d deliveries were", n)
}
