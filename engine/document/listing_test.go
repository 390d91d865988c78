package document

import (
	"fmt"
	"strings"
	"testing"
)

// TestListing holds pages that only lead to others apart from pages that say something, whatever their template.
func TestListing(t *testing.T) {
	many := func(n int, item string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(item, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	text := strings.Repeat("<p>The kiln was lit on a Monday and burned for three days, and the potters who kept it took turns at the door while the others slept in the barn beside it.</p>", 5)
	card := `<div class="card"><h3><a href="/p/#">What the potters of valley number # found</a></h3><p>The kiln was lit on a Monday and burned for three days and nights, says #.</p></div>`
	for _, tc := range []struct {
		name, body string
		want       bool
	}{
		{"results of a search", `<h1>Results for kiln</h1><ol>` + many(12, `<li><h2><a href="https://x#.example/">The kiln of village number #</a></h2><p>It was lit on a Monday and burned for three days, as page # of the year says …</p></li>`) + `</ol>`, true},
		{"an archive of cards", `<main><h1>Kilns</h1><div class="grid">` + many(10, card) + `</div></main>`, true},
		{"a front page", `<div class="front">` + many(4, `<section><h2>Part #</h2>`+many(4, card)+`</section>`) + `</div>`, true},
		{"articles one after another", `<main>` + many(9, `<article><a href="/a/#"><h2>The long fire of valley #</h2></a><time>2024-01-0#</time><div>Three days and nights it burned.</div></article>`) + `</main>`, true},
		{"a category of a wiki", `<h1>Category: Kilns</h1><p>The following 20 pages are in this category.</p><ul>` + many(20, `<li><a href="/wiki/K#">Kiln of place #</a></li>`) + `</ul>`, true},
		{"a list of news in Chinese", `<h1>新闻列表</h1><ul>` + many(15, `<li><a href="/n/#.html">第#窑开窑，陶工连续三天三夜守候在窑口</a><span>01-0#</span></li>`) + `</ul>`, true},
		{"rows of links", `<table><tbody>` + many(15, `<tr><td>#.</td><td><a href="https://x.example/#">How the kiln of valley # was built again</a></td></tr>`) + `</tbody></table>`, true},
		{"an index of parts", `<h1>Manual</h1><dl>` + many(12, `<dt><a href="c#.html">Chapter #. Of the fire</a></dt>`) + `</dl>`, true},

		{"an article", `<article><h1>The kiln</h1>` + text + `</article>`, false},
		{"an article with other articles under it", `<article><h1>The kiln</h1>` + text + `</article><div class="more">` + many(12, card) + `</div>`, false},
		{"a list that says something", `<h1>Kilns of the valley</h1><ul>` + many(15, `<li><a href="/k/#">Kiln #</a>, built in 18#, holds twelve shelves</li>`) + `</ul>`, false},
		{"a table of data with links", `<h1>Kilns</h1><table><tbody>` + many(15, `<tr><td><a href="/k/#">Kiln number #</a></td><td>18#</td><td>twelve shelves and a half</td></tr>`) + `</tbody></table>`, false},
		{"a few links", `<h1>The kiln</h1><p>It is described elsewhere.</p><ul>` + many(4, `<li><a href="/k/#">Kiln number #</a></li>`) + `</ul>`, false},
		{"an article that ends in links", `<h1>The kiln</h1>` + text + `<h2>Links</h2><ul>` + many(30, `<li><a href="https://k#.example/">Kiln number # of the valley</a></li>`) + `</ul>`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, err := FromBytes(t.Context(), "https://s.example/x", HTML, []byte("<html><body>"+tc.body+"</body></html>"), Options{Web: true, URL: "https://s.example/x"})
			if err != nil || d.Listing != tc.want {
				t.Errorf("Listing = %v, %v, want %v: %q", d.Listing, err, tc.want, d.Text[:min(200, len(d.Text))])
			}
			if d, err = FromBytes(t.Context(), "x.html", HTML, []byte("<html><body>"+tc.body+"</body></html>"), Options{}); err != nil || d.Listing {
				t.Errorf("a file of the person's own is called a listing: %v", err)
			}
		})
	}
}

// TestLinks holds which links of a page are kept: those to other sites, with the block that they stand in.
func TestLinks(t *testing.T) {
	page := `<html><body><article><h1>The kiln</h1><p>The kiln burned 5,318 logs, says <a href="https://Heat.example.org/a?utm_source=b">a report</a>.</p>` +
		strings.Repeat(`<p>The kiln was lit on a Monday and burned for three days, and <a href="/other">the potters</a> who kept it took turns at the door.</p>`, 6) +
		`<p>More of it stands <a href="https://news.site.example/x">elsewhere on this site</a> and <a href="javascript:alert(1)">nowhere</a> and <a href="http://[::1">broken</a> at all, as it is told.</p></article></body></html>`
	d, err := FromBytes(t.Context(), "https://www.site.example/x", HTML, []byte(page), Options{Web: true, URL: "https://www.site.example/x"})
	if err != nil || len(d.Links) != 1 || d.Links[0].URL != "https://heat.example.org/a" {
		t.Fatalf("Links = %+v, %v", d.Links, err)
	}
	if got := d.Text[d.Links[0].Start:d.Links[0].End]; got != "The kiln burned 5,318 logs, says a report." {
		t.Errorf("the block is %q", got)
	}
}
