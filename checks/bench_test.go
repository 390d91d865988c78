package checks

import (
	"fmt"
	"strings"
	"testing"

	"assay/engine/research"
)

// BenchmarkEvaluate runs the whole bank over a report of ordinary size: 60 sources of 40 kB, 40 blocks with one claim each.
func BenchmarkEvaluate(b *testing.B) {
	v := sectionView()
	v.Claims = map[string]research.Claim{}
	v.Passages = map[string]research.Passage{}
	long := strings.Repeat("The port authority keeps a record of every dredging since 1901. ", 640)
	for i := range 60 {
		id := fmt.Sprintf("s%d", i+10)
		v.Sources = append(v.Sources, research.Source{ID: id, Location: "harbour/" + id, SHA256: id, Verdict: research.Verified})
		v.Texts[id] = long
	}
	for i := range 40 {
		id, source := fmt.Sprint(i), fmt.Sprintf("s%d", i+10)
		words := fmt.Sprintf("In 19%02d the harbour handled %d ships, the authority said.", i, 1000+i)
		v.Passages["p"+id] = research.Passage{ID: "p" + id, Source: source, Text: words}
		v.Claims["c"+id] = research.Claim{ID: "c" + id, Facet: "f1", Source: source, Passage: "p" + id, Text: words,
			Support: &research.Support{K: 3, N: 3, Raw: "1", Confidence: "4/5", Band: research.Accept}}
		block := finding("b"+id, words, source)
		block.Citations, block.Claims, block.Confidence, block.Band = []string{"p" + id}, []string{"c" + id}, "4/5", research.Accept
		v.Draft.Sections[0].Blocks = append(v.Draft.Sections[0].Blocks, block)
	}
	if fires := Evaluate(v, Options{}); len(fires) > 0 {
		b.Fatalf("the report is clean, and %v fires", fires)
	}
	b.ReportAllocs()
	for b.Loop() {
		Evaluate(v, Options{})
	}
}
