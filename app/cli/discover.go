package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) discoverCommand() *cobra.Command {
	var (
		req               research.Request
		depth, out        string
		offline, web, own bool
		asJSON            bool
	)
	cmd := &cobra.Command{
		Use: "discover QUESTION", Short: "List where a question could be answered, without opening a page", Args: someArgs,
		Long: "Search for where a question could be answered and print the pool of sources with its floors. No page of the web is opened and no\n" +
			"model is asked. Without --library the web is searched; with it the folder only, unless --web is given too.\n\n" +
			"Exit code 3: the pool of the web is below its floor. A closed library prints what it lacks and ends with 0.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !offline && !own && len(req.Libraries) == 0 {
				web = true
			}
			reach, err := reachOf(offline, web, own)
			if err != nil {
				return err
			}
			req.Question, req.Depth, req.Egress, req.Servers = strings.Join(args, " "), research.Depth(depth), reach, own
			return p.open(func(d *desk.Desk) error {
				found, err := d.Discover(cmd.Context(), req, desk.DiscoverOptions{})
				if err != nil {
					return err
				}
				if out != "" {
					if err := writePool(out, found); err != nil {
						return err
					}
				}
				if asJSON {
					if err := printJSON(p.out, found); err != nil {
						return err
					}
				} else {
					p.tellPool(found)
				}
				if found.BelowWeb {
					return &codedError{desk.ExitNoFinding, fmt.Errorf("the pool is below its floor: %s", strings.Join(found.Stats.Shortfall, "; "))}
				}
				return nil
			})
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&req.Libraries, "library", nil, "search the documents of folder `DIR`; may be repeated")
	fl.BoolVar(&offline, "offline", false, "let no byte leave this machine")
	fl.BoolVar(&web, "web", false, "search the web beside a --library")
	fl.BoolVar(&own, "own", false, "search the servers of your own (see assay web), and nobody else's")
	fl.StringVar(&depth, "depth", "", "`quick|standard|deep`: how many sources are wanted (default standard)")
	fl.IntVar(&req.MinSources, "min-sources", 0, "the floor of independent sources, `N` (default by depth: 5, 15, 20)")
	fl.IntVar(&req.MaxQueries, "max-queries", 0, "at most `N` queries to each provider (default by depth: 8, 16, 28)")
	fl.StringVar(&req.Lang, "lang", "", "`auto|en|zh`: language of the question (default auto)")
	fl.StringVar(&req.Now, "clock", "", "the clock, as `RFC3339` (default now)")
	fl.StringVar(&out, "out", "", "write the pool as JSON into `FILE`")
	fl.BoolVar(&asJSON, "json", false, "print the pool as JSON")
	return cmd
}

// writePool writes a pool into a file, as a whole or not at all.
func writePool(name string, found research.Discovery) error {
	b, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		return fmt.Errorf("write the pool: %w", err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return &desk.UsageError{Err: fmt.Errorf("out %s: %w", name, err)}
	}
	f, err := os.CreateTemp(filepath.Dir(abs), ".new-*")
	if err != nil {
		return &desk.UsageError{Err: fmt.Errorf("out %s: the file cannot be written there: choose another place", name)}
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), abs)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("out %s: it was not written: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}

// tellPool prints a pool: the figures, then a line a source.
func (p *program) tellPool(d research.Discovery) {
	st := d.Stats
	say(p.out, "%s, %s of origin, %d by asking for criticism or opposition (floors %d, %d, %d)\n", count(st.Independent, "independent voice"),
		count(st.OriginTypes, "kind"), st.Adversarial, st.Floor.Voices, st.Floor.OriginTypes, st.Floor.Adversarial)
	for _, s := range d.Sources {
		mark := "  "
		if !s.Counted {
			mark = "- "
		}
		against := ""
		if s.Adversarial {
			against = " against"
		}
		say(p.out, "%s%s %s tier %d%s %s\n    %s\n", mark, s.Quality.Value.Decimal(2), s.OriginType, s.Tier, against, s.Title, s.URL)
		if s.Note != "" {
			say(p.out, "    not counted: %s\n", s.Note)
		}
	}
	for _, f := range d.Faults {
		say(p.err, "Not asked, or not answered: %s\n", f)
	}
	for _, n := range d.Notes {
		say(p.err, "%s\n", n)
	}
	for _, s := range st.Shortfall {
		say(p.err, "Short: %s\n", s)
	}
}
