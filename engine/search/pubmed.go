package search

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// pubmed finds papers of medicine: one request for their numbers, one for their records.
type pubmed struct{ key, contact string }

// NewPubMed is NCBI's E-utilities over PubMed. A key makes it faster, and is the person's own.
func NewPubMed(c Config) (Provider, error) {
	gap := 400 * time.Millisecond
	if c.Key != "" {
		gap = 125 * time.Millisecond
	}
	return asProvider(newProvider(c, about{
		name: "pubmed", base: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: gap, tries: 3, backoff: 2 * time.Second}, only: []string{"pubmed.ncbi.nlm.nih.gov"},
	}, pubmed{c.Key, c.Contact}))
}

func (m pubmed) search(ctx context.Context, p *provider, a ask) (found, error) {
	terms := quoted(phrases(a.text, a.lang, 8))
	if len(terms) == 0 {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word"}
	}
	from, to, kind := "", "", ""
	if a.first != "" || a.last != "" { // the service takes both ends or none
		from, to, kind = strings.ReplaceAll(or(a.first, "1000-01-01"), "-", "/"), strings.ReplaceAll(or(a.last, "3000-01-01"), "-", "/"), "pdat"
	}
	body, err := p.get(ctx, p.path("/esearch.fcgi", values(
		"db", "pubmed", "term", strings.Join(terms, " "), "retmode", "json", "retmax", strconv.Itoa(a.limit), "sort", "relevance",
		"datetype", kind, "mindate", from, "maxdate", to, "tool", "assay", "email", m.contact, "api_key", m.key,
	)), formJSON, pubmedFault)
	if err != nil {
		return found{}, err
	}
	ids, notes, err := parsePubMedIDs(body)
	if err != nil || len(ids) == 0 {
		return found{notes: notes}, err
	}
	body, err = p.get(ctx, p.path("/esummary.fcgi", values(
		"db", "pubmed", "id", strings.Join(ids, ","), "retmode", "json", "tool", "assay", "email", m.contact, "api_key", m.key,
	)), formJSON, pubmedFault)
	if err != nil {
		return found{}, err
	}
	f, err := parsePubMedRecords(body, ids)
	f.notes = append(notes, f.notes...)
	return f, err
}

// pubmedFault reads {"error":"API rate limit exceeded"} and {"error":"API key invalid"}, whatever the status.
func pubmedFault(r reply) *Error {
	var got struct{ Error string }
	if readJSON(r.body, &got) != nil || got.Error == "" {
		return nil
	}
	low := strings.ToLower(got.Error)
	switch {
	case strings.Contains(low, "rate limit"):
		return &Error{Kind: ErrRate, Detail: got.Error}
	case strings.Contains(low, "key"):
		return &Error{Kind: ErrAuth, Detail: got.Error}
	case r.status == http.StatusOK:
		return &Error{Kind: ErrUnavailable, Detail: got.Error}
	}
	return nil
}

var pmid = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)

func parsePubMedIDs(body []byte) (ids, notes []string, err error) {
	var got struct {
		Result *struct {
			Error  string `json:"ERROR"`
			IDList *[]string
			Errors struct {
				Phrases []string `json:"phrasesnotfound"`
				Fields  []string `json:"fieldsnotfound"`
			} `json:"errorlist"`
		} `json:"esearchresult"`
	}
	if err := readJSON(body, &got); err != nil {
		return nil, nil, err
	}
	switch {
	case got.Result == nil:
		return nil, nil, misread("there is no result of a search in it")
	case got.Result.Error != "":
		return nil, nil, &Error{Kind: ErrBadQuery, Detail: got.Result.Error}
	case got.Result.IDList == nil:
		return nil, nil, misread("there is no list of papers in it")
	}
	for _, id := range *got.Result.IDList {
		if !pmid.MatchString(id) {
			return nil, nil, misread("%q is not the number of a paper", id)
		}
		if len(ids) < maxLimit {
			ids = append(ids, id)
		}
	}
	if missing := append(got.Result.Errors.Phrases, got.Result.Errors.Fields...); len(missing) > 0 {
		notes = append(notes, "PubMed does not know: "+strings.Join(missing, ", "))
	}
	return ids, notes, nil
}

// parsePubMedRecords reads the records in the order of the numbers.
func parsePubMedRecords(body []byte, ids []string) (found, error) {
	var got struct {
		Result map[string]json.RawMessage
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Result == nil {
		return found{}, misread("there are no records in it")
	}
	var f found
	lost := 0
	for _, id := range ids {
		var r struct {
			Error, Title, Source, FullJournalName, PubDate, EPubDate string
			Authors                                                  []struct{ Name string }
			ArticleIDs                                               []struct{ IDType, Value string }
		}
		if raw, ok := got.Result[id]; !ok || json.Unmarshal(raw, &r) != nil || r.Error != "" {
			lost++
			continue
		}
		var names []string
		for _, n := range r.Authors {
			names = append(names, n.Name)
		}
		it := item{
			link: "https://pubmed.ncbi.nlm.nih.gov/" + id + "/", title: r.Title,
			snippet: byline(names, escaped(or(r.FullJournalName, r.Source))), date: or(day(r.EPubDate), r.PubDate),
		}
		f.items = append(f.items, it)
	}
	if lost > 0 && len(f.items) == 0 {
		return found{}, misread("none of the %d records that were asked for is in it", lost)
	}
	if lost > 0 {
		f.notes = append(f.notes, "PubMed gave no record for "+strconv.Itoa(lost)+" of its own results")
	}
	return f, nil
}
