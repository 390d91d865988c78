package engine

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/checks"
	"assay/engine/answer"
	"assay/engine/render"
	"assay/engine/research"
)

// Checklist goes through the lines that a report passes before it is delivered. Texts are the clean texts of its sources by their hash. A
// report that holds a checklist already is looked at as it was before: the result is the same.
func Checklist(d research.Digest, texts map[string]string) []research.Gate {
	d.Gates = nil
	c := checks.Checked{Digest: d, Texts: texts}
	b, err := json.Marshal(d)
	if err == nil {
		err = answer.Fits(b, research.DigestSchema)
	}
	if err != nil {
		c.Invalid = err.Error()
	}
	if c.Page, err = render.HTML(d); err != nil {
		c.PageFault = err.Error()
	}
	out := checks.Checklist(c)
	for i := range out {
		out[i].Title = render.GateTitle(out[i].Name, d.Lang)
	}
	return out
}

// checklist holds the finished report against the checklist. Nothing is delivered in silence: what does not hold is told on the front page,
// and a sentence without a source leaves the body for the issues first.
func (p *printer) checklist(d *research.Digest) error {
	unverified(d)
	d.Gates = Checklist(*d, p.view.Texts)
	var failed []string
	zh := d.Lang == "zh"
	for _, g := range d.Gates {
		if g.State == research.GateFail {
			failed = append(failed, g.Title+pickWord(zh, ": ", "：")+strings.Join(g.Notes, pickWord(zh, "; ", "；")))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	call := research.Callout{Level: "warn", Label: ChecklistLabel(d.Lang), Text: fmt.Sprintf(pickWord(zh, "%d of %d lines of the checklist do not hold. %s.", "清单 %[2]d 项中有 %[1]d 项未通过。%[3]s。"),
		len(failed), len(d.Gates), strings.Join(failed, pickWord(zh, ". ", "。")))}
	d.Callouts = append([]research.Callout{call}, d.Callouts...)
	return nil
}

// ChecklistLabel is the label of the front page's call-out that tells what of the checklist does not hold.
func ChecklistLabel(lang string) string { return pickWord(lang == "zh", "Checklist", "核查清单") }

// unverified moves findings without a source out of the body into the issues. The bank lets none through; this is the last look.
func unverified(d *research.Digest) {
	for i := range d.Sections {
		var kept []research.DigestFinding
		for _, f := range d.Sections[i].Findings {
			if len(f.Refs) == 0 || len(f.Citations) == 0 {
				d.Issues = append(d.Issues, research.Issue{Kind: "claim", Text: f.Text, Reason: pickWord(d.Lang == "zh", "it cites no source", "没有引用来源")})
				continue
			}
			kept = append(kept, f)
		}
		if len(kept) < len(d.Sections[i].Findings) {
			d.Sections[i].Findings = append([]research.DigestFinding{}, kept...)
		}
	}
}
