package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

// ablateFlags are the flags of `assay ablate`.
type ablateFlags struct {
	req       desk.AblateRequest
	questions []string
	libraries []string
	runs      []string
	depth     string
	limit     int
	json      bool
}

func (p *program) ablateCommand() *cobra.Command {
	var f ablateFlags
	cmd := &cobra.Command{
		Use:   "ablate NAME[+NAME]...",
		Short: "Say what a check or a mechanism is worth, by runs with it and without it",
		Long: "Run the same questions with everything and without a check or mechanism (or without several at once, joined by +), or play\n" +
			"stored runs again without it, and print what the difference is and what difference could have been seen at all. Each question\n" +
			"gets one trial an arm; where the arms disagree, three, then five. Without a model nothing is drawn by chance, and one trial is all.\n" +
			"A report passes when the whole bank has nothing against it that blocks and every part that something was found for is printed; its\n" +
			"score is the share of parts printed times that of findings nothing blocking is said of, or the points of a labelled question.\n" +
			"With no NAME it lists what can be left out. Everything stays on this machine.",
		Example: "  assay ablate salvage grounding --questions questions.txt --library ~/docs\n" +
			"  assay ablate G31 aging+lifecap --run run.json --run 20260131-120000-0a1b2c\n" +
			"  assay ablate whole_rebuild --questions qs.jsonl --library ~/docs --model ollama:gpt-oss:20b",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.tellSwitches(f.json)
			}
			if cmd.Flags().Changed("trials") && f.req.Most < 1 || f.limit < 0 {
				return &desk.UsageError{Err: errors.New("--trials and --limit: use a number from 1 on")}
			}
			return p.ablate(cmd, f, args)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.runs, "run", nil, "play the stored run `RUN.json|ID` again; may be repeated")
	fl.StringArrayVar(&f.questions, "questions", nil, "a `FILE` of questions, or one question; may be repeated")
	fl.StringArrayVar(&f.libraries, "library", nil, "search the documents of folder `DIR`; may be repeated")
	fl.StringVar(&f.req.Model, "model", "extractive", "`extractive|ollama:NAME`: who answers")
	fl.StringVar(&f.depth, "depth", "quick", "`quick|standard|deep`: how much work a question gets")
	fl.IntVar(&f.req.Most, "trials", 0, "at most `N` trials an arm and question (default 5)")
	fl.IntVar(&f.limit, "limit", 0, "only the first `N` questions of each file")
	fl.StringVar(&f.req.Now, "clock", "", "the clock of the runs, as `RFC3339` (default today at midnight UTC)")
	fl.Int64Var(&f.req.Seed, "seed", 0, "the seed of the first trial; each further one takes the next")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// tellSwitches lists what can be left out.
func (p *program) tellSwitches(asJSON bool) error {
	names := desk.Switches()
	if asJSON {
		return printJSON(p.out, struct {
			Mechanisms []string `json:"mechanisms"`
		}{names})
	}
	say(p.out, "Mechanisms that can be left out: %s.\nSo can every check, by id or name, as in G09 or numberunsupported.\n", strings.Join(names, ", "))
	return nil
}

func (p *program) ablate(cmd *cobra.Command, f ablateFlags, args []string) error {
	req := f.req
	req.Without, req.Runs, req.Libraries, req.Depth = args, f.runs, f.libraries, research.Depth(f.depth)
	var opt desk.AblateOptions
	if len(f.questions) > 0 {
		qs, corpus, err := readQuestions(f.questions, f.libraries, f.limit)
		if err != nil {
			return err
		}
		req.Questions, opt.Score = qs, scorer(corpus)
	}
	if !f.json {
		opt.Tell = func(arm, question string, trial int) {
			if arm == "" {
				arm = "with everything"
			} else {
				arm = "without " + arm
			}
			say(p.err, "%s, %s, trial %d\n", question, arm, trial)
		}
	}
	return p.open(func(d *desk.Desk) error {
		res, err := d.Ablate(cmd.Context(), req, opt)
		if err != nil {
			return err
		}
		if f.json {
			return printJSON(p.out, res)
		}
		return p.tellAblated(res)
	})
}

// tellAblated prints the table and, under it, what each row could have shown.
func (p *program) tellAblated(res desk.Ablated) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	say(w, "without\tchanged\tworse\tbetter\tpass with\tpass without\tdifference of passing\tmean with\tmean without\tdifference of scores\tsign p\tcalls\t\n")
	for _, a := range res.Arms {
		r := a.Result
		calls := "not counted"
		if a.CallsWith > 0 {
			calls = fmt.Sprintf("%.1f, %.1f", a.CallsWith, a.CallsWithout)
		}
		say(w, "%s\t%d of %d\t%d\t%d\t%d of %d\t%d of %d\t%s\t%.3f\t%.3f\t%s\t%.3f\t%s\t\n", strings.Join(a.Without, "+"), a.Changed, r.Questions, r.Worse, r.Better,
			r.PassWith.K, r.PassWith.N, r.PassWithout.K, r.PassWithout.N, r.Pass, r.MeanWith, r.MeanWithout, r.Score, r.SignP, calls)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, a := range res.Arms {
		say(p.out, "\n%s: %s. %s", strings.Join(a.Without, "+"), a.Result.Verdict, a.Result.Power.Words)
		if a.Changed == 0 {
			say(p.out, " It changed nothing in %s, not even the course of the checks.", count(res.N, strings.TrimSuffix(res.Over, "s")))
		}
		if a.Missed > 0 {
			say(p.out, " %s were not in the records and were given without a model.", count(a.Missed, "answer"))
		}
		say(p.out, "\n")
	}
	return nil
}
