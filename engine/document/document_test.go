package document

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"assay/engine/research"
)

func read(t testing.TB, mediaType, src string, opt Options) research.Document {
	t.Helper()
	doc, err := FromBytes(t.Context(), "page", mediaType, []byte(src), opt)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestCharset holds, among others, case 14 of ACCEPTANCE: GBK by header, Shift_JIS by meta, windows-1252 without a hint.
func TestCharset(t *testing.T) {
	zh := "<html><body><p>这份手册介绍软件包管理系统。每个软件包都有一个维护者，他负责修复错误。</p></body></html>"
	ja := `<html><head><meta charset="Shift_JIS"></head><body><p>この文書はパッケージの管理について説明します。</p></body></html>`
	fr := "<html><body><p>L’été dernier, le château fut rénové à grands frais. “Très réussi”, dit-on.</p></body></html>"
	enc := func(s string, e interface{ String(string) (string, error) }) string {
		out, err := e.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, tc := range []struct{ name, mediaType, src, want string }{
		{"ACCEPTANCE 14: GBK in the header", "text/html; charset=gbk", enc(zh, simplifiedchinese.GBK.NewEncoder()), "每个软件包都有一个维护者"},
		{"gb2312 label, GB18030 bytes", "text/html; charset=gb2312", enc(zh+"㐀", simplifiedchinese.GB18030.NewEncoder()), "㐀"},
		{"GB18030 without a hint", "text/html", enc(zh, simplifiedchinese.GB18030.NewEncoder()), "每个软件包都有一个维护者"},
		{"ACCEPTANCE 14: Shift_JIS in meta only", "text/html", enc(ja, japanese.ShiftJIS.NewEncoder()), "パッケージの管理"},
		{"ACCEPTANCE 14: windows-1252 without a hint", "text/html", enc(fr, charmap.Windows1252.NewEncoder()), "L’été dernier, le château"},
		{"UTF-16 by its mark", "text/html", enc(fr, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()), "le château"},
		{"UTF-8 called latin1", "text/html; charset=iso-8859-1", fr, "le château"},
		{"UTF-8 with one bad byte", "text/html", strings.Replace(fr, "dernier", "derni\xffer", 1), "le château"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if doc := read(t, tc.mediaType, tc.src, Options{}); !strings.Contains(doc.Text, tc.want) {
				t.Errorf("text = %q, want %q in it", doc.Text, tc.want)
			}
		})
	}
}

func TestHTMLText(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"paragraphs", "<p>One\n two.</p><p>Three<br>four.</p>", "One two.\n\nThree\nfour."},
		{"headings", "<h1>A</h1><p>x</p><h2>B <a class=headerlink href=#b>¶</a></h2><p>y</p>", "A\n\nx\n\nB\n\ny"},
		{"list", "<p>Before</p><ul><li>one</li><li><p>two</p><p>more</p></li></ul><p>after</p>", "Before\n\none\ntwo\n\nmore\n\nafter"},
		{"definitions", "<dl><dt>Term</dt><dd>What it is.</dd><dt>Other</dt><dd>Else.</dd></dl>", "Term\nWhat it is.\nOther\nElse."},
		{"table", "<table><tr><th>Release</th><th>Year</th></tr><tr><td>2.1</td><td>1999</td></tr></table><p>end</p>", "Release\tYear\n2.1\t1999\n\nend"},
		{"layout table", "<table><tr><td><p>All of the page.</p><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>", "All of the page.\n\na\tb"},
		{"listing", "<pre>int x;\n  x = 1;\n</pre>", "int x;\n  x = 1;"},
		{"wrapped Chinese", "<p>软件包\n管理</p>", "软件包管理"},
		{"power", "<p>10<sup>6</sup> and 5<sup><a href=#n>1</a></sup></p>", "10^6 and 51"},
		{"hidden", `<p>seen</p><p hidden>a</p><p style="display: none">b</p><p aria-hidden=true>c</p><span style="font-size:0">d</span><div style="position:absolute;left:-9999px">e</div><!-- f --><script>g</script><noscript>h</noscript>`, "seen"},
		{"invisible characters", "<p>ig\u200bnore\u202e \U000E0041this\u00ad</p>", "ignore this"},
		{"navigation", "<nav>menu</nav><header>banner</header><div class=navheader>up next</div><p>Text.</p><footer>imprint</footer>", "Text."},
		{"links", "<ul><li><a href=1>one page</a><li><a href=2>two page</a><li><a href=3>three</a><li><a href=4>four</a></ul><p>The text of the page is here and it is the longer part of it by far.</p>", "The text of the page is here and it is the longer part of it by far."},
		{"an index keeps its links", "<p>Index</p><ul><li><a href=1>one page</a><li><a href=2>two page</a><li><a href=3>three</a><li><a href=4>four</a></ul>", "Index\n\none page\ntwo page\nthree\nfour"},
		{"ligatures", "<p>ﬁle oﬃce</p>", "file office"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := read(t, HTML, "<html><body>"+tc.src+"</body></html>", Options{}).Text; got != tc.want {
				t.Errorf("text = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestMainText holds cases 11 and 12 of ACCEPTANCE: an article in <aside>, a <main> behind other blocks.
func TestMainText(t *testing.T) {
	story := strings.Repeat("<p>The council voted on the harbour budget after a long debate, and the mayor spoke of a new pier for the ferry.</p>", 8)
	cookies := `<div class="cookie-banner"><p>We value your privacy. This site uses cookies, and by continuing you accept them.</p></div>`
	menu := strings.Repeat(`<div class="teaser"><a href="/x">Read another story</a></div>`, 12)
	for _, tc := range []struct{ name, body string }{
		{"article in aside", cookies + "<aside><h1>Budget</h1>" + story + "</aside>"},
		{"main behind blocks", cookies + menu + "<main><h1>Budget</h1>" + story + "</main>"},
		{"plain article", menu + "<article><h1>Budget</h1>" + story + "</article>" + cookies},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := read(t, HTML, "<html><head><title>Budget</title></head><body>"+tc.body+"</body></html>", Options{Web: true, URL: "https://example.org/a"})
			if n := strings.Count(doc.Text, "harbour budget"); n != 8 {
				t.Errorf("%d of 8 paragraphs kept: %q", n, doc.Text)
			}
			if strings.Contains(doc.Text, "cookies") {
				t.Errorf("the cookie notice is kept: %q", doc.Text)
			}
		})
	}
	shell := `<html><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="a.js"></script></body></html>`
	if doc := read(t, HTML, shell, Options{Web: true}); doc.Verdict != research.NeedsScript || doc.Fault == "" {
		t.Errorf("a program's shell = %+v, want needs_script", doc)
	}
}

func TestMeta(t *testing.T) {
	for _, tc := range []struct{ name, head, body, title, byline, publisher, published string }{
		{"JSON-LD", `<title>x</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"Pier opens","datePublished":"2019-05-04T08:00:00Z","author":[{"name":"Ann Lee"},{"name":"Bo Ek"}],"publisher":{"name":"Harbour News"}}</script>`, "", "Pier opens", "Ann Lee, Bo Ek", "Harbour News", "2019-05-04"},
		{"meta", `<title>Pier</title><meta name=author content="By Ann Lee"><meta property="article:published_time" content="2019-05-04"><meta property="og:site_name" content="Harbour News">`, "", "Pier", "Ann Lee", "Harbour News", "2019-05-04"},
		{"citation", `<meta name=citation_title content="On piers"><meta name=citation_author content="Lee, A."><meta name=citation_author content="Ek, B."><meta name=citation_publication_date content="2019/05">`, "", "On piers", "Lee, A., Ek, B.", "", "2019-05"},
		{"marked elements", "<title>Pier</title>", `<p class="byline">By Ann Lee</p><time pubdate datetime="2019-05-04">May</time>`, "Pier", "Ann Lee", "", "2019-05-04"},
		{"nothing is guessed", "<title>Pier</title>", "<p>The release was frozen on February 7th, 2017, said Ann Lee.</p><time datetime=2017-02-07>then</time>", "Pier", "", "", ""},
		{"an address is no name", `<title>Pier</title><meta property="article:author" content="https://example.org/ann">`, "", "Pier", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := read(t, HTML, "<html><head>"+tc.head+"</head><body><p>Some text of the page.</p>"+tc.body+"</body></html>", Options{})
			if doc.Title != tc.title || doc.Byline != tc.byline || doc.Publisher != tc.publisher || doc.Published != tc.published {
				t.Errorf("got %q, %q, %q, %q", doc.Title, doc.Byline, doc.Publisher, doc.Published)
			}
		})
	}
}

func TestISODate(t *testing.T) {
	for in, want := range map[string]string{
		"2015": "2015", "2015-11": "2015-11", "2015-11-24T10:00:00+02:00": "2015-11-24", "2015/1/5": "2015-01-05", "20151124": "2015-11-24",
		"24 November 2015": "2015-11-24", "March 9th, 1999": "1999-03-09", "Tue, 24 Nov 2015 10:00:00 GMT": "2015-11-24", "November 2015": "2015-11",
		"2003年11月5日": "2003-11-05", "2015-02-30": "", "2015-13": "", "soon": "", "": "", "0001-01-01": "", "frozen on May 2, 2017": "",
	} {
		if got := isoDate(in); got != want {
			t.Errorf("isoDate(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	src := "---\ntitle: \"On boats\"\nauthor: Ann Lee\ndate: 2019-05-04\n---\n# Boats\n\nA *long* [keel](http://x.org/a_(b)) and `x_y_z`\nof lead.\n\n- one\n- **two**\n  more\n\nSub\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode  here\n```\n<!-- gone -->\n"
	doc := read(t, Markdown, src, Options{})
	want := "Boats\n\nA long keel and x_y_z of lead.\n\none\ntwo more\n\nSub\n\na\tb\n1\t2\n\ncode  here"
	if doc.Text != want {
		t.Errorf("text = %q, want %q", doc.Text, want)
	}
	if doc.Title != "On boats" || doc.Byline != "Ann Lee" || doc.Published != "2019-05-04" || len(doc.Headings) != 2 || len(doc.Tables) != 1 {
		t.Errorf("document = %+v", doc)
	}
}

func TestPlain(t *testing.T) {
	for _, tc := range []struct {
		name, src, want string
		headings        int
	}{
		{"wrapped", "The keel is made\nof lead.\n\nSecond.\n", "The keel is made of lead.\n\nSecond.", 0},
		{"underlined", "Keels\n=====\n\nText.\n", "Keels\n\nText.", 1},
		{"numbered", "Intro text here.\n\n2.1.  Keel weight\n\n   The keel\n   is heavy.\n", "Intro text here.\n\n2.1. Keel weight\n\nThe keel is heavy.", 1},
		{"list", "Parts:\n- one\n  more\n- two\n", "Parts:\n- one more\n- two", 0},
		{"RFC pages", "Text ends.\n\n\nPostel                    [Page 3]\n\fRFC 791         Internet Protocol      September 1981\n\n\nNext text.\n", "Text ends.\n\nNext text.", 0},
		{"info", "\x1f\nFile: a.info,  Node: Top,  Next: B,  Up: (dir)\n\nManual\n******\n\nText.\n\n* Menu:\n\n* B::  more\n\n\x1f\nTag Table:\nNode: Top\x7f1\n\x1f\nEnd Tag Table\n", "Manual\n\nText.", 1},
		{"Chinese", "龙骨用\n铅制成。\n", "龙骨用铅制成。", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := read(t, Plain, tc.src, Options{})
			if doc.Text != tc.want || len(doc.Headings) != tc.headings {
				t.Errorf("text = %q with %d headings, want %q with %d", doc.Text, len(doc.Headings), tc.want, tc.headings)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.txt")
	if err := os.WriteFile(big, make([]byte, 3<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.html")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	image := filepath.Join(dir, "x.png")
	if err := os.WriteFile(image, []byte("\x89PNG\r\n\x1a\n0000"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, path, want string }{
		{"too large", big, "big.txt is 3 MiB, and files over 2 MiB are not read; split it into smaller files"},
		{"empty", empty, "empty.html is empty"},
		{"missing", filepath.Join(dir, "none.txt"), "none.txt is not readable: no such file"},
		{"a folder", dir, "is not a regular file"},
		{"a picture", image, `of the format "image/png", which is not read`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := Read(t.Context(), "lib/x", tc.path, Options{MaxBytes: 2 << 20})
			if err != nil || !strings.Contains(doc.Fault, tc.want) || doc.Verdict != research.Unread || doc.Text != "" {
				t.Errorf("Read = %+v, %v; want the fault %q", doc, err, tc.want)
			}
		})
	}
}

func TestPassages(t *testing.T) {
	sentence := "The keel of this yacht weighs four tonnes and it was cast in lead by the yard. "
	long := strings.Repeat(sentence, 40)
	src := "<h1>Boats</h1><h2>Keels</h2><p>" + long + "</p><h2>Sails</h2><p>Short one.</p><h1>End</h1><p>" + strings.Repeat("这条船的龙骨重四吨。", 60) + "</p>"
	doc := read(t, HTML, src, Options{})
	ps := Passages(doc, "s1")
	check(t, doc, ps)
	if ps[0].Heading != "Boats > Keels" || ps[len(ps)-1].Heading != "End" {
		t.Errorf("headings %q ... %q", ps[0].Heading, ps[len(ps)-1].Heading)
	}
	for _, p := range ps {
		if n := words(p.Text); (n < tailWords || n > manyWords+tailWords) && p.Text != "Short one." {
			t.Errorf("a passage of %.0f words: %q", n, p.Text)
		}
		if r, last := p.Text[0], p.Text[len(p.Text)-1]; r == ' ' || last == ' ' {
			t.Errorf("a passage with a blank end: %q", p.Text)
		}
	}
}

// check holds what must be true of the passages of any document.
func check(t testing.TB, doc research.Document, ps []research.Passage) {
	t.Helper()
	at := 0
	for _, p := range ps {
		if p.Start < at || p.End > len(doc.Text) || p.Start >= p.End || doc.Text[p.Start:p.End] != p.Text || research.SHA256(p.Text) != p.SHA256 {
			t.Fatalf("passage %d-%d of a text of %d after %d", p.Start, p.End, len(doc.Text), at)
		}
		for _, h := range doc.Headings {
			if h.Start < p.End && h.Start+len(h.Text) > p.Start {
				t.Fatalf("passage %q holds the heading %q", p.Text, h.Text)
			}
		}
		if len(doc.Pages) > 0 && (p.Page < 1 || p.Page > len(doc.Pages) || doc.Pages[p.Page-1] > p.Start) {
			t.Fatalf("passage at %d is on page %d of %v", p.Start, p.Page, doc.Pages)
		}
		at = p.End
	}
}

func TestWorkerIsKilled(t *testing.T) {
	opt := testOptions(t)
	opt.WorkerTime = time.Millisecond
	doc := read(t, PDF, "%PDF-1.4\n", opt)
	if !strings.Contains(doc.Fault, "add the folder again") && !strings.Contains(doc.Fault, "processor time") {
		t.Errorf("fault = %q, want a time limit", doc.Fault)
	}
	opt.Worker = filepath.Join(t.TempDir(), "nothing")
	if _, err := FromBytes(t.Context(), "x", PDF, []byte("%PDF-1.4\n"), opt); err == nil {
		t.Error("a missing worker program gives no error")
	}
}

// A list of links is navigation, unless a sentence with a colon introduces it.
func TestIntroducedLinks(t *testing.T) {
	links := `<ul><li><a href="/a">AppArmor</a></li><li><a href="/b">SELinux</a></li><li><a href="/c">Smack</a></li><li><a href="/d">Tomoyo</a></li></ul>`
	prose := strings.Repeat("The kernel has hooks for security modules and calls them before each access. ", 10)
	for _, tc := range []struct {
		name, lead string
		kept       bool
	}{
		{"introduced", "<p>There are several, for example:</p>", true},
		{"beside the text", "<p>See also the other chapters.</p>", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := "<html><body><h1>Hooks</h1><p>" + prose + "</p>" + tc.lead + links + "<p>" + prose + "</p></body></html>"
			d, err := FromBytes(t.Context(), "x/hooks.html", HTML, []byte(page), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(d.Text, "SELinux"); got != tc.kept {
				t.Errorf("list kept: %v, want %v in %q", got, tc.kept, d.Text)
			}
		})
	}
}

// TestFormats asks that the sentence about the formats names every ending that is read.
func TestFormats(t *testing.T) {
	for ext := range types {
		if !strings.Contains(strings.NewReplacer("(", " ", ")", " ", ",", " ").Replace(Formats)+" ", " "+ext+" ") {
			t.Errorf("Formats does not name %s", ext)
		}
	}
}
