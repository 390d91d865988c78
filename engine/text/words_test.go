package text

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestTokens(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"numbers", "2.1 on 10.0.2.2 has 15,400 files, 1,2,3.", []string{"2.1", "on", "10.0.2.2", "has", "15,400", "files", "1", "2", "3"}},
		{"possessive", "Debian's users don't", []string{"debian", "users", "don't"}},
		{"hyphen and underscore", "dpkg-deb x86_64", []string{"dpkg", "deb", "x86_64"}},
		{"diacritics", "São Łódź Straße", []string{"sao", "lodz", "strasse"}},
		{"cjk", "软件包 a 中", []string{"软件", "件包", "a", "中"}},
		{"mixed", "使用dpkg安装", []string{"使用", "dpkg", "安装"}},
		{"c++", "C++ and C#", []string{"c++", "and", "c#"}},
		{"invalid", "a\xffb", []string{"a", "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, tok := range Tokens(tc.in) {
				got = append(got, tok.Norm)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Tokens(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	for _, tc := range []struct {
		name, in, lang string
		want           []string
	}{
		{"english", "What are the packages installed by Debian's installer?", "en", []string{"packag", "instal", "debian", "instal"}},
		{"chinese", "什么是 Debian 的软件包管理器？", "zh", []string{"debian", "软件", "件包", "包管", "管理", "理器"}},
		{"unknown", "running 2.1", "", []string{"run", "2.1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Terms(tc.in, tc.lang); !slices.Equal(got, tc.want) {
				t.Errorf("Terms(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"quotes and dashes", "“It’s” – a—test…", "\"it's\" - a-test..."},
		{"space", "  a\u00a0\t b\n", "a b"},
		{"width", "Ｄｅｂｉａｎ　１２", "debian 12"},
		{"soft hyphen", "pack\u00adage\u200b", "package"},
		{"greek", "ΟΔΟΣ", "οδοσ"},
		{"plain", "already plain", "already plain"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Fold(tc.in); got != tc.want {
				t.Errorf("Fold(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestLang(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"question", "Who founded Debian?", "en"},
		{"chinese", "Debian 的创始人是谁？", "zh"},
		{"japanese", "Debianは自由なオペレーティングシステムです。", "ja"},
		{"korean", "데비안은 자유 운영 체제입니다.", "ko"},
		{"german", "Das Debian-Projekt ist eine Gemeinschaft von Personen, die gemeinschaftlich ein freies Betriebssystem entwickeln.", "de"},
		{"french", "Le projet Debian est une association de personnes qui ont fait cause commune afin de créer un système libre.", "fr"},
		{"nothing", "1234 !!", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Lang(tc.in); got != tc.want {
				t.Errorf("Lang(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestSimilar(t *testing.T) {
	a := "The Debian Project is an association of individuals who have made common cause to create a free operating system."
	b := a + " This operating system that we have created is called Debian."
	if got := ShingleContainment(Shingles(a, 4), Shingles(b, 4)); got != 1 {
		t.Errorf("ShingleContainment of a part = %v, want 1", got)
	}
	if got := ShingleContainment(Shingles(b, 4), Shingles(a, 4)); got <= 0.4 || got >= 1 {
		t.Errorf("ShingleContainment of the whole = %v, want between 0.4 and 1", got)
	}
	near := bits.OnesCount64(SimHash64(a) ^ SimHash64(strings.ToUpper(a)+"!"))
	far := bits.OnesCount64(SimHash64(a) ^ SimHash64("Interest rates rose again in the third quarter, the bank said on Monday morning."))
	if near != 0 || far < 12 {
		t.Errorf("SimHash64 distance near = %d, far = %d, want 0 and at least 12", near, far)
	}
	if got := Containment(TermSet("installed packages", "en"), TermSet("it installs the package", "en")); got != 1 {
		t.Errorf("Containment = %v, want 1", got)
	}
	if got := SimHash64("the"); got == 0 {
		t.Error("SimHash64 of one word is 0")
	}
}

func TestQuotes(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"straight", `He said "we never doubted it," and left.`, []string{"we never doubted it,"}},
		{"curly", "“one” and „two“ and «three»", []string{"one", "two", "three"}},
		{"chinese", "他说“你好”，「再见」", []string{"你好", "再见"}},
		{"inches", `a 5" disk and a 3" one`, nil},
		{"blank line", "\"open\n\nclosed\"", nil},
		{"unclosed", "“open only", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, q := range Quotes(tc.in) {
				got = append(got, q.Text)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Quotes(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestProseOnly(t *testing.T) {
	in := "# Title\n\nPlain `code` and \"a quotation here\" [link](https://a.org).\n\n```go\nfenced\n```\n\n> quoted\n\n| a | b |\n\n    indented code\n\n![pic](x.png)\nLast line.\n\n## References\n\n[1]: https://b.org\nSmith 2003\n"
	want := "# Title\n\nPlain   and \"\" [link].\n\n\n\n\n\n\nLast line."
	if got := ProseOnly(in); got != want {
		t.Errorf("ProseOnly = %q, want %q", got, want)
	}
}

func TestCanonical(t *testing.T) {
	for _, tc := range []struct {
		name, a, b string
		same       bool
	}{
		{"binary", "1 GiB", "1,024 MiB", true},
		{"decimal is not binary", "1 GB", "1 GiB", false},
		{"time", "90 minutes", "1.5 hours", true},
		{"years", "2 years", "24 months", true},
		{"points", "50 basis points", "0.5 percentage points", true},
		{"length", "1 mile", "1.609344 km", true},
		{"percent and points", "5%", "5 percentage points", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := Quantities(tc.a), Quantities(tc.b)
			if len(a) != 1 || len(b) != 1 {
				t.Fatalf("Quantities(%q), Quantities(%q) = %v, %v, want one each", tc.a, tc.b, a, b)
			}
			av, au := Canonical(a[0])
			bv, bu := Canonical(b[0])
			if got := au == bu && av.Cmp(bv) == 0; got != tc.same {
				t.Errorf("Canonical(%q) = %s %s, Canonical(%q) = %s %s, same %v, want %v", tc.a, av, au, tc.b, bv, bu, got, tc.same)
			}
		})
	}
	if v, u := Canonical(research.Quantity{Value: "3", Unit: "packages"}); v != "3" || u != "packages" {
		t.Errorf("Canonical of a count = %s %s, want it as it is", v, u)
	}
}
