package render

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// earlierView is a claim of an earlier run as the page shows it.
type earlierView struct{ Text, Where string }

// Earlier is what earlier runs bear on the question.
func (p *page) Earlier() []earlierView {
	var out []earlierView
	if p.D.Earlier == nil {
		return nil
	}
	for _, c := range head(p.D.Earlier.Claims) {
		where := []string{p.F("earlier_at", "x", line(c.Run, 80), "n", line(c.Date, 10), "m", decimal(c.Confidence, 2))}
		for _, s := range head(c.Sources) {
			title := line(s.Title, maxTitle)
			if title == "" {
				title = line(research.RealLocation(s.Location), maxTitle)
			}
			where = append(where, title)
		}
		out = append(out, earlierView{line(c.Text, maxText), strings.Join(where, " · ")})
	}
	return out
}

// EarlierWithheld says how many claims are not shown; "" when none.
func (p *page) EarlierWithheld() string {
	if p.D.Earlier == nil || p.D.Earlier.Withheld <= 0 {
		return ""
	}
	return p.F("earlier_held", "n", fmt.Sprint(p.D.Earlier.Withheld))
}
