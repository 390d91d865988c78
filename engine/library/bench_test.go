package library

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

// prose returns n words with the frequencies of language: few common ones, many rare ones.
func prose(r *rand.Rand, n int) string {
	z := rand.NewZipf(r, 1.1, 4, 40000)
	var b strings.Builder
	for i := range n {
		if i > 0 && i%14 == 0 {
			b.WriteString(". The ")
		}
		fmt.Fprintf(&b, "word%d ", z.Uint64())
	}
	return b.String() + "."
}

// BenchmarkAdd ingests a folder of HTML pages of about 1800 words, 20 screens each. ASSAY_CORPUS names another folder.
func BenchmarkAdd(b *testing.B) {
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		r := rand.New(rand.NewSource(1))
		files := map[string]string{}
		for i := range 200 {
			files[fmt.Sprintf("p%03d.html", i)] = "<html><title>Page</title><h1>Page</h1><p>" + strings.Join(strings.Split(prose(r, 1800), ". "), ".</p><p>") + "</p></html>"
		}
		dir = tree(b, "bench", files)
	}
	b.ReportAllocs()
	var g Ingest
	n := 0
	for b.Loop() {
		l, err := Open(filepath.Join(b.TempDir(), fmt.Sprint(n)), testOptions())
		if err != nil {
			b.Fatal(err)
		}
		n++
		g = add(b, l, dir)
	}
	s := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(g.Pages)/s, "pages/s")
	b.ReportMetric(float64(g.Passages)/s, "passages/s")
}

// BenchmarkSearch asks three-word questions of 10,000 passages; each opens and closes the index, as a run does.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("p%03d.txt", i)] = strings.ReplaceAll(prose(r, 2500), ". ", ".\n\n")
	}
	l := open(b)
	g := add(b, l, tree(b, "bench", files))
	questions := make([]string, 100)
	for i := range questions {
		questions[i] = prose(r, 3)
	}
	i := 0
	for b.Loop() {
		if _, err := l.Search(b.Context(), research.Query{Text: questions[i%len(questions)]}); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(g.Passages), "passages")
}
