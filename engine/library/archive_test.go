package library

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// archived lays the archive of testdata into a folder; it is read as a folder of its pages.
func archived(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "harbour.zim"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "books", "harbour.zim")
	write(t, name, string(b))
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestArchive(t *testing.T) {
	dir := tree(t, "shelf", map[string]string{"plain.txt": "A plain note on boats and on the weather of the coast in winter.\n"})
	name := archived(t, dir)
	l := open(t)
	if g := add(t, l, dir); g.Files != 4 || g.Added != 4 || g.Unread != 0 {
		t.Fatalf("%+v", g)
	}
	hits := search(t, l, "reef harbour office")
	if len(hits) == 0 || hits[0].Location != "shelf/books/harbour.zim/Harbour/Light" || hits[0].Title != "The Light" || hits[0].Published != "2025-03-04" {
		t.Errorf("hits %+v", hits)
	}
	if hits := search(t, l, "灯塔"); len(hits) != 1 || hits[0].Location != "shelf/books/harbour.zim/灯塔" {
		t.Errorf("hits %+v", hits)
	}
	if g := add(t, l, dir); g.Unchanged != 4 || g.Passages != 0 {
		t.Errorf("again: %+v", g)
	}
	doc, err := l.Read(t.Context(), "shelf/books/harbour.zim/notes")
	if err != nil || !strings.Contains(doc.Text, "every ship") {
		t.Errorf("%v %+v", err, doc)
	}
	// What is kept of a page and lost is read out of the archive again.
	if err := os.RemoveAll(filepath.Join(l.dir, "texts")); err != nil {
		t.Fatal(err)
	}
	if hits := search(t, l, "reef harbour office"); len(hits) == 0 {
		t.Error("nothing is found once the kept texts are lost")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if g := add(t, l, dir); g.Removed != 3 {
		t.Errorf("the archive is gone: %+v", g)
	}
}

// mostHostileMiB is what the heap may grow to while a folder of hostile files is ingested: what two readers of files at their bound of
// 64 MiB each take. Measured: 327 and 335 MiB at the most.
const mostHostileMiB = 600

// TestHostileFolder ingests a folder of files that lie about their size, unpack to far more than they are, nest without end or are cut
// short. Each is named with its reason, the good ones beside them are read, and memory stays bounded.
func TestHostileFolder(t *testing.T) {
	zeros := make([]byte, 1<<20)
	gz := func(mib int) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		for range mib {
			_, _ = w.Write(zeros) // a bytes.Buffer takes everything
		}
		_ = w.Close()
		return b.String()
	}
	pack := func(files map[string]string, bomb string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, s := range files {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write([]byte(s))
		}
		if bomb != "" {
			f, err := w.Create(bomb)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write([]byte("<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>"))
			for range 70 {
				_, _ = f.Write(bytes.Repeat([]byte(" "), 1<<20))
			}
		}
		_ = w.Close()
		return b.String()
	}
	deep := strings.Repeat("<div>", 20_000)
	lying := []byte(pack(map[string]string{"word/document.xml": "<w:document/>"}, ""))
	if i := bytes.Index(lying, []byte("PK\x01\x02")); i > 0 {
		copy(lying[i+24:], "\xff\xff\xff\x7f") // 2 GiB, says the directory
	}
	zim, err := os.ReadFile(filepath.Join("testdata", "harbour.zim"))
	if err != nil {
		t.Fatal(err)
	}
	claims := bytes.Clone(zim)
	copy(claims[24:], "\xff\xff\xff\xff")
	files := map[string]string{
		"good.txt":      "The keeper of the good note wrote down every ship that passed the reef.\n",
		"good.html":     "<html><body><h1>Good</h1><p>The tower of the good page is thirty-eight metres high and stands on granite.</p></body></html>",
		"bomb.txt.gz":   gz(80),
		"double.txt.gz": gz(1)[:200],
		"bomb.docx":     pack(map[string]string{"[Content_Types].xml": "<Types/>"}, "word/document.xml"),
		"lying.docx":    string(lying),
		"cut.docx":      string(lying[:len(lying)/2]),
		"deep.docx":     pack(map[string]string{"word/document.xml": "<w:document xmlns:w=\"w\">" + strings.Repeat("<w:p>", 100_000)}, ""),
		"deep.odt":      pack(map[string]string{"content.xml": strings.Repeat("<a>", 100_000), "mimetype": "application/vnd.oasis.opendocument.text"}, ""),
		"loop.epub":     pack(map[string]string{"META-INF/container.xml": "<container><rootfiles><rootfile full-path=\"META-INF/container.xml\"/></rootfiles></container>"}, ""),
		"entity.odt":    pack(map[string]string{"content.xml": "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><x>&b;&b;</x>"}, ""),
		"deep.html":     "<html><body>" + deep + "<p>At the bottom of the nest stands a sentence of some words.</p></body></html>",
		"endless.html":  "<html><!--" + strings.Repeat("<p", 100_000),
		"broken.txt":    strings.Repeat("\xff\xfe\x00\xd8\xc3\x28", 5000),
		"cut.pdf":       "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [2 0 R] /Count 1000000000 >> endobj\ntrailer << /Root 1 0 R >>",
		"claims.zim":    string(claims),
		"cut.zim":       string(zim[:len(zim)-60]),
		"none.zim":      "no archive",
	}
	dir := tree(t, "hostile", files)
	l := open(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	g := add(t, l, dir)
	runtime.ReadMemStats(&after)
	if hits := search(t, l, "keeper ship reef"); len(hits) == 0 || hits[0].Location != "hostile/good.txt" {
		t.Errorf("the good note: %+v", hits)
	}
	if hits := search(t, l, "tower metres granite"); len(hits) == 0 || hits[0].Location != "hostile/good.html" {
		t.Errorf("the good page: %+v", hits)
	}
	said := map[string]string{}
	for _, p := range g.Problems {
		said[strings.TrimPrefix(p.Location, "hostile/")] = p.Why
		t.Log(p.Why)
	}
	for _, name := range []string{"bomb.txt.gz", "double.txt.gz", "bomb.docx", "cut.docx", "deep.docx", "deep.odt", "loop.epub", "cut.pdf", "claims.zim", "none.zim"} {
		if why := said[name]; why == "" || !strings.Contains(why, name) && name != "cut.pdf" { // of a PDF the reader says only what it is
			t.Errorf("%s: said %q", name, why)
		}
	}
	grown := int64(after.HeapSys-before.HeapSys) >> 20
	t.Logf("the heap grew by %d MiB, %d MiB were reserved in all", grown, (after.TotalAlloc-before.TotalAlloc)>>20)
	if grown > dearer*mostHostileMiB {
		t.Errorf("the heap grew by %d MiB", grown)
	}
}
