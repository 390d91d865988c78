package search

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"assay/engine/research"
)

// crossrefCatalogue finds works in what publishers registered.
type crossrefCatalogue struct{ crossref }

func (x crossrefCatalogue) byID(ctx context.Context, p *provider, ref research.CitedWork) (*research.Work, bool, error) {
	doi := bareDOI(ref.DOI)
	if doi == "" || strings.HasPrefix(strings.ToLower(doi), "10.48550/") { // given out by another agency, which Crossref does not hold
		return nil, false, nil
	}
	escaped := strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
	body, none, err := p.missing(ctx, call{url: p.path("/works/"+escaped, values("mailto", x.contact))})
	if err != nil || none {
		return nil, true, err
	}
	var got struct {
		Status  string
		Message *crossrefRecord
	}
	if err := readJSON(body, &got); err != nil {
		return nil, true, err
	}
	if got.Status != "ok" || got.Message == nil || got.Message.DOI == "" {
		return nil, true, misread("there is no work in it")
	}
	w := got.Message.work()
	return &w, true, nil
}

func (x crossrefCatalogue) byTitle(ctx context.Context, p *provider, ref research.CitedWork) ([]research.Work, error) {
	query := oneLine(ref.Title, maxQuery)
	if len(ref.Authors) > 0 {
		query += " " + oneLine(ref.Authors[0], maxAuthor)
	}
	body, err := p.get(ctx, p.path("/works", values("query.bibliographic", cutWords(query, maxQuery), "rows", strconv.Itoa(maxWorks),
		"select", "DOI,title,author,issued,container-title,type", "sort", "relevance", "order", "desc", "mailto", x.contact)), formJSON, nil)
	if err != nil {
		return nil, err
	}
	var got struct {
		Status  string
		Message *struct{ Items *[]crossrefRecord }
	}
	if err := readJSON(body, &got); err != nil {
		return nil, err
	}
	if got.Status != "ok" || got.Message == nil || got.Message.Items == nil {
		return nil, misread("there is no list of works in it")
	}
	var out []research.Work
	for _, r := range *got.Message.Items {
		out = append(out, r.work())
	}
	return out, nil
}

// crossrefRecord is a work with its type, which says whether it is a preprint.
type crossrefRecord struct {
	crossrefWork
	Type string
}

func (r crossrefRecord) work() research.Work {
	w := research.Work{
		Location: doiLink(r.DOI), Title: string(r.Title), Venue: string(r.Container), DOI: r.DOI,
		Year: yearOf(dateParts(r.Issued.Parts)), Preprint: r.Type == "posted-content",
	}
	for _, a := range r.Author {
		w.Authors = append(w.Authors, strings.TrimSpace(a.Given+" "+a.Family+a.Name))
	}
	return w
}

// openAlexCatalogue finds works in OpenAlex.
type openAlexCatalogue struct{ openAlex }

const openAlexFields = "id,doi,title,publication_date,publication_year,type,primary_location,authorships"

// openAlexRecord is what is read of a work.
type openAlexRecord struct {
	ID, DOI, Title, Type string
	Date                 string `json:"publication_date"`
	Year                 int    `json:"publication_year"`
	Primary              struct {
		Landing string `json:"landing_page_url"`
		Source  struct {
			Name string `json:"display_name"`
		}
	} `json:"primary_location"`
	Authorships []struct {
		Author struct {
			Name string `json:"display_name"`
		}
	}
}

func (r openAlexRecord) work() research.Work {
	w := research.Work{
		Location: or(doiLink(r.DOI), or(r.Primary.Landing, r.ID)), Title: r.Title, Venue: r.Primary.Source.Name,
		DOI: bareDOI(r.DOI), Year: r.Year, Preprint: r.Type == "preprint",
	}
	if w.Year == 0 {
		w.Year = yearOf(r.Date)
	}
	if d := strings.ToLower(w.DOI); strings.HasPrefix(d, "10.48550/arxiv.") {
		w.ArXiv = d[len("10.48550/arxiv."):]
	}
	for _, a := range r.Authorships {
		w.Authors = append(w.Authors, a.Author.Name)
	}
	return w
}

func (o openAlexCatalogue) byID(ctx context.Context, p *provider, ref research.CitedWork) (*research.Work, bool, error) {
	doi := bareDOI(ref.DOI)
	if a := arXivOf(ref); a != "" {
		doi = "10.48550/arxiv." + a
	}
	if doi == "" || strings.ContainsAny(doi, ",|") { // these part the values of a filter
		return nil, false, nil
	}
	// A filter answers an unknown DOI with an empty list, where the address of one work answers with a page.
	works, err := o.works(ctx, p, "filter", "doi:https://doi.org/"+doi)
	if err != nil || len(works) == 0 {
		return nil, true, err
	}
	return &works[0], true, nil
}

