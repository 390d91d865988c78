package subject

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// page makes a document of a text in which a line "# x" is a heading of level one, "## x" of level two.
func page(title, s string) *Page {
	d := research.Document{Title: title}
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if words := strings.TrimLeft(line, "#"); words != line {
			words = strings.TrimSpace(words)
			d.Headings = append(d.Headings, research.Heading{Start: b.Len(), Level: strings.LastIndexByte(line, '#') + 1, Text: words})
			line = words
		}
		b.WriteString(line + "\n")
	}
	d.Text = strings.TrimSuffix(b.String(), "\n")
	return Read(d)
}

const lamps = `# Lamps
The lamp burned paraffin. It was replaced in 1931.

## Sarge
Debian 3.1 (sarge) was released in 2005. The sarge installer was new.
Debian 3.1 (sarge) followed Debian 3.0 (woody).

## Other
Nothing here is of interest to anyone.`

func TestRead(t *testing.T) {
	p := page("Lamps and names", lamps)
	type line struct {
		text    string
		block   int
		heading int
	}
	want := []line{
		{"Lamps", 1, 0}, {"The lamp burned paraffin.", 2, 0}, {"It was replaced in 1931.", 2, 0}, {"Sarge", 4, 1},
		{"Debian 3.1 (sarge) was released in 2005.", 5, 1}, {"The sarge installer was new.", 5, 1}, {"Debian 3.1 (sarge) followed Debian 3.0 (woody).", 6, 1},
		{"Other", 8, 2}, {"Nothing here is of interest to anyone.", 9, 2},
	}
	var got []line
	for i, l := range p.Lines {
		got = append(got, line{p.Text(i), l.Block, l.Heading})
	}
	if !slices.Equal(want, got) {
		t.Errorf("lines\n%v\nwant\n%v", got, want)
	}
	if s := p.Lines[1].Stems(); !slices.Equal(s, []string{"lamp", "burn", "paraffin"}) {
		t.Errorf("stems %q", s)
	}
	for at, want := range map[int]string{0: "Lamps", strings.Index(p.Doc.Text, "installer"): "Lamps > Sarge", len(p.Doc.Text): "Lamps > Other"} {
		if got := p.HeadingAt(at); got != want {
			t.Errorf("HeadingAt(%d) = %q, want %q", at, got, want)
		}
	}
	for at, want := range map[int]int{0: 0, 6: 1, strings.Index(p.Doc.Text, "1931"): 2, strings.Index(p.Doc.Text, "Sarge") - 1: 3, len(p.Doc.Text): -1} {
		if got := p.LineAt(at); got != want {
			t.Errorf("LineAt(%d) = %d, want %d", at, got, want)
		}
	}
}

