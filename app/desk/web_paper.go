package desk

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/engine/document"
	"assay/engine/fetch"
	"assay/engine/research"
)

// wholePaper is the least text, in characters, of a page that holds a paper and not its abstract only.
const wholePaper = 6000

// maxCopies is how many open copies of one paper are tried.
const maxCopies = 3

// arxivPage is the page of a paper at arXiv, in either form of its number.
var arxivPage = regexp.MustCompile(`^https?://(?:www\.|export\.)?arxiv\.org/abs/(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)$`)

// whole returns the whole paper instead of a page that catalogues it: the file that the page names, or an open copy found by the DOI. A
// paper of which nothing but the abstract is open is a document with a Fault: an abstract is never counted as the paper.
func (w *webReader) whole(ctx context.Context, d research.Document) (research.Document, error) {
	doi := doiOf(d)
	m := arxivPage.FindStringSubmatch(d.Location)
	id := paperID(d, doi)
	if !d.Paper && m == nil && (id == "" || d.Fault == "" && !catalogue(d.Location)) || utf8.RuneCountInString(d.Text) >= wholePaper {
		return d, nil
	}
	var from []string
	if m != nil {
		from = append(from, "https://arxiv.org/pdf/"+m[1])
	}
	if d.FullText != "" {
		from = append(from, d.FullText)
	}
	tried := 0
	try := func(at string) (research.Document, bool, error) {
		tried++
		got, err := w.page(ctx, at)
		if err != nil {
			return got, false, err
		}
		if got.Fault != "" || utf8.RuneCountInString(got.Text) <= utf8.RuneCountInString(d.Text) || got.Paper && utf8.RuneCountInString(got.Text) < wholePaper {
			return got, false, nil
		}
		got.Canonical, got.Location, got.Own = at, d.Location, d.Own
		got.Title, got.Byline = or(d.Title, got.Title), or(d.Byline, got.Byline)
		got.Publisher, got.Published = or(d.Publisher, got.Publisher), or(d.Published, got.Published)
		return got, true, nil
	}
	for i := 0; i < len(from) && tried < maxCopies; i++ {
		if got, ok, err := try(from[i]); err != nil || ok {
			return got, err
		}
	}
	if id != "" && w.papers != nil {
		if got, ok, err := w.given(ctx, d, id); err != nil || ok {
			return got, err
		}
	}
	if doi != "" && w.copies != nil && tried < maxCopies {
		for _, at := range w.copies(ctx, doi) {
			if tried >= maxCopies || slices.Contains(from, at) || at == d.Location {
				continue
			}
			if got, ok, err := try(at); err != nil || ok {
				return got, err
			}
		}
	}
	if d.Fault == "" {
		d.Fault, d.Verdict, d.Text = "only its abstract is open, which is not the paper; give the paper itself with --attach", research.Paywalled, ""
		d.Headings, d.Tables, d.Pages = nil, nil, nil
	}
	return d, ctx.Err()
}

// given reads the text of a paper that Europe PMC gives away.
func (w *webReader) given(ctx context.Context, d research.Document, id string) (research.Document, bool, error) {
	jats, at := w.papers(ctx, id)
	if len(jats) == 0 {
		return d, false, ctx.Err()
	}
	if w.keep != nil {
		w.keep(fetch.Page{URL: at, Type: document.JATS, Body: jats})
	}
	got, err := document.FromBytes(ctx, d.Location, document.JATS, jats, document.Options{Web: true, URL: at, MaxBytes: maxWebPage})
	if err != nil || got.Fault != "" || doiOf(d) != "" && got.DOI != "" && !strings.EqualFold(got.DOI, doiOf(d)) {
		return d, false, err
	}
	got.Canonical, got.Location, got.Own = at, d.Location, d.Own
	got.Title, got.Byline = or(d.Title, got.Title), or(d.Byline, got.Byline)
	got.Publisher, got.Published = or(d.Publisher, got.Publisher), or(d.Published, got.Published)
	return got, true, nil
}

// pmcPage and pubmedPage are the pages of a paper at PubMed Central, Europe PMC and PubMed.
var (
	pmcPage    = regexp.MustCompile(`^https?://(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pmc/articles|pmc\.ncbi\.nlm\.nih\.gov/articles|(?:www\.)?europepmc\.org/(?:article/PMC|articles))/(PMC\d{1,9})/?$`)
	pubmedPage = regexp.MustCompile(`^https?://(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|(?:www\.)?europepmc\.org/(?:article|abstract)/MED)/(\d{1,9})/?$`)
)

// catalogue reports whether an address is the page of a paper in a catalogue, which may show no more than an abstract.
func catalogue(location string) bool {
	return pmcPage.MatchString(location) || pubmedPage.MatchString(location)
}

// paperID is the identifier by which the text of a document's paper is asked for; "" when it has none.
func paperID(d research.Document, doi string) string {
	if m := pmcPage.FindStringSubmatch(d.Location); m != nil {
		return m[1]
	}
	if doi != "" {
		return doi
	}
	if m := pubmedPage.FindStringSubmatch(d.Location); m != nil {
		return "PMID:" + m[1]
	}
	return ""
}

// doiOf is the DOI of a document: what its page says, or that of an address at doi.org.
func doiOf(d research.Document) string {
	if d.DOI != "" {
		return d.DOI
	}
	u, err := url.Parse(d.Location)
	if err != nil || !strings.HasSuffix(u.Hostname(), "doi.org") {
		return ""
	}
	if doi := strings.TrimPrefix(u.Path, "/"); strings.HasPrefix(doi, "10.") {
		return doi
	}
	return ""
}
