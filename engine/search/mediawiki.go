package search

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wikimediaPace is for all hosts of Wikimedia together, which publish no number and ask for requests in series.
var wikimediaPace = pace{gap: 500 * time.Millisecond, tries: 3, backoff: 2 * time.Second}

// mediawiki asks the action API of a wiki.
type mediawiki struct {
	variant string // of the Chinese script
	article string // where an article stands, for answers that hold no addresses
}

// NewWikipedia is the Wikipedia of a language, "en" or "zh".
func NewWikipedia(c Config, lang string) (Provider, error) {
	host := lang + ".wikipedia.org"
	service := mediawiki{article: "https://" + host + "/wiki/"}
	if lang == "zh" {
		service.variant = "zh-cn"
	}
	a := mediawikiAbout("wikipedia-"+lang, "https://"+host+"/w/api.php")
	a.only = []string{host}
	a.pace = wikimediaPace
	return asProvider(newProvider(c, a, service))
}

// NewMediaWiki is any wiki that runs MediaWiki; Base is the address of its api.php, or the address under which /w/api.php is.
func NewMediaWiki(c Config) (Provider, error) {
	if c.Base != "" && !strings.HasSuffix(c.Base, ".php") {
		c.Base = strings.TrimRight(c.Base, "/") + "/w/api.php"
	}
	a := mediawikiAbout("mediawiki", "")
	u, err := url.Parse(c.Base)
	if err != nil {
		return asProvider(newProvider(c, a, mediawiki{}))
	}
	a.only = []string{strings.ToLower(u.Hostname())}
	a.name = "mediawiki-" + strings.ToLower(u.Host)
	dir := u.Path[:strings.LastIndexByte(u.Path, '/')+1]
	return asProvider(newProvider(c, a, mediawiki{article: u.Scheme + "://" + u.Host + dir + "index.php?title="}))
}

func mediawikiAbout(name, base string) about {
	return about{
		name: name, base: base, filters: Filters{Site: Native, Dates: Unapplied},
		pace: pace{gap: 200 * time.Millisecond, tries: 3, backoff: 2 * time.Second}, most: 300,
		undated: "a wiki dates its last edit, not its text",
	}
}

// asProvider keeps a nil pointer from becoming an interface that is not nil.
func asProvider(p *provider, err error) (Provider, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// search asks for the list, whose snippets show where the words stand, and for the pages, whose addresses and first paragraphs
// the list lacks, in one request.
func (m mediawiki) search(ctx context.Context, p *provider, a ask) (found, error) {
	n := strconv.Itoa(a.limit)
	u := p.path("", values(
		"action", "query", "format", "json", "formatversion", "2",
		"list", "search", "srsearch", a.text, "srlimit", n, "srnamespace", "0", "srprop", "snippet",
		"generator", "search", "gsrsearch", a.text, "gsrlimit", n, "gsrnamespace", "0",
		"prop", "extracts|info", "exintro", "1", "explaintext", "1", "exlimit", "max", "inprop", "url", "variant", m.variant,
	))
	body, err := p.get(ctx, u, formJSON, mediawikiFault)
	if err != nil {
		return found{}, err
	}
	return parseMediaWiki(body, m.article)
}

// mediawikiFault reads the errors that come with status 200.
func mediawikiFault(r reply) *Error {
	var got struct {
		Error *struct{ Code, Info string } `json:"error"`
	}
	if readJSON(r.body, &got) != nil || got.Error == nil {
		return nil
	}
	e := &Error{Detail: got.Error.Info}
	switch code := got.Error.Code; {
	case code == "maxlag", code == "ratelimited":
		e.Kind = ErrRate
	case code == "readapidenied", code == "permissiondenied", strings.Contains(code, "notloggedin"):
		e.Kind, e.Next = ErrAuth, "it answers members only; use another wiki"
	case code == "blocked", code == "autoblocked":
		e.Kind = ErrBlocked
	case strings.HasPrefix(code, "internal_api_error"), code == "readonly", code == "search-backend-error":
		e.Kind = ErrUnavailable
	case strings.Contains(code, "disabled"):
		e.Kind, e.Next = ErrFormat, "its search is turned off; use another wiki"
	default:
		e.Kind = ErrBadQuery
	}
	return e
}

// wikiPage is a page in the order of the search, or out of it with an index.
type wikiPage struct {
	PageID  int64
	Title   string
	Snippet string
	Index   int
	Extract string
	FullURL string
}

func parseMediaWiki(body []byte, article string) (found, error) {
	var got struct {
		Query *struct {
			Search *[]wikiPage
			Pages  *[]wikiPage
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Query == nil || got.Query.Search == nil && got.Query.Pages == nil {
		return found{}, misread("there is no list of pages in it")
	}
	var list, pages []wikiPage
	if got.Query.Search != nil {
		list = *got.Query.Search
	}
	if got.Query.Pages != nil {
		pages = slices.Clone(*got.Query.Pages)
		slices.SortStableFunc(pages, func(x, y wikiPage) int { return x.Index - y.Index })
	}
	byID := map[int64]wikiPage{}
	for _, w := range pages {
		byID[w.PageID] = w
	}
	if len(list) == 0 {
		list = pages
	}
	var f found
	for _, w := range list {
		more := byID[w.PageID]
		it := item{link: more.FullURL, title: escaped(w.Title), snippet: w.Snippet}
		if it.link == "" && w.Title != "" {
			it.link = article + url.QueryEscape(strings.ReplaceAll(w.Title, " ", "_"))
		}
		if more.Extract != "" {
			it.snippet = escaped(more.Extract)
		}
		f.items = append(f.items, it)
	}
	return f, nil
}