func TestReadLimits(t *testing.T) {
	// Running text without sentence ends is read in stretches of one block.
	long := strings.Repeat("word ", 400) + "the lighthouse burns paraffin " + strings.Repeat("word ", 400)
	p := page("", long)
	found := 0
	for i, l := range p.Lines {
		if l.Block != p.Lines[0].Block || len(p.Text(i)) > 400 {
			t.Errorf("line %d of block %d is %q", i, l.Block, p.Text(i))
		}
		if strings.Contains(p.Text(i), "paraffin") {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d lines hold the word in the middle, want 1", found)
	}
	if n := len(page("", "").Lines); n != 0 {
		t.Errorf("an empty text has %d lines", n)
	}
	d := research.Document{Text: "deep", Headings: []research.Heading{{Level: 9, Text: "nine"}, {Level: -3, Text: "minus"}}}
	if got := Read(d).HeadingAt(0); got != "minus" {
		t.Errorf("levels out of range: %q", got)
	}
	d = research.Document{Text: "one two three", Pages: []int{0, 4, 8}}
	for at, want := range map[int]int{0: 1, 3: 1, 4: 2, 12: 3} {
		if got := Read(d).PageAt(at); got != want {
			t.Errorf("PageAt(%d) = %d, want %d", at, got, want)
		}
	}
	if got := page("", "no pages").PageAt(3); got != 0 {
		t.Errorf("PageAt of a document without pages = %d", got)
	}
}

func ask(stems ...string) Ask {
	var a Ask
	for _, s := range stems {
		a.Terms = append(a.Terms, AskTerm{Stem: s, Share: 1})
	}
	return a
}

// top returns the words of the line with the greatest score.
func top(p *Page, ms []Mark) string {
	if len(ms) == 0 {
		return ""
	}
	best := slices.MaxFunc(ms, func(a, b Mark) int {
		if a.Score < b.Score {
			return -1
		}
		return 1
	})
	return p.Text(best.Line)
}

func TestScore(t *testing.T) {
	p := page("Lamps and names", lamps)
	b := NewBody([]*Page{p})
	for _, tc := range []struct {
		name string
		ask  Ask
		want string
	}{
		{"both words in one line", ask("sarg", "releas"), "Debian 3.1 (sarge) was released in 2005."},
		{"rare word", ask("instal"), "The sarge installer was new."},
		{"alias", Ask{Terms: []AskTerm{{Stem: "kerosen", Share: 1, Alias: []string{"paraffin"}}}}, "The lamp burned paraffin."},
		{"phrase", Ask{Terms: []AskTerm{{Stem: "second", Share: 1}}, Phrases: []Phrase{{Term: 0, Stems: []string{"debian", "3.0"}}}}, "Debian 3.1 (sarge) followed Debian 3.0 (woody)."},
		{"nothing", ask("zebra"), ""},
		{"no terms", Ask{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ms := b.Score(p, tc.ask)
			if got := top(p, ms); got != tc.want {
				t.Errorf("best line %q, want %q", got, tc.want)
			}
			for _, m := range ms {
				if m.Score < 0 || m.Score > b.Most(tc.ask) || math.IsNaN(m.Score) || m.Cover < 0 || m.Cover > 1+1e-9 || m.Own < 0 || m.Own > m.Cover+1e-9 {
					t.Errorf("mark out of range: %+v, at most %g", m, b.Most(tc.ask))
				}
			}
		})
	}
	if got := NewBody(nil).Score(p, ask("lamp")); len(got) != 0 && math.IsNaN(got[0].Score) {
		t.Errorf("scores of an empty body: %+v", got)
	}
}

func TestWeight(t *testing.T) {
	b := NewBody([]*Page{page("", "The lamp of the tower.\nThe lamp of the reef.\nThe lamp of the harbour.")})
	if b.Weight("reef") <= b.Weight("lamp") {
		t.Errorf("a rare stem weighs %g, a common one %g", b.Weight("reef"), b.Weight("lamp"))
	}
	if b.Seen("lamp") != 3 || b.Seen("zebra") != 0 {
		t.Errorf("seen %d and %d", b.Seen("lamp"), b.Seen("zebra"))
	}
}

func TestBestWindow(t *testing.T) {
	p := page("", "one alpha\n\ntwo beta\n\n"+strings.Repeat("other\n\n", windowLines)+"three gamma\n\n# delta\nfour alpha")
	for _, tc := range []struct {
		stems []string
		want  float64
	}{
		{[]string{"alpha", "beta"}, 1}, {[]string{"beta", "gamma"}, 0.5}, {[]string{"alpha", "delta"}, 1}, {[]string{"zebra"}, 0}, {nil, 0},
	} {
		if got := p.BestWindow(tc.stems); got != tc.want {
			t.Errorf("BestWindow(%q) = %g, want %g", tc.stems, got, tc.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	sentence := func(n int, word string) string { return strings.Repeat(word+" ", n-1) + word + "." }
	a, b, c := "A"+sentence(20, "alpha")[1:], "B"+sentence(20, "beta")[1:], "C"+sentence(20, "gamma")[1:]
	for _, tc := range []struct {
		name, text string
		line       int
		want       string
		lo, hi     int
	}{
		{"what follows first", a + " " + b + " " + c, 1, b + " " + c, 1, 2},
		{"then what is before", a + " " + b, 1, a + " " + b, 0, 1},
		{"another paragraph is left out", a + "\n\n" + b, 0, a, 0, 0},
		{"alone", "Short one.", 0, "Short one.", 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := page("", tc.text)
			s, lo, hi := p.Excerpt(tc.line, 0)
			if got := p.Doc.Text[s.Start:s.End]; got != tc.want || lo != tc.lo || hi != tc.hi {
				t.Errorf("Excerpt = %q lines %d to %d, want %q %d to %d", got, lo, hi, tc.want, tc.lo, tc.hi)
			}
		})
	}
	long := sentence(150, "word")
	long = long[:500] + "needle" + long[500:]
	p := page("", long)
	s, _, _ := p.Excerpt(0, strings.Index(long, "needle"))
	if got := p.Doc.Text[s.Start:s.End]; !strings.Contains(got, "needle") || Size(got) > excerptSigns {
		t.Errorf("the cut of a long line holds %.0f signs, needle %v", Size(got), strings.Contains(got, "needle"))
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]float64{"": 0, "two words": 5, "灯塔": 2, "灯塔 38 m": 7, "—…": 0, "a1b2": 2.5} {
		if got := Size(s); got != want {
			t.Errorf("Size(%q) = %g, want %g", s, got, want)
		}
	}
}

func TestAround(t *testing.T) {
	p := page("", "One is here. Two is here. Three is here.\n\nFour is here.")
	for i, want := range []string{"One is here. Two is here.", "One is here. Two is here. Three is here.", "Two is here. Three is here.", "Four is here."} {
		if s := p.Around(i); p.Doc.Text[s.Start:s.End] != want {
			t.Errorf("Around(%d) = %q, want %q", i, p.Doc.Text[s.Start:s.End], want)
		}
	}
}

func TestNearWords(t *testing.T) {
	// Line 0 is the heading, and 1931 stands in the last line.
	p := page("Report of 1874", "# Years 1902\n"+strings.Repeat("Other.\n\n", 2*nearLines)+"In 1931.")
	last := len(p.Lines) - 1
	for _, tc := range []struct {
		word string
		line int
		want bool
	}{{"1931", last, true}, {"1931", last - nearLines, true}, {"1931", last - nearLines - 1, false}, {"1902", last, true}, {"1874", 1, true}, {"1999", 1, false}} {
		if got := p.Near(tc.line, []string{tc.word}); got != tc.want {
			t.Errorf("Near(%d, %s) = %v, want %v", tc.line, tc.word, got, tc.want)
		}
	}
}
