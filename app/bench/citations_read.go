package bench

import (
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"strings"

	"assay/engine/research"
)

// citationCase is a labelled reference: the fields of its BibTeX entry and what is known of it.
type citationCase struct {
	Key      string            `json:"bibtex_key"`
	Fields   map[string]string `json:"fields"`
	Label    string            `json:"label"` // VALID or HALLUCINATED
	Type     string            `json:"hallucination_type"`
	Tier     int               `json:"difficulty_tier"` // 1 to 3; 0 for real references
	Why      string            `json:"explanation"`
	Method   string            `json:"generation_method"`
	Subtests map[string]*bool  `json:"subtests"`
	Source   string            `json:"source"`
	set      string
}

// real reports whether the reference is a real one.
func (c citationCase) real() bool { return c.Label == "VALID" }

// holds reports what the set says of one property; unknown counts as false.
func (c citationCase) holds(name string) bool { v := c.Subtests[name]; return v != nil && *v }

// citationOf reads a labelled reference; false when the fields are those of another kind of case.
func citationOf(fields map[string]json.RawMessage) (citationCase, bool, error) {
	var c citationCase
	if !has(fields, "bibtex_key", "fields", "label") {
		return c, false, nil
	}
	return c, true, into(fields, &c)
}

var arXivNote = regexp.MustCompile(`(?i)arxiv[: ]\s*(\S+\d)`)

// cited makes the reference as a report would hold it.
func (c citationCase) cited() research.CitedWork {
	f := func(k string) string { return plainTeX(c.Fields[k]) }
	ref := research.CitedWork{Of: c.Key, Title: f("title"), Venue: f("booktitle"), DOI: c.Fields["doi"], URL: c.Fields["url"], Authors: []string{}}
	if ref.Venue == "" {
		ref.Venue = f("journal")
	}
	if y, err := strconv.Atoi(strings.TrimSpace(c.Fields["year"])); err == nil {
		ref.Year = y
	}
	if m := arXivNote.FindStringSubmatch(c.Fields["note"]); m != nil {
		ref.ArXiv = m[1]
	} else if id := c.Fields["eprint"]; id != "" {
		ref.ArXiv = id
	}
	for _, a := range strings.Split(f("author"), " and ") {
		a = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(a), ","))
		switch low := strings.ToLower(strings.Trim(a, ". ")); {
		case a == "":
		case low == "others" || low == "et al" || low == "and others":
			ref.Partial = true
		case strings.HasSuffix(low, " et al"):
			ref.Partial = true
			ref.Authors = append(ref.Authors, strings.TrimSpace(a[:len(low)-len(" et al")]))
		default:
			ref.Authors = append(ref.Authors, a)
		}
	}
	return ref
}

// plainTeX takes the braces, commands and escapes of pages out of a field.
func plainTeX(s string) string {
	s = html.UnescapeString(s)
	return strings.Join(strings.Fields(strings.NewReplacer("{", "", "}", "", `\&`, "&", `\"`, "", `\'`, "", "\\`", "", `\`, "").Replace(s)), " ")
}
