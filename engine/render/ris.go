package render

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// RIS returns the sources of a digest in the format of Research Information Systems, in UTF-8 with lines that end in CR LF: an
// electronic source (ELEC) for a page, a journal article (JOUR) for what has a DOI, and GEN for a file.
func RIS(d research.Digest) ([]byte, error) {
	es, err := entries(d)
	if err != nil {
		return nil, fmt.Errorf("render RIS: %w", err)
	}
	var b strings.Builder
	for _, e := range es {
		tag := func(name, value string) {
			if value != "" {
				b.WriteString(name + "  - " + value + "\r\n")
			}
		}
		kind := "GEN"
		switch {
		case e.DOI != "":
			kind = "JOUR"
		case e.URL != "":
			kind = "ELEC"
		}
		tag("TY", kind)
		tag("ID", e.Key)
		for _, a := range e.Authors {
			if a.Literal != "" {
				tag("AU", a.Literal)
			} else {
				tag("AU", a.Family+", "+a.Given)
			}
		}
		tag("TI", e.Title)
		if e.Published.Year > 0 {
			tag("PY", fmt.Sprintf("%04d", e.Published.Year))
			tag("DA", e.Published.iso("/"))
		}
		tag("PB", e.Site)
		tag("SP", e.Pages)
		tag("DO", e.DOI)
		tag("UR", e.URL)
		tag("L1", e.Where)
		tag("LA", e.Lang)
		tag("Y2", e.Accessed.iso("/"))
		for _, q := range e.Quoted {
			tag("N1", q)
		}
		b.WriteString("ER  - \r\n\r\n")
	}
	return []byte(b.String()), nil
}
