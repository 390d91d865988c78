package render

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/engine/research"
)

// forms are the files for other programs.
var forms = []struct {
	name string
	make func(research.Digest) ([]byte, error)
}{{"full.bib", BibTeX}, {"full.ris", RIS}, {"full.csl.json", CSL}, {"full.pandoc.md", Pandoc}, {"full.docx", DOCX}}

// citedDigest is the full digest with a paper, a team, several authors and two sources of one name and year.
func citedDigest() research.Digest {
	d := fullDigest()
	d.Sources = append(d.Sources,
		research.DigestSource{ID: "s5", Title: "100% of {braces} & _marks_ cost $5 #1", URL: "https://doi.org/10.1000/xyz_(7)", Domain: "doi.org", Author: "Ada Lovelace and Ludwig van Beethoven", Published: "2019-03-04T10:00:00Z", Retrieved: "2026-11-28T10:00:00Z", Pages: "3"},
		research.DigestSource{ID: "s6", Title: "Again", URL: "https://b.example.org/", Domain: "b.example.org", Author: "Ada Lovelace", Published: "2019"},
		research.DigestSource{ID: "s7", Title: "无人", URL: "https://c.example.org/", Domain: "c.example.org", Author: "鲁迅、Debian Documentation Team"},
	)
	return d
}

// TestForms holds the files for other programs against those that are kept, and that the same digest gives the same bytes.
func TestForms(t *testing.T) {
	for _, f := range forms {
		got, err := f.make(citedDigest())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := f.make(citedDigest()); err != nil || !bytes.Equal(got, again) {
			t.Errorf("%s: two files of one digest differ", f.name)
		}
		name := filepath.Join("testdata", f.name)
		if f.name == "full.docx" { // its text, which a person can read in a diff
			name, got = name+".xml", []byte(strings.ReplaceAll(docxPart(t, got, "word/document.xml"), "<w:p>", "\n<w:p>"))
		}
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the one that is kept (%v): run go test ./engine/render -update and read the diff", f.name, err)
		}
	}
}

func docxPart(t testing.TB, b []byte, name string) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEntries(t *testing.T) {
	es, err := entries(citedDigest())
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, e := range es {
		keys = append(keys, e.Key)
	}
	if want := []string{"debiandocumentationteam2011", "halloran", "source3", "lovelace2019", "lovelace2019a", "debiandocumentationteam"}; !reflect.DeepEqual(keys[:3], want[:3]) || keys[len(keys)-3] != want[3] || keys[len(keys)-2] != want[4] {
		t.Errorf("keys %q, want %q", keys, want)
	}
	paper := es[len(es)-3]
	if paper.DOI != "10.1000/xyz_(7)" || paper.Published != (date{2019, 3, 4}) || !reflect.DeepEqual(paper.Authors, []person{{Family: "Lovelace", Given: "Ada"}, {Family: "van Beethoven", Given: "Ludwig"}}) {
		t.Errorf("the paper is %+v", paper)
	}
	if es[1].Quoted[0] != "“On 6 June 2005 the project released sarge.” (page 12 · bytes 402 to 444)" && !strings.Contains(es[1].Quoted[0], "On 6 June 2005") {
		t.Errorf("quoted %q", es[1].Quoted)
	}
}

func TestPeople(t *testing.T) {
	lit := func(s string) person { return person{Literal: s} }
	name := func(given, family string) person { return person{Family: family, Given: given} }
	for byline, want := range map[string][]person{
		"":                          nil,
		"Ian Murdock":               {name("Ian", "Murdock")},
		"Ian Murdock, Bdale Garbee": {name("Ian", "Murdock"), name("Bdale", "Garbee")},
		"Ian Murdock, Bdale Garbee and Joey Hess": {name("Ian", "Murdock"), name("Bdale", "Garbee"), name("Joey", "Hess")},
		"J. R. R. Tolkien":                        {name("J. R. R.", "Tolkien")},
		"Debian Documentation Team":               {lit("Debian Documentation Team")},
		"Smith, John":                             {lit("Smith, John")},
		"World Health Organization":               {lit("World Health Organization")},
		"鲁迅、巴金":                                   {lit("鲁迅"), lit("巴金")},
		"madduck":                                 {lit("madduck")},
		"Osamu Aoki (青木 修)":                       {lit("Osamu Aoki (青木 修)")},
		"Ludwig van Beethoven; Simone de la Cruz": {name("Ludwig", "van Beethoven"), name("Simone", "de la Cruz")},
	} {
		if got := people(byline); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", byline, got, want)
		}
	}
}

