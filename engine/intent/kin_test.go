package intent

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/text"
)

// A question's words lead to the words in which texts answer, word by word, and whole phrases only as they stand.
func TestKin(t *testing.T) {
	for question, want := range map[string][2]string{ // the stem of the question and one that may stand in the answer
		"Who came up with the name?":                         {"came", "propose"},
		"Which services did the blaze destroy?":              {"blaze", "fire"},
		"How many packages does it comprise?":                {"comprise", "include"},
		"How often does the daemon write a mark?":            {"", "interval"},
		"What is the yearly conference called?":              {"yearly", "annual"},
		"What memory does it need at the very least?":        {"least", "minimum"},
		"Which router address does the school network have?": {"router", "gateway"},
		"FAT 盘上单个文件最多能有多大？":                                  {"", "上限"},
	} {
		lang := text.Lang(question)
		key := ""
		if want[0] != "" {
			key = text.Stem(want[0], lang)
		}
		said := text.Terms(want[1], lang)
		if terms := text.Terms(want[0], lang); len(terms) == 0 {
			key = "" // no word of it is looked for
		}
		if got := Kin(question, lang)[key]; len(said) == 0 || !slices.Contains(got, said[0]) {
			t.Errorf("%q: %q leads to %q, not to %q", question, key, got, want[1])
		}
		if again := Kin(question, lang); !reflect.DeepEqual(again, Kin(question, lang)) {
			t.Errorf("%q: another order", question)
		}
	}
	if got := Kin("The often told story of how it went", "en")[""]; len(got) > 0 {
		t.Errorf("words apart were taken for a phrase: %q", got)
	}
	if got := Kin("Combien coûte le pain ?", "fr"); len(got) > 0 {
		t.Errorf("a language without a table: %v", got)
	}
	for _, table := range []string{kinEN, kinZH} {
		for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
			if asked, said, ok := strings.Cut(line, ":"); !ok || strings.TrimSpace(asked) == "" || strings.TrimSpace(said) == "" {
				t.Errorf("line %q has no colon between two sides", line)
			}
		}
	}
}
