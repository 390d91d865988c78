package worlds

import (
	"encoding/json"
	"strings"

	"assay/checks"
	"assay/engine/research"
)

// callOperators are defects of a model call and of what it was given.
var callOperators = []Operator{
	{ID: "1", Name: "full window, empty answer", Targets: []string{"contextoverflow"}, apply: onCall(func(_ World, d *research.Dispatch, _ *random) bool {
		d.PromptTokens, d.AnswerTokens, d.Visible, d.DoneReason = d.NumCtx, 0, "", "length"
		return true
	})},
	{ID: "2", Name: "blank answer, or only thinking", Targets: []string{"emptyoutput"}, apply: onCall(func(_ World, d *research.Dispatch, r *random) bool {
		d.Visible = pick(r, []string{"", "\n\n", " ", "```\n```"})
		if r.below(2) == 0 {
			d.Thinking = strings.Repeat("The figures of the first source come first. ", 20)
		}
		return true
	})},
	{ID: "3", Name: "JSON cut at a random byte", Targets: []string{"malformedoutput"}, apply: onCall(func(_ World, d *research.Dispatch, r *random) bool {
		n := len(d.Visible)
		d.Visible = strings.ToValidUTF8(d.Visible[:r.between(n/10, n-2)], "")
		return !json.Valid([]byte(d.Visible))
	})},
	{ID: "4", Name: "residue of control tokens", Targets: []string{"controltokenleak"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "prior", "cost", "counted", "share", "linked", "quote1", "deal")
		residue := pick(r, w.half(residues))
		return w.retext(id, func(s string) string {
			if r.below(2) == 0 {
				return residue + s
			}
			return s + residue
		})
	}},
	{ID: "5", Name: "a call or a plan as text where an object was due", Targets: []string{"toolcallnarration"}, apply: onCall(func(w World, d *research.Dispatch, r *random) bool {
		said := callsEN
		if w.Lang == "zh" {
			said = callsZH
		}
		d.Visible = pick(r, w.half(said))
		return true
	})},
	{ID: "6", Name: "all findings of a facet flagged", Targets: []string{"emptyevidence"}, apply: func(w World, r *random) (Mutant, bool) {
		f := pick(r, w.View.Facets).ID
		for id, c := range w.View.Claims {
			if c.Facet == f {
				c.Flags = []string{"numberunsupported"}
				w.View.Claims[id] = c
			}
		}
		for i := range w.View.Findings {
			if w.View.Findings[i].Facet == f {
				w.View.Findings[i].Flags = []string{"numberunsupported"}
			}
		}
		w.View.Gate = []checks.Gate{{Facet: f}}
		return Mutant{View: w.View, At: []string{f}, Change: "every finding of " + f + " is flagged"}, true
	}},
	{ID: "7", Name: "a paragraph twelve times", Targets: []string{"degeneraterepetition"}, apply: func(w World, r *random) (Mutant, bool) {
		sec := pick(r, w.View.Draft.Sections)
		para := sec.Blocks[0].Text + " " + sec.Blocks[1].Text
		return w.retext(sec.Blocks[0].ID, func(string) string { return strings.TrimSpace(strings.Repeat(para+"\n\n", 12)) })
	}},
	{ID: "8", Name: "a sentence forty times", Targets: []string{"degeneraterepetition"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "cost", "share", "neg", "upkeep")
		return w.retext(id, func(s string) string { return strings.TrimSpace(strings.Repeat(s+" ", 40)) })
	}},
	{ID: "9a", Name: "report cut at 30 to 80 %, the reason of ending kept", Targets: []string{"truncatedoutput"}, apply: func(w World, r *random) (Mutant, bool) {
		m, ok := cutReport(w, r)
		for i := range m.View.Dispatches {
			d := &m.View.Dispatches[i]
			if ok && d.Task == m.At[0] {
				d.DoneReason, d.AnswerTokens = "length", 1500
				d.Visible = strings.ToValidUTF8(d.Visible[:len(d.Visible)*r.between(30, 80)/100], "")
				m.At = append(m.At, string(d.Role)+"/"+d.Task)
			}
		}
		return m, ok
	}},
	{ID: "9b", Name: "report cut at 30 to 80 %, by its shape alone", Targets: []string{"truncatedoutput"}, Apart: "shape alone; a cut at the end of a paragraph has none", apply: cutReport},
	{ID: "10", Name: "refusal or disclaimer", Targets: []string{"refusaltext"}, apply: func(w World, r *random) (Mutant, bool) {
		said := refusalsEN
		if w.Lang == "zh" {
			said = refusalsZH
		}
		words := pick(r, w.half(said))
		id := w.anyOf(r, "output", "share", "quote1")
		return w.retext(id, func(s string) string { return words + w.gap() + s })
	}},
}

