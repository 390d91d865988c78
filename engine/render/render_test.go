package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/engine/research"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the golden file; run with -update and read the diff", name)
	}
}

func zhDigest() research.Digest {
	d := fullDigest()
	d.Lang, d.Title, d.Summary = "zh", "sarge 用了多久", "sarge 在 woody 之后 1,053 天发布。[1]"
	d.Debate, d.Steelman, d.Counter, d.Shape = nil, "最有力的论证。", "反驳。", research.ShapeDebate
	d.Model = research.ModelUse{Channel: "ollama", Name: "gpt-oss:20b", NumCtx: 8192}
	d.Outbox = nil
	return d
}

func TestGolden(t *testing.T) {
	for _, tc := range []struct {
		name string
		d    research.Digest
	}{{"full", fullDigest()}, {"zh", zhDigest()}, {"empty", research.Digest{Lang: "en", Topic: "Who?", Date: "2026-11-28"}}} {
		t.Run(tc.name, func(t *testing.T) {
			page, err := HTML(tc.d)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tc.name+".html", page)
			again, err := HTML(tc.d)
			if err != nil || !bytes.Equal(page, again) {
				t.Errorf("a second rendering differs (err %v)", err)
			}
			md, err := Markdown(tc.d)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tc.name+".md", md)
		})
	}
	b, err := json.MarshalIndent(research.Filled(fullDigest()), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "full.digest.json", append(b, '\n'))
}

// attrs lists every attribute and element of a page.
func walk(t *testing.T, page []byte, visit func(n *html.Node)) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func TestPageIsSelfContained(t *testing.T) {
	allowed := map[string]bool{}
	for _, tag := range strings.Fields("html head meta title style body a article header div p span h1 h2 h3 h4 dl dt dd aside section ol ul li blockquote cite table caption thead tbody tr th td figure figcaption img details summary pre svg circle path sup time footer b strong em code") {
		allowed[tag] = true
	}
	for name, d := range map[string]research.Digest{"full": fullDigest(), "zh": zhDigest(), "hostile": hostileDigest()} {
		t.Run(name, func(t *testing.T) {
			page, err := HTML(d)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) > 1<<20 {
				t.Errorf("page has %d bytes, want at most 1 MiB for three sources", len(page))
			}
			ids, refs := map[string]int{}, map[string]bool{}
			walk(t, page, func(n *html.Node) {
				if !allowed[n.Data] {
					t.Errorf("element <%s> in the page", n.Data)
				}
				for _, a := range n.Attr {
					switch {
					case strings.HasPrefix(strings.ToLower(a.Key), "on"), a.Key == "style":
						t.Errorf("attribute %s=%q", a.Key, a.Val)
					case a.Key == "href":
						if !strings.HasPrefix(a.Val, "#") && webLink(a.Val) == "" {
							t.Errorf("href=%q", a.Val)
						}
						if id, ok := strings.CutPrefix(a.Val, "#"); ok {
							refs[id] = true
						}
					case a.Key == "src":
						if !strings.HasPrefix(a.Val, "data:image/") || strings.HasPrefix(a.Val, "data:image/svg") {
							t.Errorf("src=%q", a.Val)
						}
					case a.Key == "id":
						ids[a.Val]++
					}
				}
			})
			for id := range refs {
				if ids[id] == 0 {
					t.Errorf("link to #%s leads nowhere", id)
				}
			}
			for id, n := range ids {
				if n > 1 {
					t.Errorf("id %q is used %d times", id, n)
				}
			}
			if bytes.ContainsAny(page, "\x00\x1b") || bytes.Contains(page, []byte("\u202e")) {
				t.Error("control characters or direction overrides reached the page")
			}
		})
	}
}

func TestCitationsLeadToTheirCard(t *testing.T) {
	page, err := HTML(fullDigest())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	walk(t, page, func(node *html.Node) {
		if node.Data != "a" {
			return
		}
		attr := map[string]string{}
		for _, a := range node.Attr {
			attr[a.Key] = a.Val
		}
		if attr["class"] != "cite" {
			return
		}
		n++
		if want := "#s" + node.FirstChild.Data; attr["href"] != want {
			t.Errorf("citation [%s] leads to %s", node.FirstChild.Data, attr["href"])
		}
	})
	if n < 10 {
		t.Errorf("found %d citations, want at least 10", n)
	}
	for _, want := range []string{"3 of 15", "No language model was used.", "reported by one source", "(1+1)/(2+2) = 0.500", "1 of 2 voices confirm", "bytes 8,112–8,190", "page 12", "Top ten facts", "duplicate of source 2", "1,053 d", `data-passage="pa"`, "Edition"} {
		if !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("page lacks %q", want)
		}
	}
}

