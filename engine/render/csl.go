package render

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/engine/research"
)

// cslItem is a source in CSL-JSON (the data schema of citation style language 1.0.2, csl-data.json).
type cslItem struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Title     string    `json:"title,omitempty"`
	Author    []cslName `json:"author,omitempty"`
	Issued    *cslDate  `json:"issued,omitempty"`
	Accessed  *cslDate  `json:"accessed,omitempty"`
	Container string    `json:"container-title,omitempty"`
	DOI       string    `json:"DOI,omitempty"`
	URL       string    `json:"URL,omitempty"`
	Archive   string    `json:"archive_location,omitempty"` // the path of a file
	Page      string    `json:"page,omitempty"`
	Language  string    `json:"language,omitempty"`
	Note      string    `json:"note,omitempty"` // the passages that the report cites
}

type cslName struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

// CSL returns the sources of a digest as CSL-JSON, which Zotero and pandoc read.
func CSL(d research.Digest) ([]byte, error) {
	items, err := cslItems(d)
	if err != nil {
		return nil, fmt.Errorf("render CSL-JSON: %w", err)
	}
	b, err := json.MarshalIndent(items, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("render CSL-JSON: %w", err)
	}
	return append(b, '\n'), nil
}

func cslItems(d research.Digest) ([]cslItem, error) {
	es, err := entries(d)
	if err != nil {
		return nil, err
	}
	items := make([]cslItem, 0, len(es))
	for _, e := range es {
		it := cslItem{
			ID: e.Key, Type: "document", Title: e.Title, Issued: cslDateOf(e.Published), Accessed: cslDateOf(e.Accessed), Container: e.Site,
			DOI: e.DOI, URL: e.URL, Archive: e.Where, Page: e.Pages, Language: e.Lang, Note: strings.Join(e.Quoted, "\n"),
		}
		switch {
		case e.DOI != "":
			it.Type = "article-journal"
		case e.URL != "":
			it.Type = "webpage"
		}
		for _, a := range e.Authors {
			it.Author = append(it.Author, cslName(a))
		}
		items = append(items, it)
	}
	return items, nil
}

func cslDateOf(d date) *cslDate {
	switch {
	case d.Year == 0:
		return nil
	case d.Month == 0:
		return &cslDate{[][]int{{d.Year}}}
	case d.Day == 0:
		return &cslDate{[][]int{{d.Year, d.Month}}}
	}
	return &cslDate{[][]int{{d.Year, d.Month, d.Day}}}
}