// onCall is an operator on one of the calls that wrote a section.
func onCall(change func(World, *research.Dispatch, *random) bool) func(World, *random) (Mutant, bool) {
	return func(w World, r *random) (Mutant, bool) {
		d := &w.View.Dispatches[r.below(len(w.View.Dispatches))]
		if !change(w, d, r) {
			return Mutant{}, false
		}
		return Mutant{View: w.View, At: []string{string(d.Role) + "/" + d.Task, d.Task}, Change: "answer: " + clip(d.Visible)}, true
	}
}

// gap is what stands between two sentences.
func (w World) gap() string {
	if w.Lang == "zh" {
		return ""
	}
	return " "
}

// cutReport cuts the draft in the middle of a sentence and drops what follows.
func cutReport(w World, r *random) (Mutant, bool) {
	share := r.between(30, 80)
	total, at := 0, 0
	for _, s := range w.View.Draft.Sections {
		for _, b := range s.Blocks {
			total += len(b.Text)
		}
	}
	for i, s := range w.View.Draft.Sections {
		for j := range s.Blocks {
			b := &w.View.Draft.Sections[i].Blocks[j]
			if at += len(b.Text); at*100 < total*share || b.Kind == research.BlockTable {
				continue
			}
			words := []rune(b.Text)
			cut := strings.TrimSpace(string(words[:len(words)*r.between(30, 85)/100]))
			if cut == "" || strings.ContainsAny(cut[len(cut)-1:], ".!?:;,)]") || strings.HasSuffix(cut, "。") || strings.HasSuffix(cut, "”") {
				return Mutant{}, false
			}
			b.Text = cut
			w.View.Draft.Sections[i].Blocks = s.Blocks[:j+1]
			w.View.Draft.Sections = w.View.Draft.Sections[:i+1]
			return Mutant{View: w.View, At: []string{s.ID, b.ID}, Change: "ends with " + clip(cut)}, true
		}
	}
	return Mutant{}, false
}

// residues are what chat templates, reasoning models and citation widgets leave behind.
var residues = []string{
	"<think>The cost comes first.</think>", "</think>", "<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>", "assistantfinal",
	":contentReference[oaicite:3]{index=3}", "turn0search4", "turn2view1", "<|im_end|>", "<|im_start|>assistant", "<thinking>Which year?</thinking>", "<|return|>",
}

var callsEN = []string{
	"I will now write the findings for this part of the question.",
	"Let me read the passages once more and then compile the sentences.",
	`write_findings({"path": "findings.md", "content": "..."})`,
	`<tool_call>{"name": "search", "arguments": {"query": "upkeep costs"}}</tool_call>`,
	`{"name": "write_file", "arguments": {"path": "findings.md", "text": "..."}}`,
	"I'm going to summarise the findings now.",
	"First I need to look at the second passage, then I will write the answer.",
	"[TOOL_CALLS] search_web {\"q\": \"annual figures\"}",
}

var callsZH = []string{
	"我将先阅读这些段落，然后整理结果。",
	"接下来我将撰写这一部分的结论。",
	`write_findings({"path": "findings.md", "content": "..."})`,
	`<tool_call>{"name": "search", "arguments": {"query": "维护支出"}}</tool_call>`,
	`{"name": "write_file", "arguments": {"path": "findings.md", "text": "..."}}`,
	"让我再读取一次第二段，然后开始整理。",
}

var refusalsEN = []string{
	"I'm sorry, but I can't help with that.", "As an AI language model, I cannot verify these figures.", "As of my last update, no newer figures were known to me.",
	"I cannot provide an answer to this question.", "I am unable to assist with this request.", "My knowledge cutoff prevents me from saying more.",
	"As an AI, I do not have access to real-time data.", "I apologize, but I cannot fulfill this request.", "Unfortunately, I can't browse the internet to confirm this.",
}

var refusalsZH = []string{
	"抱歉，我无法回答这个问题。", "作为一个人工智能语言模型，我无法核实这些数据。", "截至我的知识更新日期，没有更新的数据。", "很抱歉，我不能提供这方面的帮助。",
	"作为AI助手，我无法访问实时信息。", "对不起，我无法满足这一请求。",
}