func TestProse(t *testing.T) {
	p, _ := newPage(fullDigest())
	for _, tc := range []struct{ name, in, want string }{
		{"paragraphs", "a\nb\n\nc", "<p>a b</p>\n<p>c</p>\n"},
		{"marks", "**x** *y* `<z>`", "<p><strong>x</strong> <em>y</em> <code>&lt;z&gt;</code></p>\n"},
		{"open marks stay", "2 * 3 ** 4 `", "<p>2 * 3 ** 4 `</p>\n"},
		{"list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>\n"},
		{"numbered", "1. a\n2. b", "<ol><li>a</li><li>b</li></ol>\n"},
		{"heading is a strong line", "# A\nb", "<p><strong>A</strong> b</p>\n"},
		{"no source 7", "x [7]", "<p>x [7]</p>\n"},
		{"link is text", "[a](javascript:b)", "<p>[a](javascript:b)</p>\n"},
		{"html is text", "<i>x</i>", "<p>&lt;i&gt;x&lt;/i&gt;</p>\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(p.Prose(tc.in)); got != tc.want {
				t.Errorf("Prose(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
	if got := string(p.Prose("x [2]")); !strings.Contains(got, `href="#s2"`) {
		t.Errorf("Prose cites: %q", got)
	}
}

func TestWebLink(t *testing.T) {
	for in, ok := range map[string]bool{"https://a.example/x": true, "http://a.example": true, "javascript:alert(1)": false, "//a.example": false, "docs/a.html": false, "https://": false, "ftp://a.example": false, "https://u:p@a.example": false, "data:text/html,x": false, " https://a.example": false} {
		if got := webLink(in) != ""; got != ok {
			t.Errorf("webLink(%q) = %v, want %v", in, got, ok)
		}
	}
}

func TestThemed(t *testing.T) {
	page, err := HTML(fullDigest())
	if err != nil {
		t.Fatal(err)
	}
	if got := Themed(page, "dark"); !bytes.Contains(got, []byte(`<html data-theme="dark" lang="en">`)) {
		t.Errorf("dark theme is not set: %.80s", got)
	}
	if got := Themed(page, `x"><script>`); !bytes.Equal(got, page) {
		t.Error("an unknown theme changed the page")
	}
}

// TestWords holds the two languages to the same keys and the template to keys that exist.
func TestWords(t *testing.T) {
	for key := range words["en"] {
		if words["zh"][key] == "" {
			t.Errorf("zh lacks %q", key)
		}
	}
	if len(words["en"]) != len(words["zh"]) {
		t.Errorf("en has %d words, zh %d", len(words["en"]), len(words["zh"]))
	}
	for _, m := range regexp.MustCompile(`\.[WF] "([a-z_]+)"`).FindAllStringSubmatch(pageHTML, -1) {
		if _, ok := words["en"][m[1]]; !ok {
			t.Errorf("page.html uses the unknown word %q", m[1])
		}
	}
}

// TestTokens holds the page's colours and sizes to the window's.
func TestTokens(t *testing.T) {
	window, err := os.ReadFile("../../frontend/src/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	const open, end = "--t-12:", "@media"
	cut := func(s string) string {
		i := strings.Index(s, open)
		if i < 0 {
			return ""
		}
		s = s[i:]
		if j := strings.Index(s, end); j >= 0 {
			s = s[:j]
		}
		return regexp.MustCompile(`--(vram|heat)-[^;]*;|\s+`).ReplaceAllString(s, "")
	}
	if got, want := cut(pageCSS), cut(string(window)); got != want || got == "" {
		t.Errorf("tokens of page.css differ from the window's:\n%s\n%s", got, want)
	}
}

func FuzzProse(f *testing.F) {
	for _, s := range []string{"a\n\n- b\n- c", "**x** [1] `y`", "> q\n> r", "1. a\n2. b", "<script>", "[1][2", "*`**`*"} {
		f.Add(s)
	}
	p, _ := newPage(fullDigest())
	ok := regexp.MustCompile(`^(p|ul|ol|li|blockquote|strong|em|code|sup|a)$`)
	f.Fuzz(func(t *testing.T, s string) {
		root, err := html.Parse(strings.NewReader("<body>" + string(p.Prose(s))))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.Data != "html" && n.Data != "head" && n.Data != "body" && !ok.MatchString(n.Data) {
				t.Errorf("Prose(%q) made <%s>", s, n.Data)
			}
		}
	})
}

// TestFoldedIssues: a long list of sources that were not used is told by reason, with the first few and the rest folded; all else stays.
func TestFoldedIssues(t *testing.T) {
	d := fullDigest()
	d.Issues = []research.Issue{{Kind: "claim", Text: "A claim.", Reason: "no number"}}
	for i := range 30 {
		why := "duplicate: holds the same"
		if i%3 == 0 {
			why = "unread: of no format"
		}
		d.Issues = append(d.Issues, research.Issue{Kind: "source", Text: fmt.Sprintf("Source number %d.", i), Reason: why, Source: fmt.Sprintf("lib/%d.png", i)})
	}
	d.Issues = append(d.Issues, research.Issue{Kind: "caveat", Text: "A caveat at the end.", Reason: "why"})
	md, err := Markdown(d)
	if err != nil {
		t.Fatal(err)
	}
	html, err := HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	for what, s := range map[string]string{"Markdown": string(md), "page": string(html)} {
		for _, want := range []string{"A claim.", "A caveat at the end.", "Source number 4.", "25 more sources", " 10", " 20"} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: no %q", what, want)
			}
		}
	}
	if strings.Contains(string(md), "Source number 5.") || !strings.Contains(string(html), "Source number 29.") {
		t.Error("the Markdown folds, the page holds all")
	}
	d.Steelman, d.Counter = "1. “One.” [1]\n2. “Two.” [2]", "1. To point 1: “No.” [2]\n2. Point 2 stands unanswered.\n\nA note."
	md, err = Markdown(d)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(md), "\n1. “One.”") || !strings.Contains(string(md), "\n2. “Two.”") || !strings.Contains(string(md), "\n2. Point 2 stands") {
		t.Errorf("numbered points run together:\n%s", md)
	}
}
