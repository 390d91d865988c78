package extractive

import (
	"assay/engine/research"
)

// facetHypotheses bounds the hypotheses about single facets, so that with the two about agreement there are 3 to 5.
const facetHypotheses = 3

// hypotheses fills templates that code can test: what each facet's answer would look like, that voices agree on it, that
// they do not.
func hypotheses(in research.PlannerInput) research.PlannerAnswer {
	u := in.Understanding
	t := templates[u.Lang]
	if t == nil {
		t = templates["en"]
	}
	var out research.PlannerAnswer
	all := make([]string, len(u.Facets))
	for i, f := range u.Facets {
		all[i] = f.ID
		if i < facetHypotheses {
			out.Hypotheses = append(out.Hypotheses, research.PlannedHypothesis{
				Statement: t["state"] + f.Text, Rationale: t["state_why"] + want(t, f.Want),
				WouldConfirm: t["state_for"] + want(t, f.Want), WouldRefute: t["state_against"], Test: "states", Facets: []string{f.ID},
			})
		}
	}
	out.Hypotheses = append(out.Hypotheses,
		research.PlannedHypothesis{Statement: t["agree"] + u.Question, Rationale: t["agree_why"], WouldConfirm: t["agree_for"], WouldRefute: t["agree_against"], Test: "agree", Facets: all},
		research.PlannedHypothesis{Statement: t["differ"] + u.Question, Rationale: t["differ_why"], WouldConfirm: t["differ_for"], WouldRefute: t["differ_against"], Test: "differ", Facets: all})
	return out
}

func want(t map[string]string, w research.AnswerType) string {
	if s, ok := t[string(w)]; ok {
		return s
	}
	return t["any"]
}

var templates = map[string]map[string]string{
	"en": {
		"state": "A source states the answer to: ", "state_why": "The question asks for ", "state_for": "A passage that speaks of the subject and holds ",
		"state_against": "No opened source speaks of the subject in these words, or a source denies what is presupposed.",
		"agree":         "Independent voices agree on the answer to: ", "agree_why": "One voice alone can be wrong or out of date.",
		"agree_for": "Two or more independent voices give the same figure, date or name.", "agree_against": "Only one voice speaks to it, or voices give different values.",
		"differ": "Sources give different answers, by edition or by author, to: ", "differ_why": "Documents of different age often stand side by side.",
		"differ_for": "Two passages give different values for the same thing.", "differ_against": "All passages that speak to it give one value.",
		"any": "a statement", "person": "a person's name", "organisation": "the name of an organisation", "name": "a name or a term", "place": "a place",
		"date": "a date", "quantity": "a number", "reason": "a reason",
	},
	"zh": {
		"state": "有来源给出了答案：", "state_why": "问题要求的是", "state_for": "某段文字谈到该主题，并含有",
		"state_against": "打开的来源都没有这样谈及该主题，或有来源否认其前提。",
		"agree":         "相互独立的来源对答案一致：", "agree_why": "单一来源可能有误或过时。",
		"agree_for": "两个或更多独立来源给出相同的数字、日期或名称。", "agree_against": "只有一个来源谈及，或各来源数值不同。",
		"differ": "不同版本或作者的来源给出不同答案：", "differ_why": "新旧文档常常并存。",
		"differ_for": "两段文字对同一事物给出不同数值。", "differ_against": "谈及它的段落都给出同一数值。",
		"any": "一个陈述", "person": "人名", "organisation": "机构名称", "name": "名称或术语", "place": "地点", "date": "日期", "quantity": "数字", "reason": "原因",
	},
}
