package subject

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

// senseOf reads the sense of the word between brackets.
func senseOf(t testing.TB, s string) Sense {
	t.Helper()
	i, j := strings.IndexByte(s, '['), strings.IndexByte(s, ']')
	if i < 0 || j < i {
		t.Fatalf("no [name] in %q", s)
	}
	plain := s[:i] + s[i+1:j] + s[j+1:]
	return SenseOf(plain, research.Span{Start: i, End: j - 1})
}

func TestLikeness(t *testing.T) {
	filler := " The account was written down many years afterwards by people who had been there, and it has been printed several times since then in the annals of that office, with notes and with an index of names and of places that were spoken of by those who wrote them."
	for _, tc := range []struct {
		name    string
		a, b    string
		same    bool
		against string
	}{
		{"a city and its team", "He was born in [Kelso], Ohio, and went to school there before he became a clerk of the river company." + filler,
			"Standings : Alva 20 9 7 4 29 21 34 [Kelso] 20 7 7 6 18 18 28 Dunmore 21 7 6 8 28 22 27 after the matches of the league on Saturday." + filler, false, "a place and a side of a contest"},
		{"sides of two sports", "Results of the hockey league, the NHL : beat [Kelso] 4 and the goaltender was praised, with the puck seldom near." + filler,
			"The cricketer took five wickets against [Kelso] in the first innings and the batsman left." + filler, false, "sides of different sports"},
		{"counties of two states", "The district covers the counties of Alcorn, Perry, [Union], Tate and Monroe in northern Mississippi." + filler,
			"The creek flows through the townships of Wheeling, Alden, [Union], Richland and Colerain in eastern Ohio." + filler, false, "places in different states"},
		{"an album and its song", "She released her first album [Far Water] in March, and the album was praised." + filler, "The third track was the song [Far Water], and the song reached the charts." + filler, false, "works of different kinds"},
		{"men and women", "The team of the women's league beat [Kelso] in the cup final at cricket, where she took four wickets." + filler,
			"Kelso's bowler and the rest of the men lost to [Kelso] in the rugby league cup final." + filler, false, ""},
		{"one office twice", "The minister said that the [Office of Weights] would report to parliament on trade with Norway in spring, as the ministers Olsen and Brandt had asked." + filler,
			"Olsen and Brandt told parliament that the [Office of Weights] had looked at trade with Norway and found nothing amiss." + filler, true, ""},
		{"one land twice", "The ministers of [Norway] and Denmark signed the treaty on fishing in the northern waters." + filler,
			"Grain prices rose in [Norway] after the harvest, ministers said, as they had in Denmark and in the Baltic states." + filler, true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := senseOf(t, tc.a), senseOf(t, tc.b)
			got, against := Likeness(a, b)
			if same := Rho(1, Sem(got)) >= Theta; same != tc.same || against != tc.against && tc.against != "" {
				t.Errorf("likeness %.3f, against %q: same %v, want %v (%q); marks %v", got, against, same, tc.same, tc.against, MarksOf(a, b))
			}
			if back, _ := Likeness(b, a); back != got {
				t.Errorf("likeness is %.4f one way and %.4f the other", got, back)
			}
		})
	}
}

// The lines of the paper and of the fit are one: a full lexical match with contexts that are alike as far as SameAt reaches Theta.
func TestRhoAtTheLine(t *testing.T) {
	for _, tc := range []struct {
		likeness float64
		about    bool
	}{{SameAt + 0.005, true}, {SameAt - 0.005, false}, {1, true}, {0, false}} {
		if rho := Rho(1, Sem(tc.likeness)); (rho >= Theta) != tc.about {
			t.Errorf("Rho(1, Sem(%.3f)) = %.3f, about the subject %v, want %v", tc.likeness, rho, rho >= Theta, tc.about)
		}
	}
}

func FuzzSense(f *testing.F) {
	for _, s := range []string{"born in Kelso, Ohio", "KELSO 1996-12-06 a report", "(Kelso) 21 7 6", "他在北京大学任教授", "\xff\xfeKelso\x80", "'s Kelso's U-21 under 21 rugby"} {
		f.Add(s, 0, 5)
	}
	f.Fuzz(func(t *testing.T, s string, start, end int) {
		if start < 0 || end < start || end > len(s) || len(s) > 1<<14 || !utf8.ValidString(s) {
			t.Skip("no place in a text")
		}
		a := SenseOf(s, research.Span{Start: start, End: end})
		b := SenseOf("He was born in Kelso, Ohio.", research.Span{Start: 15, End: 20})
		for i, v := range MarksOf(a, b) {
			if v < 0 || v > 1.0000001 || v != v {
				t.Fatalf("%s = %v", MarkNames[i], v)
			}
		}
		if p, _ := Likeness(a, b); p < 0 || p > 1 {
			t.Fatalf("likeness %v", p)
		}
	})
}
