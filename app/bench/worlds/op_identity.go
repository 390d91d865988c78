package worlds

import (
	"slices"
	"strings"

	"assay/engine/research"
)

// identityOperators are defects of citations and sources.
var identityOperators = []Operator{
	{ID: "16", Name: "reference to a source that does not exist", Targets: []string{"citationindexrange"}, apply: func(w World, r *random) (Mutant, bool) {
		b := w.block(w.anyOf(r, "output", "cost", "share", "neg", "deal"))
		bad := pick(r, []string{"s999", "s0", "s2", "s-1", "99"})
		b.Refs = append(b.Refs, bad)
		return Mutant{View: w.View, At: []string{b.ID, w.section(b.ID).ID}, Change: b.ID + " refers to " + bad}, true
	}},
	{ID: "17", Name: "invented address on a real host", Targets: []string{"unfetchedurl"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "cost", "share", "neg", "deal")
		host := strings.SplitN(w.View.Sources[r.below(11)].Location, "/", 4)[2]
		tail := pick(r, []string{"/reports/2024/summary", "/news/archive/118", "/en/data.html", "/a/b/c?id=7"})
		return w.retext(id, func(s string) string { return strings.TrimRight(s, ".。") + " (https://" + host + tail + ")." })
	}},
	{ID: "18", Name: "a rejected source cited", Targets: []string{"flaggedsourcecited"}, apply: func(w World, r *random) (Mutant, bool) {
		b := w.block(w.anyOf(r, "output", "cost", "share", "neg", "deal"))
		bad := w.View.Sources[pick(r, []int{12, 13, 15})].ID
		b.Refs = append(b.Refs, bad)
		return Mutant{View: w.View, At: []string{b.ID}, Change: b.ID + " refers to " + bad}, true
	}},
	{ID: "19", Name: "an error page or a bot wall in place of a text", Targets: []string{"unusablesource"}, apply: func(w World, r *random) (Mutant, bool) {
		s := &w.View.Sources[r.below(11)]
		w.View.Texts[s.SHA256] = pick(r, w.half(deadPages))
		return Mutant{View: w.View, At: []string{s.ID}, Change: s.ID + " is " + clip(w.View.Texts[s.SHA256])}, true
	}},
	{ID: "20a", Name: "a source that says a machine wrote it", Targets: []string{"sourceauthenticity"}, apply: func(w World, r *random) (Mutant, bool) {
		s := &w.View.Sources[r.below(11)]
		words := pick(r, w.half(map[string][]string{"en": machineEN, "zh": machineZH}[w.Lang]))
		w.View.Texts[s.SHA256] += "\n\n" + words
		return Mutant{View: w.View, At: []string{s.ID}, Change: s.ID + " says " + words}, true
	}},
	{ID: "20b", Name: "a free blog without a named author", Targets: []string{"sourceauthenticity"}, apply: func(w World, r *random) (Mutant, bool) {
		s := &w.View.Sources[r.between(6, 8)]
		host := pick(r, w.half([]string{"https://notes-on-everything.blogspot.com/", "https://valleythoughts.wordpress.com/", "https://someone.tumblr.com/", "https://medium.com/@anon771/"}))
		s.Location, s.Byline, s.Publisher, s.Voice, s.Origin, s.Tier = host+"2026/05/post.html", pick(r, []string{"Admin", "", "Editor"}), "", host, research.Personal, 3
		return Mutant{View: w.View, At: []string{s.ID}, Change: s.ID + " is " + s.Location}, true
	}},
	{ID: "21", Name: "references of a sentence with a number gone", Targets: []string{"uncitedclaim"}, apply: func(w World, r *random) (Mutant, bool) {
		b := w.block(w.anyOf(r, "output", "prior", "cost", "share", "counted", "upkeep", "opened", "staff"))
		b.Refs, b.Citations, b.Claims, b.Confidence, b.Band, b.Label = nil, nil, nil, "", "", ""
		return Mutant{View: w.View, At: []string{b.ID, w.section(b.ID).ID}, Change: b.ID + " cites nothing"}, true
	}},
	{ID: "22", Name: "references of two sentences exchanged", Targets: []string{"citationmisplaced"}, apply: func(w World, r *random) (Mutant, bool) {
		// Facts that one page alone tells: there the right reference can be worked out.
		a, b := w.block("best"), w.block("staff")
		if a == nil || b == nil {
			return Mutant{}, false
		}
		a.Refs, b.Refs = b.Refs, a.Refs
		a.Citations, b.Citations = b.Citations, a.Citations
		a.Claims, b.Claims = b.Claims, a.Claims
		return Mutant{View: w.View, At: []string{"best", "staff"}, Change: "the references of best and staff are exchanged"}, true
	}},
	{ID: "23", Name: "a claim from another world", Targets: []string{"unsupportedclaim"}, apply: func(w World, r *random) (Mutant, bool) {
		topics := slices.DeleteFunc(Topics(), func(t string) bool { return t == w.Topic || PartOf(t) != PartOf(w.Topic) })
		other := newSetting(pick(r, topics), w.Lang, w.Variant+1)
		id := w.anyOf(r, "output", "cost", "share", "upkeep", "best")
		// Another fact as well: the same one would share all but its names with the page.
		words := other.say(map[string]string{"output": "upkeep", "cost": "neg", "share": "opened", "upkeep": "hedge", "best": "cost"}[id], min(w.Level, 2))
		return w.retext(id, func(string) string { return words })
	}},
}

// machineEN and machineZH are how machine-made pages give themselves away; deadPages is what stands in place of a page.
var (
	machineEN = []string{
		"As an AI language model, I cannot visit the site, but here is what is generally known.", "As an AI assistant, I have summarised the main points for you.",
		"I am an AI language model and my training data ends before that date.", "As a large language model, I do not have personal opinions on this.",
		"Note: as an AI, I cannot verify the figures above.", "As of my last knowledge update, these were the latest numbers.",
	}
	machineZH = []string{
		"作为一个人工智能语言模型，我无法亲自访问现场。", "作为AI助手，我为您总结了主要内容。", "作为大语言模型，我没有个人观点。", "我是一个人工智能助手，以上内容仅供参考。",
	}
	deadPages = []string{
		"404 Not Found. The requested page was not found on this server.", "Page not found. It may have been moved. Try the search or go back to the home page.",
		"Just a moment... Checking your browser before accessing the site.", "Access denied. You do not have permission to view this page.",
		"Please enable JavaScript to continue.", "Please verify you are a human to continue reading.", "Attention required! Are you a robot?", "",
		"页面不存在，可能已被删除。", "访问被拒绝，请完成安全验证。",
	}
)