func (o openAlexCatalogue) byTitle(ctx context.Context, p *provider, ref research.CitedWork) ([]research.Work, error) {
	words := strings.Join(quoted(phrases(ref.Title, "", 12)), " ")
	if words == "" {
		return nil, &Error{Kind: ErrBadQuery, Detail: "the title holds no word"}
	}
	return o.works(ctx, p, "search", words, "sort", "relevance_score:desc")
}

// works asks for a list of works.
func (o openAlexCatalogue) works(ctx context.Context, p *provider, pairs ...string) ([]research.Work, error) {
	pairs = append(pairs, "per_page", strconv.Itoa(maxWorks), "select", openAlexFields, "mailto", o.contact, "api_key", o.key)
	body, err := p.get(ctx, p.path("/works", values(pairs...)), formJSON, openAlexFault)
	if err != nil {
		return nil, err
	}
	var got struct{ Results *[]openAlexRecord }
	if err := readJSON(body, &got); err != nil {
		return nil, err
	}
	if got.Results == nil {
		return nil, misread("there is no list of works in it")
	}
	var out []research.Work
	for _, r := range *got.Results {
		out = append(out, r.work())
	}
	return out, nil
}

// scholarCatalogue finds works in Semantic Scholar.
type scholarCatalogue struct{ semanticScholar }

const scholarFields = "title,year,publicationDate,authors,venue,externalIds,publicationTypes"

// scholarRecord is what is read of a paper.
type scholarRecord struct {
	PaperID, Title, PublicationDate, Venue string
	Year                                   int
	Authors                                []struct{ Name string }
	ExternalIDs                            struct{ DOI, ArXiv string }
}

func (r scholarRecord) work() research.Work {
	w := research.Work{
		Location: "https://www.semanticscholar.org/paper/" + url.PathEscape(r.PaperID), Title: r.Title, Venue: r.Venue, DOI: bareDOI(r.ExternalIDs.DOI),
		ArXiv: r.ExternalIDs.ArXiv, Year: r.Year, Preprint: strings.EqualFold(r.Venue, "arXiv.org"),
	}
	if l := doiLink(r.ExternalIDs.DOI); l != "" {
		w.Location = l
	}
	if w.Year == 0 {
		w.Year = yearOf(r.PublicationDate)
	}
	for _, a := range r.Authors {
		w.Authors = append(w.Authors, a.Name)
	}
	return w
}

// call is a request with the person's key, and the service's own way to refuse one without.
func (s scholarCatalogue) call(u string) call {
	c := call{url: u, judge: s.refuses, header: map[string]string{}}
	if s.key != "" {
		c.header["x-api-key"] = s.key
	}
	return c
}

func (s scholarCatalogue) byID(ctx context.Context, p *provider, ref research.CitedWork) (*research.Work, bool, error) {
	id := ""
	if a := arXivOf(ref); a != "" {
		id = "ARXIV:" + a
	} else if d := bareDOI(ref.DOI); d != "" {
		id = "DOI:" + d
	}
	if id == "" {
		return nil, false, nil
	}
	body, none, err := p.missing(ctx, s.call(p.path("/paper/"+strings.ReplaceAll(url.PathEscape(id), "%2F", "/"), values("fields", scholarFields))))
	if err != nil || none {
		return nil, true, err
	}
	var got scholarRecord
	if err := readJSON(body, &got); err != nil {
		return nil, true, err
	}
	if got.PaperID == "" {
		return nil, true, misread("there is no paper in it")
	}
	w := got.work()
	return &w, true, nil
}

func (s scholarCatalogue) byTitle(ctx context.Context, p *provider, ref research.CitedWork) ([]research.Work, error) {
	words := phrases(ref.Title, "", 12)
	if len(words) == 0 {
		return nil, &Error{Kind: ErrBadQuery, Detail: "the title holds no word"}
	}
	r, err := p.send(ctx, s.call(p.path("/paper/search", values("query", strings.ReplaceAll(strings.Join(words, " "), "-", " "),
		"fields", scholarFields, "offset", "0", "limit", strconv.Itoa(maxWorks)))))
	if err != nil {
		return nil, err
	}
	var got struct {
		Total *number
		Data  *[]scholarRecord
	}
	if err := readJSON(r.body, &got); err != nil {
		return nil, err
	}
	if got.Total == nil || got.Data == nil && *got.Total != 0 {
		return nil, misread("there is no list of papers in it")
	}
	if got.Data == nil {
		return nil, nil
	}
	var out []research.Work
	for _, d := range *got.Data {
		out = append(out, d.work())
	}
	return out, nil
}
