package worlds

import (
	"strings"
)

// wordOperators are wrong names, words of others, and turned meanings.
var wordOperators = []Operator{
	{ID: "31", Name: "a name from outside", Targets: []string{"entityunsupported"}, apply: func(w World, r *random) (Mutant, bool) {
		s := w.set
		id := w.anyOf(r, "quote1", "quote2", "linked", "head", "deal")
		was := map[string]string{"quote1": s.head, "quote2": s.critic, "linked": s.scientist, "head": s.head, "deal": s.rival}[id]
		outside := w.strangers()
		list := outside[:4]
		if id == "deal" {
			list = outside[4:]
		}
		to := pick(r, list)
		if strings.Contains(w.everything(), to) {
			return Mutant{}, false
		}
		return w.retext(id, func(said string) string { return strings.ReplaceAll(said, was, to) })
	}},
	{ID: "32", Name: "a source about another thing of the same kind", Targets: []string{"subjectdrift"}, apply: func(w World, r *random) (Mutant, bool) {
		other := newSetting(w.Topic, w.Lang, w.Variant+7)
		if other.place == w.set.place {
			return Mutant{}, false
		}
		at := w.where["best"][0]
		if r.below(2) == 0 {
			at = w.where["staff"][0]
		}
		src := w.source(at.source)
		swap := strings.NewReplacer(w.set.subject, other.subject, capital(w.set.subject), capital(other.subject), w.set.place, other.place)
		src.Title = swap.Replace(src.Title)
		w.View.Texts[src.SHA256] = swap.Replace(w.View.Texts[src.SHA256])
		m := Mutant{View: w.View, At: []string{src.ID}, Change: src.ID + " is about " + other.subject}
		for i, p := range src.Passages {
			p.Text = swap.Replace(p.Text)
			src.Passages[i] = p
			w.View.Passages[p.ID] = p
		}
		for id, c := range w.View.Claims {
			if c.Source == src.ID {
				c.Text = swap.Replace(c.Text)
				w.View.Claims[id] = c
				m.At = append(m.At, id, strings.TrimPrefix(id, "c-"))
			}
		}
		return m, true
	}},
	{ID: "33", Name: "an invented quotation", Targets: []string{"quotefabricated"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "cost", "neg", "upkeep", "deal")
		who := pick(r, []string{w.set.head, w.set.critic, w.set.scientist})
		said := w.half(map[string][]string{"en": inventedEN, "zh": inventedZH}[w.Lang])
		words := pick(r, said)
		return w.retext(id, func(s string) string {
			if w.Lang == "zh" {
				return s + who + "说：“" + words + "。”"
			}
			return s + " “" + words + ",” " + who + " said."
		})
	}},
	{ID: "34a", Name: "words changed inside a quotation", Targets: []string{"quotefabricated"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "quote1", "quote2")
		return w.retext(id, func(s string) string {
			open, end := strings.Index(s, "“"), strings.Index(s, "”")
			if open < 0 || end < open {
				return s
			}
			inner := s[open+len("“") : end]
			if w.Lang == "zh" {
				runes := []rune(inner)
				i := r.between(2, len(runes)-4)
				return s[:open+len("“")] + string(runes[:i]) + pick(r, []string{"从来不", "总是", "早已"}) + string(runes[i+1:]) + s[end:]
			}
			words := strings.Fields(inner)
			for range r.between(1, 2) {
				words[r.between(1, len(words)-2)] = pick(r, []string{"never", "always", "profit", "public", "nobody", "tomorrow", "cheaply"})
			}
			return s[:open+len("“")] + strings.Join(words, " ") + s[end:]
		})
	}},
	{ID: "34b", Name: "a quotation given to another speaker", Targets: []string{"quotemisattributed"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "quote1", "quote2")
		swap := strings.NewReplacer(w.set.head, w.set.critic, w.set.critic, w.set.head)
		return w.retext(id, swap.Replace)
	}},
	{ID: "35", Name: "a negation put in or taken out, near the page's words", Targets: []string{"negationflip"}, apply: func(w World, r *random) (Mutant, bool) {
		if w.Level > 1 {
			return Mutant{}, false
		}
		return negate(w, r)
	}},
	{ID: "36", Name: "the same on a paraphrase", Targets: []string{"negationflip"}, Apart: "a paraphrase that is turned around lies beyond rules of words", apply: func(w World, r *random) (Mutant, bool) {
		if w.Level <= 1 {
			return Mutant{}, false
		}
		return negate(w, r)
	}},
	{ID: "37", Name: "a word of direction turned", Targets: []string{"directionflip"}, apply: func(w World, r *random) (Mutant, bool) {
		if w.Level > 2 {
			return Mutant{}, false // what is left of the page's words is under the check's alignment, as with negations
		}
		id := w.anyOf(r, "upkeep", "points")
		turn := strings.NewReplacer(" fell ", " rose ", " rose ", " fell ", "下降", "上升", "上升", "下降", " dropped ", " climbed ", " grew ", " shrank ", "降低", "提高", "提高", "降低")
		if id == "points" && w.Level == 1 && w.Lang == "en" {
			turn = strings.NewReplacer("a rise of", "a fall of")
		}
		return w.retext(id, turn.Replace)
	}},
	{ID: "38", Name: "two names of a sentence exchanged", Targets: []string{"roleswap"}, Apart: "which of two names does what is advisory by design", apply: func(w World, _ *random) (Mutant, bool) {
		swap := strings.NewReplacer(w.set.operator, w.set.rival, w.set.rival, w.set.operator)
		return w.retext("deal", swap.Replace)
	}},
	{ID: "39a", Name: "a hedge dropped", Targets: []string{"hedgedropped"}, apply: func(w World, r *random) (Mutant, bool) {
		s := w.set
		return w.retext("hedge", func(string) string {
			if w.Lang == "zh" {
				return pick(r, []string{s.univ + "的一项研究证明，" + s.subject + "将" + s.May + "。", s.univ + "的研究证实，" + s.subject + "必然" + s.May + "。"})
			}
			return pick(r, []string{"A study by " + s.univ + " proves that " + s.subject + " will " + s.May + ".", capital(s.subject) + " will " + s.May + ", a study by " + s.univ + " confirms."})
		})
	}},
	{ID: "39b", Name: "an association told as a cause", Targets: []string{"causalupgrade"}, apply: func(w World, r *random) (Mutant, bool) {
		cause := pick(r, []string{"causes", "leads to", "results in"})
		turn := strings.NewReplacer("is associated with", cause, "is linked with", cause, "is correlated with", cause, "the "+w.set.Kind+" correlated with", "that the "+w.set.Kind+" "+cause)
		if w.Lang == "zh" {
			return w.retext("linked", func(string) string {
				return w.set.univ + "的" + w.set.scientist + "写道，" + w.set.subject + pick(r, []string{"导致了", "造成了", "直接引起"}) + w.set.Linked + "。"
			})
		}
		return w.retext("linked", turn.Replace)
	}},
}

