package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/render"
	"assay/engine/research"
)

func (p *program) auditCommand() *cobra.Command {
	var deep, asJSON bool
	cmd := &cobra.Command{Use: "audit RUN.json", Short: "Recompute every number, verdict and citation from a record alone",
		Long: "Recompute every number, verdict and citation of a run from its record alone and end with code 1 at the first that differs.\n" +
			"A run of this home may also be named by its id. The report's files beside the record are compared with it.",
		Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				report, err := d.Audit(args[0], deep)
				if err != nil {
					return err
				}
				return p.tellAudit(report, deep, asJSON)
			})
		}}
	cmd.Flags().BoolVar(&deep, "deep", false, "also derive quantities, dates, names and stances again with the matchers of the program itself")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) tellAudit(report desk.Audited, deep, asJSON bool) error {
	if asJSON {
		if err := printJSON(p.out, report); err != nil {
			return err
		}
	} else {
		for _, f := range report.Faults {
			say(p.out, "%s: %s\n", f.Where, f.What)
		}
		for _, n := range report.NotCompared {
			say(p.out, "Not compared: %s\n", n)
		}
		how := "from the record alone"
		if deep {
			how = "from the record alone, and quantities, dates, names and stances with the program's own matchers"
		}
		say(p.out, "Checked %d numbers, hashes and citations %s: %d differ.\n", report.Checked, how, len(report.Faults))
	}
	if len(report.Faults) > 0 {
		return &codedError{desk.ExitFault, fmt.Errorf("the audit failed: %s: %s", report.Faults[0].Where, report.Faults[0].What)}
	}
	return nil
}

func (p *program) replayCommand() *cobra.Command {
	var strict, asJSON bool
	var without []string
	var out string
	cmd := &cobra.Command{Use: "replay RUN.json", Short: "Run the pipeline again on recorded answers and pages",
		Long: "Run the pipeline again on the model answers, searches and pages of a record and compare the digests.\n" +
			"It ends with code 1 when they differ, unless --without changed what was done.",
		Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(func(d *desk.Desk) error {
				run, err := d.ReadRun(args[0])
				if err != nil {
					return err
				}
				res, err := d.Replay(cmd.Context(), run, desk.ReplayOptions{Strict: strict, Without: without})
				if err != nil {
					return err
				}
				if out != "" {
					if err := desk.WriteReport(res.Digest, out); err != nil {
						return err
					}
				}
				return p.tellReplay(run, res, len(without) > 0, asJSON)
			})
		}}
	cmd.Flags().BoolVar(&strict, "strict", false, "fail at the first answer the record does not hold")
	cmd.Flags().StringArrayVar(&without, "without", nil, "leave the check or mechanism `NAME` out; may be repeated")
	cmd.Flags().StringVar(&out, "out", "", "write the report's files into `DIR`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// replayLine is what replay --json prints.
type replayLine struct {
	Identical bool     `json:"identical"`
	Differs   string   `json:"differs,omitempty"` // the first place
	Missed    int      `json:"missed"`            // asked for and not in the record
	Misses    []string `json:"misses,omitempty"`
	// Otherwise, of a replay without something, is what would have been delivered.
	Otherwise *desk.Otherwise `json:"otherwise,omitempty"`
}

func (p *program) tellReplay(run research.Run, res desk.ReplayResult, changed, asJSON bool) error {
	line := replayLine{Missed: len(res.Misses), Misses: res.Misses}
	if run.Digest == nil {
		line.Differs = "the record holds no digest to compare with"
	} else {
		was, err := desk.EncodeDigest(*run.Digest)
		if err != nil {
			return err
		}
		is, err := desk.EncodeDigest(res.Digest)
		if err != nil {
			return err
		}
		line.Differs = firstDifference(was, is)
		line.Identical = line.Differs == ""
	}
	if changed && run.Digest != nil {
		other, err := res.Otherwise(run)
		if err != nil {
			return err
		}
		line.Otherwise = &other
	}
	if asJSON {
		if err := printJSON(p.out, line); err != nil {
			return err
		}
	} else {
		for _, m := range res.Misses {
			say(p.out, "Not in the record: %s\n", m)
		}
		if line.Otherwise != nil {
			p.tellOtherwise(*line.Otherwise)
		} else if line.Identical {
			say(p.out, "The replay gives the identical digest; %d answers were not in the record.\n", line.Missed)
		} else {
			say(p.out, "The digest differs: %s\n", line.Differs)
		}
	}
	if !line.Identical && !changed {
		return &codedError{desk.ExitFault, fmt.Errorf("the replay differs from the record: %s", line.Differs)}
	}
	return nil
}

// maxOtherwise bounds the lines of one kind that are told of a replay without something; --json has all.
const maxOtherwise = 12

// tellOtherwise says what a run would have delivered without what was left out.
func (p *program) tellOtherwise(o desk.Otherwise) {
	if o.Same() {
		say(p.out, "Without it the same report would have been delivered.\n")
		return
	}
	said := false
	for _, part := range []struct {
		name string
		list []string
	}{{"It would have printed", o.Would}, {"It would not have printed", o.WouldNot}, {"Another confidence", o.Confidences}, {"Checklist", o.Gates},
		{"It would have listed among the issues", o.Issues}, {"It would not have listed among the issues", o.Settled}, {"Checks", o.Fires}} {
		for i, l := range part.list {
			if said = true; i == maxOtherwise {
				say(p.out, "%s: and %d more (--json has all)\n", part.name, len(part.list)-i)
				break
			}
			say(p.out, "%s: %s\n", part.name, oneLine(l))
		}
	}
	if o.Summary != "" {
		said = true
		say(p.out, "Its summary would have been: %s\n", oneLine(o.Summary))
	}
	if !said {
		say(p.out, "The same statements would have been delivered.\n")
	}
	say(p.out, "The digest differs in: %s.\n", strings.Join(o.Parts, ", "))
}

// firstDifference names the first line in which two indented JSON texts differ; "" when they are equal.
func firstDifference(was, is []byte) string {
	if bytes.Equal(was, is) {
		return ""
	}
	a, b := strings.Split(string(was), "\n"), strings.Split(string(is), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of digest.json was %s and is %s", i+1, oneLine(a[i]), oneLine(b[i]))
		}
	}
	return fmt.Sprintf("digest.json had %d lines and has %d", len(a), len(b))
}

