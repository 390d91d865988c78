package engine

import (
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/research"
)

// The bank acts on the draft; tables come after it, made by code of claims that it let pass. So the finished report is held against the
// bank once more: a row that a check does not let stand is left out, and whatever else of it would block is told.

// settle holds the finished report against the bank.
func (p *printer) settle() {
	p.seen = p.events()
	fires := p.blocking(*p.d)
	if len(fires) == 0 {
		return
	}
	zh := p.d.Lang == "zh"
	for _, f := range fires {
		p.dropRows(f.Key.ID)
	}
	for i := range p.d.Sections { // only now, as the tables of a section are named by their order
		s := &p.d.Sections[i]
		s.Tables = slices.DeleteFunc(s.Tables, func(t research.Table) bool { return len(t.Rows) == 0 })
	}
	p.d.Sections = slices.DeleteFunc(p.d.Sections, func(s research.Section) bool {
		return len(s.Findings)+len(s.Tables)+len(s.Diagrams)+len(s.Quotes) == 0 && s.Body == ""
	})
	var names []string
	for _, f := range p.blocking(*p.d) {
		name := checks.Lookup(f.Check).String()
		var what []string
		for _, h := range f.Hits {
			what = append(what, h.What)
		}
		p.d.Issues = append(p.d.Issues, research.Issue{Kind: "check", Text: name + " (" + f.Key.String() + ")", Reason: strings.Join(what[:min(len(what), mostHits)], "; ")})
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.d.Callouts = append(p.d.Callouts, research.Callout{Level: "warn", Label: pickWord(zh, "Checks", "检查"), Text: fmt.Sprintf(
			pickWord(zh, "The finished report does not pass %s; the Issues say where.", "成稿未通过 %s，详见“问题”。"), strings.Join(names, ", "))})
	}
}

// mostHits bounds what is told of one check.
const mostHits = 3

// blocking are the checks that would not let a finished report stand, over what `assay check` reads of its record.
func (p *printer) blocking(d research.Digest) []checks.Fire {
	v, err := checks.ViewOf(research.Run{Request: p.Request, Events: p.seen, Blobs: p.view.Texts, Digest: &d})
	if err != nil {
		return nil // an event that cannot be read is told where the record is
	}
	return slices.DeleteFunc(checks.Evaluate(v, p.bankOptions()), func(f checks.Fire) bool { return !f.Blocks() })
}

// events are those of the record that the bank reads.
func (p *printer) events() []research.Event {
	var out []research.Event
	if err := p.each(func(e research.Event) error {
		if e.Kind == research.EventSource || e.Kind == research.EventLookUp || e.Kind == research.EventPreview {
			out = append(out, e)
		}
		return nil
	}); err != nil {
		return nil
	}
	return out
}

// dropRows takes out of the table of this name the rows that alone make a check block, and the table when too few are left.
func (p *printer) dropRows(id string) {
	for i := range p.d.Sections {
		s := &p.d.Sections[i]
		for k := range s.Tables {
			if fmt.Sprintf("%s.t%d", s.ID, k+1) != id {
				continue
			}
			t := &s.Tables[k]
			t.Rows = slices.DeleteFunc(t.Rows, func(row []research.Cell) bool {
				alone := *p.d
				alone.Sections = []research.Section{{ID: s.ID, Title: s.Title, Tables: []research.Table{{Caption: t.Caption, Headers: t.Headers, Rows: [][]research.Cell{row}}}}}
				j := slices.IndexFunc(p.blocking(alone), func(f checks.Fire) bool { return f.Key.ID == s.ID+".t1" })
				if j >= 0 {
					p.leftOut(row)
				}
				return j >= 0
			})
			if len(t.Rows) < leastRows {
				t.Rows = nil
			}
		}
	}
}

// leftOut tells of a row that a table does not show.
func (p *printer) leftOut(row []research.Cell) {
	var cells []string
	for _, c := range row {
		if c.Text != "" {
			cells = append(cells, c.Text)
		}
	}
	zh := p.d.Lang == "zh"
	p.d.Issues = append(p.d.Issues, research.Issue{Kind: "check", Text: strings.Join(cells, " | "),
		Reason: pickWord(zh, "this row of a table made by code holds what a page would load or follow, or what no source that was read gives; it was left out", "程序生成的表格中，此行含有页面会加载或跳转的内容，或无来源支持的内容，已略去")})
}
