package search

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// copiesAt are where open copies of papers are known; a single look-up by DOI is free there and needs no key.
const copiesAt = "https://api.openalex.org"

// CopiesHost is who is asked by [OpenCopies], as it is shown before a run starts.
const CopiesHost = "api.openalex.org"

// maxCopies is the most open copies of a paper that are named.
const maxCopies = 6

// OpenCopies asks OpenAlex where open copies of a paper are, files before pages, the best first. Nothing is returned when nobody
// answers or none is known. base replaces the public address when it is not empty.
func OpenCopies(ctx context.Context, client *http.Client, base, doi string) []string {
	if !strings.HasPrefix(doi, "10.") || len(doi) > 200 {
		return nil
	}
	p, err := newProvider(Config{Client: client, Base: base}, about{name: "openalex", base: copiesAt, pace: pace{gap: time.Second, tries: 1}}, openCopies{})
	if err != nil {
		return nil
	}
	body, err := p.get(ctx, p.path("/works/doi:"+url.PathEscape(doi), values("select", "best_oa_location,locations")), formJSON, nil)
	if err != nil {
		return nil
	}
	return parseCopies(body)
}

// openCopies is no provider: it is asked by DOI only.
type openCopies struct{}

func (openCopies) search(context.Context, *provider, ask) (found, error) { return found{}, nil }

func parseCopies(body []byte) []string {
	type place struct {
		Open    bool   `json:"is_oa"`
		PDF     string `json:"pdf_url"`
		Landing string `json:"landing_page_url"`
	}
	var got struct {
		Best *place  `json:"best_oa_location"`
		All  []place `json:"locations"`
	}
	if readJSON(body, &got) != nil {
		return nil
	}
	if got.Best != nil {
		got.All = append([]place{*got.Best}, got.All...)
	}
	var out []string
	add := func(u string) {
		parsed, err := url.Parse(strings.TrimSpace(u))
		if err == nil && parsed.Host != "" && parsed.User == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && !slices.Contains(out, u) && len(out) < maxCopies {
			out = append(out, u)
		}
	}
	for _, l := range got.All[:min(len(got.All), 50)] {
		if l.Open {
			add(l.PDF)
		}
	}
	for _, l := range got.All[:min(len(got.All), 50)] {
		if l.Open {
			add(l.Landing)
		}
	}
	return out
}
