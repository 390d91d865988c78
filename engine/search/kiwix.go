package search

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// kiwix searches the books of a kiwix-serve: offline copies of encyclopedias and manuals.
type kiwix struct{}

// maxBooks is the most books that one search goes through; a server may hold hundreds.
const maxBooks = 8

// NewKiwix is the kiwix-serve at Base.
func NewKiwix(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "kiwix", filters: Filters{Site: Reapplied, Dates: Unapplied},
		pace: pace{tries: 2, backoff: time.Second}, undated: "a book has one date for all its pages",
	}, kiwix{}))
}

// search asks for the list of books each time, because they come and go while the server runs.
func (kiwix) search(ctx context.Context, p *provider, a ask) (found, error) {
	body, err := p.get(ctx, p.path("/catalog/v2/entries", ""), formXML, nil)
	if err != nil {
		return found{}, err
	}
	books, err := parseCatalog(body)
	if err != nil {
		return found{}, err
	}
	if len(books) == 0 {
		return found{}, &Error{Kind: ErrUnavailable, Detail: "it holds no books", Next: "add a ZIM file to it"}
	}
	books, notes := choose(books, a.lang)
	var lists [][]item
	var firstFault *Error
	for _, b := range books {
		items, err := searchBook(ctx, p, b, a)
		var fault *Error
		switch {
		case err == nil:
			lists = append(lists, items)
			continue
		case !errors.As(err, &fault):
			return found{}, err
		}
		if firstFault == nil {
			firstFault = fault
		}
		notes = append(notes, "the book "+b.title+" was not searched: "+fault.finish(p.host, p.secrets).Error())
	}
	if len(lists) == 0 {
		return found{}, firstFault
	}
	return found{items: merged(lists), notes: notes}, nil
}

// searchBook asks one book: a search over several works only where all have one language.
func searchBook(ctx context.Context, p *provider, b book, a ask) ([]item, error) {
	body, err := p.get(ctx, p.path("/search", values(
		"content", b.name, "pattern", a.text, "format", "xml", "start", "1", "pageLength", strconv.Itoa(min(a.limit, 100)),
	)), formAny, kiwixFault)
	if err != nil {
		return nil, err
	}
	items, err := parseKiwix(body)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, it := range items {
		if it.link = rawPage(p.root, it.link); it.link != "" {
			out = append(out, it)
		}
	}
	return out, nil
}

// kiwixFault reads the refusals, whose XML is not well-formed.
func kiwixFault(r reply) *Error {
	if r.status == http.StatusBadRequest || r.status == http.StatusNotFound {
		said := ownWords(r.body)
		if isHTML(r.body) && r.status == http.StatusNotFound {
			return nil
		}
		return &Error{Kind: ErrBadQuery, Detail: said, Next: "change its words, or check that the book has an index for searching"}
	}
	return nil
}

// book is a ZIM file that the server holds.
type book struct {
	name  string // as addresses hold it
	title string
	langs []string
}

func parseCatalog(body []byte) ([]book, error) {
	var got struct {
		XMLName struct{} `xml:"feed"`
		Entries []struct {
			Title    string `xml:"title"`
			Language string `xml:"language"`
			Links    []struct {
				Type string `xml:"type,attr"`
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := readXML(body, &got); err != nil {
		return nil, err
	}
	var out []book
	for _, e := range got.Entries {
		b := book{title: oneLine(e.Title, 80), langs: strings.FieldsFunc(e.Language, func(r rune) bool { return r == ',' || r == ' ' })}
		for _, l := range e.Links {
			if u, err := url.Parse(l.Href); err == nil && l.Type == "text/html" {
				b.name = path.Base(u.Path)
			}
		}
		if b.name != "" && b.name != "/" && b.name != "." {
			out = append(out, b)
		}
		if len(out) == maxItems {
			break
		}
	}
	return out, nil
}

// choose takes the books in the language of the query first, and says when some are left out.
func choose(books []book, lang string) ([]book, []string) {
	code := map[string]string{"en": "eng", "zh": "zho"}[lang]
	books = slices.Clone(books)
	slices.SortStableFunc(books, func(x, y book) int {
		return rank(x, lang, code) - rank(y, lang, code)
	})
	if len(books) <= maxBooks {
		return books, nil
	}
	return books[:maxBooks], []string{"kiwix-serve holds " + strconv.Itoa(len(books)) + " books, of which " + strconv.Itoa(maxBooks) + " were searched, those in the language of the query first"}
}

func rank(b book, lang, code string) int {
	if lang == "" || slices.Contains(b.langs, lang) || code != "" && slices.Contains(b.langs, code) || code == "zho" && slices.Contains(b.langs, "chi") {
		return 0
	}
	return 1
}

// merged takes from each list in turn, so that no book outranks another.
func merged(lists [][]item) []item {
	var out []item
	for i := 0; ; i++ {
		more := false
		for _, l := range lists {
			if i < len(l) {
				out, more = append(out, l[i]), true
			}
		}
		if !more {
			return out
		}
	}
}

// parseKiwix reads the results as RSS, or as the page that older servers send whatever form they are asked for.
func parseKiwix(body []byte) ([]item, error) {
	if isHTML(body) {
		return parseKiwixPage(body)
	}
	var got struct {
		XMLName struct{} `xml:"rss"`
		Channel *struct {
			Total string `xml:"totalResults"`
			Items []struct {
				Title       markup `xml:"title"`
				Link        string `xml:"link"`
				Description markup `xml:"description"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	if err := readXML(body, &got); err != nil {
		return nil, err
	}
	if got.Channel == nil || strings.TrimSpace(got.Channel.Total) == "" {
		return nil, misread("there is no list of results in it")
	}
	var out []item
	for _, r := range got.Channel.Items[:min(len(got.Channel.Items), maxItems)] {
		// The words that were found are marked by elements in the description.
		out = append(out, item{link: r.Link, title: r.Title.Text, snippet: r.Description.Inner})
	}
	return out, nil
}

func parseKiwixPage(body []byte) ([]item, error) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, misread("it is not a page")
	}
	list := first(root, "div", "results")
	if list == nil {
		if challenges(body) {
			return nil, &Error{Kind: ErrChallenge, Detail: ownWords(body)}
		}
		return nil, &Error{Kind: ErrChallenge, Detail: ownWords(body), Next: "check that its address is that of a kiwix-serve"}
	}
	var out []item
	for _, li := range all(list, func(n *html.Node) bool { return n.Data == "li" }) {
		a := first(li, "a", "")
		if a == nil {
			continue
		}
		out = append(out, item{link: attr(a, "href"), title: content(a), snippet: content(first(li, "cite", ""))})
	}
	return out, nil
}

// rawPage is the address of a page's own bytes: the one that a result names has a bar of the server in it, and differs
// between versions of the server ("/book/page", "/content/book/page").
func rawPage(root, link string) string {
	base, err := url.Parse(root + "/")
	if err != nil {
		return ""
	}
	u, err := base.Parse(strings.TrimSpace(link))
	if err != nil || u.Host != base.Host {
		return ""
	}
	rest, ok := strings.CutPrefix(u.EscapedPath(), base.EscapedPath())
	if !ok {
		return ""
	}
	rest = strings.TrimPrefix(rest, "content/")
	name, page, ok := strings.Cut(rest, "/")
	if !ok || name == "" || page == "" {
		return ""
	}
	return root + "/raw/" + name + "/content/" + page
}
