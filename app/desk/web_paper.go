package desk

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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
	if !d.Paper && m == nil && (doi == "" || d.Fault == "") || utf8.RuneCountInString(d.Text) >= wholePaper {
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
