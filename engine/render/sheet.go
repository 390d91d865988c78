package render

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"assay/engine/research"
)

//go:embed sheet.html
var sheetHTML string

var sheetTemplate = template.Must(template.New("sheet.html").Parse(sheetHTML))

// sheet is a plain page: a headline and lists. All its text is bounded, and escaped by who prints it.
type sheet struct {
	V        vocabulary
	CSS      template.CSS
	Date     string
	Title    string
	Lead     string
	Sections []sheetSection
}

type sheetSection struct {
	Title string
	Items []sheetItem
}

type sheetItem struct {
	Text  string
	Notes []string
	Cites []sheetCite
}

// sheetCite is a citation: its words, and where it leads; no Href is words only.
type sheetCite struct{ Label, Href string }

// W is the word for key.
func (s *sheet) W(key string) string { return s.V.say(key) }

// section adds a list, unless it is empty.
func (s *sheet) section(title string, items []sheetItem) {
	if len(items) > 0 {
		s.Sections = append(s.Sections, sheetSection{title, head(items)})
	}
}

// HTML returns the sheet as a page like that of a report: no script, no external file.
func (s *sheet) HTML() ([]byte, error) {
	var b bytes.Buffer
	if err := sheetTemplate.Execute(&b, s); err != nil {
		return nil, fmt.Errorf("render sheet: %w", err)
	}
	return b.Bytes(), nil
}

// Markdown returns the same text in the same order.
func (s *sheet) Markdown() []byte {
	m := &markdown{}
	m.para("*Assay* · " + mdLine(s.Date))
	m.heading(1, s.Title)
	m.para(mdLine(s.Lead))
	for _, sec := range s.Sections {
		m.heading(2, sec.Title)
		var items []string
		for _, i := range sec.Items {
			item := mdLine(i.Text)
			for _, n := range i.Notes {
				item += "  \n  " + mdLine(n)
			}
			var cites []string
			for _, c := range i.Cites {
				if c.Href != "" {
					cites = append(cites, "["+mdLine(c.Label)+"](<"+strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "").Replace(c.Href)+">)")
				} else {
					cites = append(cites, mdLine(c.Label))
				}
			}
			if len(cites) > 0 {
				item += "  \n  " + strings.Join(cites, " · ")
			}
			items = append(items, item)
		}
		m.list(items)
	}
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n")
}

// cites are the sources of a line; those of files of the person's own are words only.
func cites(refs []research.CitedRef) []sheetCite {
	var out []sheetCite
	for _, r := range head(refs) {
		title := line(r.Title, maxTitle)
		if title == "" {
			title = line(research.RealLocation(r.Location), maxTitle)
		}
		out = append(out, sheetCite{fmt.Sprintf("[%d] %s", r.Key, title), webLink(r.Location)})
	}
	return out
}

// Difference returns what changed between two reports as a page and as Markdown.
func Difference(d research.Difference) (page, text []byte, err error) {
	s := &sheet{V: wordsFor(d.Lang), CSS: template.CSS(pageCSS), Date: line(d.Later.Date, 40), Lead: line(d.Line, maxText)}
	s.Title = s.W("d_title") + s.W("colon") + line(d.Question, maxTitle)
	named := func(key string, e research.Edition) sheetItem {
		i := sheetItem{Text: s.V.fill(key, "x", line(e.Date, 40), "n", fmt.Sprint(e.Findings))}
		if e.Run != "" {
			i.Notes = []string{line(e.Run, 80)}
		}
		return i
	}
	findings := func(fs []research.ChangedFinding) (items []sheetItem) {
		for _, f := range head(fs) {
			items = append(items, sheetItem{Text: line(f.Text, maxText), Notes: []string{s.V.fill("confidence", "x", decimal(f.Confidence, 2))}, Cites: cites(f.Sources)})
		}
		return items
	}
	s.section(s.W("d_new"), findings(d.New))
	var items []sheetItem
	for _, c := range head(d.Contradictions) {
		i := sheetItem{Text: line(c.Later, maxText), Notes: []string{s.V.fill("d_earlier", "x", line(c.Earlier, maxText)), line(c.Reason, maxText)}, Cites: cites(c.LaterSources)}
		if c.Stands {
			i.Notes = append(i.Notes, s.W("d_stands"))
		}
		items = append(items, i)
	}
	s.section(s.W("d_conflicts"), items)
	items = nil
	for _, c := range head(d.Confidences) {
		items = append(items, sheetItem{Text: line(c.Text, maxText), Notes: []string{s.V.fill("d_from_to", "n", decimal(c.To, 2), "m", decimal(c.From, 2))}, Cites: cites(c.Sources)})
	}
	s.section(s.W("d_confidences"), items)
	s.section(s.W("d_gone"), findings(d.Gone))
	items = nil
	for _, c := range head(d.Sources) {
		i := sheetItem{Text: line(c.Title, maxTitle), Notes: []string{s.W("s_" + sourceWord(c.What))}, Cites: []sheetCite{{line(research.RealLocation(c.Location), maxTitle), webLink(c.Location)}}}
		if c.Note != "" {
			i.Notes = append(i.Notes, line(c.Note, maxText))
		}
		items = append(items, i)
	}
	s.section(s.W("d_sources"), items)
	s.section(s.W("made"), []sheetItem{named("d_from", d.Earlier), named("d_to", d.Later)})
	page, err = s.HTML()
	return page, s.Markdown(), err
}

