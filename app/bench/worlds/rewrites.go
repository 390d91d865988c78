package worlds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Rewrite changes how a report says something and not what it says. On what it returns nothing may fire that did not fire
// before.
type Rewrite struct {
	Name  string
	apply func(w World, r *random) (Mutant, bool)
}

// Apply returns the k-th rewrite of a world; false when the world has no place for it.
func (c Rewrite) Apply(w World, k int) (Mutant, bool) {
	w.View = clone(w.View)
	return c.apply(w, seeded(c.Name, w.ID(), k))
}

// Rewrites lists them in order.
func Rewrites() []Rewrite { return rewrites }

var rewrites = []Rewrite{
	{"synonyms", func(w World, r *random) (Mutant, bool) {
		turn := strings.NewReplacer(" covered ", " met ", " bought ", " acquired ", " wrote", " noted", " employs ", " has ", "spending on upkeep", "expenditure on upkeep", "Building ", "Constructing ", " reported", " said", "is associated", "goes along", " took over ", " acquired ", "was built for", "was constructed for", "was inaugurated", "was opened", "a workforce of", "a staff of")
		if w.Lang == "zh" {
			turn = strings.NewReplacer("收购", "并购", "写道", "指出", "耗资", "花费", "设有", "拥有", "共有", "拥有", "雇用", "聘用", "启用", "投入使用", "并购", "收购", "总投资为", "总投入为", "正式建成", "正式落成", "员工为", "职工为")
		}
		return w.retext(w.anyOf(r, "share", "deal", "linked", "staff", "upkeep", "cost", "neg", "opened"), turn.Replace)
	}},
	{"clauses in another order", func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "prior", "cost", "opened", "counted", "hedge", "neg", "deal", "quote1", "staff", "crews")
		words := w.set.say(id, (w.Level+1)%3)
		return w.retext(id, func(string) string { return words })
	}},
	{"the same unit written otherwise", func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "cost", "share", "upkeep", "output", "prior")
		s := w.set
		return w.retext(id, func(said string) string {
			switch {
			case id == "share" && w.Lang == "en":
				return strings.NewReplacer(" percent", "%", "%", " percent").Replace(said)
			case id == "share":
				return strings.ReplaceAll(said, "%", "％")
			case w.Lang == "zh" && id == "cost":
				return strings.ReplaceAll(said, tenths(s.cost)+"亿元", fmt.Sprintf("%d万元", s.cost*1000))
			case w.Lang == "zh" && id == "upkeep":
				return strings.ReplaceAll(said, fmt.Sprintf("%d万元", s.keep2*10), fmt.Sprintf("%d元", s.keep2*100_000))
			case id == "cost":
				return strings.ReplaceAll(said, "$"+tenths(s.cost)+" million", "$"+grouped(s.cost*100_000))
			case id == "upkeep":
				return strings.ReplaceAll(said, "$"+tenths(s.keep2)+" million", tenths(s.keep2)+" million dollars")
			}
			return thousands.ReplaceAllString(said, "$1$2")
		})
	}},
	{"a date written otherwise", func(w World, r *random) (Mutant, bool) {
		s := w.set
		y, m, d := s.opened[0], s.opened[1], s.opened[2]
		return w.retext("opened", func(said string) string {
			if w.Lang == "zh" {
				return strings.ReplaceAll(said, fmt.Sprintf("%d年%d月%d日", y, m, d), fmt.Sprintf("%d-%02d-%02d", y, m, d))
			}
			return strings.ReplaceAll(said, fmt.Sprintf("%d %s %d", d, monthsEN[m-1], y), pick(r, []string{fmt.Sprintf("%s %d, %d", monthsEN[m-1], d, y), fmt.Sprintf("%d-%02d-%02d", y, m, d), fmt.Sprintf("%d %s %d", d, monthsEN[m-1][:3], y)}))
		})
	}},
	{"a coarser date", func(w World, _ *random) (Mutant, bool) {
		s := w.set
		return w.retext("opened", func(string) string {
			if w.Lang == "zh" {
				return fmt.Sprintf("%s于%d年启用。", s.subject, s.opened[0])
			}
			return fmt.Sprintf("%s opened in %d.", capital(s.subject), s.opened[0])
		})
	}},
	{"a rounded figure that says so", func(w World, _ *random) (Mutant, bool) {
		s := w.set
		return w.retext("prior", func(string) string {
			if w.Lang == "zh" {
				return fmt.Sprintf("%d年，%s%s约%d%s%s。", s.y1, s.subject, s.Made, rounded(s.n1), s.Unit, s.Product)
			}
			return fmt.Sprintf("In %d, %s %s roughly %s %s of %s.", s.y1, s.subject, s.Made, grouped(rounded(s.n1)), s.Unit, s.Product)
		})
	}},
	{"other quotation marks", func(w World, r *random) (Mutant, bool) {
		turn := strings.NewReplacer("“", "\"", "”", "\"")
		if w.Lang == "zh" {
			turn = strings.NewReplacer("“", "「", "”", "」")
		}
		return w.retext(w.anyOf(r, "quote1", "quote2"), turn.Replace)
	}},
	{"a quotation shortened with an ellipsis", func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "quote1", "quote2")
		return w.retext(id, func(s string) string {
			open, end := strings.Index(s, "“"), strings.Index(s, "”")
			if w.Lang == "zh" {
				inner := []rune(s[open+len("“") : end])
				return s[:open+len("“")] + string(inner[:5]) + "……" + string(inner[len(inner)-8:]) + s[end:]
			}
			words := strings.Fields(s[open+len("“") : end])
			return s[:open+len("“")] + strings.Join(words[:3], " ") + " ... " + strings.Join(words[len(words)-4:], " ") + s[end:]
		})
	}},
	{"blocks in another order", func(w World, r *random) (Mutant, bool) {
		sec := &w.View.Draft.Sections[r.below(len(w.View.Draft.Sections))]
		slices.Reverse(sec.Blocks)
		return Mutant{View: w.View, At: []string{sec.ID}, Change: "section " + sec.ID + " back to front"}, true
	}},
	{"references in another order", func(w World, r *random) (Mutant, bool) {
		b := w.block(w.anyOf(r, "output", "cost", "share", "upkeep"))
		slices.Reverse(b.Refs)
		slices.Reverse(b.Citations)
		return Mutant{View: w.View, At: []string{b.ID}, Change: "references of " + b.ID + " back to front"}, true
	}},
	{"one more reference that says it too", func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "cost", "upkeep", "quote2")
		b := w.block(id)
		for _, at := range w.where[id] {
			if !slices.Contains(b.Citations, at.passage) {
				b.Citations = append(b.Citations, at.passage)
				if !slices.Contains(b.Refs, at.source) {
					b.Refs = append(b.Refs, at.source)
				}
				return Mutant{View: w.View, At: []string{id}, Change: id + " cites " + at.source + " too"}, true
			}
		}
		return Mutant{}, false
	}},
	{"a finding left out", func(w World, r *random) (Mutant, bool) {
		sec := &w.View.Draft.Sections[r.below(len(w.View.Draft.Sections))]
		i := r.between(1, len(sec.Blocks)-1)
		gone := sec.Blocks[i].ID
		if gone == "output" || gone == "prior" {
			return Mutant{}, false
		}
		sec.Blocks = append(sec.Blocks[:i:i], sec.Blocks[i+1:]...)
		return Mutant{View: w.View, At: []string{sec.ID}, Change: gone + " is left out"}, true
	}},
	{"a sentence that leads over", func(w World, r *random) (Mutant, bool) {
		words := pick(r, w.half(map[string][]string{
			"en": {"Let us take the two parts in turn.", "The figures come first, the effects after them.", "Both sides are told below.", "This part compares what the operator and the public offices say.", "We can sum up three points.", "Not everyone reads the figures in the same way."},
			"zh": {"下面分两部分说明。", "先看数字，再看影响。", "双方的说法都列在下面。", "本节比较运营方与公共机构的说法。", "我们可以总结如下几点。", "并非所有人都这样看待这些数字。"}}[w.Lang]))
		return w.retext(w.anyOf(r, "output", "share", "quote1"), func(s string) string { return words + w.gap() + s })
	}},
	{"emphasis and a link that is closed", func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "cost", "neg", "deal")
		return w.retext(id, func(s string) string {
			words := strings.SplitAfterN(s, " ", 3)
			if len(words) < 3 {
				return "**" + s + "**"
			}
			return words[0] + "**" + strings.TrimSpace(words[1]) + "** " + words[2]
		})
	}},
}

// thousands is a separator between digits.
var thousands = regexp.MustCompile(`(\d),(\d)`)
