package checks

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseCitations(t *testing.T) {
	tests := []struct {
		name, in, clean string
		refs            []int
	}{
		{"plain", "The harbour is deep [3].", "The harbour is deep.", []int{3}},
		{"list and range", "It is deep [1, 2; 5-7].", "It is deep.", []int{1, 2, 5, 6, 7}},
		{"several, each once", "Deep [2][1]. Wide [2].", "Deep. Wide.", []int{2, 1}},
		{"caret", "Deep.[^4]", "Deep.", []int{4}},
		{"link", "Deep [3](https://port.example.net/a) and wide.", "Deep and wide.", []int{3}},
		{"full width", "港口水深九米［３］。", "港口水深九米。", []int{3}},
		{"lenticular", "港口水深九米【3】。", "港口水深九米。", []int{3}},
		{"dagger", "Deep【12†source】 and wide【3†L4-L9】.", "Deep and wide.", []int{12, 3}},
		{"full-width list", "水深九米【１，２、４】。", "水深九米。", []int{1, 2, 4}},
		{"superscript", "The harbour is deep.³ It is wide¹².", "The harbour is deep. It is wide.", []int{3, 12}},
		{"superscript list", "The harbour is deep.¹˒² It is.", "The harbour is deep. It is.", []int{1, 2}},
		{"html", "Deep<sup>2</sup> and wide<sup>[4]</sup>.", "Deep and wide.", []int{2, 4}},
		{"nested", "Deep [1[2]].", "Deep.", []int{2, 1}},
		{"in the middle", "The harbour [3] is deep.", "The harbour is deep.", []int{3}},
		{"a year is no index", "\"Harbours [2019]\" lists it.", "\"Harbours [2019]\" lists it.", nil},
		{"units and powers", "It covers 12 km², 10³ more than 5 m².", "It covers 12 km², 10³ more than 5 m².", nil},
		{"code", "Call `a[1]` first.", "Call `a[1]` first.", nil},
		{"words in brackets", "[the company] said so [sic].", "[the company] said so [sic].", nil},
		{"a range that is none", "See [9-2] and [1-900].", "See [9-2] and [1-900].", nil},
		{"zero is for the range check", "Deep [0].", "Deep.", []int{0}},
		{"an empty text", "", "", nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			clean, refs := ParseCitations(tc.in)
			if clean != tc.clean || !reflect.DeepEqual(refs, tc.refs) {
				t.Errorf("ParseCitations(%q) = %q, %v, want %q, %v", tc.in, clean, refs, tc.clean, tc.refs)
			}
		})
	}
}

// FuzzParseCitations: the clean text is valid when the text was, never longer, and has no marks left; numbers are distinct
// and in the range that a mark may hold.
func FuzzParseCitations(f *testing.F) {
	for _, s := range []string{"a [1] b", "【3†source】", "x.¹²˒³", "[1[2]3]", "<sup>[1]</sup>", "`[1]` [2](http://a b)", "[1 [2], 3]", "٣[１－３]", "a[1]²"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, refs := ParseCitations(s)
		if len(clean) > len(s) || utf8.ValidString(s) && !utf8.ValidString(clean) {
			t.Errorf("ParseCitations(%q) = %q", s, clean)
		}
		seen := map[int]bool{}
		for _, n := range refs {
			if seen[n] || n < 0 || n > maxIndex {
				t.Errorf("ParseCitations(%q) gives %v", s, refs)
			}
			seen[n] = true
		}
		if again, more := ParseCitations(clean); again != clean || len(more) > 0 {
			t.Errorf("parsed again, %q is %q with %v", clean, again, more)
		}
		if len(refs) == 0 && !strings.Contains(s, "<sup></sup>") && clean != s {
			t.Errorf("without a mark %q became %q", s, clean)
		}
	})
}

// FuzzStripControl: never longer, twice is once, and nothing that would fire is left.
func FuzzStripControl(f *testing.F) {
	for _, s := range []string{"<think>a</think>b", "<thi<think>nk>x", "analysisA.assistantfinalB", "<|channel|>final<|message|>x<|end|>", "a</think>b</think>c", "oaioaiciteecite"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := stripControl(s)
		if len(once) > len(s) {
			t.Errorf("stripControl(%q) = %q is longer", s, once)
		}
		if twice := stripControl(once); twice != once {
			t.Errorf("stripControl(%q) = %q, then %q", s, once, twice)
		}
		if controlTokens.MatchString(once) || bareAnalysis.MatchString(once) {
			t.Errorf("stripControl(%q) leaves %q", s, once)
		}
	})
}

// FuzzCompleteElements: what is kept is JSON, in any text; and of a whole array, cut anywhere, a prefix of its elements.
func FuzzCompleteElements(f *testing.F) {
	f.Add(`{"findings":[{"a":1},{"b":[2,3]},{"c`, 9)
	f.Add(`[[[[[`, 3)
	f.Fuzz(func(t *testing.T, s string, cut int) {
		for _, e := range CompleteElements(s) {
			if why := misfit(string(e), ""); why != "" {
				t.Errorf("CompleteElements(%q) keeps %q: %s", s, e, why)
			}
		}
		whole := `{"findings":[{"text":"a ] [ b","refs":[1]},{"text":"c","refs":[2,3]},{"text":"d"}]}`
		all := CompleteElements(whole)
		part := CompleteElements(whole[:min(len(whole), max(0, cut))])
		if len(part) > len(all) {
			t.Fatalf("a cut array has %d elements of %d", len(part), len(all))
		}
		for i := range part {
			if cut >= 14 && string(part[i]) != string(all[i]) {
				t.Errorf("cut at %d element %d is %s, want %s", cut, i, part[i], all[i])
			}
		}
	})
}
