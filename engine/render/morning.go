package render

import (
	"fmt"
	"html/template"

	"assay/engine/research"
)

// Morning returns what a night's runs did as a page and as Markdown.
func Morning(m research.Morning) (page, text []byte, err error) {
	s := &sheet{V: wordsFor(m.Lang), CSS: template.CSS(pageCSS), Date: line(m.Date, 40)}
	s.Title = s.W("m_title")
	s.Lead = s.V.fill("m_lead", "x", line(m.Since, 40), "n", fmt.Sprint(len(m.Found)), "m", fmt.Sprint(len(m.Needs)))
	items := func(runs []research.MorningRun, needs bool) (out []sheetItem) {
		for _, r := range head(runs) {
			i := sheetItem{Text: line(r.Question, maxTitle)}
			if r.Line != "" {
				i.Notes = append(i.Notes, line(r.Line, maxText))
			}
			if needs && r.Do != "" {
				i.Notes = append(i.Notes, line(r.Do, maxText))
			}
			if !needs && r.File != "" {
				i.Notes = append(i.Notes, s.V.fill("m_counts", "n", fmt.Sprint(r.Findings), "m", fmt.Sprint(r.Gaps)))
			}
			i.Cites = []sheetCite{{line(r.Run, 80), localHref(r.File)}}
			out = append(out, i)
		}
		return out
	}
	s.section(s.W("m_needs"), items(m.Needs, true))
	s.section(s.W("m_found"), items(m.Found, false))
	s.section(s.W("m_waits"), items(m.Waits, false))
	page, err = s.HTML()
	return page, s.Markdown(), err
}
