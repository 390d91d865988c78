package render

import (
	"html/template"
	"strconv"
	"strings"
	"unicode"

	"assay/engine/research"
)

// card is a source of the appendix.
type card struct {
	N                              int
	Title, Author, Domain, Note    string
	Link                           string // http or https; empty: Location is shown as text
	Location                       string
	Published, Retrieved, Pages    string
	Origin, Angle, Tier, MediaType string
	Adversarial                    bool
	Mark                           mark
	Quality                        string
	QualityParts                   []part
	Voice, SHA256                  string
	Quoted                         []quoted
}

// part is one term of Eq. 6.
type part struct{ Name, Weight, Value string }

// quoted is a passage that the report cites, on its source's card.
type quoted struct {
	Anchor, Where, Text, Lang string
}

// cards are the sources with the passages that the report cites, in the order of their first citation.
func (p *page) cards() []card {
	cited := p.citedPassages()
	var out []card
	for i, s := range head(p.D.Sources) {
		c := card{
			N: i + 1, Title: line(s.Title, maxTitle), Domain: line(s.Domain, maxTitle), Note: p.Phrase(clip(s.Note, maxText)),
			Link: webLink(s.URL), Location: line(s.URL, 2048), Origin: p.W(string(s.OriginType)), Angle: p.W(string(s.Angle)),
			Tier: p.F("tier", "n", strconv.Itoa(s.Tier)), MediaType: line(s.MediaType, 80), Adversarial: s.Adversarial,
			Mark: p.verdictMark(s.Verdict), Voice: line(s.Voice, maxTitle), SHA256: line(s.SHA256, 64), Retrieved: line(s.Retrieved, 40),
		}
		if c.Title == "" {
			c.Title = c.Location
		}
		if a := line(s.Author, maxTitle); a != "" {
			c.Author = p.F("by", "x", a)
		} else {
			c.Author = p.W("no_author")
		}
		if d := line(s.Published, 40); d != "" {
			c.Published = p.F("published", "x", d)
		} else {
			c.Published = p.W("undated")
		}
		if s.Pages != "" {
			c.Pages = p.F("pages", "n", line(s.Pages, 80))
		}
		if s.Quality.Value.Known() {
			c.Quality = p.F("quality", "x", decimal(s.Quality.Value, 2))
			c.QualityParts = []part{
				{p.W("relevance"), "0.4", decimal(s.Quality.Relevance, 2)}, {p.W("authority_q"), "0.3", decimal(s.Quality.Authority, 2)},
				{p.W("freshness"), "0.2", decimal(s.Quality.Freshness, 2)}, {p.W("completeness"), "0.1", decimal(s.Quality.Completeness, 2)},
			}
		}
		for _, id := range cited[s.ID] {
			ps := p.D.Passages[id]
			c.Quoted = append(c.Quoted, quoted{anchor(id), p.where(ps), clip(ps.Text, maxPassage), textLang(ps.Text, p.D.Lang)})
		}
		if len(c.Quoted) == 0 && s.Snippet != "" {
			c.Quoted = []quoted{{Text: clip(s.Snippet, maxPassage), Lang: textLang(s.Snippet, p.D.Lang)}}
		}
		out = append(out, c)
	}
	return out
}

// citedPassages are the passages that findings and quotes cite, by source, in the order of first use.
func (p *page) citedPassages() map[string][]string {
	out, seen := map[string][]string{}, map[string]bool{}
	add := func(id string) {
		if ps, ok := p.D.Passages[id]; ok && !seen[id] && len(out[ps.Source]) < maxList {
			seen[id] = true
			out[ps.Source] = append(out[ps.Source], id)
		}
	}
	each := func(fs []research.DigestFinding) {
		for _, f := range head(fs) {
			for _, id := range head(f.Citations) {
				add(id)
			}
		}
	}
	for _, s := range head(p.D.Sections) {
		each(s.Findings)
		for _, q := range head(s.Quotes) {
			add(q.Passage)
		}
	}
	if d := p.D.Debate; d != nil {
		each(d.For)
		each(d.Against)
	}
	return out
}

