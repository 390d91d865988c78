package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// shingle is the number of words of a piece of text that is compared.
const shingle = 4

// extractRow is one page with how its text was read.
type extractRow struct {
	ID        string  `json:"id"`
	URL       string  `json:"url"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Whole     bool    `json:"whole"` // the whole body was kept
	Text      string  `json:"articleBody"`
}

// extractScore is the result. F1 is the harmonic mean of the two means, as the set defines it.
type extractScore struct {
	N         int     `json:"n"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"` // mean over the pages
	Recall    float64 `json:"recall"`    // mean over the pages
	Exact     int     `json:"exact"`     // pages with all words and no other
	rows      []extractRow
}

// extractBench compares the main text of each page with the text that people copied from it: pieces of four words, each counted
// as often as it stands. Source of the measure: scrapinghub/article-extraction-benchmark, evaluate.py.
func extractBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: extract needs --data DIR", errUsage)
	}
	truth, err := articleBodies(o.data)
	if err != nil {
		return nil, err
	}
	var s extractScore
	for _, id := range slices.Sorted(maps.Keys(truth)) {
		file, err := pageFile(o.data, id)
		if err != nil {
			return nil, err
		}
		doc, err := readPage(ctx, o.data, file, truth[id].URL)
		if err != nil {
			return nil, err
		}
		want, got := wordRuns(truth[id].Body), wordRuns(doc.Text)
		row := extractRow{ID: id, URL: truth[id].URL, Whole: doc.Whole, Text: doc.Text}
		row.Precision, row.Recall = shinglesAlike(want, got)
		if slices.Equal(want, got) {
			s.Exact++
		}
		s.N++
		s.Precision += row.Precision
		s.Recall += row.Recall
		s.rows = append(s.rows, row)
	}
	if s.N == 0 {
		return nil, fmt.Errorf("%s names no page", filepath.Join(o.data, "ground-truth.json"))
	}
	s.Precision /= float64(s.N)
	s.Recall /= float64(s.N)
	s.F1 = harmonic(s.Precision, s.Recall)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printExtract(o.stdout, s)
	}
	return s, nil
}

// articleBody is what people copied from a page.
type articleBody struct {
	Body string `json:"articleBody"`
	URL  string `json:"url"`
}

func articleBodies(dir string) (map[string]articleBody, error) {
	b, err := os.ReadFile(filepath.Join(dir, "ground-truth.json"))
	if err != nil {
		return nil, err
	}
	var truth map[string]articleBody
	if err := json.Unmarshal(b, &truth); err != nil {
		return nil, fmt.Errorf("ground-truth.json: %w", err)
	}
	return truth, nil
}

// wordRuns are the runs of letters, digits and underscores.
func wordRuns(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// shingles counts the pieces of a text; a text shorter than one piece is one piece.
func shingles(words []string) map[string]int {
	out := map[string]int{}
	for i := range max(1, len(words)-shingle+1) {
		out[strings.Join(words[i:min(len(words), i+shingle)], " ")]++
	}
	return out
}

// shinglesAlike returns which share of the pieces of got are in want, and of want in got.
func shinglesAlike(want, got []string) (precision, recall float64) {
	w, g := shingles(want), shingles(got)
	var both, extra, missing int
	for k, n := range g {
		both += min(n, w[k])
		extra += max(0, n-w[k])
	}
	for k, n := range w {
		missing += max(0, n-g[k])
	}
	if extra+missing == 0 {
		return 1, 1
	}
	return share(both, both+extra), share(both, both+missing)
}

func printExtract(w io.Writer, s extractScore) {
	fmt.Fprintf(w, "%d pages: F1 %.4f, precision %.4f, recall %.4f, %d exact\n", s.N, s.F1, s.Precision, s.Recall, s.Exact)
	rows := slices.Clone(s.rows)
	slices.SortStableFunc(rows, func(a, b extractRow) int {
		switch x, y := min(a.Precision, a.Recall), min(b.Precision, b.Recall); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, r := range rows {
		if r.Precision < 0.97 || r.Recall < 0.97 {
			fmt.Fprintf(w, "  %.12s precision %.3f recall %.3f whole %v %s\n", r.ID, r.Precision, r.Recall, r.Whole, r.URL)
		}
	}
}
