package render

import "assay/engine/research"

// gateTitles are the lines of the checklist in the words of the page.
var gateTitles = map[string][2]string{
	"authors":       {"Every source has a named author or a tier-1 organisation", "每个来源均有署名作者或一级机构"},
	"machine_marks": {"No source says that a machine wrote it", "没有来源自称由机器撰写"},
	"argument":      {"Steelman and counter only of a contested proposition, else one debate section", "仅有争议的命题含正反论证，否则为一个争论部分"},
	"substance":     {"The report opens with what was found", "报告以发现开头"},
	"numbers_cited": {"Every number carries a reference", "每个数字都有引用"},
	"markers":       {"Markers lead to the right cards", "标记指向正确的卡片"},
	"page":          {"The data are valid, the page is made, light and of a fair size", "数据有效，页面生成，浅色，大小适当"},
	"no_markup":     {"No markup shows in the text", "正文没有标记符号"},
	"future_work":   {"It says what to look for next", "说明后续工作"},
	"floors":        {"The sources meet their floors", "来源达到下限"},
	"artifact":      {"Each part is answered, covered and of substance", "各部分均有回答、覆盖与内容"},
	"cited_works":   {"Cited works are in a catalogue as they are cited", "被引文献与目录相符"},
}

// GateTitle is a line of the checklist in words; a name that is not known stands as it is.
func GateTitle(name, lang string) string {
	t, ok := gateTitles[name]
	switch {
	case !ok:
		return name
	case wordsFor(lang)["lang"] == "en":
		return t[0]
	}
	return t[1]
}

// gateView is one line of the checklist as it is shown.
type gateView struct {
	Title, Notes string
	Mark         mark
}

// Gates are the lines of the checklist.
func (p *page) Gates() []gateView {
	var out []gateView
	for _, g := range head(p.D.Gates) {
		v := gateView{Title: GateTitle(line(g.Name, 80), p.D.Lang), Mark: p.gateMark(g.State)}
		for i, n := range head(g.Notes) {
			if i > 0 {
				v.Notes += p.W("gate_sep")
			}
			v.Notes += line(n, maxText)
		}
		out = append(out, v)
	}
	return out
}

func (p *page) gateMark(s research.GateState) mark {
	switch s {
	case research.GatePass:
		return mark{"ok", "ok", p.W("gate_pass")}
	case research.GateFail:
		return mark{"rej", "no", p.W("gate_fail")}
	}
	return mark{"none", "ring", p.W("gate_unchecked")}
}

// outlineView is one thing that the template asks for.
type outlineView struct {
	Title    string
	Mark     mark
	Findings int
}

// Outline is what the template asks for, its sections before its requirements.
func (p *page) Outline() []outlineView {
	if p.D.Template == nil {
		return nil
	}
	var out []outlineView
	for _, rows := range [][]research.TemplateRow{p.D.Template.Sections, p.D.Template.Requires} {
		for _, r := range head(rows) {
			out = append(out, outlineView{line(r.Title, maxTitle), p.stateMark(r.State), len(r.Findings)})
		}
	}
	return out
}

// TemplateLine names the template and how it was chosen.
func (p *page) TemplateLine() string {
	t := p.D.Template
	if t == nil {
		return ""
	}
	return p.F("template_x", "x", p.W("template_"+line(t.Name, 40)), "n", p.W("why_"+line(t.Why, 40)))
}

// ReferencesLine says how many cited works were looked up.
func (p *page) ReferencesLine() string {
	r := p.D.References
	if r == nil {
		return ""
	}
	s := p.F("works_x", "n", p.Int(r.Checked), "m", p.Int(r.Total))
	if r.Note != "" {
		s += " " + line(r.Note, maxText)
	}
	return s
}