// where says where in its source a passage stands: page, heading, bytes.
func (p *page) where(ps research.Passage) string {
	var parts []string
	if ps.Page > 0 {
		parts = append(parts, p.F("page", "n", strconv.Itoa(ps.Page)))
	}
	if h := line(ps.Heading, 120); h != "" {
		parts = append(parts, h)
	}
	parts = append(parts, p.F("bytes", "n", thousands(ps.Start), "m", thousands(ps.End)))
	return strings.Join(parts, " · ")
}

// verdictMark is the mark of a source's verdict.
func (p *page) verdictMark(v research.Verdict) mark {
	if v == research.Verified {
		return mark{"ok", "ok", p.W(string(v))}
	}
	return mark{"rej", "no", p.W(string(v))}
}

// issueView is something that was left out.
type issueView struct {
	Class, Icon, Kind, Text, Reason, Source string
	Link                                    string
}

// Issues are the digest's issues in its order.
func (p *page) Issues() []issueView {
	var out []issueView
	for _, i := range head(p.D.Issues) {
		v := issueView{"unc", "half", p.W("issue_" + i.Kind), clip(i.Text, maxText), p.Reason(clip(i.Reason, maxText)), line(i.Source, 2048), webLink(i.Source)}
		if _, known := p.V["issue_"+i.Kind]; !known {
			v.Kind = line(i.Kind, 40)
		}
		if i.Kind == "source" || i.Kind == "claim" {
			v.Class, v.Icon = "rej", "no"
		}
		out = append(out, v)
	}
	return out
}

// foldedIssues are the issues with a long list of sources that were not used folded: how many for which reason, the first few, the rest.
type foldedIssues struct {
	Shown, Rest []issueView
	Reasons     string // empty when nothing is folded
	More        string
}

// Of more than foldFrom sources that were not used the first shownSources are shown.
const (
	foldFrom     = 8
	shownSources = 5
)

// FoldedIssues are the issues as they are printed. What is no source is never folded.
func (p *page) FoldedIssues() foldedIssues {
	all := p.Issues()
	count, order, n := map[string]int{}, []string{}, 0
	for i, v := range all {
		if p.D.Issues[i].Kind != "source" {
			continue
		}
		why, _, _ := strings.Cut(v.Reason, p.W("colon"))
		if count[why] == 0 {
			order = append(order, why)
		}
		count[why]++
		n++
	}
	if n <= foldFrom {
		return foldedIssues{Shown: all}
	}
	var out foldedIssues
	for i, v := range all {
		if p.D.Issues[i].Kind == "source" && shown(out.Shown, v.Kind) >= shownSources {
			out.Rest = append(out.Rest, v)
			continue
		}
		out.Shown = append(out.Shown, v)
	}
	var parts []string
	for _, why := range order {
		parts = append(parts, line(why, 80)+" "+p.Int(count[why]))
	}
	out.Reasons = strings.Join(parts, p.W("gate_sep"))
	out.More = p.F("issues_more", "n", p.Int(len(out.Rest)))
	return out
}

// shown counts the views of a kind.
func shown(vs []issueView, kind string) int {
	n := 0
	for _, v := range vs {
		if v.Kind == kind {
			n++
		}
	}
	return n
}

// anchor makes an id for the page out of an identifier of the digest, whatever it holds.
func anchor(id string) string {
	return "q-" + strings.Map(func(r rune) rune {
		if r < 128 && (r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, clip(id, 64))
}

// textLang is the lang attribute for a quotation: "zh-Hans" when most letters are Han, "en" when most are Latin and the
// page is not English, else empty (the page's own).
func textLang(s, page string) string {
	han, latin := 0, 0
	for i, r := range s {
		if i > 4096 {
			break
		}
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	zh := strings.HasPrefix(page, "zh")
	switch {
	case han*3 > latin && han > 0 && !zh:
		return "zh-Hans"
	case latin > han*3 && zh:
		return "en"
	}
	return ""
}

// thousands writes n with separators: 8,112.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// LangAttr is a lang attribute for a quotation, with a leading space; empty when it is in the page's language.
func (p *page) LangAttr(lang string) template.HTMLAttr {
	if lang == "" {
		return ""
	}
	return template.HTMLAttr(` lang="` + lang + `"`)
}
