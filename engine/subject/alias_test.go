package subject

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

func TestAliases(t *testing.T) {
	for _, tc := range []struct {
		name, text, stem string
		phrases          []string
		stems            []string
	}{
		{"code name", lamps, "sarg", []string{"debian 3.1"}, nil},
		{"once is chance", lamps, "woodi", nil, nil},
		{"abbreviation", "The General Public License (GPL) is old.\nThe General Public License (GPL) is long.", "gpl", []string{"general public licens"}, nil},
		{"one word for one", "We call Errol (Gannet) so.\nAll call Errol (Gannet) so.", "errol", nil, []string{"gannet"}},
		{"quotation marks", "It was Debian 2.2 \"potato\" then.\nIt was Debian 2.2 \"potato\" again.", "potato", []string{"debian 2.2"}, nil},
		{"lower case words are no name", "the small lamp (potato) burned\nthe small lamp (potato) burned", "potato", nil, nil},
		{"not in the pages", lamps, "zebra", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := NewBody([]*Page{page("", tc.text)}).Aliases([]string{tc.stem})[tc.stem]
			var got []string
			for _, p := range a.Phrases {
				got = append(got, strings.Join(p, " "))
			}
			if !slices.Equal(got, tc.phrases) || !slices.Equal(a.Stems, tc.stems) {
				t.Errorf("aliases of %q: phrases %q stems %q, want %q %q", tc.stem, got, a.Stems, tc.phrases, tc.stems)
			}
		})
	}
}

func TestNear(t *testing.T) {
	b := NewBody([]*Page{page("", lamps), page("", "A note on the sarge installer, which was new.\n\nBread is baked.")})
	got := b.Near([]string{"sarg", "instal", "new"}, 0.9, 10)
	if len(got) < 2 {
		t.Fatalf("places %+v", got)
	}
	seen := map[int]bool{}
	for i, p := range got {
		seen[p.Page] = true
		if p.Share < 0.9 || p.Share > 1+1e-9 || i > 0 && p.Share > got[i-1].Share {
			t.Errorf("place %d out of order or range: %+v", i, p)
		}
	}
	if !seen[0] || !seen[1] {
		t.Errorf("a page is missing: %+v", got)
	}
	if one := b.Near([]string{"sarg", "instal", "new"}, 0.9, 1); len(one) != 1 || one[0] != got[0] {
		t.Errorf("the limit gives %+v, want the closest", one)
	}
	if none := b.Near(nil, 0.5, 10); len(none) > 0 {
		t.Errorf("no stems find %+v", none)
	}
	if none := b.Near([]string{"zebra"}, 0.5, 10); len(none) > 0 {
		t.Errorf("an unknown stem finds %+v", none)
	}
}

func TestInitials(t *testing.T) {
	b := NewBody([]*Page{page("", "The Internet Engineering Task Force met.\nThe Portable Network Graphics format.\nAn Aged And Big Car drove.")})
	for short, want := range map[string]bool{
		"IETF": true, "ietf": true, "PNG": true, "ABC": true, "GIF": false, "A": false, "IETFX": false, "APNG2": false, "": false, "ABCDEFGHI": false,
	} {
		if got := b.Initials(short); got != want {
			t.Errorf("Initials(%q) = %v, want %v", short, got, want)
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, s := range []string{"", lamps, "# a\n灯塔建于1874年。塔高38米。\n\n\xff\xfe(", "((((\"\"\"(a)", strings.Repeat("x ", 300), strings.Repeat("灯", 400), "# #\n## \n#", "Debian 3.1 (sarge) \"sarge\" (S)"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		if len(s) > 20000 {
			return
		}
		p := page(s[:min(len(s), 20)], s)
		b := NewBody([]*Page{p})
		end := 0
		for i, l := range p.Lines {
			if l.Span.Start < end || l.Span.End <= l.Span.Start || l.Span.End > len(p.Doc.Text) {
				t.Fatalf("line %d at %+v after %d of %d", i, l.Span, end, len(p.Doc.Text))
			}
			end = l.Span.End
			if got := p.LineAt(l.Span.Start); got != i {
				t.Fatalf("LineAt(%d) = %d, want %d", l.Span.Start, got, i)
			}
			checkExcerpt(t, p, i, at)
		}
		stems := []string{"lamp", "sarg"}
		if len(p.Lines) > 0 {
			stems = append(stems, p.Lines[0].Stems()...)
		}
		a := ask(stems...)
		for _, m := range b.Score(p, a) {
			if m.Line < 0 || m.Line >= len(p.Lines) || !(m.Score >= 0) || m.Cover > 1+1e-6 {
				t.Fatalf("mark %+v of %d lines", m, len(p.Lines))
			}
		}
		for _, pl := range b.Near(stems, 0.3, 5) {
			if pl.Page != 0 || pl.Line < 0 || pl.Line >= len(p.Lines) {
				t.Fatalf("place %+v", pl)
			}
		}
		b.Aliases(stems)
		b.Initials("LMP")
		if w := p.BestWindow(stems); w < 0 || w > 1 {
			t.Fatalf("window %g", w)
		}
		p.HeadingAt(at)
		p.PageAt(at)
		p.LineAt(at)
	})
}

// checkExcerpt: an excerpt lies in the text, holds its line or a part of it, and stays within its bounds unless it is a
// single word.
func checkExcerpt(t *testing.T, p *Page, i, at int) {
	t.Helper()
	line := p.Lines[i].Span
	s, lo, hi := p.Excerpt(i, at)
	if lo > i || hi < i || s.Start < 0 || s.End > len(p.Doc.Text) || s.Start >= s.End {
		t.Fatalf("excerpt %+v of line %d (%+v), lines %d to %d", s, i, line, lo, hi)
	}
	words := p.Doc.Text[s.Start:s.End]
	if Size(words) > excerptSigns && len(strings.Fields(words)) > 1 {
		t.Fatalf("the excerpt has %.1f signs: %q", Size(words), words)
	}
	if utf8.ValidString(p.Doc.Text) && !utf8.ValidString(words) {
		t.Fatalf("the excerpt cuts a character: %q", words)
	}
	if around := p.Around(i); around.Start > line.Start || around.End < line.End {
		t.Fatalf("around %+v does not hold line %+v", around, line)
	}
	for _, x := range []research.Span{s, p.Around(i)} {
		if x.Start < p.Lines[lo].Span.Start && x == s {
			t.Fatalf("excerpt %+v begins before its first line", x)
		}
	}
}
