package render

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/engine/research"
)

// corpus is what pages, names and models write to make a report load, run or follow something: one file for the words of a model, for the
// page and the Markdown here, for the browser and for other formats.
func corpus(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "text", "testdata", "sinks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(string(b), "\n") {
		if l != "" && !strings.HasPrefix(l, "# ") {
			out = append(out, strings.NewReplacer(`\n`, "\n", `\u202e`, "\u202e", `\u200b`, "\u200b", `\U000e0041`, "\U000e0041").Replace(l))
		}
	}
	if len(out) < 80 {
		t.Fatalf("%d payloads, want 80", len(out))
	}
	return out
}

// everyString puts a payload behind every string of a value, those of maps and lists too, but for the keys of maps.
func everyString(v reflect.Value, payload string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(v.String() + payload)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			everyString(v.Field(i), payload)
		}
	case reflect.Slice:
		for i := range v.Len() {
			everyString(v.Index(i), payload)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			everyString(v.Elem(), payload)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			c := reflect.New(v.Type().Elem()).Elem()
			c.Set(it.Value())
			everyString(c, payload)
			v.SetMapIndex(it.Key(), c)
		}
	}
}

// poisoned is a whole digest with a payload in every place of it: all of it, or the words only, so that sections, cards and links are still
// made of what is not.
func poisoned(payload string, all bool) research.Digest {
	d := fullDigest()
	d.Argument = &research.Argument{Points: []research.ArgumentPoint{{Text: "x", Answers: []research.ArgumentAnswer{{Text: "y"}}}}}
	d.Template = &research.TemplateUse{Name: "person", Why: "asked", Requires: []research.TemplateRow{{Title: "x"}}, Sections: []research.TemplateRow{{Title: "x"}}}
	d.References = &research.ReferenceCheck{Total: 1, Note: "x"}
	d.Gates = []research.Gate{{Name: "authors", Title: "x", State: "fail", Notes: []string{"x"}}}
	if all {
		everyString(reflect.ValueOf(&d).Elem(), payload)
		return d
	}
	d.Steelman, d.Counter = payload, payload
	put := func(to ...*string) {
		for _, s := range to {
			*s += " " + payload
		}
	}
	put(&d.Title, &d.Subtitle, &d.Topic, &d.Summary, &d.Verdict, &d.Byline, &d.Model.Why, &d.Model.Note, &d.Debate.Note, &d.References.Note)
	for i := range d.Sections {
		s := &d.Sections[i]
		put(&s.Title, &s.Body)
		for j := range s.Findings {
			put(&s.Findings[j].Text)
		}
		for j := range s.Tables {
			put(&s.Tables[j].Caption, &s.Tables[j].Headers[0], &s.Tables[j].Rows[0][0].Text)
		}
		for j := range s.Diagrams {
			put(&s.Diagrams[j].Code, &s.Diagrams[j].Caption)
		}
	}
	for i := range d.Sources {
		s := &d.Sources[i]
		put(&s.Title, &s.Author, &s.Note, &s.Snippet, &s.Published)
		s.URL = "https://port.example/" + payload
		if i == 1 {
			s.URL = "https://port.example/?q=" + payload
		}
	}
	for i := range d.Issues {
		put(&d.Issues[i].Text, &d.Issues[i].Reason, &d.Issues[i].Source)
	}
	for k, p := range d.Passages {
		put(&p.Text, &p.Heading)
		d.Passages[k] = p
	}
	for k, c := range d.Claims {
		put(&c.Text)
		d.Claims[k] = c
	}
	put(&d.FutureWork[0], &d.Metaphors[0], &d.Gaps[0].Name, &d.Gaps[0].Reason, &d.Gates[0].Notes[0], &d.Template.Requires[0].Title)
	return d
}

// TestCorpusInThePage: no payload adds an element, an attribute that runs something, or an address to the page.
func TestCorpusInThePage(t *testing.T) {
	clean, err := HTML(poisoned("", false))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	walk(t, clean, func(n *html.Node) { known[n.Data] = true })
	for _, extra := range strings.Fields("ul ol li p strong em code blockquote a h3 div span section details summary") {
		known[extra] = true // what prose may become
	}
	for _, payload := range corpus(t) {
		for _, all := range []bool{true, false} {
			page, err := HTML(poisoned(payload, all))
			if err != nil {
				t.Fatal(err)
			}
			walk(t, page, func(n *html.Node) {
				if !known[n.Data] || n.Data == "script" {
					t.Errorf("%q makes an element <%s>", payload, n.Data)
				}
				for _, a := range n.Attr {
					key := strings.ToLower(a.Key)
					switch {
					case strings.HasPrefix(key, "on"), key == "style", key == "srcdoc", key == "ping", key == "formaction", key == "srcset":
						t.Errorf("%q makes an attribute %s", payload, a.Key)
					case key == "href" && !strings.HasPrefix(a.Val, "#") && !regexp.MustCompile(`^https?://`).MatchString(a.Val):
						t.Errorf("%q makes a link to %s", payload, a.Val)
					case key == "src" && !regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp);base64,`).MatchString(a.Val):
						t.Errorf("%q loads %s", payload, a.Val)
					}
				}
			})
		}
	}
}

var (
	mdOwn    = regexp.MustCompile(`<a id="s-\d+"></a>|<https?://[^<>\s` + "`" + `"]*>`)
	mdFence  = regexp.MustCompile("(?ms)^(`{3,})mermaid\n.*?\n`{3,}$")
	mdCode   = regexp.MustCompile("`[^`\n]*`")
	mdLinks  = regexp.MustCompile(`\[\[\d+\]\]\(#s-\d+\)`)
	mdMarked = regexp.MustCompile(`\\.`)
)

// TestCorpusInMarkdown: of no payload a renderer of Markdown makes an image, a link, a definition or an element. What is left when the
// report's own marks are taken out holds no bracket or angle that is not escaped.
func TestCorpusInMarkdown(t *testing.T) {
	for _, payload := range corpus(t) {
		for _, all := range []bool{true, false} {
			md, err := Markdown(poisoned(payload, all))
			if err != nil {
				t.Fatal(err)
			}
			s := mdFence.ReplaceAllString(string(md), "")
			for _, m := range mdFence.FindAllStringSubmatch(string(md), -1) {
				body := strings.TrimSuffix(strings.TrimPrefix(m[0], m[1]), m[1])
				if strings.Contains(body, m[1]) {
					t.Errorf("%q closes its fence", payload)
				}
			}
			s = mdMarked.ReplaceAllString(s, "")
			s = mdCode.ReplaceAllString(s, "")
			s = mdLinks.ReplaceAllString(s, "")
			s = mdOwn.ReplaceAllString(s, "")
			s = regexp.MustCompile(`(?m)^> `).ReplaceAllString(s, "")
			for _, l := range strings.Split(s, "\n") {
				if regexp.MustCompile(`[<>]|\]\(|\]\[|!\[|^\s{0,3}\[[^\]]*\]:`).MatchString(l) {
					t.Errorf("%q leaves a mark (all %v): %s", payload, all, l)
					break
				}
			}
		}
	}
}
