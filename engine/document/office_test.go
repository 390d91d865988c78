package document

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

// packed is a container of these files, in the order of the list name, text, name, text.
func packed(t testing.TB, list ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(list); i += 2 {
		how := zip.Deflate
		if list[i+1] == "" { // a compressor for each of thousands takes its time
			how = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: list[i], Method: how})
		if err == nil {
			_, err = w.Write([]byte(list[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const wordNS = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

func docxOf(t testing.TB, body string) []byte {
	return packed(t,
		"word/styles.xml", `<w:styles `+wordNS+`><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`,
		"word/document.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document `+wordNS+`><w:body>`+body+`</w:body></w:document>`,
		"word/footnotes.xml", `<w:footnotes `+wordNS+`><w:footnote><w:p><w:r><w:t>See the log of 1874.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Valves</dc:title><dc:creator>Ada Marsh</dc:creator><dcterms:created>2019-01-02T00:00:00Z</dcterms:created><dcterms:modified>2020-03-04T05:06:07Z</dcterms:modified></cp:coreProperties>`)
}

func TestDOCX(t *testing.T) {
	data := docxOf(t, `<w:p><w:pPr><w:pStyle w:val="Titel"/></w:pPr><w:r><w:t>The valve</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">It was closed </w:t></w:r><w:r><w:t>at noon</w:t></w:r><w:del><w:r><w:delText>at night</w:delText></w:r></w:del><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:r><w:t>Parts &amp; pieces</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>A spring</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>A disc</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Year</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Flow</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>1874</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>4,182</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><mc:AlternateContent xmlns:mc="m"><mc:Choice><w:r><w:t>Boxed.</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>Boxed.</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`)
	doc := readBytes(t, "valve.docx", data)
	want := "The valve\n\nIt was closed at noon.\n\nParts & pieces\n\nA spring\nA disc\n\nYear\tFlow\n1874\t4,182\n\nBoxed.\n\nSee the log of 1874."
	if doc.Text != want {
		t.Errorf("Text = %q, want %q", doc.Text, want)
	}
	if doc.Title != "Valves" || doc.Byline != "Ada Marsh" || doc.Published != "2020-03-04" || doc.MediaType != DOCX {
		t.Errorf("doc = %q by %q of %q, %s", doc.Title, doc.Byline, doc.Published, doc.MediaType)
	}
	if len(doc.Headings) != 2 || doc.Headings[1].Level != 2 || len(doc.Tables) != 1 {
		t.Errorf("Headings = %+v, Tables = %+v", doc.Headings, doc.Tables)
	}
}

func odtOf(t testing.TB, body string) []byte {
	return packed(t, "mimetype", "application/vnd.oasis.opendocument.text",
		"content.xml", `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>`+body+`</office:text></office:body></office:document-content>`,
		"meta.xml", `<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>Valves</dc:title><meta:initial-creator>Ada Marsh</meta:initial-creator><dc:date>2020-03-04T05:06:07</dc:date></office:meta></office:document-meta>`)
}

func TestODT(t *testing.T) {
	data := odtOf(t, `<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="1">The valve</text:h>
<text:p>It was <text:span>closed</text:span><text:s text:c="2"/>at
 noon.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See the log of 1874.</text:p></text:note-body></text:note></text:p>
<text:list><text:list-item><text:p>A spring</text:p></text:list-item><text:list-item><text:p>A disc</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>Flow</text:p></table:table-cell></table:table-row></table:table>`)
	doc := readBytes(t, "valve.odt", data)
	want := "The valve\n\nIt was closed at noon.\n\nA spring\nA disc\n\nYear\tFlow\n\nSee the log of 1874."
	if doc.Text != want || doc.Title != "Valves" || doc.Byline != "Ada Marsh" || doc.Published != "2020-03-04" || doc.MediaType != ODT {
		t.Errorf("doc = %+v", doc)
	}
}

func epubOf(t testing.TB, list ...string) []byte {
	return packed(t, append([]string{"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf", `<package xmlns:dc="d"><metadata><dc:title>Valves</dc:title><dc:creator>Ada Marsh</dc:creator><dc:publisher>Marsh and Sons</dc:publisher><dc:date>2020-03-04</dc:date></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="text/two%20.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`}, list...)...)
}

func TestEPUB(t *testing.T) {
	data := epubOf(t, "OEBPS/nav.xhtml", "<html><body><p>Contents</p></body></html>",
		"OEBPS/text/one.xhtml", "<html><head><title>x</title></head><body><h1>The valve</h1><p>It was closed at noon.</p></body></html>",
		"OEBPS/text/two .xhtml", "<html><body><h2>Parts</h2><p>A spring.</p></body></html>")
	doc := readBytes(t, "valve.epub", data)
	want := "The valve\n\nIt was closed at noon.\n\nParts\n\nA spring."
	if doc.Text != want || doc.Title != "Valves" || doc.Byline != "Ada Marsh" || doc.Publisher != "Marsh and Sons" || doc.Published != "2020-03-04" || doc.MediaType != EPUB {
		t.Errorf("doc = %+v", doc)
	}
	for _, h := range doc.Headings {
		if doc.Text[h.Start:h.Start+len(h.Text)] != h.Text {
			t.Errorf("heading %+v stands elsewhere", h)
		}
	}
}

func readBytes(t testing.TB, name string, data []byte) research.Document {
	t.Helper()
	doc, err := FromBytes(context.Background(), name, "", data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestPackedFaults(t *testing.T) {
	bomb := docxOf(t, "<w:p><w:r><w:t>"+strings.Repeat("a", 1<<20+1)+"</w:t></w:r></w:p>")
	deep := docxOf(t, strings.Repeat("<w:p>", 2000)+strings.Repeat("</w:p>", 2000))
	var many []string
	for i := range maxEntries + 1 {
		many = append(many, fmt.Sprintf("f%d", i), "")
	}
	locked := docxOf(t, "<w:p/>")
	for at := 0; ; { // bit 0 of the flags of every file: encrypted
		i := bytes.Index(locked[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		locked[at+i+8] |= 1
		at += i + 4
	}
	good := docxOf(t, "<w:p><w:r><w:t>It was closed at noon.</w:t></w:r></w:p>")
	for _, tc := range []struct {
		name string
		data []byte
		want string
	}{
		{"bomb.docx", bomb, "unpacks to more than"},
		{"deep.docx", deep, "too deep"},
		{"many.docx", packed(t, many...), "no document does"},
		{"locked.docx", locked, "is locked"},
		{"cut.docx", good[:len(good)/2], "cannot be unpacked"},
		{"noise.odt", []byte("PK\x03\x04 noise"), "cannot be unpacked"},
		{"other.docx", packed(t, "a.txt", "a"), "lacks the part"},
		{"half.docx", packed(t, "word/document.xml", "<w:document><w:p>"), "is damaged"},
		{"entity.docx", packed(t, "word/document.xml", `<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;&a;</x>`), "is damaged"},
		{"locked.odt", packed(t, "META-INF/manifest.xml", "<manifest:encryption-data/>", "content.xml", "x"), "is locked"},
		{"empty.epub", packed(t, "META-INF/container.xml", "<container/>"), "lacks the part"},
		{"drm.epub", epubOf(t, "META-INF/rights.xml", "x"), "is locked"},
		{"bare.epub", epubOf(t), "holds no text"},
	} {
		doc, err := FromBytes(context.Background(), tc.name, "", tc.data, Options{MaxBytes: max(1<<20, int64(len(tc.data)))})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Text != "" || doc.Verdict != research.Unread || !strings.Contains(doc.Fault, tc.want) {
			t.Errorf("%s: Fault = %q, text of %d bytes, want %q", tc.name, doc.Fault, len(doc.Text), tc.want)
		}
	}
}

func gzipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		name string
		data []byte
		want string // the text, or a part of the fault
		kind string
	}{
		{"a.txt.gz", gzipped(t, "It was closed at noon."), "It was closed at noon.", Plain},
		{"a.html.GZ", gzipped(t, "<p>It was closed.</p>"), "It was closed.", HTML},
		{"bomb.txt.gz", gzipped(t, strings.Repeat("a", 3<<20)), "unpacks to more than 2 MiB", Plain},
		{"cut.txt.gz", gzipped(t, strings.Repeat("abc ", 1000))[:20], "cannot be unpacked", Plain},
		{"not.txt.gz", []byte("plain"), "not compressed", Plain},
		{"none.txt.gz", gzipped(t, ""), "is empty", Plain},
	} {
		path := filepath.Join(dir, tc.name)
		if err := os.WriteFile(path, tc.data, 0o644); err != nil {
			t.Fatal(err)
		}
		doc, err := Read(context.Background(), tc.name, path, Options{MaxBytes: 2 << 20})
		if err != nil || !strings.Contains(doc.Text+doc.Fault, tc.want) || doc.MediaType != tc.kind {
			t.Errorf("%s = %q, fault %q, %s, %v", tc.name, doc.Text, doc.Fault, doc.MediaType, err)
		}
	}
	if TypeByName("changelog.gz") != "" || TypeByName("x.tar.gz") != "" {
		t.Error("the name of what is compressed says no format, and it is read")
	}
}

func FuzzOffice(f *testing.F) {
	f.Add("a.docx", docxOf(f, "<w:p><w:r><w:t>x</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"))
	f.Add("a.odt", odtOf(f, "<text:p>x<text:note/></text:p><table:table/>"))
	f.Add("a.epub", epubOf(f, "OEBPS/text/one.xhtml", "<p>x"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, ending := range []string{".docx", ".odt", ".epub"} {
			doc, err := FromBytes(context.Background(), "a"+ending, "", data, Options{})
			if err != nil || (doc.Fault == "") == (strings.TrimSpace(doc.Text) == "") {
				t.Errorf("%s: %v, fault %q with a text of %d bytes", name, err, doc.Fault, len(doc.Text))
			}
		}
	})
}

// FuzzOfficeText reads whatever stands in the part that holds the text.
func FuzzOfficeText(f *testing.F) {
	f.Add("<w:p><w:r><w:t>x</w:t></w:r></w:p>")
	f.Add("<w:tbl><w:tc></w:tc></w:tbl></w:body><w:body>")
	f.Fuzz(func(t *testing.T, body string) {
		readBytes(t, "a.docx", docxOf(t, body))
		readBytes(t, "a.odt", odtOf(t, body))
		readBytes(t, "a.epub", epubOf(t, "OEBPS/text/one.xhtml", body))
	})
}

// ACCEPTANCE 77: a file keeps its name in whatever script it is written, from the folder to the location.
func TestNameInAnyScript(t *testing.T) {
	for _, name := range []string{"基于深度学习的缺陷检测.docx", "Обзор клапанов.docx", "Über Ventile №2.docx", "밸브.docx"} {
		t.Run("ACCEPTANCE 77: "+name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, docxOf(t, "<w:p><w:r><w:t>The valve was closed at noon.</w:t></w:r></w:p>"), 0o600); err != nil {
				t.Fatal(err)
			}
			doc, err := Read(t.Context(), "attached/"+name, file, Options{})
			if err != nil || doc.Fault != "" {
				t.Fatalf("Read = %v, %s", err, doc.Fault)
			}
			if doc.Location != "attached/"+name || !strings.Contains(doc.Text, "closed at noon") {
				t.Errorf("location %q, text %q", doc.Location, doc.Text)
			}
		})
	}
}
