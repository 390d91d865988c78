package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) libraryCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "library", Short: "Manage the folders that research uses by itself", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.libraryAdd(), p.libraryList(), p.libraryRemove(), p.librarySearch(), p.libraryWatch(), p.librarySet())
	return cmd
}

// maxProblems is how many unread files are named; the rest is counted.
const maxProblems = 20

func (p *program) libraryAdd() *cobra.Command {
	return &cobra.Command{Use: "add DIR...", Short: "Read folders into the library; doing it again reads what changed", Args: someArgs,
		Long: "Read folders, with the folders in them, into the library; doing it again reads what changed.\n\n" +
			"Formats that are read: " + strings.Replace(desk.Formats, " and plain", "\nand plain", 1) + ".\n" +
			"Other files are named with the reason; pictures, style sheets and the like are counted. Names that begin with a dot\n" +
			"are left out. Ctrl-C stops it; what was read is kept, and the same command goes on there.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				for _, dir := range args {
					tell := &ingestLines{out: p.err, now: time.Now}
					got, err := d.AddLibrary(cmd.Context(), dir, tell.tick)
					if err != nil && errors.Is(err, context.Canceled) {
						return &codedError{desk.ExitInterrupted, fmt.Errorf("interrupted; %s of %s %s kept, and the same command goes on there",
							count(got.Files, "file"), dir, isAre(got.Files))}
					}
					if err != nil {
						return err
					}
					p.tellIngest(got)
				}
				return p.embedLibrary(cmd.Context(), d)
			})
		}}
}

// embedLibrary gives the passages of the library their vectors, or says why there are none.
func (p *program) embedLibrary(ctx context.Context, d *desk.Desk) error {
	last := time.Time{}
	m, words, err := d.EmbedLibrary(ctx, func(m desk.Meant) {
		if now := time.Now(); m.Have < m.Passages && now.Sub(last) >= ingestPause {
			last = now
			say(p.err, "Meaning: %s\n", m)
		}
	})
	switch {
	case err != nil && errors.Is(err, context.Canceled):
		return &codedError{desk.ExitInterrupted, fmt.Errorf("interrupted; %s, and the same command goes on there", m)}
	case err != nil:
		return err
	case words != "":
		say(p.out, "The library is searched by words alone, because %s.\n", words)
	default:
		say(p.out, "The library is searched by words and by meaning: %s, %s on the disk.\n", m, desk.DiskText(m.Bytes))
	}
	return nil
}

func (p *program) libraryWatch() *cobra.Command {
	return &cobra.Command{Use: "watch", Short: "Keep the folders of the library up to date until Ctrl-C", Args: cobra.NoArgs,
		Long: "Keep the folders of the library up to date until Ctrl-C: what is written, moved or deleted in them is read within\n" +
			"seconds. The window does the same while it is open, unless assay library set watch off says otherwise.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				s := d.Settings()
				if len(s.Libraries) == 0 {
					return &desk.UsageError{Err: errors.New("the library is empty: add a folder with assay library add DIR")}
				}
				if s.Library.Watch == "off" {
					return &desk.UsageError{Err: errors.New("watching is switched off: assay library set watch on")}
				}
				said := map[string]desk.WatchedFolder{}
				return d.WatchLibrary(cmd.Context(), func(f desk.WatchedFolder) {
					p.tellWatch(said[f.Folder], f, said[f.Folder].Folder == "")
					said[f.Folder] = f
				})
			})
		}}
}

// tellWatch prints what is new of a folder.
func (p *program) tellWatch(was, f desk.WatchedFolder, first bool) {
	switch {
	case f.Fault != "" && f.Fault != was.Fault:
		say(p.err, "%s: %s\n", f.Folder, f.Fault)
	case f.Fault == "" && (first || was.Fault != ""):
		how := "the system tells of its changes"
		if f.Polled {
			how = f.Why
		}
		say(p.out, "Watching %s: %s\n", f.Folder, how)
	}
	if g := f.Did; g != nil {
		say(p.out, "%s: %d new, %d changed, %d gone, %s; the last was %s\n", f.Folder, g.Added, g.Changed, g.Removed, count(g.Passages, "passage"), f.Last)
	}
}

func (p *program) librarySet() *cobra.Command {
	return &cobra.Command{Use: "set NAME VALUE", Short: "Set how the library is kept up to date and searched", Args: twoArgs,
		Long: "watch    on (the default) or off: whether the window keeps the folders up to date while it is open\n" +
			"meaning  auto (the default), off, or the name of an embedding model of this machine's Ollama server: by what the\n" +
			"         library is searched besides words. With auto it is the first, by name, of the models that do nothing else;\n" +
			"         off deletes the vectors",
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error { return d.SetLibrary(args[0], args[1]) })
		}}
}

