package engine

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode"

	"assay/engine/render"
	"assay/engine/research"
)

// steering are signs that a title or a file name could hold and that must not reach what is shown or kept.
const steering = "\u009b31m\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u0007\u0085\u2028\ufeff"

// evil is a shelf of one document whose folder, file name, title and names hold steering signs.
type evil struct{ at string }

func (evil) Name() string { return "evil" }

func (e evil) doc() research.Document {
	text := "The old harbour tower of Arle was built in 1874 by Agnes Calder."
	return research.Document{
		Location: e.at, Title: "Harbour" + steering + " Report", Byline: "Agnes" + steering + " Calder", MediaType: "text/plain", Lang: "en", Text: text, SHA256: research.SHA256(text),
	}
}

func (e evil) Search(context.Context, research.Query) ([]research.Hit, error) {
	d := e.doc()
	return []research.Hit{{Provider: "evil", Location: e.at, Title: d.Title, Snippet: d.Text, Start: 0, End: len(d.Text), Score: "1"}}, nil
}

func (e evil) Read(_ context.Context, location string) (research.Document, error) {
	if location != e.at {
		return research.Document{Location: location, Verdict: research.Unread, Fault: location + " is not here"}, nil
	}
	return e.doc(), nil
}

// TestNamesDoNotSteer holds that control characters and marks of direction in file names and titles reach neither the record,
// the digest nor a page, and that the document is found by its real name all the same.
func TestNamesDoNotSteer(t *testing.T) {
	shelf := evil{"fol" + steering + "der/fi" + steering + "le.txt"}
	c := config(t, "When was the harbour tower of Arle built?")
	c.Providers, c.Reader = []Provider{shelf}, shelf
	d, digest, rec := digestOf(t, c)
	if d.SourceStats.Verified != 1 || len(d.Sources) != 1 || d.Sources[0].Title != "Harbour31m Report" {
		t.Fatalf("sources %+v, %+v", d.SourceStats, d.Sources)
	}
	if research.RealLocation(d.Sources[0].URL) != shelf.at {
		t.Errorf("the location %q does not lead to %q", d.Sources[0].URL, shelf.at)
	}
	var run bytes.Buffer
	if err := rec.Export(&run); err != nil {
		t.Fatal(err)
	}
	page, err := render.HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	md, err := render.Markdown(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"digest": digest, "record": run.String(), "page": string(page), "markdown": string(md)} {
		i := strings.IndexFunc(s, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\ufeff'
		})
		if i >= 0 {
			t.Errorf("the %s holds a sign that steers: %q", name, s[max(0, i-60):min(len(s), i+20)])
		}
	}
}
