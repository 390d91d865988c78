package worlds

import (
	"strings"

	"assay/engine/research"
)

// shapeOperators are defects of the report as a text.
var shapeOperators = []Operator{
	{ID: "11", Name: "a section in another language", Targets: []string{"wronglanguage"}, apply: func(w World, r *random) (Mutant, bool) {
		other := Make(w.Topic, map[string]string{"en": "zh", "zh": "en"}[w.Lang], w.Level, w.Variant)
		i := r.below(len(w.View.Draft.Sections))
		sec := &w.View.Draft.Sections[i]
		at := []string{sec.ID, string(research.FindingsWriter) + "/" + sec.ID}
		for j := range sec.Blocks {
			if sec.Blocks[j].Kind != research.BlockTable {
				sec.Blocks[j].Text = other.View.Draft.Sections[i].Blocks[j].Text
			}
			at = append(at, sec.Blocks[j].ID)
		}
		for j := range w.View.Dispatches {
			if w.View.Dispatches[j].Task == sec.ID {
				w.View.Dispatches[j].Visible = other.View.Dispatches[j].Visible
			}
		}
		return Mutant{View: w.View, At: at, Change: "section " + sec.ID + " in " + other.Lang}, true
	}},
	{ID: "12", Name: "placeholder", Targets: []string{"placeholdertext"}, apply: func(w World, r *random) (Mutant, bool) {
		said := holdersEN
		if w.Lang == "zh" {
			said = holdersZH
		}
		words := pick(r, w.half(said))
		id := w.anyOf(r, "output", "cost", "hedge", "upkeep")
		return w.retext(id, func(s string) string { return s + w.gap() + words })
	}},
	{ID: "13", Name: "process narration", Targets: []string{"processnarration"}, apply: narrate},
	{ID: "14", Name: "all blocks of a facet gone", Targets: []string{"missingfacet"}, apply: func(w World, r *random) (Mutant, bool) {
		i := r.below(len(w.View.Draft.Sections))
		f := w.View.Draft.Sections[i].ID
		w.View.Draft.Sections = append(w.View.Draft.Sections[:i:i], w.View.Draft.Sections[i+1:]...)
		return Mutant{View: w.View, At: []string{f}, Change: "no section for " + f}, true
	}},
	{ID: "15", Name: "a section without a body", Targets: []string{"emptysection"}, apply: func(w World, r *random) (Mutant, bool) {
		sec := &w.View.Draft.Sections[r.below(len(w.View.Draft.Sections))]
		sec.Blocks = nil
		if r.below(2) == 0 {
			sec.Blocks = []research.Block{{ID: "dash", Kind: research.BlockParagraph, Text: "-"}}
		}
		return Mutant{View: w.View, At: []string{sec.ID, "dash"}, Change: "section " + sec.ID + " is empty"}, true
	}},
	{ID: "N01", Name: "markup that is not closed", Targets: []string{"unclosedmarkup"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "neg", "deal")
		kind := r.below(4)
		return w.retext(id, func(s string) string {
			words := strings.SplitAfterN(s, " ", 3)
			switch {
			case kind == 0:
				return "```\n" + s
			case kind == 1 && len(words) == 3:
				return words[0] + "**" + words[1] + words[2]
			case kind == 2:
				return s + " <div class=\"note\">"
			}
			return "**" + s
		})
	}},
	{ID: "N02", Name: "a section twice", Targets: []string{"duplicatesection"}, apply: func(w World, r *random) (Mutant, bool) {
		i := r.below(len(w.View.Draft.Sections))
		sec := w.View.Draft.Sections[i]
		var words []string
		for _, b := range sec.Blocks {
			if b.Kind != research.BlockTable {
				words = append(words, b.Text)
			}
		}
		body := strings.Join(words, w.gap())
		long := research.Block{ID: "long", Kind: research.BlockParagraph, Text: body, Refs: sec.Blocks[0].Refs, Citations: sec.Blocks[0].Citations, Claims: sec.Blocks[0].Claims}
		twice := long
		twice.ID = "long2"
		w.View.Draft.Sections[i].Blocks = append(w.View.Draft.Sections[i].Blocks, long)
		j := (i + 1) % len(w.View.Draft.Sections)
		w.View.Draft.Sections[j].Blocks = append(w.View.Draft.Sections[j].Blocks, twice)
		return Mutant{View: w.View, At: []string{"long", "long2", sec.ID, w.View.Draft.Sections[j].ID}, Change: "a paragraph of " + sec.ID + " stands twice"}, true
	}},
	{ID: "N03", Name: "the prompt repeated in the text", Targets: []string{"promptecho"}, apply: func(w World, r *random) (Mutant, bool) {
		d := w.View.Dispatches[r.below(len(w.View.Dispatches))]
		lines := strings.Split(d.Prompt, "\n")
		echo := ""
		for _, l := range lines[:min(len(lines), 8)] {
			if len(strings.Fields(l)) >= 6 && !strings.Contains(w.View.Question, strings.TrimSpace(l)) {
				echo += strings.TrimSpace(l) + " "
			}
		}
		if len(strings.Fields(echo)) < 30 {
			return Mutant{}, false
		}
		sec := w.View.Draft.Sections[0]
		for _, s := range w.View.Draft.Sections {
			if s.ID == d.Task {
				sec = s
			}
		}
		return w.retext(sec.Blocks[0].ID, func(s string) string { return echo + s })
	}},
	{ID: "N04", Name: "paragraphs that say nothing", Targets: []string{"fillerpadding"}, apply: func(w World, r *random) (Mutant, bool) {
		said := fillersEN
		if w.Lang == "zh" {
			said = fillersZH
		}
		sec := &w.View.Draft.Sections[r.below(len(w.View.Draft.Sections))]
		at := []string{sec.ID}
		for i, words := range take(r, w.half(said), 2) {
			id := "filler" + string(rune('1'+i))
			sec.Blocks = append(sec.Blocks, research.Block{ID: id, Kind: research.BlockParagraph, Text: words, By: "made"})
			at = append(at, id)
		}
		return Mutant{View: w.View, At: at, Change: "paragraphs of filler in " + sec.ID}, true
	}},
}

