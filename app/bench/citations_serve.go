package bench

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/search"
)

// madeRowsMost is how many works a search returns at most.
const madeRowsMost = 5

// serveCatalogue serves a made catalogue on loopback in the forms of Crossref, OpenAlex and Semantic Scholar.
func serveCatalogue(m *madeWorks) (catalogues []search.Catalogue, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("serve the made catalogue: %w", err)
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }() // ends with the server
	catalogues, closeClient, err := threeCatalogues("http://" + l.Addr().String())
	if err != nil {
		_ = server.Close()
		<-done
		return nil, nil, err
	}
	return catalogues, func() {
		closeClient()
		_ = server.Close()
		<-done
	}, nil
}

// ServeHTTP implements [http.Handler].
func (m *madeWorks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, q := r.URL.Path, r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	reply := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	none := func(body string) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(body))
	}
	switch {
	case path == "/crossref/works":
		items := []any{}
		for _, x := range m.nearest("crossref", q.Get("query.bibliographic"), madeRowsMost) {
			items = append(items, crossrefForm(x))
		}
		reply(map[string]any{"status": "ok", "message-type": "work-list", "message": map[string]any{"total-results": len(items), "items": items}})
	case strings.HasPrefix(path, "/crossref/works/"):
		x, ok := m.byIdentifier("crossref", strings.TrimPrefix(path, "/crossref/works/"))
		if !ok {
			none("Resource not found.")
			return
		}
		reply(map[string]any{"status": "ok", "message-type": "work", "message": crossrefForm(x)})
	case path == "/openalex/works":
		results := []any{}
		if doi, ok := strings.CutPrefix(q.Get("filter"), "doi:https://doi.org/"); ok {
			if x, ok := m.byIdentifier("openalex", doi); ok {
				results = append(results, openAlexForm(x))
			}
		} else {
			for _, x := range m.nearest("openalex", strings.ReplaceAll(q.Get("search"), `"`, " "), madeRowsMost) {
				results = append(results, openAlexForm(x))
			}
		}
		reply(map[string]any{"meta": map[string]any{"count": len(results), "page": 1, "per_page": madeRowsMost}, "results": results})
	case path == "/scholar/paper/search":
		data := []any{}
		for _, x := range m.nearest("scholar", q.Get("query"), madeRowsMost) {
			data = append(data, scholarForm(x))
		}
		reply(map[string]any{"total": len(data), "offset": 0, "data": data})
	case strings.HasPrefix(path, "/scholar/paper/"):
		id := strings.TrimPrefix(path, "/scholar/paper/")
		_, number, _ := strings.Cut(id, ":")
		if x, ok := m.byIdentifier("scholar", number); ok {
			reply(scholarForm(x))
			return
		}
		none(`{"error":"Paper with id ` + id + ` not found"}`)
	default:
		none("Resource not found.")
	}
}

// byIdentifier is the work under a DOI or an arXiv number, as a service has it.
func (m *madeWorks) byIdentifier(service, id string) (research.Work, bool) {
	id = strings.ToLower(id)
	i, ok := m.byDOI[id]
	if !ok {
		i, ok = m.arXiv[strings.TrimPrefix(id, "10.48550/arxiv.")]
	}
	if !ok {
		return research.Work{}, false
	}
	return m.as(service, i)
}

func crossrefForm(w research.Work) map[string]any {
	authors := []any{}
	for _, a := range w.Authors {
		words := strings.Fields(a)
		if len(words) == 0 {
			continue
		}
		authors = append(authors, map[string]any{"given": strings.Join(words[:len(words)-1], " "), "family": words[len(words)-1], "sequence": "additional"})
	}
	return map[string]any{
		"DOI": w.DOI, "type": "proceedings-article", "title": []string{w.Title}, "author": authors, "container-title": []string{w.Venue},
		"issued": map[string]any{"date-parts": [][]int{{w.Year}}}, "score": 10.5,
	}
}

func openAlexForm(w research.Work) map[string]any {
	authors := []any{}
	for _, a := range w.Authors {
		authors = append(authors, map[string]any{"author_position": "middle", "author": map[string]any{"display_name": a}})
	}
	kind, doi := "article", any(nil)
	if w.Preprint {
		kind = "preprint"
	}
	if w.DOI != "" {
		doi = "https://doi.org/" + strings.ToLower(w.DOI)
	}
	return map[string]any{
		"id": "https://openalex.org/W" + fmt.Sprint(drawOf(w.Title, 1<<27)), "doi": doi, "title": w.Title, "type": kind, "publication_year": w.Year,
		"publication_date": fmt.Sprintf("%04d-01-01", w.Year), "authorships": authors,
		"primary_location": map[string]any{"landing_page_url": "https://works.example.org/" + url.PathEscape(w.Title), "source": map[string]any{"display_name": w.Venue}},
	}
}

func scholarForm(w research.Work) map[string]any {
	authors := []any{}
	for i, a := range w.Authors {
		authors = append(authors, map[string]any{"authorId": fmt.Sprint(i), "name": a})
	}
	ids := map[string]any{"CorpusId": drawOf(w.Title, 1<<27)}
	if w.DOI != "" {
		ids["DOI"] = w.DOI
	}
	if w.ArXiv != "" {
		ids["ArXiv"] = w.ArXiv
	}
	return map[string]any{
		"paperId": fmt.Sprintf("%08x", drawOf(w.Title, 1<<27)), "title": w.Title, "year": w.Year, "venue": w.Venue, "authors": authors, "externalIds": ids,
		"publicationDate": nil,
	}
}
