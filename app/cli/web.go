package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

// previewLines prints what will be asked of whom, a line a query with its hosts.
func (p *program) previewLines(v *research.Preview) {
	if v == nil {
		return
	}
	type line struct{ query, hosts string }
	var lines []line
	for _, a := range v.Asks {
		i := slices.IndexFunc(lines, func(l line) bool { return l.query == a.Query })
		if i < 0 {
			lines = append(lines, line{a.Query, a.Host})
			continue
		}
		lines[i].hosts += ", " + a.Host
	}
	for _, l := range lines {
		say(p.err, "  Asked outside: %s -> %s\n", l.query, l.hosts)
	}
	if len(lines) > 0 {
		say(p.err, "  Of what they name, at most %s are opened.\n", count(v.Pages, "page"))
	}
	for _, n := range v.Notes {
		say(p.err, "  %s\n", n)
	}
}

func (p *program) webCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "web", Short: "Say who is asked when the web is searched, and set it", Args: cobra.NoArgs,
		Long: "Without a subcommand: who is asked by `assay research --web`, on which host, and what is off.\n\n" +
			"Keys are kept in the keyring of the system, or given in the environment (ASSAY_BRAVE_KEY and so on).",
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				for _, l := range d.WebProviders() {
					state := "asked"
					if !l.On {
						state = "not asked"
					}
					say(p.out, "%-20s %-10s %s\n", l.Name, state, strings.TrimSpace(l.Host+"  "+l.Note))
				}
				if n := d.WebNote(); n != "" {
					say(p.out, "%s\n", n)
				}
				return nil
			})
		}}
	cmd.AddCommand(p.webSet(), p.webSwitch("on", "Ask a provider that is off unless it is turned on, or was turned off"), p.webSwitch("off", "Do not ask a provider"), p.webKey(), p.webAuthority())
	return cmd
}

func (p *program) webSet() *cobra.Command {
	return &cobra.Command{Use: "set NAME [VALUE]...", Short: "Set an address, a proxy or protected words; without a value it is cleared", Args: someArgs,
		Long: "Names: " + strings.Join(desk.WebNames, ", ") + ".\n\n" +
			"searxng, kiwix, mediawiki: servers of your own; pages: servers of your own whose pages may be read;\n" +
			"protected: words that no query may hold; mix: shares in percent, such as news=40 feeds=40.",
		Example: "  assay web set searxng http://127.0.0.1:8888\n  assay web set mediawiki http://127.0.0.1:8080/api.php\n  assay web set protected \"Project Zeus\" Hyperion",
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error { return d.SetWeb(args[0], args[1:]) })
		}}
}

func (p *program) webSwitch(word, short string) *cobra.Command {
	return &cobra.Command{Use: word + " PROVIDER", Short: short, Args: oneArg, RunE: func(_ *cobra.Command, args []string) error {
		return p.open(func(d *desk.Desk) error { return d.SwitchWeb(args[0], word == "on") })
	}}
}

func (p *program) webAuthority() *cobra.Command {
	return &cobra.Command{Use: "authority [HOST]...", Short: "Say who stands behind a host, by which table, and why",
		Long: "A table of your own goes before the program's: a file " + desk.AuthorityFile + " beside the settings, a row a host, with tabs between:\n" +
			"host, origin (academic, government, industry, trade_press, advocacy, reference, personal), tier (1 to 3), field or -, country or -, why.\n" +
			"Without a host: where that file is and what it holds.",
		RunE: func(_ *cobra.Command, hosts []string) error {
			return p.open(func(d *desk.Desk) error {
				rows, err := d.Authority()
				if err != nil {
					return err
				}
				if len(hosts) == 0 {
					say(p.out, "%s: %s\n", d.AuthorityPath(), count(len(rows), "row"))
					for _, r := range rows {
						say(p.out, "%-30s %-12s tier %d  %s\n", r.Name, r.Origin, r.Tier, r.Why)
					}
				}
				for _, h := range hosts {
					line, err := d.AuthorityOf(h)
					if err != nil {
						return err
					}
					say(p.out, "%s\n", line)
				}
				return nil
			})
		}}
}

func (p *program) webKey() *cobra.Command {
	return &cobra.Command{Use: "key SERVICE", Short: "Keep a key, read from standard input, in the keyring; an empty line takes it out", Args: oneArg,
		Long: "Services: " + strings.Join(desk.KeyNames, ", ") + ". The key is read from standard input, so that it stands in no history.",
		RunE: func(_ *cobra.Command, args []string) error {
			if terminal(p.in) {
				fmt.Fprint(p.err, "Key: ")
			}
			b, err := io.ReadAll(io.LimitReader(firstLine{p.in}, 1024))
			if err != nil {
				return fmt.Errorf("read the key: %w", err)
			}
			return p.open(func(d *desk.Desk) error { return d.SetKey(args[0], strings.TrimSpace(string(b))) })
		}}
}

// firstLine reads up to the end of a line, byte by byte, so that nothing after it is taken.
type firstLine struct{ r io.Reader }

func (f firstLine) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, err := f.r.Read(b[:1])
	if n == 1 && b[0] == '\n' {
		return 0, io.EOF
	}
	return n, err
}
