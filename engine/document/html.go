package document

import (
	"context"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	readability "github.com/go-shiori/go-readability"
	"golang.org/x/net/html"

	"assay/engine/research"
)

const (
	// keptShare is the share of the visible body below which what readability keeps is not believed to be the main text.
	// Measured: on table-heavy pages it keeps half and less.
	keptShare = 0.4
	// mainShare is the share of <main> or of the only <article> below which readability is taken to have missed it.
	mainShare = 0.7
	// asideShare is the share of the body above which an <aside> is the article and not a note beside it.
	asideShare = 0.4
	// scriptOnly is the most characters of a page that only says it needs JavaScript.
	scriptOnly = 400
)

// checked is a reader that fails when the context has ended: parsing takes seconds for the largest files.
type checked struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c checked) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// readHTML reads a page that was decoded to UTF-8. When the context ends in between, the result is worth nothing.
func readHTML(ctx context.Context, src string, opt Options) research.Document {
	if at, ok := savedBySingleFile(src); ok && !opt.Web { // a page of the web in a file
		opt.Web, opt.URL = true, at
		d := readHTML(ctx, src, opt)
		if at != "" {
			d.Canonical = at
		}
		return d
	}
	root, err := html.Parse(checked{ctx, strings.NewReader(src)})
	if ctx.Err() != nil {
		return research.Document{}
	}
	if err != nil { // nested deeper than the parser allows
		return research.Document{Text: collapse(clean(stripTags(src))), Whole: true}
	}
	page := goquery.NewDocumentFromNode(root)
	doc := pageMeta(page)
	if ctx.Err() != nil {
		return research.Document{}
	}
	body := root
	if b := page.Find("body").First(); b.Length() > 0 {
		body = b.Get(0)
	}
	if opt.Web {
		ofPaper(page, &doc, opt.URL)
		doc.Byline = bylineOf(doc, body, opt.URL)
		doc.Published = webDate(doc, body, opt.URL)
	}
	doc.Hidden = hiddenText(body)
	marks := newMarks(body)
	if ctx.Err() != nil {
		return research.Document{}
	}
	whole := layHTML(body, marks)
	laid := whole
	if opt.Web {
		doc.Listing = !doc.Paper && marks.listing(body)
		laid, doc.Whole = mainWeb(root, body, whole, marks, pageTitle(page, doc.Title), opt)
	} else if doc.article {
		laid, doc.Whole = mainText(root, page, whole, marks, opt)
	}
	laid.into(&doc.Document)
	if n := runes(doc.Text); n < scriptOnly && needsScript(page, doc.Text) {
		doc.Fault = "the page shows its text only to a browser that runs its scripts; open it there and save it as a file"
		doc.Verdict = research.NeedsScript
	}
	if opt.Web && doc.Fault == "" && runes(doc.Text) < walledRunes && walled(page, body) {
		doc.Fault = "the page shows only its beginning to those who do not pay or sign in; save it from a browser that may read it and give the file with --attach"
		doc.Verdict = research.Paywalled
	}
	return doc.Document
}

// ofPaper notes what a page says of a paper that it catalogues, in the meta elements that indexes of papers go by (Highwire Press).
func ofPaper(page *goquery.Document, doc *meta, at string) {
	doc.Paper = metaContent(page, "citation_title") != "" && (metaContent(page, "citation_author") != "" || metaContent(page, "citation_journal_title") != "" || metaContent(page, "citation_doi") != "")
	doc.DOI = strings.TrimPrefix(strings.TrimPrefix(firstOf(metaContent(page, "citation_doi"), metaContent(page, "dc.identifier")), "doi:"), "https://doi.org/")
	if !strings.HasPrefix(doc.DOI, "10.") || len(doc.DOI) > 200 {
		doc.DOI = ""
	}
	base, err := url.Parse(at)
	if err != nil {
		return
	}
	if u, err := base.Parse(metaContent(page, "citation_pdf_url")); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.String() != at {
		doc.FullText = u.String()
	}
}

// walledRunes is the most text, in characters, of a page that is taken for the beginning of a paid one.
const walledRunes = 1500

