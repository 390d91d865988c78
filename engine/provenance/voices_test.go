package provenance

import (
	"slices"
	"testing"

	"assay/engine/research"
)

// TestVoices holds that authors who differ are voices of their own, and that nothing else makes a voice more.
func TestVoices(t *testing.T) {
	src := func(location, byline string) research.Source {
		return research.Source{Location: location, Byline: byline, Voice: Voice(research.Document{Location: location})}
	}
	voiced := func(s research.Source, voice string) research.Source { s.Voice = voice; return s }
	pub := src("d/e.html", "Carl Brandt")
	pub.Publisher, pub.Voice = "Harbour Office", "Harbour Office"
	for _, tc := range []struct {
		name           string
		earlier, fresh []research.Source
		want           []string
	}{
		{"two authors", nil, []research.Source{src("d/a.html", "Agnes Calder"), src("d/b.md", "Tom Reed")}, []string{"Agnes Calder", "Tom Reed"}},
		{"one author", nil, []research.Source{src("d/a.html", "Agnes Calder"), src("d/b.md", "A. Calder <a@example.org>")}, []string{"Agnes Calder", "Agnes Calder"}},
		{"one unknown", nil, []research.Source{src("d/a.html", "Agnes Calder"), src("d/b.md", "Tom Reed"), src("d/c.txt", "")}, []string{"d", "d", "d"}},
		{"all unknown", nil, []research.Source{src("d/a.html", ""), src("e/b.md", "")}, []string{"d", "e"}},
		{"wrote together", nil, []research.Source{src("d/a.html", "Agnes Calder"), src("d/b.md", "Tom Reed"), src("d/c.pdf", "Tom Reed and Agnes Calder")}, []string{"Agnes Calder", "Agnes Calder", "Agnes Calder"}},
		{"another folder", nil, []research.Source{src("d/a.html", "Agnes Calder"), src("d/b.md", "Tom Reed"), src("e/c.txt", "")}, []string{"Agnes Calder", "Tom Reed", "e"}},
		{"publisher", nil, []research.Source{src("d/a.html", "Agnes Calder"), pub}, []string{"Agnes Calder", "Harbour Office"}},
		{"groups", nil, []research.Source{src("d/a.html", "The Documentation Team"), src("d/b.html", "Documentation Project")}, []string{"The Documentation Team", "The Documentation Team"}},
		{"chinese", nil, []research.Source{src("d/a.html", "王明"), src("d/b.html", "李红")}, []string{"王明", "李红"}},
		{"web", nil, []research.Source{src("https://example.org/a", "Agnes Calder"), src("https://example.org/b", "Tom Reed")}, []string{"example.org", "example.org"}},
		{"a later one joins", []research.Source{voiced(src("d/a.html", "Agnes Calder"), "Agnes Calder"), voiced(src("d/b.html", "Tom Reed"), "Tom Reed")},
			[]research.Source{src("d/c.html", "Reed, T."), src("d/e.html", ""), src("d/f.html", "New Person")}, []string{"Tom Reed", "Agnes Calder", "Agnes Calder"}},
		{"a later one by a known author", []research.Source{voiced(src("d/a.html", "Agnes Calder"), "Agnes Calder"), voiced(src("d/b.html", "Tom Reed"), "Tom Reed")},
			[]research.Source{src("d/c.html", "T. Reed")}, []string{"Tom Reed"}},
		{"a later one of a folder of one voice", []research.Source{src("d/a.html", "")}, []research.Source{src("d/c.html", "Tom Reed")}, []string{"d"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Voices(tc.earlier, tc.fresh); !slices.Equal(got, tc.want) {
				t.Errorf("Voices = %q, want %q", got, tc.want)
			}
		})
	}
}
