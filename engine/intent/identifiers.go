package intent

import (
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// identifierRules hold the written form of each kind of exact identifier. DOI: the pattern that Crossref recommends for
// modern DOIs, with trailing punctuation cut. arXiv: identifiers since April 2007 and before. CVE: MITRE's syntax.
var identifierRules = []struct {
	kind string
	re   *regexp.Regexp
}{
	{"doi", regexp.MustCompile(`(?i)\b10\.\d{4,9}/[-._;()/:a-z0-9]+`)},
	{"arxiv", regexp.MustCompile(`(?i)\barxiv:\s*(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7})`)},
	{"cve", regexp.MustCompile(`(?i)\bCVE-\d{4}-\d{4,}\b`)},
	{"pmid", regexp.MustCompile(`(?i)\bPMID:?\s*(\d{1,9})\b`)},
	{"isbn", regexp.MustCompile(`(?i)\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dx])\b`)},
}

// Identifiers finds exact identifiers and addresses in a question, in order of kind, then of place.
func Identifiers(question string) []research.Identifier {
	out := []research.Identifier{}
	var urls []research.Span
	for _, s := range text.URLs(question) {
		urls = append(urls, s)
		out = append(out, research.Identifier{Kind: "url", Value: question[s.Start:s.End]})
	}
	for _, r := range identifierRules {
		for _, m := range r.re.FindAllStringSubmatchIndex(question, -1) {
			if inside(urls, m[0]) {
				continue
			}
			v := question[m[0]:m[1]]
			if len(m) > 2 && m[2] >= 0 {
				v = question[m[2]:m[3]]
			}
			// A bracket that the identifier did not open belongs to the sentence.
			v = strings.TrimRight(v, ".,;:")
			for strings.HasSuffix(v, ")") && strings.Count(v, ")") > strings.Count(v, "(") {
				v = strings.TrimRight(v[:len(v)-1], ".,;:")
			}
			out = append(out, research.Identifier{Kind: r.kind, Value: v})
		}
	}
	return out
}

func inside(spans []research.Span, at int) bool {
	for _, s := range spans {
		if at >= s.Start && at < s.End {
			return true
		}
	}
	return false
}
