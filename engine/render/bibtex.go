package render

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// BibTeX returns the sources of a digest as a BibTeX database in UTF-8, an entry each in the order of the report. All are of the type
// misc, which every style prints without asking for a journal that a page of the web does not have.
func BibTeX(d research.Digest) ([]byte, error) {
	es, err := entries(d)
	if err != nil {
		return nil, fmt.Errorf("render BibTeX: %w", err)
	}
	var b strings.Builder
	for _, e := range es {
		b.WriteString("@misc{" + e.Key)
		field := func(name, value string) {
			if value != "" {
				b.WriteString(",\n  " + name + " = {" + value + "}")
			}
		}
		var names []string
		for _, a := range e.Authors {
			if a.Literal != "" {
				names = append(names, "{"+texEscape(a.Literal)+"}")
			} else {
				names = append(names, texEscape(a.Family)+", "+texEscape(a.Given))
			}
		}
		field("author", strings.Join(names, " and "))
		field("title", "{"+texEscape(e.Title)+"}")
		if e.Published.Year > 0 {
			field("year", fmt.Sprintf("%04d", e.Published.Year))
		}
		if e.Published.Month > 0 {
			b.WriteString(",\n  month = " + months[e.Published.Month-1])
		}
		field("date", e.Published.iso("-"))
		field("doi", texVerbatim.Replace(e.DOI))
		field("url", texVerbatim.Replace(e.URL))
		field("urldate", e.Accessed.iso("-"))
		if e.Pages != "" { // misc has no field for pages
			field("note", "pp. "+texEscape(e.Pages))
		}
		if e.Where != "" {
			field("howpublished", "File "+texEscape(e.Where))
		} else {
			field("howpublished", texEscape(e.Site))
		}
		field("language", map[string]string{"en": "english", "zh": "chinese", "zh-Hans": "chinese"}[e.Lang])
		field("annote", texEscape(strings.Join(e.Quoted, " ")))
		b.WriteString("\n}\n\n")
	}
	return []byte(b.String()), nil
}

// months are BibTeX's own abbreviations, which styles print in their language.
var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// texSpecial is what TeX would read as a command. A brace is written by its name, so that those of an entry always balance.
var texSpecial = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "@", `{@}`)

// texEscape is s as text of a field.
func texEscape(s string) string { return texSpecial.Replace(s) }

// texVerbatim writes in an address what would end its field.
var texVerbatim = strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C", " ", "%20")

// iso is the date as far as it is known, its parts parted by sep.
func (d date) iso(sep string) string {
	switch {
	case d.Year == 0:
		return ""
	case d.Month == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d%s%02d", d.Year, sep, d.Month)
	}
	return fmt.Sprintf("%04d%s%02d%s%02d", d.Year, sep, d.Month, sep, d.Day)
}
