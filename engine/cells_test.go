package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/audit"
	"assay/engine/document"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
)

// shelfOf is a provider and reader over pages in memory.
type shelfOf map[string]research.Document

func (shelfOf) Name() string { return "library" }

func (s shelfOf) Search(context.Context, research.Query) ([]research.Hit, error) {
	var out []research.Hit
	for _, loc := range slices.Sorted(maps.Keys(s)) {
		out = append(out, research.Hit{Provider: "library", Location: loc, Title: s[loc].Title, Score: "1"})
	}
	return out, nil
}

func (s shelfOf) Read(_ context.Context, location string) (research.Document, error) {
	return s[location], nil
}

// pageOf reads a file of the given name.
func pageOf(t testing.TB, name, content string) research.Document {
	t.Helper()
	doc, err := document.FromBytes(t.Context(), name, document.MediaType(name, []byte(content)), []byte(content), document.Options{})
	if err != nil || doc.Fault != "" {
		t.Fatal(err, doc.Fault)
	}
	return doc
}

// lensOn sees documents through a question.
func lensOn(t testing.TB, question string, docs ...research.Document) *lens {
	t.Helper()
	l := &lens{meaning: intent.Understand(question, "auto", research.ShapeAuto, research.Quick, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}
	for i, d := range docs {
		l.pages = append(l.pages, subject.Read(d))
		l.sources = append(l.sources, research.Source{ID: fmt.Sprint("s", i+1), Verdict: research.Verified, Voice: "v"})
	}
	l.body = subject.NewBody(l.pages)
	aliases := l.body.Aliases(l.meaning.Terms)
	for _, f := range l.meaning.Facets {
		l.asks = append(l.asks, ask(l.meaning, f, aliases))
	}
	for _, a := range l.asks {
		byPage := map[int][]subject.Mark{}
		for i, p := range l.pages {
			byPage[i] = l.body.Score(p, a)
		}
		l.marks = append(l.marks, byPage)
	}
	return l
}

const (
	releases = "<html><body><h1>Debian releases</h1><p>The project publishes a stable release about every two years.</p><table><caption>Table 2: Stable releases.</caption>" +
		"<tr><th>Release<th>Codename<th>Released<th>Packages<th>Size (MB)<tr><td>Debian 10<td>buster<td>6 July 2019<td>57,703<td>3500<tr><td>Debian 11<td>bullseye<td>14 August 2021<td>59,551<td>3700" +
		"<tr><td>Debian 12<td>bookworm<td>10 June 2023<td>64,419<td>3900</table><p>Older releases are kept in the archive.</p></body></html>"
	visitors = "Town,2018,2019,Mayor\nSkerry,12400,15500,Ines Marlow\nErrol,900,1100,Tom Reyle\nPort Ellen,300,410,Ann Vane\n"
	packages = "| Package | Size (kB) | Description |\n|---|---|---|\n| ghostscript | 195 | interpreter |\n| ghostscript-x | 87 | interpreter for X |\n| dash | 191 | a small shell of 1997 |\n"
	series   = "version,codename,series,created,release\n11,Bullseye,bullseye,2019-07-06,2021-08-14\n12,Bookworm,bookworm,2021-08-14,2023-06-10\n13,Trixie,trixie,2023-06-10\n"
	towns    = "城市,人口（万人）,面积\n北京市,2189,16410\n上海市,2487,6340\n广州市,1868,7434\n"
)

// TestCells: a question that asks for what stands in a table gets the cell, worded with the headings of its row and column.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		name, file, content, question string
		want                          []string
	}{
		{"a count", "releases.html", releases, "How many packages does Debian 12 have?", []string{"Packages of Debian 12 is 64,419 (Table 2: Stable releases)."}},
		{"a row by another name", "releases.html", releases, "How many packages does bullseye have?", []string{"Packages of Debian 11 (bullseye) is 59,551 (Table 2: Stable releases)."}},
		{"a date", "releases.html", releases, "When was bookworm released?", []string{"Released of Debian 12 (bookworm) is 10 June 2023 (Table 2: Stable releases)."}},
		{"a unit in the heading", "releases.html", releases, "What size in MB has Debian 10?", []string{"Size of Debian 10 is 3500 MB (Table 2: Stable releases)."}},
		{"a year as a column", "visitors.csv", visitors, "How many visitors did Skerry have in 2019?", []string{"2019 of Skerry is 15500."}},
		{"a name", "visitors.csv", visitors, "Who is the mayor of Errol?", []string{"Mayor of Errol is Tom Reyle."}},
		{"Chinese", "towns.csv", towns, "上海市的人口是多少？", []string{"上海市的人口（万人）为2487。"}},
		{"a row whose name begins another's", "tools.md", packages, "What is the size of the ghostscript package?", []string{"Size of ghostscript is 195 kB."}},
		{"names in small letters, rows of two lengths", "debian.csv", series, "When was Debian bullseye released?", []string{"Release of Bullseye is 2021-08-14."}},
		{"a figure in words of another column", "tools.md", packages, "How many packages are there?", nil},
		{"a row that is not there", "releases.html", releases, "How many packages does Debian 13 have?", nil},
		{"a column that is not there", "releases.html", releases, "How many developers does Debian 12 have?", nil},
		{"every row", "releases.html", releases, "How many packages does Debian have?", nil},
		{"no figure", "releases.html", releases, "Why was Debian 12 released?", nil},
		{"another subject", "visitors.csv", visitors, "How many lifeboats does the harbour office of Skerry keep?", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := pageOf(t, tc.file, tc.content)
			var got []string
			for _, c := range lensOn(t, tc.question, doc).cells() {
				got = append(got, c.Text)
				if row := doc.Text[c.Start:c.End]; strings.Contains(row, "\n") || !strings.Contains(row, document.CellBreak) {
					t.Errorf("its passage is no row: %q", row)
				}
				for _, q := range c.Quantities {
					if c.Text[q.Start:q.End] != q.Text {
						t.Errorf("quantity %+v is not in %q", q, c.Text)
					}
				}
			}
			if strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
				t.Errorf("cells of %q:\n%s\nwant\n%s", tc.question, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

// TestCellFinding: a report answers from a table with the cell in words, cites its row and the heading of its column, and the audit
// holds.
func TestCellFinding(t *testing.T) {
	c := config(t, "How many packages does Debian 12 have?")
	s := shelfOf{"deb/releases.html": pageOf(t, "deb/releases.html", releases), "towns/visitors.csv": pageOf(t, "towns/visitors.csv", visitors)}
	c.Providers, c.Reader = []Provider{s}, s
	d, _, rec := digestOf(t, c)
	if len(d.Sections) == 0 || len(d.Sections[0].Findings) == 0 {
		t.Fatal("no finding")
	}
	f := d.Sections[0].Findings[0]
	if f.Text != "Packages of Debian 12 is 64,419 (Table 2: Stable releases)." {
		t.Errorf("first finding %q", f.Text)
	}
	if fs := d.Levels.Facts; len(fs) == 0 || fs[0].Subject != "Packages of Debian 12" || fs[0].Action != "is" {
		t.Errorf("facts %+v", fs)
	}
	var cited []string
	for _, id := range f.Citations {
		cited = append(cited, d.Passages[id].Text)
	}
	if want := "Debian 12\tbookworm\t10 June 2023\t64,419\t3900"; len(cited) != 2 || cited[0] != want || !strings.Contains(cited[1], "Packages") {
		t.Errorf("cites %q, want the row and the heading", cited)
	}
	if err := rec.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(rec.Run()); !rep.OK() {
		t.Errorf("audit: %v", rep.Faults)
	}
}

// FuzzTableAt: of whatever file, each row lies inside its table and has a cell for each column.
func FuzzTableAt(f *testing.F) {
	f.Add([]byte(visitors), true)
	f.Add([]byte("<table><tr><th><th>2018<tr><th>Errol<td>12</table>"), false)
	f.Add([]byte("a,b\n,\n\"x\ny\",3\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, values bool) {
		media := document.HTML
		if values {
			media = document.CSV
		}
		doc, err := document.FromBytes(t.Context(), "x", media, data, document.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range doc.Heads {
			tb, ok := tableAt(doc, i)
			if !ok {
				continue
			}
			for _, r := range tb.rows {
				if r.span.Start < tb.head.End || r.span.End > tb.span.End || r.span.Start > r.span.End || len(r.cells) != len(tb.columns) {
					t.Fatalf("row %+v of table %+v with %d columns", r, tb.span, len(tb.columns))
				}
			}
			if tb.label >= len(tb.columns) || tb.caption.End > len(doc.Text) {
				t.Fatalf("label %d, caption %+v", tb.label, tb.caption)
			}
		}
	})
}
