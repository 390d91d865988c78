package engine

import (
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/research"
)

// summarised is the most findings a summary quotes; with the sentence on coverage it has two to four sentences.
const summarised = 3

// words writes what code says in a report: standfirst, summary, verdict, call-outs, future work. Each is made from counts
// and findings; none is a model's.
func (p *printer) words() {
	d, zh := p.d, p.d.Lang == "zh"
	parts := p.parts()
	st := d.SourceStats
	if d.Subtitle = plural(d.Metrics.Findings, "finding") + " from " + plural(st.Verified, "document") + " opened and read, " + plural(st.Independent, "voice"); zh {
		d.Subtitle = fmt.Sprintf("来自 %d 份已读文档（%d 个来源）的 %d 条发现", st.Verified, st.Independent, d.Metrics.Findings)
	}
	d.Summary = p.summary(parts)
	d.Verdict = p.verdictLine(parts)
	d.Callouts = []research.Callout{}
	call := func(level, label, text string) {
		d.Callouts = append(d.Callouts, research.Callout{Level: level, Label: label, Text: text})
	}
	if d.Metrics.Findings == 0 {
		call("error", pickWord(zh, "Not found", "未找到"), pickWord(zh, "The documents that were read hold no answer. What is missing is listed under Gaps.", "所读文档中没有答案，缺失内容列于“缺口”。"))
	}
	if st.AcademicOnly {
		call("info", pickWord(zh, "Academic sources only", "仅有学术来源"), pickWord(zh, "Every source is a paper or of a university; other kinds were not found.", "所有来源均为学术来源，未找到其他类型。"))
	}
	for _, x := range d.Contradicts {
		if x.Resolution == evidence.Evolution {
			continue // both hold, each at its time: nobody disagrees
		}
		call("warn", pickWord(zh, "Sources disagree", "来源不一致"), d.Claims[x.A].Text+" — "+d.Claims[x.B].Text)
		if len(d.Callouts) > 4 {
			break
		}
	}
	if len(p.Without) > 0 {
		call("warn", pickWord(zh, "Ablation", "消融"), fmt.Sprintf(pickWord(zh, "This report was made without %s, to see what that is worth; it is not one to rely on.", "本报告未使用 %s，仅用于评估其作用，不可作为依据。"), strings.Join(p.Without, ", ")))
	}
	level := "info"
	if p.salvaged {
		level = "warn"
	}
	call(level, pickWord(zh, "Model", "模型"), strings.TrimSpace(d.Model.Note+" "+d.Model.Why))
	for _, g := range d.Gaps {
		line := g.Name + ". " + g.Reason
		if len(g.Queries) > 0 {
			line += " " + fmt.Sprintf(pickWord(zh, "Search next: %s.", "下一步检索：%s。"), strings.Join(g.Queries, "; "))
		}
		d.FutureWork = append(d.FutureWork, line)
	}
	if len(d.FutureWork) == 0 {
		d.FutureWork = []string{pickWord(zh, "Ask again when the sources have newer editions.", "来源更新后可再次提问。")}
	}
	d.Metaphors = []string{}
}

// parts counts the parts of a question by what was found for them.
type parts struct {
	asked    int
	answered int // a finding answers it
	touched  int // there are findings, and none of them answers it
}

// parts reads the sections: a part that asks for a kind of thing is answered only where a printed finding rests on a claim
// that answers it.
func (p *printer) parts() parts {
	n := parts{asked: len(p.in.Meaning.Facets)}
	for _, f := range p.in.Meaning.Facets {
		found, answered := false, false
		for _, s := range p.d.Sections {
			if !slices.Contains(s.Facets, f.ID) {
				continue
			}
			for _, x := range s.Findings {
				found = true
				for _, c := range x.Claims {
					answered = answered || slices.Contains(p.in.Result.Answering, c)
				}
			}
		}
		switch {
		case answered || found && !kindAsked(f.Want):
			n.answered++
		case found:
			n.touched++
		}
	}
	return n
}

// plural is "1 voice", "2 voices".
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// summary quotes the first finding of each section that says something, at most three, before a sentence on how much was answered.
func (p *printer) summary(n parts) string {
	zh := p.d.Lang == "zh"
	if p.d.Metrics.Findings == 0 {
		if n := p.d.SourceStats.Verified; n == 1 && !zh {
			return "1 document was opened and read. It does not answer the question."
		}
		return fmt.Sprintf(pickWord(zh, "%d documents were opened and read. None of them answers the question.", "已打开并阅读 %d 份文档。均未回答该问题。"), p.d.SourceStats.Verified)
	}
	var out []string
	for _, s := range p.d.Sections {
		if len(s.Findings) > 0 && len(out) < summarised {
			// What says only what a text is about is no answer while another does answer.
			f := s.Findings[0]
			if i := slices.IndexFunc(s.Findings, func(f research.DigestFinding) bool { return !checks.Metadiscourse(f.Text) }); i >= 0 {
				f = s.Findings[i]
			}
			keys := ""
			for _, r := range f.Refs {
				keys += fmt.Sprintf("[%d]", r+1)
			}
			out = append(out, pickWord(zh, "“"+oneSentence(f.Text)+"” ", "“"+oneSentence(f.Text)+"”")+keys+pickWord(zh, ".", "。"))
		}
	}
	out = append(out, fmt.Sprintf(pickWord(zh, "The documents speak to %d of %d parts of the question.", "所读文档回应了问题 %[2]d 个部分中的 %[1]d 个。"), n.answered, n.asked))
	if n.touched > 0 {
		out = append(out, fmt.Sprintf(pickWord(zh, "They only touch %d: no passage about it holds what it asks for.", "另有 %d 个仅有涉及：相关段落中没有所问的内容。"), n.touched))
	}
	return strings.Join(out, " ")
}

// oneSentence takes quotation inside a sentence of its own: the last stop goes.
func oneSentence(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".。") }

func (p *printer) verdictLine(n parts) string {
	zh := p.d.Lang == "zh"
	accept := 0
	for _, f := range p.findings {
		if f.Band == research.Accept {
			accept++
		}
	}
	switch {
	case p.d.Metrics.Findings == 0:
		return pickWord(zh, "Not found in the documents.", "文档中未找到。")
	case accept > 0:
		return fmt.Sprintf(pickWord(zh, "%d of %d findings are confirmed by independent voices.", "%[2]d 条发现中有 %[1]d 条得到独立来源证实。"), accept, len(p.findings))
	case n.answered == 0:
		return pickWord(zh, "No direct answer found; the closest passages are quoted.", "未找到直接答案，仅引用最接近的段落。")
	case n.answered < n.asked:
		return pickWord(zh, "Passages speak to a part of the question only, each from one voice or few.", "仅部分问题有相关段落，且来源单一或很少。")
	}
	return pickWord(zh, "Passages that speak to every part are quoted, each from one voice or few.", "各部分均有相关段落可引，但来源单一或很少。")
}