func (p *program) renderCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{Use: "render DIGEST.json --out FILE", Short: "Make another file of a report: a page, text, a Word document, references",
		Long: "Make another file of a digest.json or run.json. The ending of FILE says what:\n\n" + formLines(),
		Args: oneArg,
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return &desk.UsageError{Err: errors.New("--out is missing: name the file to write, such as report.html")}
			}
			form, err := render.FormOf(out)
			if err != nil {
				return &desk.UsageError{Err: fmt.Errorf("out %s: %w", out, err)}
			}
			digest, err := readDigest(args[0])
			if err != nil {
				return err
			}
			b, err := form.Make(digest)
			if err != nil {
				return err
			}
			return desk.WriteFile(out, b)
		}}
	cmd.Flags().StringVar(&out, "out", "", "write `FILE`; its ending says what")
	return cmd
}

// formLines lists the forms of a report, a line each.
func formLines() string {
	var b strings.Builder
	for _, f := range render.Forms {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Ending, f.What)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// maxDigest bounds a digest.json, in bytes.
const maxDigest = 256 << 20

// readDigest reads a digest.json, or the digest of a run.json.
func readDigest(name string) (research.Digest, error) {
	var d research.Digest
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return d, &desk.UsageError{Err: fmt.Errorf("file %s: it does not exist: check the spelling", name)}
	}
	if err != nil {
		return d, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxDigest+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return d, fmt.Errorf("read %s: %w", name, err)
	}
	if len(b) > maxDigest {
		return d, fmt.Errorf("read %s: it is larger than %d MiB", name, maxDigest>>20)
	}
	var run struct {
		Events json.RawMessage  `json:"events"`
		Digest *research.Digest `json:"digest"`
	}
	if err := json.Unmarshal(b, &run); err == nil && run.Events != nil {
		if run.Digest == nil {
			return d, fmt.Errorf("read %s: the run has no report yet", name)
		}
		return *run.Digest, nil
	}
	if err := json.Unmarshal(b, &d); err != nil {
		return d, fmt.Errorf("read %s: it is not a digest (%s)", name, desk.BadJSON(err))
	}
	switch {
	case d.Schema < 1:
		return d, fmt.Errorf("read %s: it is not a digest (it names no schema)", name)
	case d.Schema > research.SchemaVersion:
		return d, fmt.Errorf("read %s: its schema is %d and this program knows %d: use a newer version of the program", name, d.Schema, research.SchemaVersion)
	}
	return d, nil
}
