package document

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// goldFold is the folding of the question set's scorer without white space: NFKC, quotes and dashes alike, lower case.
func goldFold(s string) string {
	r := strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "\u00ad", "", "\u200b", "", "\ufeff", "", "´", "'", " | ", " ", "¶", "")
	s = r.Replace(norm.NFKC.String(r.Replace(s)))
	return strings.Join(strings.Fields(strings.ToLower(s)), "")
}

// TestGoldSpans measures the share of gold spans of the question set that stand verbatim in the clean text of their files.
// It needs the set and its corpus, which are no part of this repository: ASSAY_QA is the .jsonl file, ASSAY_CORPUS the
// folder that its prepare.sh filled.
func TestGoldSpans(t *testing.T) {
	set, corpus := os.Getenv("ASSAY_QA"), os.Getenv("ASSAY_CORPUS")
	if set == "" || corpus == "" {
		t.Skip("ASSAY_QA and ASSAY_CORPUS are not set: the question set is not here")
	}
	f, err := os.Open(set)
	if err != nil {
		t.Skipf("the question set is not here: %v", err)
	}
	defer f.Close()
	texts := map[string]string{}
	clean := func(path string) string {
		if s, ok := texts[path]; ok {
			return s
		}
		doc, err := Read(context.Background(), path, filepath.Join(corpus, path), testOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		if doc.Fault != "" {
			t.Errorf("%s: %s", path, doc.Fault)
		}
		texts[path] = goldFold(doc.Text)
		return texts[path]
	}
	var html, htmlIn, pdf, pdfIn int
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var q struct {
			ID   string
			Gold []struct {
				Path, Span string
				Also       []string
			}
		}
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		for _, g := range q.Gold {
			for _, path := range append([]string{g.Path}, g.Also...) {
				in := strings.Contains(clean(path), goldFold(g.Span))
				isPDF := strings.HasSuffix(path, ".pdf")
				switch {
				case isPDF && in:
					pdf, pdfIn = pdf+1, pdfIn+1
				case isPDF:
					pdf++
				case in:
					html, htmlIn = html+1, htmlIn+1
				default:
					html++
				}
				if !in {
					t.Logf("%s %s misses %q", q.ID, path, g.Span)
				}
			}
		}
	}
	t.Logf("HTML and text %d/%d, PDF %d/%d", htmlIn, html, pdfIn, pdf)
	if htmlIn < html || float64(pdfIn) < 0.95*float64(pdf) {
		t.Errorf("gold spans kept: HTML %d of %d (want all), PDF %d of %d (want 95%%)", htmlIn, html, pdfIn, pdf)
	}
}
