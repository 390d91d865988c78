package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// authorRow is one page with its authors as labelled and as read.
type authorRow struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Set   string `json:"set"`
	Want  string `json:"want"`
	Got   string `json:"got"`
	Right bool   `json:"right"`
}

// authorScore is the result over the pages that are labelled, with an author or as without one.
type authorScore struct {
	N        int                `json:"n"`
	Accuracy float64            `json:"accuracy"`
	Wrong    int                `json:"wrong"`    // another author was read
	Missing  int                `json:"missing"`  // none was read
	BySet    map[string]float64 `json:"by_set"`   // accuracy
	Cases    map[string]int     `json:"cases"`    // by set
	Invented int                `json:"invented"` // of the wrong: one was read from a page without an author
	rows     []authorRow
}

// The sets by the fields that tell them: labels by hand, and what the extractors of single sites read.
const (
	segmentsSet = "segments"
	postlight   = "postlight"
)

// authorsBench compares the byline of each page with the labelled one, name by name. The first set is compared letter by letter;
// the second holds what the page shows, so "by" and case are no difference there.
func authorsBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: authors needs --data DIR", errUsage)
	}
	s := authorScore{BySet: map[string]float64{}, Cases: map[string]int{}}
	right := map[string]int{}
	for _, dir := range []string{o.data, o.also} {
		if dir == "" {
			continue
		}
		err := eachCase(dir, func(_ string, fields map[string]json.RawMessage) error {
			if !has(fields, "file", "url", "author") {
				return nil
			}
			var c struct {
				ID     string `json:"id"`
				URL    string `json:"url"`
				File   string `json:"file"`
				Author any    `json:"author"` // a name, a list of names or null
			}
			if err := into(fields, &c); err != nil {
				return err
			}
			doc, err := readPage(ctx, dir, c.File, c.URL)
			if err != nil {
				return err
			}
			want, labelled := labelledAuthor(c.Author)
			if !labelled {
				return nil
			}
			row := authorRow{ID: c.ID, URL: c.URL, Set: segmentsSet, Want: want, Got: doc.Byline}
			if has(fields, "fixture") {
				row.Set = postlight
			}
			if row.ID == "" {
				row.ID = c.File
			}
			row.Right = sameAuthors(row)
			s.add(row, right)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if s.N == 0 {
		return nil, fmt.Errorf("%s holds no page with a labelled author", o.data)
	}
	all := 0
	for set, n := range s.Cases {
		s.BySet[set] = share(right[set], n)
		all += right[set]
	}
	s.Accuracy = share(all, s.N)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printAuthors(o.stdout, s, right)
	}
	return s, nil
}

// labelledAuthor is a label as one string, its names joined as the set joins them; empty when the page is labelled as without
// an author. labelled is false when nobody said.
func labelledAuthor(v any) (author string, labelled bool) {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v), true
	case []any:
		var names []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				names = append(names, s)
			}
		}
		return strings.Join(names, "; "), true
	}
	return "", false
}

func (s *authorScore) add(row authorRow, right map[string]int) {
	s.N++
	s.Cases[row.Set]++
	switch {
	case row.Right:
		right[row.Set]++
	case row.Got == "":
		s.Missing++
	default:
		s.Wrong++
		if row.Want == "" {
			s.Invented++
		}
	}
	s.rows = append(s.rows, row)
}

// sameAuthors reports whether the names are the same, in the same order. How a list is joined is no difference.
func sameAuthors(r authorRow) bool {
	return slices.Equal(authorNames(r.Want, r.Set == postlight), authorNames(r.Got, r.Set == postlight))
}

var (
	byWord   = regexp.MustCompile(`(?i)^(?:written |posted |story |words )?by:?\s+`)
	joinedBy = regexp.MustCompile(`\s*[;,]\s*(?:and\s+)?|\s+(?:and|&)\s+`)
)

// authorNames are the names of a byline. loose drops the leading "by" and the case of letters.
func authorNames(s string, loose bool) []string {
	s = spaced(s)
	if loose {
		s = strings.ToLower(byWord.ReplaceAllString(s, ""))
		return joinedBy.Split(s, -1)
	}
	return strings.Split(strings.ReplaceAll(s, ", ", "; "), "; ")
}

func printAuthors(w io.Writer, s authorScore, right map[string]int) {
	fmt.Fprintf(w, "%d pages: %.4f right, %d wrong (%d of them of pages without an author), %d missing\n", s.N, s.Accuracy, s.Wrong, s.Invented, s.Missing)
	for _, set := range slices.Sorted(maps.Keys(s.Cases)) {
		fmt.Fprintf(w, "  %s: %d of %d, %.4f\n", set, right[set], s.Cases[set], s.BySet[set])
	}
	for _, r := range s.rows {
		if !r.Right {
			fmt.Fprintf(w, "  %s want %q got %q %s\n", r.Set, r.Want, r.Got, r.URL)
		}
	}
}
