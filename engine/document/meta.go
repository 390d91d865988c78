package document

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"assay/engine/research"
)

// meta is a document with what its metadata says. article: the page calls itself a news item or a post; shown: its byline is not of
// the metadata but of an element of the page; vague: its date is of a field that many programs fill with that of the last change.
type meta struct {
	research.Document
	article, shown, vague bool
}

// pageMeta reads title, byline, publisher, date, language and canonical address of a page from its metadata: JSON-LD, meta
// elements, and elements marked with itemprop, rel or the class names of documentation tools.
func pageMeta(page *goquery.Document) meta {
	ld := linkedData(page)
	var d meta
	d.article = ld.article || metaContent(page, "og:type") == "article"
	d.Title = firstOf(ld.headline, metaContent(page, "citation_title"), metaContent(page, "og:title"), metaContent(page, "dc.title"),
		page.Find("head > title").First().Text(), page.Find("title").First().Text(), page.Find("h1").First().Text())
	if d.Byline = byline(page, ld); d.Byline == "" {
		d.Byline = shownByline(page)
		d.shown = d.Byline != ""
	}
	d.Publisher = firstOf(ld.publisher, metaContent(page, "citation_publisher"), metaContent(page, "dc.publisher"), metaContent(page, "dcterms.publisher"),
		metaContent(page, "publisher"), metaContent(page, "og:site_name"), metaContent(page, "application-name"))
	d.Published, d.vague = published(page, ld)
	d.Lang = firstOf(page.Find("html").AttrOr("lang", ""), page.Find("html").AttrOr("xml:lang", ""),
		metaContent(page, "content-language"), metaContent(page, "dc.language"))
	href := page.Find("link[rel='canonical']").First().AttrOr("href", "")
	if u, err := url.Parse(strings.TrimSpace(href)); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && len(href) < 2048 {
		d.Canonical = strings.TrimSpace(href)
	}
	return d
}

// metaContent returns the content of the first meta element of that name, property or http-equiv; names are compared
// without regard to case.
func metaContent(page *goquery.Document, name string) string {
	got := ""
	page.Find("meta").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		for _, key := range []string{"name", "property", "itemprop", "http-equiv"} {
			if v, ok := s.Attr(key); ok && strings.EqualFold(strings.TrimSpace(v), name) {
				got = oneLine(s.AttrOr("content", ""), 500)
			}
		}
		return got == ""
	})
	return got
}

func byline(page *goquery.Document, ld ldData) string {
	if ld.author != "" {
		return person(ld.author)
	}
	var names []string
	page.Find("meta").Each(func(_ int, s *goquery.Selection) {
		key := strings.ToLower(s.AttrOr("name", ""))
		if key == "citation_author" || key == "dc.creator" {
			if p := person(s.AttrOr("content", "")); p != "" && len(names) < 10 {
				names = append(names, p)
			}
		}
	})
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	for _, key := range []string{"author", "article:author", "parsely-author", "sailthru.author", "dcterms.creator"} {
		if p := person(metaContent(page, key)); p != "" {
			return p
		}
	}
	return ""
}

// shownByline returns the authors in the elements that are marked as such, joined by ", ", or "".
func shownByline(page *goquery.Document) string {
	for _, sel := range []string{"[itemprop=author] [itemprop=name]", "[itemprop=author]", "a[rel=author]", ".byline-name", ".author-name", "span.author, div.author, p.author, h3.author, span.byline, p.byline, div.byline"} {
		var found []string
		page.Find(sel).Each(func(_ int, s *goquery.Selection) {
			p := person(s.Text())
			if p == "" || len(found) >= 10 || s.ParentsFiltered(sel).Length() > 0 {
				return
			}
			for _, f := range found {
				if f == p {
					return
				}
			}
			found = append(found, p)
		})
		if len(found) > 0 {
			return strings.Join(found, ", ")
		}
	}
	return ""
}

// person tidies a name from metadata: no "by", no address, and nothing that is a URL or a sentence.
func person(s string) string {
	s = oneLine(s, 400)
	for _, p := range []string{"by ", "By ", "BY ", "Author: ", "作者：", "作者:", "文/", "written by ", "Written by "} {
		s = strings.TrimSpace(strings.TrimPrefix(s, p))
	}
	if i := strings.IndexAny(s, "<|•·"); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "@") || len(s) > 150 || strings.HasSuffix(s, ".") && len(strings.Fields(s)) > 6 {
		return ""
	}
	return strings.Trim(s, " ,;")
}

// published returns the publication date, partial ISO, or "": JSON-LD, then meta elements, then elements marked as the
// date of publication. vague says that the field is one for any date.
func published(page *goquery.Document, ld ldData) (date string, vague bool) {
	if d := isoDate(ld.published); d != "" {
		return d, false
	}
	for _, key := range []string{"article:published_time", "og:article:published_time", "citation_publication_date", "citation_online_date", "citation_date",
		"datepublished", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date", "dcterms.date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish-date", "publication_date", "date"} {
		if d := isoDate(metaContent(page, key)); d != "" {
			return d, key == "date" || key == "dc.date" || key == "dcterms.date"
		}
	}
	got := ""
	page.Find("time[pubdate], [itemprop=datePublished], .pubdate, .dt-published").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		for _, v := range []string{s.AttrOr("datetime", ""), s.AttrOr("content", ""), afterColon(s.Text())} {
			if got = isoDate(v); got != "" {
				return false
			}
		}
		return true
	})
	return got, false
}

// afterColon drops a label such as "Publication date:".
func afterColon(s string) string {
	s = oneLine(s, 120)
	if _, rest, ok := strings.Cut(s, ": "); ok {
		return rest
	}
	for _, label := range []string{"Published on ", "Published ", "Publication date "} {
		s = strings.TrimPrefix(s, label)
	}
	return s
}

// ldData is what the JSON-LD of a page says about the page.
type ldData struct {
	headline, author, publisher, published string
	article                                bool
}

// linkedData reads the JSON-LD scripts. A malformed one is as if it were not there.
func linkedData(page *goquery.Document) ldData {
	var d ldData
	page.Find(`script[type="application/ld+json"]`).EachWithBreak(func(i int, s *goquery.Selection) bool {
		var v any
		if json.Unmarshal([]byte(strings.TrimSpace(s.Text())), &v) == nil {
			d.read(v, 0)
		}
		return i < 20
	})
	return d
}

func (d *ldData) read(v any, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			d.read(e, depth+1)
		}
	case map[string]any:
		if g, ok := v["@graph"]; ok {
			d.read(g, depth+1)
		}
		kind := nameOf(v["@type"])
		isArticle := strings.Contains(kind, "Article") || strings.Contains(kind, "BlogPosting") || kind == "Report"
		if !isArticle && kind != "WebPage" && kind != "Book" && kind != "CreativeWork" && kind != "Dataset" {
			return
		}
		d.article = d.article || isArticle
		d.headline = firstOf(d.headline, nameOf(v["headline"]))
		d.author = firstOf(d.author, nameOf(v["author"]))
		d.publisher = firstOf(d.publisher, nameOf(v["publisher"]))
		d.published = firstOf(d.published, nameOf(v["datePublished"]))
	}
}

// nameOf returns the string, the "name" of the object, or the names of the list, joined.
func nameOf(v any) string {
	switch v := v.(type) {
	case string:
		return oneLine(v, 400)
	case map[string]any:
		return nameOf(v["name"])
	case []any:
		var names []string
		for _, e := range v {
			if n := nameOf(e); n != "" && len(names) < 10 {
				names = append(names, n)
			}
		}
		return strings.Join(names, ", ")
	}
	return ""
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}
