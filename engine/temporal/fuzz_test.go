package temporal

import (
	"testing"
	"time"
)

var fuzzSeeds = []string{
	"", "09 March, 1999; March 9th 1999; 9-12 March 1999; 30 June - 2 July 2005", "2007-2008, 2007/08, 2015-11-24, 24.11.2015", "2003年3月至5月，二〇〇三年十一月二十四日",
	"Tue Nov 24 10:00:00 UTC 2015", "过去三年，20世纪90年代，三年前，明年", "the last three years since 2015 before the 1990s", "March - March - 1999 12 12 12 2003年13月45日", "a\xff2003\xc3年",
	"in the next 9999 centuries", "9999 decades ago", "past 一二三四五 years",
}

func FuzzDates(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, d := range Dates(s) {
			if d.Start < end || d.End <= d.Start || d.End > len(s) || s[d.Start:d.End] != d.Text {
				t.Fatalf("Dates(%q): bad date %+v after %d", s, d, end)
			}
			layout := time.DateOnly[:min(len(d.ISO), len(time.DateOnly))]
			if _, err := time.Parse(layout, d.ISO); err != nil {
				t.Fatalf("Dates(%q): %q is no partial date: %v", s, d.ISO, err)
			}
			end = d.End
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	now := time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		got := Parse(s, now, "")
		if (got.Category == "") != (got.Text == "") {
			t.Fatalf("Parse(%q) = %+v, want both or neither of category and text", s, got)
		}
		for _, d := range []string{got.Range.Start, got.Range.End} {
			if d == "" {
				continue
			}
			if _, err := time.Parse(time.DateOnly, d); err != nil {
				t.Fatalf("Parse(%q): %v", s, err)
			}
		}
		if got.Range.Start != "" && got.Range.End != "" && got.Range.Start > got.Range.End {
			t.Fatalf("Parse(%q): range %+v runs backwards", s, got.Range)
		}
	})
}

func BenchmarkDates(b *testing.B) {
	s := "The Debian Project was founded on August 16th, 1993 by Ian Murdock. Debian 2.1 (slink) was released 09 March, 1999, with 2250 packages; 2003年11月 came later. "
	for len(s) < 100_000 {
		s += s
	}
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Dates(s)
	}
}
