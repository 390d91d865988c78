package search

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// PapersHost is who is asked by [PaperText], as it is shown before a run starts.
const PapersHost = "www.ebi.ac.uk"

// paperIDs are the written forms of the identifiers that PaperText takes.
var paperIDs = []struct {
	re    *regexp.Regexp
	query string // of Europe PMC, for the identifier; "" where it names the text itself
}{
	{regexp.MustCompile(`^(PMC\d{1,9})$`), ""},
	{regexp.MustCompile(`^PMID:(\d{1,9})$`), "EXT_ID:%s AND SRC:MED"},
	{regexp.MustCompile(`^(10\.\d{4,9}/[^\s"]{1,180})$`), `DOI:"%s"`},
}

// PaperText asks Europe PMC for the full text of a paper that it may give away, by an identifier such as "PMC123", "PMID:123" or a DOI. It returns
// the text as JATS XML with its address, or nothing when nobody answers or it is not open there. base replaces the public address
// when it is not empty.
func PaperText(ctx context.Context, client *http.Client, base, id string) (body []byte, at string) {
	p, err := newProvider(Config{Client: client, Base: base}, about{
		name: "europepmc", base: "https://www.ebi.ac.uk/europepmc/webservices/rest", pace: pace{gap: 200 * time.Millisecond, tries: 2, backoff: 2 * time.Second},
	}, europePMC{})
	if err != nil {
		return nil, ""
	}
	for _, k := range paperIDs {
		m := k.re.FindStringSubmatch(id)
		if m == nil {
			continue
		}
		pmc := m[1]
		if k.query != "" {
			found, err := p.get(ctx, p.path("/search", values("query", strings.Replace(k.query, "%s", m[1], 1), "format", "json", "resultType", "lite", "pageSize", "5")), formJSON, europePMCFault)
			if err != nil {
				return nil, ""
			}
			if pmc = parsePMC(found, m[1]); pmc == "" {
				return nil, ""
			}
		}
		u := p.path("/"+url.PathEscape(pmc)+"/fullTextXML", "")
		if body, err = p.get(ctx, u, formXML, nil); err != nil {
			return nil, ""
		}
		return body, u
	}
	return nil, ""
}

// parsePMC is the number under which Europe PMC has the text of the paper with an identifier: a DOI or a PubMed number.
func parsePMC(body []byte, id string) string {
	var got struct {
		ResultList struct {
			Result []struct {
				PMCID, DOI, PMID, IsOpenAccess, InEPMC string
			}
		}
	}
	if readJSON(body, &got) != nil {
		return ""
	}
	for _, r := range got.ResultList.Result {
		if (strings.EqualFold(r.DOI, id) || r.PMID == id) && (r.IsOpenAccess == "Y" || r.InEPMC == "Y") && paperIDs[0].re.MatchString(r.PMCID) {
			return r.PMCID
		}
	}
	return ""
}
