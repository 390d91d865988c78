package document

import (
	"strings"
	"testing"
)

const shipped = "The ferry to the northern shore leaves every morning at six, with room for forty people and their baskets of greens."

// web reads a page as one of the web.
func web(t *testing.T, src, address string) string {
	t.Helper()
	return read(t, HTML, src, Options{Web: true, URL: address}).Published
}

// TestSeenDate reads dates as pages write them.
func TestSeenDate(t *testing.T) {
	for _, tc := range []struct {
		s          string
		monthFirst bool
		want       string
	}{
		{"2021-03-04", false, "2021-03-04"}, {"2021/3/4 12:00", false, "2021-03-04"}, {"4.3.2021", false, "2021-03-04"}, {"04.03.21 -", false, "2021-03-04"}, {"4/3/2021", false, "2021-03-04"}, {"3/4/2021", true, "2021-03-04"},
		{"25/3/2021", true, "2021-03-25"}, {"3/25/2021", false, "2021-03-25"}, {"4. März 2021", false, "2021-03-04"}, {"jeudi 4 mars 2021", false, "2021-03-04"}, {"4 de marzo de 2021", false, "2021-03-04"}, {"4 marzo 2021", false, "2021-03-04"},
		{"March 4th, 2021", true, "2021-03-04"}, {"Mar. 4, 2021", true, "2021-03-04"}, {"4 марта 2021", false, "2021-03-04"}, {"2021年3月4日", false, "2021-03-04"}, {"Arle, 4 March 2021", false, "2021-03-04"},
		{"", false, ""}, {"31.2.2021", false, ""}, {"1.2.3.4", false, ""}, {"version 4.3.2021.7", false, ""}, {"4 boats 2021", false, ""}, {"1821-03-04", false, ""},
	} {
		if got, _ := seenDate(tc.s, tc.monthFirst); got != tc.want {
			t.Errorf("seenDate(%q, %v) = %q, want %q", tc.s, tc.monthFirst, got, tc.want)
		}
	}
}

// TestWebDate finds the date of publication where pages show it.
func TestWebDate(t *testing.T) {
	page := func(head, before, after string) string {
		return `<html lang="de"><head><title>Die Fähre bleibt noch hier</title>` + head + `</head><body>` + before + `<h1>Die Fähre bleibt noch hier</h1>` + after + `<p>` + shipped + `</p><p>` + shipped + `</p></body></html>`
	}
	for _, tc := range []struct{ name, src, address, want string }{
		{"metadata", page(`<meta property="article:published_time" content="2021-03-04T06:00:00Z">`, "", "<p>5.3.2021</p>"), "", "2021-03-04"},
		{"another time zone", page(`<meta property="article:published_time" content="2021-03-05T01:00:00Z">`, "", ""), "https://news.example/2021/03/04/ferry", "2021-03-04"},
		{"address", page("", "", ""), "https://news.example/2021/03/04/ferry", "2021-03-04"},
		{"address in an archive", page("", "", ""), "https://web.archive.org/web/20220216182711/https://news.example/ferry", ""},
		{"time element", page("", "", `<time datetime="2021-03-04 16:11">vor kurzem</time>`), "", "2021-03-04"},
		{"class", page("", "", `<span class="entry-date">4. März 2021</span>`), "", "2021-03-04"},
		{"below the title", page("", "", `<p>Arle, 4. März 2021</p>`), "", "2021-03-04"},
		{"label apart", page("", "", `<p>Mise en ligne</p><p>4 mars 2021</p>`), "", "2021-03-04"},
		{"change and publication", page("", "", `<p>Letzte Änderung: 9.3.2021<br>Erschienen am: 4.3.2021</p>`), "", "2021-03-04"},
		{"date line", page("", "", `<p>4.3.2021 - `+shipped+shipped+`</p>`), "", "2021-03-04"},
		{"script", page(`<script>var page = {"publishedDate":"2021-03-04T20:37:27Z"}</script>`, "", ""), "", "2021-03-04"},
		{"a comment", page("", "", `<div class="comments"><time datetime="2021-03-04">4. März 2021</time></div>`), "", ""},
		{"another page", page("", "", `<div class="related"><span class="date">4. März 2021</span></div>`), "", ""},
		{"in a sentence", page("", "", `<p>The ferry was built in 1904 by the town, and it was the work of eleven men and two women, and since 4. März 2021 it has not been used by anybody, so that it rots in the harbour beside the old crane.</p>`), "", ""},
		{"only a change", page("", "", `<p>Letzte Änderung: 9.3.2021</p>`), "", "2021-03-09"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := web(t, tc.src, tc.address); got != tc.want {
				t.Errorf("date %q, want %q", got, tc.want)
			}
		})
	}
}

