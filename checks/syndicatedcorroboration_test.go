package checks

import (
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/text"
)

// TestRunsMadeOnce: within an evaluation the runs of words of a text are made once, and what is found with them is what is
// found without.
func TestRunsMadeOnce(t *testing.T) {
	body := strings.Repeat("The harbour was dredged to nine metres in the spring and ships of any size may enter it since then. ", 12)
	v := View{Texts: map[string]string{"a": body, "b": body + "More news on the next page.", "c": strings.Repeat("Nothing of the kind was ever said about the mill by anyone. ", 20)}}
	var list []research.Source
	for _, sha := range []string{"a", "b", "c"} {
		list = append(list, research.Source{ID: sha, SHA256: sha})
	}
	v.Sources = list
	ids := []string{"a", "b", "c"}
	want := v.apart(ids)
	if want != 2 {
		t.Fatalf("%d voices, want 2", want)
	}
	v = indexed(v)
	if got := v.apart(ids); got != want || len(v.at.runs) != 3 {
		t.Errorf("%d voices with %d texts kept, want %d with 3", got, len(v.at.runs), want)
	}
	v.at.runs["b"] = text.Shingles("quite another text than the one that stands there", duplicateWords)
	if got := v.apart(ids); got != 3 {
		t.Errorf("%d voices: the kept runs were not used", got)
	}
}