func sourceWord(what string) string {
	switch what {
	case research.SourceNew, research.SourceChanged, research.SourceDied, research.SourceUncited:
		return what
	}
	return research.SourceUnseen
}

// Briefing returns a briefing as a page and as Markdown. Each line carries its sources and leads to its report.
func Briefing(b research.Briefing) (page, text []byte, err error) {
	s := &sheet{V: wordsFor(b.Lang), CSS: template.CSS(pageCSS), Date: line(b.Date, 40), Title: line(b.Title, maxTitle)}
	if s.Title == "" {
		s.Title = s.W("b_title")
	}
	if len(b.Lines) == 0 {
		s.Lead = s.W("b_nothing")
	}
	for _, share := range head(b.Mix) {
		var items []sheetItem
		for _, l := range head(b.Lines) {
			if l.Kind != share.Kind {
				continue
			}
			i := sheetItem{Text: line(l.Text, maxText), Notes: []string{s.W("b_" + briefWord(l.What))}, Cites: cites(l.Sources)}
			if l.Confidence.Known() {
				i.Notes[0] += " · " + s.V.fill("confidence", "x", decimal(l.Confidence, 2))
			}
			if l.Note != "" {
				i.Notes = append(i.Notes, line(l.Note, maxText))
			}
			i.Cites = append(i.Cites, sheetCite{s.V.fill("b_report", "x", line(l.Watch, 80)), localHref(l.File)})
			items = append(items, i)
		}
		s.section(s.kind(share.Kind), items)
	}
	var items []sheetItem
	for _, w := range head(b.Watches) {
		i := sheetItem{Text: line(w.Name, 80) + s.W("colon") + line(w.Question, maxTitle), Notes: []string{line(w.Line, maxText)}}
		if w.Run != "" {
			i.Cites = []sheetCite{{s.V.fill("b_report", "x", line(w.Date, 40)) + " · " + line(w.Run, 80), localHref(w.File)}}
		}
		items = append(items, i)
	}
	s.section(s.W("b_watches"), items)
	items = nil
	for _, m := range head(b.Mix) {
		items = append(items, sheetItem{Text: s.kind(m.Kind) + s.W("colon") + s.V.fill("b_mix_line", "n", fmt.Sprint(m.Taken), "m", fmt.Sprint(m.Wanted))})
	}
	s.section(s.W("b_mix"), items)
	page, err = s.HTML()
	return page, s.Markdown(), err
}

func (s *sheet) kind(k string) string {
	switch k {
	case "news", "feeds", "social", "web", "papers", "reference", "files":
		return s.W("k_" + k)
	}
	return s.W("k_other")
}

func briefWord(what string) string {
	switch what {
	case "contradiction", "confidence", "stands":
		return what
	}
	return "new"
}

// localHref is the name of a file beside the page, or "" when it is none.
func localHref(name string) string {
	if name == "" || strings.ContainsAny(name, ":\\\"<>\n") || strings.HasPrefix(name, "/") || strings.Contains(name, "..") {
		return ""
	}
	return name
}
