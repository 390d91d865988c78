package document

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

// sound holds what must be true of any document: valid text without invisible characters, offsets in range.
func sound(t *testing.T, doc research.Document) {
	t.Helper()
	if !utf8.ValidString(doc.Text) || clean(doc.Text) != doc.Text {
		t.Fatalf("text is not clean: %q", doc.Text)
	}
	if doc.Fault != "" && doc.Text != "" || doc.Fault == "" && strings.TrimSpace(doc.Text) == "" {
		t.Fatalf("fault %q with text %q", doc.Fault, doc.Text)
	}
	at := 0
	for _, h := range doc.Headings {
		if h.Start < at || h.Start+len(h.Text) > len(doc.Text) || doc.Text[h.Start:h.Start+len(h.Text)] != h.Text || h.Level < 1 || h.Level > 6 {
			t.Fatalf("heading %+v in a text of %d", h, len(doc.Text))
		}
		at = h.Start + len(h.Text)
	}
	for _, s := range doc.Tables {
		if s.Start < 0 || s.End > len(doc.Text) || s.Start >= s.End {
			t.Fatalf("table %+v in a text of %d", s, len(doc.Text))
		}
	}
	for _, l := range doc.Links {
		if l.Start < 0 || l.End > len(doc.Text) || l.Start >= l.End || l.URL == "" {
			t.Fatalf("link %+v in a text of %d", l, len(doc.Text))
		}
	}
	for _, s := range doc.Heads {
		if s.Start < 0 || s.End > len(doc.Text) || s.Start >= s.End || !slices.ContainsFunc(doc.Tables, func(t research.Span) bool { return t.Start == s.Start && s.End < t.End }) {
			t.Fatalf("head %+v of no table in a text of %d", s, len(doc.Text))
		}
	}
	check(t, doc, Passages(doc, "s"))
}

func fuzz(f *testing.F, mediaType string, opt Options, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := FromBytes(t.Context(), "x", mediaType, data, opt)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, doc)
	})
}

func FuzzHTML(f *testing.F) {
	fuzz(f, HTML, Options{Web: true}, "<h1>A</h1><p>b<table><tr><td>1<td>2</table>", "<ul><li>a<li>b</ul><pre>\n x\n", "<meta charset=gbk><p>\xc4\xe3", "<dl><dt>a<dd>b<sup>2</sup>", `<script type="application/ld+json">[{"@type":"Article"}]</script>`)
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, Markdown, Options{}, "# a\n\nb `c` [d](e)\n\n| a | b |\n|--|--|\n| 1 | 2 |\n", "---\ntitle: x\n---\ny\n", "a\n===\n```\nx\n", "- a\n- b\n\n    code\n")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, CSV, Options{}, "a,b\n1,2\n", "Title\n\nx;y\n\"1,5\";2\n", "sep=;\na;b\n1;2\n", "a\tb\n\"x\t1\n", "a,b\n,\n\"x\ny\",3\n", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00")
}

func FuzzPlain(f *testing.F) {
	fuzz(f, Plain, Options{}, "A\n===\n\ntext\nmore\n", "1.2 Title\n\n- a\n- b\n", "x [Page 2]\n\fRFC 1 x 1999\n", "\x1f\nFile: a, Node: b\n\n* B::\n", "\xff\xfea\x00")
}

// FuzzPDFLayout feeds lines rather than PDFs: PDFium is guarded by its own process.
func FuzzPDFLayout(f *testing.F) {
	f.Add("Chapter 1\fThe doc\ufffeument is here\nand goes on-\nwards.\n7\fNext page", 2.0, 12.0)
	f.Fuzz(func(t *testing.T, src string, indent, size float64) {
		if indent != indent || size != size || size > 1e6 || size < -1e6 || indent > 1e6 || indent < -1e6 {
			t.Skip("PDFium gives numbers of a page")
		}
		var file pdfFile
		for _, page := range strings.Split(strings.ToValidUTF8(src, ""), "\f") {
			p := pdfPage{Width: 600, Height: 800}
			for i, line := range strings.Split(page, "\n") {
				y := 780 - size*1.2*float64(i)
				p.Lines = append(p.Lines, pdfLine{Text: line, Left: 50 + indent*float64(i%3), Right: 60 + 5*float64(len(line)), Base: y, End: y, Size: size + float64(i%2)})
			}
			file.Pages = append(file.Pages, p)
			file.Outline = append(file.Outline, pdfEntry{Title: page[:min(len(page), 9)], Page: len(file.Pages) - 1, Level: 1})
		}
		doc := layPDF(file)
		if len(doc.Pages) != len(file.Pages) {
			t.Fatalf("%d pages of %d", len(doc.Pages), len(file.Pages))
		}
		for i, at := range doc.Pages {
			if at < 0 || at > len(doc.Text) || i > 0 && at < doc.Pages[i-1] {
				t.Fatalf("pages %v in a text of %d", doc.Pages, len(doc.Text))
			}
		}
		if strings.TrimSpace(doc.Text) != "" {
			sound(t, doc)
		}
	})
}

func FuzzDate(f *testing.F) {
	f.Add("2015-11-24")
	f.Add("March 9th, 1999")
	f.Fuzz(func(t *testing.T, s string) {
		if d := isoDate(s); d != "" && isoDate(d) != d {
			t.Fatalf("isoDate(%q) = %q, which reads as %q", s, d, isoDate(d))
		}
	})
}