// TestWebText takes what stands beside the text away and keeps the text.
func TestWebText(t *testing.T) {
	const more = "Its captain has steered it for thirty-one years, and says that half of the passengers have gone since the bridge was opened."
	text := "<p>" + shipped + "</p><p>" + more + "</p><p>" + shipped + "</p>"
	page := func(inside, after string) string {
		return `<html><head><title>The ferry stays</title></head><body><div class="page"><div class="text"><h1>The ferry stays</h1>` + inside + `</div>` + after + `</div></body></html>`
	}
	for _, tc := range []struct{ name, src, without, with string }{
		{"comments", page(text, `<div id="comments"><p>A reader writes that `+strings.Repeat("the ferry was never on time, ", 60)+`</p></div>`), "never on time", more},
		{"a page of comments", page(`<div class="comments"><p>`+more+`</p><p>`+shipped+`</p></div>`, ""), "", more},
		{"caption", page(`<figure><img src="a.jpg"><figcaption>The ferry in 1904, by Ben Orr of the town's office</figcaption></figure>`+text, ""), "Ben Orr", more},
		{"byline", page(`<p>By Agnes Calder, 4 March 2021</p>`+text, ""), "Agnes Calder", shipped},
		{"pointer", page(text+`<p>Related: <a href="/b">The bridge is open</a></p>`+text, ""), "bridge is open", more},
		{"heading", page(text+`<h3>You may also like</h3><p>The bridge is open, and the ferry goes on, as we told in this long piece of last week.</p>`, ""), "bridge is open", more},
		{"teasers", page(text, strings.Repeat(`<div class="x"><a href="/b">The bridge was opened on a Monday</a><p>The town came to see it.</p></div>`, 5)), "opened on a Monday", more},
		{"closing", page(text+`<p>Follow Agnes Calder on the network of the harbour.</p>`, ""), "Follow Agnes", more},
		{"a list", page(text+`<ul><li>Baskets of greens</li><li>Coal and wool</li></ul><p>`+more+`</p>`, ""), "", "Coal and wool"},
		{"a word of a sentence", page(`<p><span class="dateline">ARLE – </span>`+shipped+`</p>`+text, ""), "", "ARLE –"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := read(t, HTML, tc.src, Options{Web: true, URL: "https://news.example/ferry"})
			got := strings.Join(strings.Fields(doc.Text), " ")
			if tc.without != "" && strings.Contains(got, tc.without) {
				t.Errorf("text has %q: %s", tc.without, got)
			}
			if !strings.Contains(got, tc.with) {
				t.Errorf("text has no %q: %s", tc.with, got)
			}
		})
	}
}

// TestWebLinear reads large pages of one kind of element each. In quadratic time it would run into the time limit of the tests.
func TestWebLinear(t *testing.T) {
	const size = 1 << 20 / shrink
	for _, unit := range []string{
		"<p>Comments</p>", "<h3>Related</h3><p>" + shipped + "</p>", `<div class="teaser"><a href="/b">` + shipped + `</a></div>`, `<div class="event"><span class="date">4.3.2021`, "<time>", "<span>", `<div class="comments">`, "<h1>x</h1>",
		`<p>Related: <a href="/b">more</a></p>`, `<a class="author" rel="author">By A</a>`, "<li>a", "4.3.2021 ", "By Agnes Calder ",
	} {
		t.Run(unit[:min(len(unit), 20)], func(t *testing.T) {
			read(t, HTML, "<html><head><title>x</title></head><body>"+strings.Repeat(unit, size/len(unit))+"</body></html>", Options{Web: true, URL: "https://news.example/ferry"})
		})
	}
}
