package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/engine/research"
)

// TestAcceptance holds public reports on reports and their citations, by their number in the list of acceptance cases.
func TestAcceptance(t *testing.T) {
	t.Run("ACCEPTANCE 29: the twelfth of twelve sources is linked", func(t *testing.T) {
		d := fullDigest()
		for len(d.Sources) < 12 {
			s := d.Sources[0]
			s.ID = fmt.Sprint("more", len(d.Sources))
			d.Sources = append(d.Sources, s)
		}
		d.Summary = "All say so [1] [9] [10] [11] [12]."
		page, err := HTML(d)
		if err != nil {
			t.Fatal(err)
		}
		md, err := Markdown(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 9, 10, 11, 12} {
			if !strings.Contains(string(page), fmt.Sprintf(`href="#s%d"`, n)) || !strings.Contains(string(page), fmt.Sprintf(`id="s%d"`, n)) {
				t.Errorf("[%d] is not linked in the page", n)
			}
			if !strings.Contains(string(md), fmt.Sprintf("[[%d]](#s-%d)", n, n)) || !strings.Contains(string(md), fmt.Sprintf(`<a id="s-%d">`, n)) {
				t.Errorf("[%d] is not linked in the Markdown", n)
			}
		}
	})
	t.Run("ACCEPTANCE 32: one entry a source, whatever numbers a title begins with", func(t *testing.T) {
		d := fullDigest()
		d.Sources[0].Title = "[1, 2, 3] Depths of the basin"
		md, err := Markdown(d)
		if err != nil {
			t.Fatal(err)
		}
		entries := regexp.MustCompile(`(?m)^<a id="s-(\d+)"></a>\[(\d+)\] \*\*(.*?)\*\* (.*)$`).FindAllStringSubmatch(string(md), -1)
		if len(entries) != len(d.Sources) {
			t.Fatalf("%d entries of %d sources", len(entries), len(d.Sources))
		}
		if e := entries[0]; e[1] != "1" || e[2] != "1" || e[3] != `\[1, 2, 3\] Depths of the basin` || strings.Contains(e[3], "http") {
			t.Errorf("the first: %q", e)
		}
	})
	t.Run("ACCEPTANCE 86: nothing in the page leads to a heading that is not there", func(t *testing.T) {
		page, err := HTML(fullDigest())
		if err != nil {
			t.Fatal(err)
		}
		ids, links := map[string]bool{}, []string{}
		walk(t, page, func(n *html.Node) {
			for _, a := range n.Attr {
				if a.Key == "id" {
					ids[a.Val] = true
				}
				if a.Key == "href" && strings.HasPrefix(a.Val, "#") {
					links = append(links, a.Val[1:])
				}
			}
		})
		for _, l := range links {
			if !ids[l] {
				t.Errorf("#%s leads nowhere", l)
			}
		}
		if len(links) == 0 {
			t.Error("there is no link to look at")
		}
	})
	t.Run("ACCEPTANCE 89: a question that is markup is shown as it was typed", func(t *testing.T) {
		d := fullDigest()
		d.Title, d.Topic = "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"
		page, err := HTML(d)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(page), "<img src=x") || !strings.Contains(string(page), "&lt;img src=x onerror=alert(1)&gt;") {
			t.Error("the page runs it, or loses it")
		}
		md, err := Markdown(d)
		if err != nil || strings.Contains(string(md), "<img") {
			t.Errorf("the Markdown runs it: %v", err)
		}
	})
	t.Run("ACCEPTANCE 91: what is no address of the web is no link", func(t *testing.T) {
		for _, u := range []string{"javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", `https://a.example/" onmouseover="alert(1)`, "https://user:pass@a.example/", "//a.example/", "file:///etc/passwd", "vbscript:x"} {
			d := fullDigest()
			d.Sources = []research.DigestSource{{ID: d.Sources[0].ID, Title: "x", URL: u}}
			page, err := HTML(d)
			if err != nil {
				t.Fatal(err)
			}
			walk(t, page, func(n *html.Node) {
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "href" && !strings.HasPrefix(a.Val, "#") && (!strings.HasPrefix(a.Val, "https://a.example/") || strings.ContainsAny(a.Val, `" `)) {
						t.Errorf("%s: %s=%q", u, a.Key, a.Val)
					}
				}
			})
		}
	})
}
