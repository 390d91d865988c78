package search

import (
	"reflect"
	"strings"
	"testing"
)

func TestFragment(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "a plain title", "a plain title"},
		{"marks", "The <span class='searchmatch'>tide</span> &amp; <b>more</b>", "The tide & more"},
		{"escaped twice", "&lt;i&gt;In vivo&lt;/i&gt; a &amp;amp; b", "In vivo a & b"},
		{"JATS", "<jats:title>Abstract</jats:title><jats:p>H<jats:sub>2</jats:sub>O</jats:p>", "Abstract H2O"},
		{"MathML", "energy <mml:math><mml:mi>E</mml:mi></mml:math>", "energy E"},
		{"an inequality", "when p < 0.05 and x<y holds", "when p < 0.05 and x<y holds"},
		{"an unknown element", "use <stdio.h> here", "use <stdio.h> here"},
		{"a script", "a<script>alert('b')</script>c<style>p{}</style>d", "acd"},
		{"lines", "one<br>two<p>three</p>", "one two three"},
		{"an open tag", "cut <b", "cut <b"},
		{"Chinese", "<b>潮汐</b>能", "潮汐能"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := oneLine(fragment(tc.in), 1000); got != tc.want {
				t.Errorf("fragment(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestDay(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-04": "2024-05-04", "2024-05": "2024-05", "2024": "2024", "2024-05-04T09:12:00": "2024-05-04",
		"2024-05-04T23:12:00-07:00": "2024-05-04", "2024-05-04T23:12:00.123Z": "2024-05-04", "Sat, 04 May 2024 09:12:00 GMT": "2024-05-04",
		"Sat, 4 May 2024 23:12:00 -0700": "2024-05-04", "4 May 2024": "2024-05-04", "2024 May 4": "2024-05-04", "2018 Jan-Feb": "2018", "2018 Spring": "2018",
		"20240504T101500Z": "2024-05-04", "20240504101500": "2024-05-04", "2024/05/04 00:00": "2024-05-04", "May 4, 2024": "2024-05-04",
		"": "", "soon": "", "0001-01-01": "", "2024-13-01": "", "9999": "", "3 days ago": "", strings.Repeat("2", 100): "",
	} {
		if got := day(in); got != want {
			t.Errorf("day(%q) = %q, want %q", in, got, want)
		}
	}
	if got := unixDay("1714813920"); got != "2024-05-04" {
		t.Errorf("unixDay = %q", got)
	}
}

func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		date, first, last string
		want              bool
	}{
		{"2024-05-04", "2024-05-04", "2024-05-04", true}, {"2024-05-03", "2024-05-04", "", false}, {"2024-05-05", "", "2024-05-04", false},
		{"2024", "2024-05-04", "2024-06-01", true}, {"2024-02", "2024-02-29", "", true}, {"2023-02", "2023-03-01", "", false}, {"x", "", "", false},
	} {
		if got := within(tc.date, tc.first, tc.last); got != tc.want {
			t.Errorf("within(%q, %q, %q) = %v", tc.date, tc.first, tc.last, got)
		}
	}
	if got, ok := edge("2024-02", true); !ok || got != "2024-02-29" {
		t.Errorf("edge = %q, %v", got, ok)
	}
}

