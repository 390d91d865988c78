package intent

import (
	"regexp"
	"strings"

	"assay/engine/research"
)

// angleWords are what each angle adds to the subject. Origin: the ten angles of the Hermes design; the words are ours.
var angleWords = map[string]map[research.Angle]string{
	"en": {
		"overview": "overview introduction", "primary_research": "study data evidence", "history": "history origin timeline",
		"current_state": "current status latest", "mechanism": "how it works mechanism", "criticism": "criticism problems limitations",
		"opposition": "opposition against drawbacks alternative", "regulatory": "regulation standard policy requirements",
		"economics": "cost price economics", "future": "future plans outlook",
	},
	"zh": {
		"overview": "概述 介绍", "primary_research": "研究 数据", "history": "历史 起源", "current_state": "现状 最新", "mechanism": "原理 机制",
		"criticism": "批评 问题 局限", "opposition": "反对 缺点 替代", "regulatory": "规定 标准 政策", "economics": "成本 价格 经济", "future": "未来 计划",
	},
}

// subjectWords bounds the subject of an angle query: the names of the question, or its first content words.
const subjectWords = 6

// Subject is what the angles ask about: the entities of the question, or its first content words when it names none.
func Subject(u research.Understanding) string {
	var words []string
	for _, e := range u.Entities {
		words = append(words, e.Text)
	}
	if len(words) == 0 {
		return strings.Join(u.Terms[:min(len(u.Terms), subjectWords)], " ")
	}
	return strings.Join(words[:min(len(words), subjectWords)], " ")
}

// AngleQuery is the query of one angle.
func AngleQuery(u research.Understanding, a research.Angle) research.Query {
	words := angleWords[u.Lang]
	if words == nil {
		words = angleWords["en"]
	}
	return research.Query{Text: strings.TrimSpace(Subject(u) + " " + words[a]), Lang: u.Lang, Angle: a}
}

// operator is advanced search syntax; a query that has it is left as it is (Alg. 2).
var operator = regexp.MustCompile(`(?i)\b(?:site|after|before|intitle|filetype):|"[^"]+"|\bOR\b`)

// Optimise returns the variants of a query (Alg. 2): the years of the temporal context, and an exact phrase for what the
// question quotes. Each provider has its own syntax for dates and sites, so those go in fields, not in words.
func Optimise(q research.Query, u research.Understanding) []research.Query {
	if operator.MatchString(q.Text) {
		return nil
	}
	var out []research.Query
	if y := u.Temporal.Range.Start; len(y) >= 4 && u.Temporal.Category != "Past" && !strings.Contains(q.Text, y[:4]) {
		v := q
		v.Text = y[:4] + " " + q.Text
		out = append(out, v)
		v = q
		v.Range = u.Temporal.Range
		out = append(out, v)
	}
	return out
}
