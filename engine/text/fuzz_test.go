package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// seeds are texts that have been hard to read.
var seeds = []string{
	"", "Debian 2.2. dpkg-deb, e.g. i.e. Dr. X /etc/foo.conf\n1. one\n- two\n\nNEXT | a | b", "十五万人，3.5亿美元，208164 份。《书名》“引文”二〇〇三年11月",
	"$1.9 billion, 55,000,000, seven, over eighty, 20 minutes, 7.5 GB, 70 percent, 1,024 MiB, $ 160 million, 16 ,000, 46-26, 2007-2008",
	"a\xffb\xc3(\xa0", "“““«„\"\"\"", "https://a.org/(x)。http://[::1]/%zz", "İSTANBUL ẞ ﬁ Å ϴ ˜ ´ ″ ﷺ", "1/2 ½ 2½ 1/0 0/0 -1/0 0 1/0 99999999999999999999999999999999999999999999", "一亿万亿亿亿万点点分之百分之",
	"one hundred trillion trillion trillion and a half half a million a quarter of", "10.0.0.0/8 1.2.3.4.5.6 12:30:40.5 2003-", "[1, 2] [^3] (4) 5) § 6",
}

func FuzzTokens(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := -1
		for _, tok := range Tokens(s) {
			if tok.Start <= last || tok.End <= tok.Start || tok.End > len(s) || s[tok.Start:tok.End] != tok.Text || tok.Norm == "" {
				t.Fatalf("Tokens(%q): bad token %+v after %d", s, tok, last)
			}
			last = tok.Start
		}
		Terms(s, "en")
		Shingles(s, 3)
		SimHash64(s)
		Lang(s)
	})
}

func FuzzSentences(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, sp := range Sentences(s) {
			if sp.Start < end || sp.End <= sp.Start || sp.End > len(s) {
				t.Fatalf("Sentences(%q): bad span %+v after %d", s, sp, end)
			}
			if strings.TrimSpace(s[end:sp.Start]) != "" {
				t.Fatalf("Sentences(%q): %q is in no sentence", s, s[end:sp.Start])
			}
			if part := s[sp.Start:sp.End]; strings.TrimFunc(part, unicode.IsSpace) != part {
				t.Fatalf("Sentences(%q): %q is not trimmed", s, part)
			}
			end = sp.End
		}
		if strings.TrimSpace(s[end:]) != "" {
			t.Fatalf("Sentences(%q): %q is in no sentence", s, s[end:])
		}
	})
}

func FuzzQuantities(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, q := range Quantities(s) {
			if q.Start < end || q.End <= q.Start || q.End > len(s) || s[q.Start:q.End] != q.Text {
				t.Fatalf("Quantities(%q): bad quantity %+v after %d", s, q, end)
			}
			if q.Value == "" && q.Kind != "version" || q.Value != "" && !q.Value.Known() || q.Kind == "" {
				t.Fatalf("Quantities(%q): no value in %+v", s, q)
			}
			end = q.End
			Canonical(q)
		}
	})
}

func FuzzNames(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, n := range Names(s) {
			if n.Start < end || n.End <= n.Start || n.End > len(s) || s[n.Start:n.End] != n.Text {
				t.Fatalf("Names(%q): bad name %+v after %d", s, n, end)
			}
			end = n.End
		}
	})
}

func FuzzFold(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Fatalf("Fold(%q) = %q is not UTF-8", s, once)
		}
	})
}

func FuzzURL(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("https://a.org//x/../y?b=1&a=%2f&utm_source=z#f")
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, sp := range URLs(s) {
			if sp.Start < end || sp.End <= sp.Start || sp.End > len(s) {
				t.Fatalf("URLs(%q): bad span %+v after %d", s, sp, end)
			}
			end = sp.End
		}
		once, err := CanonicalURL(s)
		if err != nil {
			return
		}
		if twice, err := CanonicalURL(once); err != nil || twice != once {
			t.Fatalf("CanonicalURL(%q) = %q, again %q, %v", s, once, twice, err)
		}
	})
}

func FuzzQuotes(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, q := range Quotes(s) {
			if q.Start < end || q.End <= q.Start || q.End > len(s) || s[q.Start:q.End] != q.Text {
				t.Fatalf("Quotes(%q): bad quotation %+v after %d", s, q, end)
			}
			end = q.End
		}
		ProseOnly(s)
	})
}