func TestReadDate(t *testing.T) {
	for s, want := range map[string]date{
		"": {}, "2011": {2011, 0, 0}, "2011-05": {2011, 5, 0}, "2011-05-06": {2011, 5, 6}, "2011-05-06T10:00:00Z": {2011, 5, 6},
		"2011-13": {2011, 0, 0}, "2011-05-60": {2011, 5, 0}, "about 2011": {}, "20112": {}, "2011-5": {},
	} {
		if got := readDate(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestCSLSchema holds the CSL-JSON against the schema that the makers of the style language publish (testdata/csl-data.json, its licence
// beside it).
func TestCSLSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	s, err := c.Compile(filepath.Join("testdata", "csl-data.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]research.Digest{"full": citedDigest(), "empty": {Lang: "en"}} {
		b, err := CSL(d)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err == nil {
			err = s.Validate(v)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRISRoundTrip reads the file as a reference manager does: tags of two letters, records between TY and ER.
func TestRISRoundTrip(t *testing.T) {
	b, err := RIS(citedDigest())
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string][]string
	var now map[string][]string
	for i, l := range strings.Split(strings.TrimSuffix(string(b), "\r\n"), "\r\n") {
		if l == "" {
			continue
		}
		m := regexp.MustCompile(`^([A-Z][A-Z0-9])  - (.*)$`).FindStringSubmatch(l)
		if m == nil || strings.ContainsAny(m[2], "\r\n") {
			t.Fatalf("line %d: %q", i, l)
		}
		switch {
		case m[1] == "TY":
			if now != nil {
				t.Fatalf("line %d: a record within a record", i)
			}
			now = map[string][]string{}
		case now == nil:
			t.Fatalf("line %d: %q stands outside of a record", i, l)
		case m[1] == "ER":
			records, now = append(records, now), nil
			continue
		}
		now[m[1]] = append(now[m[1]], m[2])
	}
	es, err := entries(citedDigest())
	if err != nil || len(records) != len(es) {
		t.Fatalf("%d records of %d sources, %v", len(records), len(es), err)
	}
	for i, e := range es {
		r := records[i]
		if r["TI"][0] != e.Title || r["ID"][0] != e.Key || len(r["AU"]) != len(e.Authors) || strings.Join(r["UR"], "") != e.URL || strings.Join(r["DO"], "") != e.DOI || len(r["N1"]) != len(e.Quoted) {
			t.Errorf("ACCEPTANCE 32: %+v became %v", e, r)
		}
	}
}

// TestBibTeXReads holds that braces balance, keys differ and no field is left open: what BibTeX and biber refuse.
func TestBibTeXReads(t *testing.T) {
	b, err := BibTeX(citedDigest())
	if err != nil {
		t.Fatal(err)
	}
	depth, seen := 0, map[string]bool{}
	for _, l := range strings.Split(string(b), "\n") {
		if m := regexp.MustCompile(`^@misc\{([a-z0-9]+),$`).FindStringSubmatch(l); m != nil {
			if depth != 0 || seen[m[1]] {
				t.Errorf("%q stands within an entry, or is a second one", l)
			}
			seen[m[1]] = true
		} else if strings.HasPrefix(l, "@") {
			t.Errorf("the head %q", l)
		}
		depth += strings.Count(l, "{") - strings.Count(l, "}")
	}
	es, _ := entries(citedDigest())
	if depth != 0 || len(seen) != len(es) {
		t.Errorf("%d braces are open, %d entries of %d sources", depth, len(seen), len(es))
	}
}

// TestDOCXHolds holds that each part is XML, each citation leads to a place, and each link has an address of the web.
func TestDOCXHolds(t *testing.T) {
	b, err := DOCX(citedDigest())
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		wellFormed(t, f.Name, docxPart(t, b, f.Name))
	}
	text, rels := docxPart(t, b, "word/document.xml"), docxPart(t, b, "word/_rels/document.xml.rels")
	all := func(pattern, in string) (out []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
			out = append(out, m[1])
		}
		return out
	}
	places := map[string]bool{}
	for _, p := range all(`<w:bookmarkStart w:id="[0-9]+" w:name="([^"]+)"`, text) {
		places[p] = true
	}
	cited := all(`w:anchor="([^"]+)"`, text)
	if len(cited) == 0 || len(places) != len(citedDigest().Sources) {
		t.Errorf("%d citations, %d places", len(cited), len(places))
	}
	for _, c := range cited {
		if !places[c] {
			t.Errorf("a citation leads to %q, which is nowhere", c)
		}
	}
	for _, id := range all(`r:id="([^"]+)"`, text) {
		if !strings.Contains(rels, `Id="`+id+`"`) {
			t.Errorf("the link %s has no address", id)
		}
	}
	if strings.Contains(text, "&amp;lt;") || strings.Contains(text, `\*`) || !strings.Contains(text, "Release history &lt;of&gt; Debian") {
		t.Error("the escapes of Markdown are in the document")
	}
}

func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

// TestFormsOfHostileDigests puts each payload of the corpus into every string of a digest: files stay well-formed, and no link leads
// anywhere but to http or https.
func TestFormsOfHostileDigests(t *testing.T) {
	for i, payload := range corpus(t) {
		d := citedDigest()
		everyString(reflect.ValueOf(&d).Elem(), payload+"\n}@misc{x,\nER  - \n")
		for _, f := range forms {
			b, err := f.make(d)
			if err != nil {
				t.Fatalf("%q: %s: %v", payload, f.name, err)
			}
			fault := ""
			switch f.name {
			case "full.bib":
				if n := strings.Count(string(b), "\n@misc{"); n != len(d.Sources)-1 || strings.Count(string(b), "{") != strings.Count(string(b), "}") {
					fault = fmt.Sprintf("%d entries of %d", n+1, len(d.Sources))
				}
			case "full.ris":
				if n := strings.Count(string(b), "\r\nER  - "); n != len(d.Sources) {
					fault = fmt.Sprintf("%d records of %d", n, len(d.Sources))
				}
			case "full.csl.json":
				if !json.Valid(b) {
					fault = "no JSON"
				}
			case "full.docx":
				wellFormed(t, fmt.Sprintf("payload %d", i), docxPart(t, b, "word/document.xml"))
				for _, m := range regexp.MustCompile(`Target="([^"]*)" TargetMode`).FindAllStringSubmatch(docxPart(t, b, "word/_rels/document.xml.rels"), -1) {
					if !strings.HasPrefix(m[1], "http://") && !strings.HasPrefix(m[1], "https://") {
						fault = "a link to " + m[1]
					}
				}
			}
			if fault != "" {
				t.Errorf("payload %d %q: %s: %s", i, payload, f.name, fault)
			}
		}
	}
}