// wall is what pages say where a reader has to pay or to sign in.
var wall = regexp.MustCompile(`(?i)subscribe (?:now )?to (?:continue|read|keep reading|unlock)|subscribers[ -]only|this (?:article|content|story) is (?:only )?(?:for|available to|reserved for) (?:our )?(?:paid )?(?:subscribers|members)|` +
	`(?:log|sign) ?in (?:or subscribe )?to (?:continue reading|read (?:this|the full|more))|create (?:a free |an )?account to (?:continue|read)|start your (?:free )?trial to (?:continue|read)|` +
	`登录后(?:查看|阅读|继续)|订阅后(?:继续)?阅读|付费(?:后)?(?:阅读|查看)|会员(?:专享|可读)`)

// walled reports whether a page says that its text is not free: by its metadata (schema.org), or in words outside the main text too.
func walled(page *goquery.Document, body *html.Node) bool {
	closed := false
	page.Find("script[type='application/ld+json']").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		closed = notFree.MatchString(s.Text())
		return !closed
	})
	if closed || strings.EqualFold(metaContent(page, "isAccessibleForFree"), "false") || strings.EqualFold(metaContent(page, "article:content_tier"), "locked") {
		return true
	}
	seen := goquery.NewDocumentFromNode(body).Text()
	return wall.MatchString(seen[:min(len(seen), 64<<10)])
}

// notFree is how JSON-LD says that a page is not for everybody.
var notFree = regexp.MustCompile(`(?i)"isAccessibleForFree"\s*:\s*"?false`)

// mainText chooses the main text of a web page: what readability keeps, the <main> element that readability missed, or
// the whole body, when readability keeps too little to be believed. The result's second value reports the last case.
func mainText(root *html.Node, page *goquery.Document, whole *builder, marks *marks, opt Options) (*builder, bool) {
	all := runes(whole.b.String())
	var base *url.URL
	if u, err := url.Parse(opt.URL); err == nil && u.Host != "" {
		base = u
	}
	kept := newBuilder()
	if node := readable(root, base); node != nil {
		kept = layHTML(node, newMarks(node))
	}
	if main := mainElement(page); main != nil {
		inMain := layHTML(main, marks)
		n := runes(inMain.b.String())
		if n >= 200 && float64(runes(kept.b.String())) < mainShare*float64(n) {
			return inMain, false
		}
	}
	if float64(runes(kept.b.String())) < keptShare*float64(all) || kept.b.Len() == 0 {
		return whole, true
	}
	return kept, false
}

// readable returns the node that readability takes for the main text, or nil. Its panics on hostile trees are taken for
// "nothing found": the whole body is the answer then.
func readable(root *html.Node, base *url.URL) (node *html.Node) {
	defer func() {
		if recover() != nil {
			node = nil
		}
	}()
	if base == nil {
		base = &url.URL{Scheme: "https", Host: "page.invalid", Path: "/"}
	}
	article, err := readability.FromDocument(root, base)
	if err != nil {
		return nil
	}
	return article.Node
}

// mainElement returns the one element that the page marks as its main text, or nil when it marks none or several.
func mainElement(page *goquery.Document) *html.Node {
	for _, sel := range []string{"main, [role=main]", "[itemprop=articleBody]", "article"} {
		found := page.Find(sel).FilterFunction(func(_ int, s *goquery.Selection) bool {
			return s.ParentsFiltered("main, [role=main], article").Length() == 0
		})
		if found.Length() == 1 {
			return found.Get(0)
		}
	}
	return nil
}

// needsScript reports whether a nearly empty page asks for JavaScript or is the shell of a program.
func needsScript(page *goquery.Document, seen string) bool {
	said := strings.ToLower(page.Find("noscript").Text() + " " + seen)
	if strings.Contains(said, "javascript") && (strings.Contains(said, "enable") || strings.Contains(said, "require") || strings.Contains(said, "need")) {
		return true
	}
	return runes(seen) < 40 && page.Find("#root, #app, #__next, #__nuxt, app-root").Length() > 0 && page.Find("script").Length() > 0
}

// stripTags is what is left when a page cannot be parsed: the text between its tags.
func stripTags(src string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(src))
	skip := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if skip == 0 {
				b.Write(z.Text())
				b.WriteByte(' ')
			}
		case html.StartTagToken:
			if name, _ := z.TagName(); isScript(string(name)) {
				skip++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); isScript(string(name)) && skip > 0 {
				skip--
			}
		}
	}
}

func isScript(tag string) bool { return tag == "script" || tag == "style" }