func TestSite(t *testing.T) {
	for in, want := range map[string]string{
		"example.org": "example.org", "https://www.Example.org/a?b": "example.org", "*.example.org": "example.org", "münchen.example": "xn--mnchen-3ya.example",
		"": "", "a b": "", "localhost:80": "localhost", "..": "", "x\" OR y": "",
	} {
		got, ok := siteHost(in)
		if ok != (want != "") || ok && got != want {
			t.Errorf("siteHost(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for link, want := range map[string]bool{
		"https://example.org/": true, "https://www.example.org/": true, "http://a.b.example.org:8080/x": true,
		"https://notexample.org/": false, "https://example.org.evil.net/": false, "https://evil.net/example.org": false, "": false,
	} {
		if got := linkOnSite(link, "example.org"); got != want {
			t.Errorf("linkOnSite(%q) = %v", link, got)
		}
	}
}

func TestPhrases(t *testing.T) {
	for _, tc := range []struct {
		in, lang string
		n        int
		want     []string
	}{
		{"What is the effect of the tidal barrage?", "en", 6, []string{"effect", "tidal", "barrage"}},
		{`"tidal barrage" cost OR (x:y) AND barrage~2`, "en", 6, []string{"tidal barrage", "cost", "barrage", "2"}},
		{`an open " quotation`, "en", 6, []string{"open", "quotation"}},
		{"what is it", "en", 6, []string{"what", "is", "it"}},
		{"潮汐能的影响是什么?", "zh", 6, []string{"潮汐能的影响是什么"}},
		{"one two three four", "de", 2, []string{"one", "two"}},
		{"GPT-4 vs. U.S. law", "en", 9, []string{"GPT-4", "U.S", "law"}},
	} {
		if got := phrases(tc.in, tc.lang, tc.n); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("phrases(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestScrub(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b\d c"}`: `{"a":"bd c"}`, "{\"a\":\"b\tc\"}": `{"a":"b c"}`, `{"a":"\u00e9\uXY"}`: `{"a":"\u00e9uXY"}`, `{"a":"q\"\\"}`: `{"a":"q\"\\"}`,
		"{\n\"a\":1}": "{\n\"a\":1}", `"\`: `"`,
	} {
		if got := string(scrub([]byte(in))); got != want {
			t.Errorf("scrub(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestDOILink(t *testing.T) {
	for in, want := range map[string]string{
		"10.5555/a": "https://doi.org/10.5555/a", "https://doi.org/10.5555/a(b)": "https://doi.org/10.5555/a%28b%29", "doi:10.5555/A": "https://doi.org/10.5555/A",
		"http://dx.doi.org/10.5555/a%3Cb": "https://doi.org/10.5555/a%3Cb", "javascript:x": "", "": "", "https://doi.org/": "",
	} {
		if got := doiLink(in); got != want {
			t.Errorf("doiLink(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIsHTML(t *testing.T) {
	for in, want := range map[string]bool{
		"<!doctype html><p>x": true, "  \n<!-- c --><html>": true, "\xef\xbb\xbf<!DOCTYPE HTML PUBLIC>": true, `<?xml version="1.0"?><html xmlns="x">`: true,
		`{"a":"<html>"}`: false, `<?xml version="1.0"?><rss><html/></rss>`: false, "": false, "text <html>": false, "<feed/>": false, "<!DOCTYPE rss>": false, "<!": false, "<!>": false,
	} {
		if got := isHTML([]byte(in)); got != want {
			t.Errorf("isHTML(%q) = %v", in, got)
		}
	}
	if challenges([]byte(`<html><input name="q" value="captcha"><a class="captcha" href="/captcha">captcha</a><p>challenge</p>`)) {
		t.Error("a page that repeats the query is taken for a test for robots")
	}
}

func TestFeedForms(t *testing.T) {
	atom, err := parseFeed(testdata(t, "feeds.atom.xml"), "https://example.org/blog/feed")
	if err != nil || len(atom) != 1 || atom[0].link != "https://example.org/blog/a?b=1&c=2" || atom[0].date != "2024-01-01" {
		t.Errorf("Atom: %+v, %v", atom, err)
	} else if got := oneLine(fragment(atom[0].title), 99) + "|" + oneLine(fragment(atom[0].snippet), 99); got != "Tidal & more|The whole text" {
		t.Errorf("Atom: %q", got)
	}
	list, err := parseFeed(testdata(t, "feeds.json"), "https://example.org/feed.json")
	if err != nil || len(list) != 1 || list[0].link != "https://example.org/j" || fragment(list[0].title) != "Tidal <range>" || day(list[0].date) != "2024-02-07" {
		t.Errorf("JSON: %+v, %v", list, err)
	}
	rdf, err := parseFeed([]byte(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>x</title></channel><item><title>Ti&eacute;</title><link>https://example.org/1</link></item></rdf:RDF>`), "https://example.org/")
	if err != nil || len(rdf) != 1 || rdf[0].title != "Tié" || rdf[0].link != "https://example.org/1" {
		t.Errorf("RDF: %+v, %v", rdf, err)
	}
}

func TestKiwixPage(t *testing.T) {
	items, err := parseKiwix(testdata(t, "kiwix.page.html"))
	if err != nil || len(items) != 1 || items[0].link != "/harbour/guide/tides.html" || fragment(items[0].title) != "Tides & currents" || fragment(items[0].snippet) != "...tide tables..." {
		t.Errorf("items %+v, %v", items, err)
	}
	for link, want := range map[string]string{
		"/k/harbour/a%20b.html": "http://x:1/k/raw/harbour/content/a%20b.html", "/k/content/harbour/a/b": "http://x:1/k/raw/harbour/content/a/b",
		"harbour/a": "http://x:1/k/raw/harbour/content/a", "/other/a": "", "http://evil.net/k/harbour/a": "", "/k/harbour": "", "": "",
	} {
		if got := rawPage("http://x:1/k", link); got != want {
			t.Errorf("rawPage(%q) = %q, want %q", link, got, want)
		}
	}
}

func TestAbstract(t *testing.T) {
	if got := abstract(map[string][]int{"b": {1}, "a": {0, 2}, "z": {1}, "far": {1 << 30}, "before": {-1}}); got != "a b a" {
		t.Errorf("abstract = %q", got)
	}
}
