package engine

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func doc(lang, s string) research.Document {
	return research.Document{Lang: lang, Text: s, SHA256: research.SHA256(s)}
}

func TestSameDocument(t *testing.T) {
	tower := "The lighthouse of Kelvar was built in 1873 by Maren Olsdotter. It is 41 metres tall and was lit by paraffin until 1931.\n"
	turm := "Der Leuchtturm von Kelvar wurde 1873 von Maren Olsdotter gebaut. Er ist 41 Meter hoch und brannte bis 1931 mit Paraffin.\n"
	deng := "凯尔瓦灯塔（Kelvar）建于1873年，由 Maren Olsdotter 设计，高41米，1931年以前以石蜡为燃料，是当地最重要的建筑。\n"
	mill := "The mill of Tarn was built in 1802 by Ole Berg. It grinds 12 tonnes of rye a day and was restored in 1977.\n"
	muehle := "Die Mühle von Tarn wurde 1802 von Ole Berg gebaut. Sie mahlt 12 Tonnen Roggen am Tag und wurde 1977 erneuert.\n"
	for _, tc := range []struct {
		name string
		a, b research.Document
		want bool
	}{
		{"the same text", doc("en", tower), doc("en", tower), true},
		{"German", doc("en", tower), doc("de", turm), true},
		{"Chinese", doc("en", tower), doc("zh", deng), true},
		{"German of another", doc("en", tower), doc("de", muehle), false},
		{"Chinese of another", doc("zh", deng), doc("en", mill), false},
		{"another format", doc("en", strings.Repeat(tower+mill, 3)), doc("en", "Page 1\n"+strings.ReplaceAll(tower+mill, " by ", " by\n")), true},
		{"English of another under a German name", doc("en", tower), doc("en", mill), false},
		{"language unknown", doc("en", tower), doc("", mill), false},
		{"far longer", doc("en", tower), doc("de", strings.Repeat(turm, 9)), false},
		{"few marks, one form", doc("en", "the sea is wide\nthe shore is long\n"), doc("de", "das meer ist weit\ndas ufer ist lang\n"), true},
		{"few marks, other form", doc("en", "the sea is wide\nthe shore is long\nso it is\n"), doc("de", "das meer ist weit und das ufer ist lang\n"), false},
		{"short", doc("en", "yes"), doc("en", "no"), false},
		{"empty", doc("en", ""), doc("en", "no"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if sameDocument(tc.a, tc.b) != tc.want || sameDocument(tc.b, tc.a) != tc.want {
				t.Errorf("sameDocument = %v, want %v both ways", !tc.want, tc.want)
			}
		})
	}
}

// TestCopiesByContent: of two files with one name the translation is left out, and what only shares the name is kept.
func TestCopiesByContent(t *testing.T) {
	tower, turm := doc("en", "The lighthouse of Kelvar was built in 1873 by Maren Olsdotter.\n"), doc("de", "Der Leuchtturm von Kelvar wurde 1873 von Maren Olsdotter gebaut.\n")
	other := doc("de", "Die Fähre nach Tarn fährt um 10:45 und um 16:20; Ole Berg verkauft die Karten.\n")
	for name, tc := range map[string]struct {
		second research.Document
		want   research.Verdict
	}{"translation": {turm, research.RejectDuplicate}, "another text": {other, research.Verified}} {
		t.Run(name, func(t *testing.T) {
			docs := []research.Document{tower, tc.second}
			sources := []research.Source{}
			for i, d := range docs {
				sources = append(sources, research.Source{ID: string(rune('a' + i)), Location: []string{"x/b.txt", "x/b.de.txt"}[i], Lang: d.Lang, SHA256: d.SHA256, Work: "x/b", Verdict: research.Verified})
			}
			leaveCopies(nil, nil, sources, docs, "en")
			if sources[0].Verdict != research.Verified || sources[1].Verdict != tc.want {
				t.Errorf("verdicts %s and %s, want the second %s", sources[0].Verdict, sources[1].Verdict, tc.want)
			}
			if own := sources[1].Work != sources[0].Work; own != (tc.want == research.Verified) {
				t.Errorf("works %q and %q", sources[0].Work, sources[1].Work)
			}
		})
	}
}

// TestCopiesOfEarlierRounds: a translation that a later round finds is left out too, and never in place of what was kept.
func TestCopiesOfEarlierRounds(t *testing.T) {
	tower, turm := doc("en", "The lighthouse of Kelvar was built in 1873 by Maren Olsdotter.\n"), doc("de", "Der Leuchtturm von Kelvar wurde 1873 von Maren Olsdotter gebaut.\n")
	source := func(id, at string, d research.Document) research.Source {
		return research.Source{ID: id, Location: at, Lang: d.Lang, SHA256: d.SHA256, Work: "x/b", Verdict: research.Verified}
	}
	for _, tc := range []struct{ first, second research.Document }{{tower, turm}, {turm, tower}} {
		earlier, later := []research.Source{source("a", "x/b.txt", tc.first)}, []research.Source{source("b", "x/b.de.txt", tc.second)}
		leaveCopies(earlier, []research.Document{tc.first}, later, []research.Document{tc.second}, "en")
		if earlier[0].Verdict != research.Verified || later[0].Verdict != research.RejectDuplicate || later[0].CopyOf != "a" {
			t.Errorf("verdicts %s and %s, copy of %q", earlier[0].Verdict, later[0].Verdict, later[0].CopyOf)
		}
	}
}

// TestCopiesWhateverTheirOrder: a translation is compared with the edition that stays, although another text of the same name was found
// first.
func TestCopiesWhateverTheirOrder(t *testing.T) {
	en := doc("en", "The lighthouse of Kelvar was built in 1873 by Maren Olsdotter and Ole Berg.\n")
	de := doc("de", "Der Leuchtturm von Kelvar wurde 1873 von Maren Olsdotter gebaut.\n")
	ru := doc("ru", "Паром в Тарн отходит в 10:45, 12:30 и 16:20 от пристани Kvist.\n") // of the same name, and another text
	for _, docs := range [][]research.Document{{ru, de, en}, {de, ru, en}, {en, ru, de}, {de, en, ru}} {
		var sources []research.Source
		for _, d := range docs {
			sources = append(sources, research.Source{ID: d.Lang, Location: "x/b." + d.Lang + ".txt", Lang: d.Lang, SHA256: d.SHA256, Work: "x/b", Verdict: research.Verified})
		}
		leaveCopies(nil, nil, sources, docs, "en")
		for _, s := range sources {
			if s.ID == "de" && (s.Verdict != research.RejectDuplicate || s.CopyOf != "en") || s.ID == "en" && s.Verdict != research.Verified {
				t.Errorf("%s is %s, a copy of %q", s.ID, s.Verdict, s.CopyOf)
			}
		}
	}
}

// TestSameNameOtherYears: short texts that share most of their words and tell of other years are not one document.
func TestSameNameOtherYears(t *testing.T) {
	a, b := doc("en", "The Arnheim bridge was opened in 1982 by a mayor.\n"), doc("en", "The Arnheim bridge was opened in 1986 by a duke.\n")
	if sameDocument(a, b) || sameDocument(b, a) {
		t.Error("two openings of one bridge are taken for one document")
	}
	again := doc("en", "The Arnheim bridge was opened in 1982 by a mayor. Page 1\n")
	if !sameDocument(a, again) {
		t.Error("another format of one document is not known")
	}
}