// strangers are names that nothing in the world has: four people, then four firms.
func (w World) strangers() []string {
	switch fresh := PartOf(w.Topic) == Fresh; {
	case fresh && w.Lang == "zh":
		return freshStrangersZH
	case fresh:
		return freshStrangersEN
	case w.Lang == "zh":
		return strangersZH
	}
	return strangersEN
}

// negate turns the sentence with the negation around, or puts one into a sentence without.
func negate(w World, r *random) (Mutant, bool) {
	s := w.set
	if r.below(2) == 0 && w.Lang == "en" && w.Level < 2 {
		turn := strings.NewReplacer(" has ", " does not have ", " may ", " may not ", " is associated ", " is not associated ", " could ", " could not ", " is correlated ", " is not correlated ")
		return w.retext(w.anyOf(r, "hedge", "linked"), turn.Replace)
	}
	if r.below(2) == 0 && w.Lang == "zh" && w.Level < 2 {
		turn := strings.NewReplacer("可能", "不可能", "有关", "无关", "也许能够", "不能", "相关", "无关")
		return w.retext(w.anyOf(r, "hedge", "linked"), turn.Replace)
	}
	turn := strings.NewReplacer("did not "+s.Not, s.Did)
	if w.Lang == "zh" {
		turn = strings.NewReplacer("没有"+s.Not, s.Did, "并未"+s.Not, s.Did)
	}
	return w.retext("neg", turn.Replace)
}

var (
	strangersEN = []string{"Dr. Cedric Aldous", "Wilhelmina Frost", "Bartholomew Quill", "Sunniva Thorne", "Northgate Holdings", "Silverline Partners", "Redfern Capital", "Astoria Works"}
	strangersZH = []string{"欧阳振华", "司马云飞", "诸葛瑾瑜", "上官婉清", "北辰控股公司", "银线投资公司", "赤枫资本公司", "星河实业公司"}

	inventedEN = []string{
		"we never expected the bill to arrive so soon", "this is the best decision the region has made in a generation", "the numbers were settled long before anyone asked",
		"I have seen better plans written on the back of a napkin", "nobody in this town will forget what was promised", "we would do every part of it again tomorrow",
	}
	inventedZH = []string{
		"我们从没想过账单会来得这么快", "这是本地区一代人以来最好的决定", "在任何人提问之前数字就已经定下来了", "镇上没有人会忘记当初的承诺", "如果重来一次我们还会这样做",
	}
)