// narrate puts a sentence about the work before a block, as a block of its own or in front of its words.
func narrate(w World, r *random) (Mutant, bool) {
	said := plansEN
	if w.Lang == "zh" {
		said = plansZH
	}
	words := pick(r, w.half(said))
	id := w.anyOf(r, "output", "cost", "share", "hedge", "upkeep", "deal")
	if r.below(2) == 0 {
		sec := w.section(id)
		sec.Blocks = append([]research.Block{{ID: "plan", Kind: research.BlockParagraph, Text: words, By: "made"}}, sec.Blocks...)
		return Mutant{View: w.View, At: []string{"plan", sec.ID}, Change: words}, true
	}
	return w.retext(id, func(s string) string { return words + w.gap() + s })
}

var holdersEN = []string{
	"[Insert market size here]", "[citation needed]", "(Author, Year)", "The appendix will be added here.", "Lorem ipsum dolor sit amet.", "{{subject_name}}", "[TODO: check the date]",
	"See https://example.com/report for more.", "[Your company name]", "[Add source]", "[TBD]", "[XX]%",
}

var holdersZH = []string{
	"[此处插入市场规模]", "[待补充]", "（作者，年份）", "此处将补充附录。", "{{项目名称}}", "[TODO：核对日期]", "详见 https://example.com/report 。", "【待填写】", "[来源待补]",
}

// plansEN and plansZH are sentences that report writers of the public are known to leave in: plans to search, what is still
// missing, the report announced, the writer's own search as a source. They were written before the check was run on them.
var plansEN = []string{
	"Let me search for more information about this.", "Now let me look for price data:", "I'll compile the final report.", "Let me gather more specific details on the costs.",
	"I need to find more recent data on this topic.", "Next, I will check the official statistics.", "I'll now search for the views of critics.", "Let me look at the operator's own figures.",
	"Now I have enough information to write the report.", "I have gathered sufficient information to answer the question.", "Here is the comprehensive report you asked for:",
	"Based on my research, the picture is as follows.", "Based on the search results, several points stand out.", "I should verify this with another source.",
	"To answer this question, I will first look into the cost of construction.", "Great, let me dig deeper into the upkeep.", "Finally, let me check the latest news.",
	"I will start by searching for an overview.", "Let me try a different query.", "I'm going to research the opposing views now.", "Okay, now I'll write the final report.",
	"Let's search for additional sources on this.", "I want to explore the effects in more detail.", "Let me now synthesize the findings into a structured report.",
	"I could not find any newer figures in my search.", "The user wants a report on costs and effects.", "Before writing, I need to collect a few more numbers.", "Let me fetch the full article.",
	"I've found several relevant articles.", "Allow me to summarize what I found.",
}

var plansZH = []string{
	"让我搜索更多相关信息。", "我需要继续查找最新的数据：", "接下来，我将查询官方统计数据。", "我将为您撰写一份深度调研报告。", "现在我需要了解更多关于维护费用的信息。",
	"让我们继续搜索批评者的观点：", "最后，让我查看一下运营方的资料。", "我已经收集了足够的信息，现在开始撰写报告。", "根据我的搜索结果，情况如下。", "根据搜集到的资料，可以看出以下几点。",
	"我还需要获取更多具体数据。", "首先，我来检索相关的背景资料。", "为了回答这个问题，我将先查阅建设费用的资料。", "需要进一步搜索有关争议的信息：", "以下是我整理的完整报告：",
	"让我再核实一下这个数字。", "我会从多个角度进行调研。", "好的，现在我来整理最终报告。", "让我打开这篇文章的全文。", "接下来搜索关于影响的研究：",
	"目前我还没有找到更新的数据。", "我先来了解一下整体情况。", "下面我将对搜集的信息进行总结。", "用户希望了解费用和影响。",
}

var fillersEN = []string{
	"In conclusion, this is a complex topic with many different aspects to consider.",
	"Overall, there are many factors at play, and it is important to look at the bigger picture.",
	"It is worth noting that opinions differ and that the future remains uncertain.",
	"As we have seen, the subject is multifaceted and deserves careful attention.",
	"Ultimately, only time will tell how things will develop from here.",
	"All in all, a balanced view is needed, and every case should be judged on its own merits.",
	"Taken together, these points show how rich and varied the subject is.",
	"In summary, much has been said, and much more remains to be said.",
}

var fillersZH = []string{
	"总之，这是一个复杂的话题，需要从多方面考虑。",
	"总的来说，影响因素很多，需要综合看待。",
	"值得注意的是，各方看法不一，未来仍存在不确定性。",
	"综上所述，这一问题十分重要，值得深入思考。",
	"最终如何发展，还有待时间检验。",
	"由此可见，这个问题涉及方方面面，不能一概而论。",
	"总体而言，机遇与挑战并存，需要理性看待。",
	"未来可期，让我们拭目以待。",
}
