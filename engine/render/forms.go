package render

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// Form is a kind of file that a digest becomes.
type Form struct {
	Name   string // by which it is asked for
	File   string // what such a file of a report is called
	Ending string // of the names of such files, by which it is known
	Media  string // media type
	What   string // in a few words
	Make   func(research.Digest) ([]byte, error)
}

// Forms are the kinds of files there are. Of two endings the longer comes first.
var Forms = []Form{
	{"html", "report.html", ".html", "text/html; charset=utf-8", "The report as a page, self-contained", HTML},
	{"pandoc", "report.pandoc.md", ".pandoc.md", "text/markdown; charset=utf-8", "The report as Markdown for pandoc, with [@key] citations and their references", Pandoc},
	{"md", "report.md", ".md", "text/markdown; charset=utf-8", "The report as Markdown", Markdown},
	{"docx", "report.docx", ".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "The report as a document of Word", DOCX},
	{"bib", "references.bib", ".bib", "application/x-bibtex; charset=utf-8", "The sources as BibTeX", BibTeX},
	{"ris", "references.ris", ".ris", "application/x-research-info-systems; charset=utf-8", "The sources as RIS", RIS},
	{"csl", "references.csl.json", ".csl.json", "application/vnd.citationstyles.csl+json", "The sources as CSL-JSON, as Zotero takes them", CSL},
}

// FormNamed is the form of a name; false when there is none.
func FormNamed(name string) (Form, bool) {
	for _, f := range Forms {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}

// FormOf is the form that a file's name asks for by its ending.
func FormOf(file string) (Form, error) {
	name := strings.ToLower(file)
	if strings.HasSuffix(name, ".htm") {
		name += "l"
	}
	var endings []string
	for _, f := range Forms {
		if strings.HasSuffix(name, f.Ending) {
			return f, nil
		}
		endings = append(endings, f.Ending)
	}
	return Form{}, fmt.Errorf("its name must end in one of %s", strings.Join(endings, ", "))
}
