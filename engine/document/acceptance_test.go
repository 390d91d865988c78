package document

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestAcceptance holds the public bug reports of the acceptance list on pages and documents, by their number there. Number 14 stands in
// TestCharset, 11 and 12 in TestMainText with more of their kind; 76 is the library's.
func TestAcceptance(t *testing.T) {
	t.Run("ACCEPTANCE 71: pages without a text layer are said with their number", func(t *testing.T) {
		if why := pdfFault(pdfFile{Pages: make([]pdfPage, 7)}); !strings.Contains(why, "7 pages") || !strings.Contains(why, "no text layer") {
			t.Errorf("the fault is %q", why)
		}
	})
	t.Run("ACCEPTANCE 72: two columns are read one after the other", func(t *testing.T) {
		page := pdfPage{Width: 600, Height: 800}
		column := func(left float64, lines ...string) {
			for i, s := range lines {
				y := 700 - 14*float64(i)
				page.Lines = append(page.Lines, pdfLine{Text: s, Left: left, Right: left + 230, Base: y, End: y, Size: 11})
			}
		}
		column(50, "The board met in May, read the", "annual report and approved the", "budget of the year that follows", "without a vote against it.")
		column(320, "The harbour was dredged in June", "and the ferry sailed again at", "the end of the month, as it", "had done before the storm.")
		doc := layPDF(pdfFile{Pages: []pdfPage{page}})
		doc.Text = strings.Join(strings.Fields(doc.Text), " ")
		first, second := strings.Index(doc.Text, "annual report and approved the budget of the year"), strings.Index(doc.Text, "and the ferry sailed again at the end of the month")
		if first < 0 || second < first {
			t.Errorf("the columns run into each other: %q", doc.Text)
		}
	})
	t.Run("ACCEPTANCE 74: a relationship to a part NULL", func(t *testing.T) {
		data := packed(t, "word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="image" Target="NULL"/><Relationship Id="rId2" Type="image" Target="../NULL"/></Relationships>`,
			"word/document.xml", `<w:document `+wordNS+`><w:body><w:p><w:r><w:t>The valve was closed at noon.</w:t></w:r><w:r><w:drawing><a:blip xmlns:a="a" r:embed="rId1" xmlns:r="r"/></w:drawing></w:r></w:p></w:body></w:document>`)
		if doc := readBytes(t, "valve.docx", data); doc.Fault != "" || doc.Text != "The valve was closed at noon." {
			t.Errorf("%q, %q", doc.Fault, doc.Text)
		}
	})
	t.Run("ACCEPTANCE 77: a Chinese file name", func(t *testing.T) {
		name := "基于深度学习的缺陷检测.docx"
		at := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(at, packed(t, "word/document.xml", `<w:document `+wordNS+`><w:body><w:p><w:r><w:t>缺陷检测。</w:t></w:r></w:p></w:body></w:document>`), 0o600); err != nil {
			t.Fatal(err)
		}
		doc, err := Read(t.Context(), "papers/"+name, at, Options{})
		if err != nil || doc.Location != "papers/"+name || doc.Text != "缺陷检测。" || filepath.Base(doc.Path) != name {
			t.Errorf("%+v, %v", doc, err)
		}
		if escaped := research.EscapeLocation("papers/" + name); research.RealLocation(escaped) != "papers/"+name {
			t.Errorf("the location is kept as %q", escaped)
		}
	})
	for n, tc := range map[string]struct{ body, want, not string }{
		"ACCEPTANCE 11: the article in an aside, beside a notice on cookies": {`<div class="cookie">We use cookies and you may accept them here.</div><aside>%s</aside>`, "harbour", "cookies"},
		"ACCEPTANCE 12: main behind blocks":                                  {`<div>a</div><div><p>Menu</p></div><div class="x"><div>b</div></div><main>%s</main>`, "harbour", ""},
	} {
		t.Run(n, func(t *testing.T) {
			story := strings.Repeat("<p>The council voted on the harbour budget after a long debate, and the mayor spoke of a new pier.</p>", 8)
			doc, err := FromBytes(t.Context(), "https://a.example/x", HTML, []byte("<html><body>"+fmt.Sprintf(tc.body, story)+"</body></html>"), Options{Web: true, URL: "https://a.example/x"})
			if err != nil || strings.Count(doc.Text, tc.want) != 8 || tc.not != "" && strings.Contains(doc.Text, tc.not) {
				t.Errorf("%q, %v", doc.Text, err)
			}
		})
	}
}
