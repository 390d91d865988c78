package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) knowledgeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "knowledge", Short: "Search what earlier runs found", Args: cobra.NoArgs,
		Long: "The accepted claims of finished runs, and those that a report attributes to one source, are kept in the folder of their run and go with\n" +
			"it. A new research shows those that bear on its question beside its plan and in its report, with the confidence they had there; nothing\n" +
			"of them is in a query or a prompt or counts for anything. One that reaches beyond this machine shows none that were found in files\n" +
			"of your own.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.knowledgeSearch(), p.knowledgeSwitch("on"), p.knowledgeSwitch("off"), p.knowledgePages())
	return cmd
}

func (p *program) knowledgeSearch() *cobra.Command {
	var asJSON bool
	limit := 20
	cmd := &cobra.Command{Use: "search WORDS", Short: "List the claims of finished runs that hold the words, or mean what they say", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				hits, how, err := d.SearchKnowledge(cmd.Context(), strings.Join(args, " "), limit)
				if err != nil {
					return err
				}
				say(p.err, "%s\n", how)
				if asJSON {
					return printJSON(p.out, hits)
				}
				for _, h := range hits {
					say(p.out, "%s\n  run %s, %s, confidence there %s", h.Text, h.Run, h.Date, h.Confidence.Decimal(2))
					if h.Label != "" {
						say(p.out, ", %s", string(h.Label))
					}
					fmt.Fprintln(p.out)
					for _, s := range h.Sources {
						say(p.out, "  %s\n", research.RealLocation(s.Location))
					}
				}
				if len(hits) == 0 {
					say(p.out, "No finished run has claimed anything of that.\n")
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&limit, "limit", limit, "the most claims")
	return cmd
}

func (p *program) knowledgeSwitch(word string) *cobra.Command {
	short := "Have new runs show what earlier ones found"
	if word == "off" {
		short = "Have no run show what earlier ones found"
	}
	return &cobra.Command{Use: word, Short: short, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.open(func(d *desk.Desk) error {
				k := d.Settings().Knowledge
				k.Off = word == "off"
				return d.SetKnowledge(k)
			})
		}}
}

func (p *program) knowledgePages() *cobra.Command {
	return &cobra.Command{Use: "pages AGE|off", Short: "Take pages that earlier runs kept instead of fetching them, up to an age such as 24h", Args: oneArg,
		Long: "The report and the record say which pages were taken and of what day they are. A watch fetches its pages always.",
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				k := d.Settings().Knowledge
				if k.Pages = args[0]; k.Pages == "off" {
					k.Pages = ""
				}
				return d.SetKnowledge(k)
			})
		}}
}
