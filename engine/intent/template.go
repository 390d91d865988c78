package intent

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

//go:embed templates.json
var templateData []byte

// Template is what a kind of report asks for. It is data: templates.json holds all of them, and this file is the one reader.
type Template struct {
	Name     string            `json:"name"`
	Sections []TemplateSection `json:"sections"`
	// Parts are what code makes of claims: figures, comparison, chronology, chain, structure. One that the claims do not give is left out.
	Parts []string `json:"parts"`
	// Timeline says whether the timeline is drawn too; Quotes is the most pull quotes.
	Timeline bool     `json:"timeline"`
	Quotes   int      `json:"quotes"`
	Requires []string `json:"requires"` // names of requirements
}

// TemplateSection is an aspect that a template asks for, with the words by which a finding speaks to it.
type TemplateSection struct {
	ID     string `json:"id"`
	EN     string `json:"en"`
	ZH     string `json:"zh"`
	CuesEN string `json:"cues_en"`
	CuesZH string `json:"cues_zh"`
}

// words are a title in both languages.
type words struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

func (w words) in(lang string) string {
	if lang == "zh" {
		return w.ZH
	}
	return w.EN
}

// templateFile is the form of templates.json.
type templateFile struct {
	Intents map[research.Intent]struct {
		Parts []string `json:"parts"`
	} `json:"intents"`
	Requires  map[string]words `json:"requires"`
	Parts     map[string]words `json:"parts"`
	Templates []Template       `json:"templates"`
}

var known = func() (f templateFile) {
	if err := json.Unmarshal(templateData, &f); err != nil {
		panic(fmt.Sprintf("templates.json: %v", err)) // embedded: a fault of the build, which every test finds
	}
	return f
}()

// TemplateNames lists the templates, in the order in which they are shown.
func TemplateNames() []string {
	var out []string
	for _, t := range known.Templates {
		out = append(out, t.Name)
	}
	return out
}

// PartTitle is the heading of a part, and RequirementTitle the words of a requirement, in the language of a report.
func PartTitle(part, lang string) string { return known.Parts[part].in(lang) }

// RequirementTitle is the words of a requirement in the language of a report.
func RequirementTitle(name, lang string) string { return known.Requires[name].in(lang) }

// ChooseTemplate names the template of a question and says why: what the person asked for, else that of the question's domain. An unknown
// name counts as none.
func ChooseTemplate(u research.Understanding, asked string) (name, why string) {
	if slices.Contains(TemplateNames(), asked) {
		return asked, "asked"
	}
	if slices.Contains(TemplateNames(), u.Domain) && u.Domain != "general" {
		return u.Domain, "domain"
	}
	return "general", "domain"
}

// TemplateOf is the template that an understanding names, with the parts that its intent asks for first. Of a question for one fact the
// aspects are left out: they ask for more than it does. Records from before there were templates name none, and have the general one.
func TemplateOf(u research.Understanding) Template {
	name := u.Template
	if name == "" {
		name = "general"
	}
	i := slices.IndexFunc(known.Templates, func(t Template) bool { return t.Name == name })
	if i < 0 {
		i = len(known.Templates) - 1
	}
	t := known.Templates[i]
	parts := slices.Clone(known.Intents[u.Intent].Parts)
	for _, p := range t.Parts {
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	t.Parts = parts
	if u.Intent == research.FactQuery && u.TemplateWhy != "asked" {
		t.Sections = nil
	}
	return t
}

// Title is the name of a section in the language of a report.
func (s TemplateSection) Title(lang string) string {
	if lang == "zh" {
		return s.ZH
	}
	return s.EN
}

// Speaks reports whether a sentence speaks to the section: it holds one of its words, by stem in English and as it stands in Chinese.
func (s TemplateSection) Speaks(sentence, lang string) bool {
	if lang == "zh" {
		return slices.ContainsFunc(strings.Fields(s.CuesZH), func(c string) bool { return strings.Contains(sentence, c) })
	}
	have := text.TermSet(sentence, lang)
	return slices.ContainsFunc(text.Terms(s.CuesEN, lang), func(t string) bool { return have[t] })
}
