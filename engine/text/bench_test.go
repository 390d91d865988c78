package text

import (
	"strings"
	"testing"
)

// benchText is a paragraph of technical prose, repeated to about 100 KB.
var benchText = strings.Repeat("The Debian Project was founded by Ian A. Murdock on August 16th, 1993. As of 1999, Debian 2.1 held 2250 packages, e.g. dpkg-deb and libc6, "+
	"which need about 1,024 MiB on disk; over seventy developers spent $1.9 million on it.\n"+
	"See https://www.debian.org/releases/ for more, or read /usr/share/doc/debian. 2003年11月发布了十五万份。\n\n", 280)

func benchmarkText[T any](b *testing.B, fn func(string) T) {
	b.SetBytes(int64(len(benchText)))
	b.ReportAllocs()
	for b.Loop() {
		fn(benchText)
	}
}

func BenchmarkTokens(b *testing.B)     { benchmarkText(b, Tokens) }
func BenchmarkSentences(b *testing.B)  { benchmarkText(b, Sentences) }
func BenchmarkQuantities(b *testing.B) { benchmarkText(b, Quantities) }
func BenchmarkNames(b *testing.B)      { benchmarkText(b, Names) }
func BenchmarkFold(b *testing.B)       { benchmarkText(b, Fold) }
func BenchmarkSimHash64(b *testing.B)  { benchmarkText(b, SimHash64) }
func BenchmarkTerms(b *testing.B) {
	benchmarkText(b, func(s string) []string { return Terms(s, "en") })
}