// ingestLines prints how far an ingestion is: a line every few hundred files, and every few seconds when they are large.
type ingestLines struct {
	out      io.Writer
	now      func() time.Time
	last     time.Time
	done     int
	passages int
}

// ingestPause is the most time between two lines while something moves.
const ingestPause = 3 * time.Second

func (v *ingestLines) tick(t desk.IngestTick) {
	now := v.now()
	if v.last.IsZero() {
		v.last = now
	}
	if t.Done < v.done+ingestEvery && (now.Sub(v.last) < ingestPause || t.Done == v.done && t.Passages == v.passages) {
		return
	}
	v.last, v.done, v.passages = now, t.Done, t.Passages
	say(v.out, "Library: %d of %s, %s\n", t.Done, count(max(t.Total, t.Done), "file"), count(t.Passages, "passage"))
}

func (p *program) tellIngest(g desk.Ingest) {
	say(p.out, "%s: %s (%d new, %d changed, %d unchanged, %d gone), %s, %d not read\n",
		g.Folder, count(g.Files, "document"), g.Added, g.Changed, g.Unchanged, g.Removed, count(g.Passages, "new passage"), g.Unread)
	for i, pr := range g.Problems {
		if i == maxProblems {
			say(p.out, "  and %d more\n", len(g.Problems)-i+g.MoreProblems)
			break
		}
		say(p.out, "  %s\n", desk.ProblemText(pr))
	}
	if g.Skipped > 0 {
		say(p.out, "  %s left out that %s no %s: %s\n", count(g.Skipped, "file"), isAre(g.Skipped), map[bool]string{true: "document", false: "documents"}[g.Skipped == 1], kinds(g.Kinds))
	}
}

// isAre is the verb for n things.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// kinds lists how many files there are of each ending, the most first.
func kinds(n map[string]int) string {
	list := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	for i, k := range list {
		list[i] = fmt.Sprintf("%d %s", n[k], k)
	}
	return strings.Join(list, ", ")
}

func (p *program) libraryList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the folders of the library, and the files of them that were not read", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.open(func(d *desk.Desk) error {
				list, err := d.Libraries(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, list)
				}
				err = p.table("FOLDER\tDOCUMENTS\tNOT READ\tNOTE", len(list), func(w io.Writer, i int) {
					l := list[i]
					say(w, "%s\t%d\t%d\t%s\n", l.Folder, l.Files, l.Unread, l.Fault)
				}, "The library is empty: add a folder with assay library add DIR.")
				for _, l := range list {
					for i, pr := range l.Problems {
						if i == maxProblems {
							say(p.out, "  and %d more of %s; all are in the JSON form\n", l.Unread-i, l.Folder)
							break
						}
						say(p.out, "  %s\n", desk.ProblemText(pr))
					}
				}
				return err
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
	var asJSON, kept bool
	var limit int
	cmd := &cobra.Command{Use: "search WORDS...", Short: "Search the library for passages", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 || limit > 1000 {
				return &desk.UsageError{Err: fmt.Errorf("limit %d: use a number from 1 to 1000", limit)}
			}
			words := strings.Join(args, " ")
			if !strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				return &desk.UsageError{Err: fmt.Errorf("%q holds no word to search for: write it as %s", words, cmd.UseLine())}
			}
			return p.open(func(d *desk.Desk) error {
				if kept {
					hits, err := d.SearchKept(cmd.Context(), words, limit)
					if err != nil {
						return err
					}
					if asJSON {
						return printJSON(p.out, append([]desk.KeptPassage{}, hits...))
					}
					for _, h := range hits {
						p.tellHit(h.Hit, ", run "+h.Run)
					}
					p.nothing(len(hits))
					return nil
				}
				hits, err := d.SearchLibrary(cmd.Context(), desk.LibrarySearch{Words: words, Limit: limit, Told: func(how string) { say(p.err, "%s\n", how) }})
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, append([]research.Hit{}, hits...))
				}
				for _, h := range hits {
					p.tellHit(h, "")
				}
				p.nothing(len(hits))
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&kept, "kept", false, "search the pages of the web that earlier runs have kept, in place of the folders")
	cmd.Flags().IntVar(&limit, "limit", 10, "at most `N` passages")
	return cmd
}

func (p *program) tellHit(h research.Hit, more string) {
	say(p.out, "%s  %s (bytes %d to %d%s)\n  %s\n", h.Score.Decimal(2), h.Location, h.Start, h.End, more, oneLine(h.Snippet))
}

func (p *program) nothing(hits int) {
	if hits == 0 {
		fmt.Fprintln(p.out, "Nothing was found.")
	}
}

// oneLine cuts a passage to a line of 200 characters.
func oneLine(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= 200 {
		return string(r)
	}
	return string(r[:199]) + "…"
}
