package text

import (
	"slices"
	"testing"
)

func TestCanonicalURL(t *testing.T) {
	for _, tc := range []struct {
		name, in, want string // want "" is an error
	}{
		{"plain", "HTTP://Example.ORG:80/a/../b/./c#frag", "http://example.org/b/c"},
		{"root", "https://example.org", "https://example.org/"},
		{"encoded dash", "https://en.wikipedia.org/wiki/Cretaceous%E2%80%93Paleogene", "https://en.wikipedia.org/wiki/Cretaceous%E2%80%93Paleogene"},
		{"raw dash", "https://en.wikipedia.org/wiki/Cretaceous–Paleogene", "https://en.wikipedia.org/wiki/Cretaceous%E2%80%93Paleogene"},
		{"utm", "https://a.org/p?utm_source=a", "https://a.org/p"},
		{"utm upper", "https://a.org/p?UTM_SOURCE=b", "https://a.org/p"},
		{"id and ref stay", "https://a.org/p?ref=x&id=2", "https://a.org/p?id=2&ref=x"},
		{"brackets", "https://en.wikipedia.org/wiki/Mercury_%28planet%29", "https://en.wikipedia.org/wiki/Mercury_(planet)"},
		{"lower escapes", "https://a.org/%e4%b8%ad%7e", "https://a.org/%E4%B8%AD~"},
		{"credentials", "https://user:secret@a.org/x", "https://a.org/x"},
		{"port", "https://a.org:8443/x", "https://a.org:8443/x"},
		{"idna", "https://Bücher.example/x", "https://xn--bcher-kva.example/x"},
		{"ipv6", "http://[::1]:8080/", "http://[::1]:8080/"},
		{"reserved escape", "https://a.org/a%2Fb?q=c%26d", "https://a.org/a%2Fb?q=c%26d"},
		{"reasoning", "dw.com/4? But we didn't cite dwell; we can skip", ""},
		{"reasoning with scheme", "https://dw.com/4? But we can skip", ""},
		{"script", "javascript:alert(1)", ""},
		{"quote", "https://a.org/\"onclick", ""},
		{"no domain", "https://intranet/x", ""},
		{"file", "file:///etc/passwd", ""},
		{"empty", " ", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := CanonicalURL(tc.in)
			if got != tc.want || (err != nil) != (tc.want == "") {
				t.Errorf("CanonicalURL(%q) = %q, %v, want %q", tc.in, got, err, tc.want)
			}
		})
	}
}

func TestURLs(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"brackets in it", "see https://en.wikipedia.org/wiki/Mercury_(planet).", []string{"https://en.wikipedia.org/wiki/Mercury_(planet)"}},
		{"in brackets", "(https://a.org/)", []string{"https://a.org/"}},
		{"markdown", "[a](https://a.org/x) and <http://b.org>", []string{"https://a.org/x", "http://b.org"}},
		{"chinese sentence", "见https://www.debian.org获取。另见 https://a.org/页面，好", []string{"https://www.debian.org", "https://a.org/页面"}},
		{"punctuation", "Is it http://a.org/x?q=1, or http://b.org/?", []string{"http://a.org/x?q=1", "http://b.org/"}},
		{"not web", "ftp://a.org and xhttp://b.org and http://", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, sp := range URLs(tc.in) {
				got = append(got, tc.in[sp.Start:sp.End])
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("URLs(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestRegistrableDomain(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"subdomain", "www.News.bbc.co.uk:443", "bbc.co.uk"},
		{"plain", "debian.org", "debian.org"},
		{"address", "[::1]:80", "::1"},
		{"suffix alone", "co.uk", "co.uk"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := RegistrableDomain(tc.in); got != tc.want {
				t.Errorf("RegistrableDomain(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}
