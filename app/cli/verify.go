package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
)

func (p *program) verifyCommand() *cobra.Command {
	var in desk.VerifyRequest
	var offline, asJSON bool
	cmd := &cobra.Command{Use: "verify CLAIM", Short: "Say whether documents support a claim, or every sentence of a draft",
		Long: "Hold a claim against documents and say whether they support it, contradict it, do both, or do not speak to it, with the passages.\n" +
			"With --draft FILE every sentence of a text is held, another tool's report included. No model is asked.\n\n" +
			"Exit codes: 0 when there is a conclusion; 3 when nothing speaks to the claim. Of a draft: 0 when every sentence is supported, else 3.",
		Example: "  assay verify \"The first stable release of Debian was in 1996.\" --library ~/docs\n" +
			"  assay verify --draft report.md --library ~/docs",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Claim = strings.Join(args, " ")
			switch {
			case in.Draft != "" && in.Claim != "":
				return &desk.UsageError{Err: errors.New("verify a claim or a draft: leave one of them out")}
			case in.Draft == "" && strings.TrimSpace(in.Claim) == "":
				return &desk.UsageError{Err: errors.New("the claim is empty: write the sentence that is to be verified, or name a text with --draft FILE")}
			}
			if offline {
				in.Egress = research.Closed
			}
			return p.open(func(d *desk.Desk) error {
				got, err := d.Verify(cmd.Context(), in)
				if err != nil {
					return err
				}
				for _, n := range got.Notes {
					say(p.err, "%s\n", n)
				}
				if asJSON {
					err = printJSON(p.out, got)
				} else {
					p.tellVerified(got, in.Draft != "")
				}
				p.code = verifyCode(got, in.Draft != "")
				return err
			})
		}}
	fl := cmd.Flags()
	fl.StringVar(&in.Draft, "draft", "", "verify every sentence of `FILE`: text, Markdown, HTML, PDF, DOCX, ODT, EPUB")
	fl.StringArrayVar(&in.Libraries, "library", nil, "hold it against the documents of folder `DIR`; may be repeated")
	fl.StringArrayVar(&in.Attach, "attach", nil, "hold it against `FILE` too; may be repeated")
	fl.StringVar(&in.Lang, "lang", "", "`auto|en|zh`: language of the claim (default auto)")
	fl.StringVar(&in.Now, "clock", "", "the time that \"this year\" is counted from, as `RFC3339` (default now)")
	fl.BoolVar(&offline, "offline", false, "let no byte leave this machine")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verifyCode is the exit code of a verification.
func verifyCode(v desk.Verified, draft bool) int {
	for _, s := range v.Sentences {
		if draft && s.Conclusion != research.Supported || s.Conclusion == research.NotFound {
			return desk.ExitNoFinding
		}
	}
	if v.Cut > 0 {
		return desk.ExitNoFinding
	}
	return desk.ExitDone
}

// conclusions are the words for the four outcomes.
var conclusions = map[research.Conclusion]string{
	research.Supported: "SUPPORTED", research.Contradicted: "CONTRADICTED", research.Contested: "CONTESTED", research.NotFound: "NOT FOUND",
}

func (p *program) tellVerified(v desk.Verified, draft bool) {
	for i, s := range v.Sentences {
		if draft {
			say(p.out, "%d. %s\n   ", i+1, s.Claim)
		}
		say(p.out, "%s", conclusions[s.Conclusion])
		if s.Support != nil {
			say(p.out, ": %d of %d independent voices confirm it, confidence %s", s.Support.K, s.Support.N, s.Support.Confidence.Decimal(2))
		} else {
			say(p.out, ": none of %s speaks to it", documents(s.Read))
		}
		say(p.out, "\n")
		for _, e := range s.Evidence {
			mark := map[research.Stance]string{research.Confirms: "+", research.Contradicts: "-"}[e.Stance]
			if mark == "" {
				mark = "~"
			}
			say(p.out, "   %s %s [%s, bytes %d-%d]\n     %q\n", mark, e.Reason, e.Location, e.Passage.Start, e.Passage.End, excerptOf(e.Passage.Text))
		}
	}
	if draft {
		say(p.out, "\n%s: %s.\n", count(len(v.Sentences), "sentence"), v.Tally())
		if v.Skipped > 0 {
			say(p.out, "%d headings, questions and labels claim nothing and were left out.\n", v.Skipped)
		}
		if v.Cut > 0 {
			say(p.out, "%d more sentences were not verified: split the text, or cut what is longer than a sentence.\n", v.Cut)
		}
	}
}

func documents(n int) string {
	if n == 1 {
		return "1 document"
	}
	return fmt.Sprintf("%d documents", n)
}

// excerptOf is a passage on one line, shortened.
func excerptOf(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		return string(r[:297]) + "..."
	}
	return s
}
