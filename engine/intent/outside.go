package intent

import (
	"net/url"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// mostOutside is how many queries go to each provider outside at most, by depth. Hermes asks eight.
var mostOutside = map[research.Depth]int{research.Quick: 8, research.Standard: 16, research.Deep: 28}

// sooner is the order of the angles when not all can be asked: the two that ask for counter-evidence are never left out.
var sooner = []research.Angle{"overview", "criticism", "opposition", "primary_research", "current_state", "history", "mechanism", "regulatory", "economics", "future"}

// Outside lists what providers outside are asked about a question, at most most queries (0: what the depth says): each facet, then
// the ten angles in the question's language, each facet qualified by its time (Alg. 2), then the angles in English. Only the words of
// the question and those of the angles are in it.
func Outside(u research.Understanding, depth research.Depth, most int) []research.Query {
	if most <= 0 {
		if most = mostOutside[depth]; most == 0 {
			most = mostOutside[research.Standard]
		}
	}
	var out []research.Query
	seen := map[string]bool{}
	add := func(q research.Query) {
		q.Text = strings.TrimSpace(q.Text)
		key := strings.ToLower(q.Text) + "|" + q.Lang + "|" + q.Range.Start + "|" + q.Range.End
		if q.Text == "" || seen[key] || len(out) >= most {
			return
		}
		seen[key] = true
		q.Outside = true
		out = append(out, q)
	}
	subject := SubjectWords(u)
	var facets []research.Query
	for _, f := range u.Facets {
		words := Keywords(f.Text, u.Lang)
		if len(u.Facets) > 1 && !holdsAll(f.Text, subject, u.Lang) {
			words = joinWords(subject, words)
		}
		facets = append(facets, research.Query{Text: words, Lang: u.Lang, Facet: f.ID, Limit: OutsideHits})
	}
	// The first half of the room is for facets, so that the angles are always asked.
	for _, q := range facets[:min(len(facets), max(1, most/2))] {
		add(q)
	}
	angle := func(a research.Angle, lang, subject string) {
		words := angleWords[lang]
		if words == nil {
			words = angleWords["en"]
		}
		add(research.Query{Text: subject + " " + words[a], Lang: lang, Angle: a, Limit: OutsideHits})
	}
	for _, a := range sooner {
		angle(a, u.Lang, subject)
	}
	for _, q := range facets {
		for _, v := range Optimise(q, u) {
			add(v)
		}
	}
	if u.Lang != "en" {
		latin := latinWords(u)
		for _, a := range sooner {
			angle(a, "en", latin)
		}
	}
	return out
}

// OutsideHits is how many results a query to a provider outside asks for.
const OutsideHits = 10

var rewordings = map[string][]string{
	"en": {"controversy debate", "failure risks disadvantages"},
	"zh": {"争议 质疑", "失败 风险 弊端"},
}

// Reworded are other wordings of the two angles that ask for counter-evidence, for when the first found too little.
func Reworded(u research.Understanding) []string {
	var out []string
	for _, w := range rewordings[u.Lang] {
		out = append(out, SubjectWords(u)+" "+w)
	}
	return out
}

// Keywords are the content words of a text as they are written, in order, with quoted phrases whole. Chinese is kept in runs,
// without the words that only ask.
func Keywords(s, lang string) string {
	if operator.MatchString(s) {
		return strings.TrimRight(strings.Join(strings.Fields(s), " "), "?？!！。.")
	}
	if lang == "zh" {
		for _, w := range onlyAsk {
			s = strings.ReplaceAll(s, w, " ")
		}
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '-' && r != '.' }), " ")
	}
	var out []string
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, `.,;:?!()[]{}"“”‘’'`)
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		t := text.Tokens(w)
		if w == "" || len(t) == 0 || len(t) == 1 && text.StopWord(t[0].Norm, lang) {
			continue
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return strings.Join(strings.Fields(s), " ")
	}
	return strings.Join(out, " ")
}

// onlyAsk are the words of a Chinese question that only ask, the longer ones first.
var onlyAsk = strings.Fields(`什么时候 为什么 是什么 怎么样 多少年 哪一年 有哪些 是谁 何时 如何 怎样 怎么 哪些 哪个 哪里 多少 什么 请问 吗 呢`)

// SubjectWords is [Subject] in the words of the question instead of their stems, filled up with what the question says beside the
// names: a name alone is not what was asked about it.
func SubjectWords(u research.Understanding) string {
	words := Keywords(u.Question, u.Lang)
	if len(u.Entities) > 0 {
		words = joinWords(Subject(u), words)
	}
	w := strings.Fields(words)
	return strings.Join(w[:min(len(w), subjectWords)], " ")
}

// latinWords is the part of the subject that an English text would have too; all of it when there is none.
func latinWords(u research.Understanding) string {
	var out []string
	for _, t := range text.Tokens(u.Question) {
		if t.Text[0] < 0x80 && !text.StopWord(t.Norm, "en") {
			out = append(out, t.Text)
		}
	}
	if len(out) == 0 {
		return SubjectWords(u)
	}
	return strings.Join(out[:min(len(out), subjectWords)], " ")
}

func holdsAll(s, words, lang string) bool {
	in := text.TermSet(s, lang)
	for _, t := range text.Terms(words, lang) {
		if !in[t] {
			return false
		}
	}
	return true
}

// joinWords is a and what b adds to it.
func joinWords(a, b string) string {
	have := map[string]bool{}
	out := strings.Fields(a)
	for _, w := range out {
		have[strings.ToLower(w)] = true
	}
	for _, w := range strings.Fields(b) {
		if !have[strings.ToLower(w)] {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// Resolvers give the address that stands for an exact identifier; the DOI handbook, arXiv, NLM, NVD and Open Library name these forms.
func Resolvers(ids []research.Identifier) []string {
	var out []string
	for _, id := range ids {
		v := id.Value
		switch id.Kind {
		case "url":
			out = append(out, v)
		case "doi":
			out = append(out, "https://doi.org/"+strings.ReplaceAll(url.PathEscape(v), "%2F", "/"))
		case "arxiv":
			out = append(out, "https://arxiv.org/abs/"+v)
		case "pmid":
			out = append(out, "https://pubmed.ncbi.nlm.nih.gov/"+v+"/")
		case "cve":
			out = append(out, "https://nvd.nist.gov/vuln/detail/"+strings.ToUpper(v))
		case "isbn":
			out = append(out, "https://openlibrary.org/isbn/"+strings.NewReplacer("-", "", " ", "").Replace(v))
		}
	}
	return out
}

// OwnWords are all the words that code adds to those of a question.
func OwnWords() []string {
	var out []string
	for _, lang := range []string{"en", "zh"} {
		for _, a := range research.Angles {
			out = append(out, angleWords[lang][a])
		}
		out = append(out, rewordings[lang]...)
	}
	return out
}
