package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) libraryCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "library", Short: "Manage the folders that research uses by itself", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.libraryAdd(), p.libraryList(), p.libraryRemove(), p.librarySearch())
	return cmd
}

// maxProblems is how many unread files are named; the rest is counted.
const maxProblems = 20

func (p *program) libraryAdd() *cobra.Command {
	return &cobra.Command{Use: "add DIR...", Short: "Read folders into the library; doing it again reads what changed", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				for _, dir := range args {
					lines := &lineView{out: p.err}
					got, err := d.AddLibrary(cmd.Context(), dir, func(t desk.IngestTick) {
						if t.Done >= lines.ingested+ingestEvery {
							lines.ingested = t.Done
							say(p.err, "Library: %s\n", count(t.Done, "file"))
						}
					})
					if err != nil {
						return err
					}
					p.tellIngest(got)
				}
				return nil
			})
		}}
}

func (p *program) tellIngest(g desk.Ingest) {
	say(p.out, "%s: %d documents (%d new, %d changed, %d unchanged, %d gone), %d passages, %d without text, %d other files left out\n",
		g.Folder, g.Files, g.Added, g.Changed, g.Unchanged, g.Removed, g.Passages, g.Unread, g.Skipped)
	for i, pr := range g.Problems {
		if i == maxProblems {
			say(p.out, "  and %d more\n", len(g.Problems)-i+g.MoreProblems)
			break
		}
		say(p.out, "  %s\n", desk.ProblemText(pr))
	}
}

func (p *program) libraryList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the folders of the library", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				list, err := d.Libraries(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, list)
				}
				return p.table("FOLDER\tDOCUMENTS\tWITHOUT TEXT\tNOTE", len(list), func(w io.Writer, i int) {
					l := list[i]
					say(w, "%s\t%d\t%d\t%s\n", l.Folder, l.Files, l.Unread, l.Fault)
				}, "The library is empty: add a folder with assay library add DIR.")
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) libraryRemove() *cobra.Command {
	return &cobra.Command{Use: "rm DIR...", Short: "Take folders out of the library; the documents stay", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				for _, dir := range args {
					if err := d.RemoveLibrary(cmd.Context(), dir); err != nil {
						return err
					}
					say(p.out, "Took %s out of the library; its documents and the runs that used them remain.\n", dir)
				}
				return nil
			})
		}}
}

func (p *program) librarySearch() *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{Use: "search WORDS...", Short: "Search the library for passages", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 || limit > 1000 {
				return &desk.UsageError{Err: fmt.Errorf("limit %d: use a number from 1 to 1000", limit)}
			}
			return p.open(func(d *desk.Desk) error {
				hits, err := d.SearchLibrary(cmd.Context(), strings.Join(args, " "), limit)
				if err != nil {
					return err
				}
				if asJSON {
					if hits == nil {
						hits = []research.Hit{}
					}
					return printJSON(p.out, hits)
				}
				if len(hits) == 0 {
					fmt.Fprintln(p.out, "Nothing was found.")
				}
				for _, h := range hits {
					say(p.out, "%s  %s (bytes %d to %d)\n  %s\n", h.Score.Decimal(2), h.Location, h.Start, h.End, oneLine(h.Snippet))
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&limit, "limit", 10, "at most `N` passages")
	return cmd
}

// oneLine cuts a passage to a line of 200 characters.
func oneLine(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= 200 {
		return string(r)
	}
	return string(r[:199]) + "…"
}
