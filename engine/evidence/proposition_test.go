package evidence

import (
	"strings"
	"testing"
)

// TestSide: the side of a sentence is that of its statement against the question's, negation counted, and what cannot be told is none.
func TestSide(t *testing.T) {
	const lanes = "Do tram lanes cut travel times?"
	const salt = "Does salt cause rust?"
	const dredged = "Should the harbour be dredged?"
	const banned = "Should wood stoves be banned?"
	const suite = "Should I use Veldt testing instead of Veldt stable?"
	const zh = "电车专用道能缩短通行时间吗？"
	for _, tc := range []struct {
		question, about, words string
		want                   int
	}{
		{lanes, "", "Tram lanes cut travel times by 12 per cent.", 1},
		{lanes, "", "Tram lanes do not cut travel times in the centre.", -1},
		{lanes, "", "Tram lanes don't cut travel times.", -1},
		{lanes, "", "Tram lanes failed to cut travel times.", -1},
		{lanes, "", "Tram lanes never reduce travel times.", -1},
		{lanes, "", "Tram lanes shorten travel times.", 1},
		{lanes, "", "Tram lanes lengthen travel times at the crossings.", -1},
		{lanes, "", "Travel times fell after tram lanes were built.", 1},
		{lanes, "", "Travel times are shorter with tram lanes.", 1},
		{lanes, "", "Tram lanes cut no travel times.", -1},
		{lanes, "", "There is no evidence that tram lanes cut travel times.", -1},
		{lanes, "", "There is no evidence that tram lanes do not cut travel times.", 1},
		{lanes, "", "That tram lanes cut travel times is a myth.", -1},
		{lanes, "", "Tram lanes not only cut travel times but calm the street.", 1},
		{lanes, "", "Without tram lanes, travel times would rise.", 1},
		{lanes, "Tram lanes", "They do not cut travel times.", -1},
		{lanes, "", "They do not cut travel times.", 0},
		{lanes, "", "Bus lanes cut travel times.", 0},
		{lanes, "", "Tram lanes cut noise along the quay.", 0},
		{lanes, "", "If tram lanes cut travel times, the shops gain.", 0},
		{lanes, "", "Tram lanes were meant to cut travel times.", 0},
		{lanes, "", "To cut travel times, the town built tram lanes.", 0},
		{lanes, "", "Tram lanes help to cut travel times.", 1},
		{lanes, "", "The tram lanes were painted red in 2011.", 0},
		{lanes, "", "Tram lanes cut travel times for trams but lengthen travel times for cars.", 0},
		{lanes, "", "Do tram lanes cut travel times?", 0},
		{"Don't tram lanes cut travel times?", "", "Tram lanes cut travel times.", -1},
		{salt, "", "Salt causes rust.", 1},
		{salt, "", "Rust is caused by salt.", 1},
		{salt, "", "Salt leads to rust on the hull.", 1},
		{salt, "", "Salt does not lead to rust.", -1},
		{salt, "", "Salt prevents rust.", -1},
		{salt, "", "Rust causes salt to flake.", 0},
		{"Does aspirin help against headaches?", "", "Aspirin relieves headaches.", 1},
		{"Does aspirin help against headaches?", "", "Aspirin worsens headaches.", -1},
		{dredged, "", "The harbour should not be dredged.", -1},
		{dredged, "", "The harbour must be dredged soon.", 1},
		{dredged, "", "The harbour was dredged in 1999.", 0},
		{dredged, "", "A dredged harbour is safer for large ships.", 1},
		{dredged, "", "Dredging the harbour harms the oyster beds.", -1},
		{banned, "", "Wood stoves are dangerous in towns.", 1},
		{banned, "", "Wood stoves are reliable and easy to mend.", -1},
		{banned, "", "Wood stoves should be banned.", 1},
		{banned, "", "Wood stoves should not be banned.", -1},
		{suite, "", "Testing has newer programs than Stable, and it breaks less often than Unstable.", 1},
		{suite, "", "There are three suites: the \"stable\" suite, the \"testing\" suite, and the \"unstable\" suite.", 0},
		{suite, "", "The packages in unstable are not well tested and might have bugs.", 0},
		{suite, "", "Stable requires little work, while testing and unstable require constant work.", 0},
		{suite, "", "The purpose of the names is to make the copying of the archive easier.", 0},
		{suite, "", "There are times when tracking testing would be beneficial as opposed to unstable.", 1},
		{suite, "", "Testing with no faults will be released as the new stable.", 0},
		{suite, "", "Testing is a problem for beginners.", -1},
		{suite, "", "Stable is reliable, and testing is newer.", -1},
		{"Is sugar harmful?", "", "Sugar is harmful.", 1},
		{"Is sugar harmful?", "", "Sugar is not harmful in small amounts.", -1},
		{"Is sugar harmful?", "", "Sugar was taxed in 1845.", 0},
		{"Is the ferry reliable?", "", "The ferry is unreliable in winter, and a problem for the island.", -1},
		{"Is Pluto a planet?", "", "Pluto is not a planet.", -1},
		{"Is Pluto a planet?", "", "Pluto is a planet.", 1},
		{"Should I use Veldt Linux?", "", "It is best to read the notes before you install Veldt Linux.", 0},
		{"Should I use Veldt Linux?", "", "Veldt Linux is reliable.", 1},
		{"Should the club admit non-local members?", "", "The rules describe the good terms that local members must meet.", 0},
		{"Should the club admit non-local members?", "", "The club should admit non-local members.", 1},
		{"Should the club admit non-local members?", "", "The club should not admit non-local members.", -1},
		{"Should I use Veldt Linux?", "", "The weather was good and the harbour safe.", 0},

		{zh, "", "电车专用道缩短了通行时间。", 1},
		{zh, "", "电车专用道并没有缩短通行时间。", -1},
		{zh, "", "电车专用道不能减少通行时间。", -1},
		{zh, "", "电车专用道减少了通行时间。", 1},
		{zh, "", "电车专用道延长了通行时间。", -1},
		{zh, "", "没有证据表明电车专用道缩短了通行时间。", -1},
		{zh, "", "电车专用道缩短通行时间的说法不成立。", -1},
		{zh, "", "电车专用道旨在缩短通行时间。", 0},
		{zh, "", "如果电车专用道缩短通行时间，商店会受益。", 0},
		{zh, "", "电车专用道不仅缩短了通行时间，还美化了街道。", 1},
		{zh, "", "公交车站缩短了通行时间。", 0},
		{zh, "", "电车专用道减少了噪音。", 0},
		{zh, "电车专用道", "它没有缩短通行时间。", -1},
		{"盐是否会导致生锈？", "", "盐会导致生锈。", 1},
		{"盐是否会导致生锈？", "", "盐不会导致生锈。", -1},
		{"盐是否会导致生锈？", "", "盐可以防止生锈。", -1},
		{"糖有害吗？", "", "糖有害。", 1},
		{"是否应该禁止木柴炉？", "", "木柴炉十分危险。", 1},
		{"是否应该禁止木柴炉？", "", "木柴炉可靠而方便。", -1},
		{"是否应该禁止木柴炉？", "", "不应该禁止木柴炉。", -1},
		{"是否应该疏浚港口？", "", "港口建于1950年。", 0},
	} {
		lang := "en"
		if strings.ContainsRune("电盐糖是", []rune(tc.question)[0]) {
			lang = "zh"
		}
		got, said := PropositionOf(tc.question, lang).Side(tc.words, tc.about)
		if got > 0 != (tc.want > 0) || got < 0 != (tc.want < 0) {
			t.Errorf("%s: %q is on side %d, want %d", tc.question, tc.words, got, tc.want)
		}
		if (said != "") != (got != 0) || said != "" && !strings.Contains(tc.words, said) {
			t.Errorf("%q: the sentence is %q", tc.words, said)
		}
	}
}

func TestThesis(t *testing.T) {
	for _, tc := range []struct{ question, lang, a, b string }{
		{"Is diesel better than electric for buses?", "en", "diesel", "electric"},
		{"Are wooden hulls really stronger than steel hulls in ice?", "en", "wooden", "steel"},
		{"Should a school use tablets instead of paper books?", "en", "tablets", "paper books"},
		{"Is the old pier worse than the new pier?", "en", "old", "new"},
		{"木船是否比钢船更安全？", "zh", "木船", "钢船"},
		{"Should the harbour be dredged?", "en", "", ""},
	} {
		th := PropositionOf(tc.question, tc.lang)
		a, b, ok := th.Things()
		if ok != (tc.b != "") || tc.b != "" && (!strings.Contains(a, tc.a) || !strings.Contains(b, tc.b)) {
			t.Errorf("%s: %v against %v", tc.question, a, b)
		}
		if th.flip != strings.Contains(tc.question, "worse") {
			t.Errorf("%s: flip %v", tc.question, th.flip)
		}
	}
}

func TestSideOfTwo(t *testing.T) {
	const buses = "Is diesel better than electric for buses?"
	for _, tc := range []struct {
		question, lang, words string
		want                  int
	}{
		{buses, "en", "Diesel is reliable in the cold.", 1},
		{buses, "en", "Electric is reliable in the cold.", -1},
		{buses, "en", "Diesel is not reliable in the cold.", -1},
		{buses, "en", "Diesel causes serious problems in towns.", -1},
		{buses, "en", "Engineers fixed the problems of diesel.", 1},
		{buses, "en", "The depot was opened in 1999 and is painted green.", 0},
		{buses, "en", "Is diesel reliable?", 0}, // a question says nothing
		{"Is diesel worse than electric for buses?", "en", "Diesel is reliable in the cold.", -1},
		{"Should the harbour be dredged?", "en", "Dredging the harbour is expensive and harms the oyster beds.", -1},
		{"Should the harbour be dredged?", "en", "A dredged harbour is safer for large ships.", 1},
		{"木船是否比钢船更安全？", "zh", "木船容易修理，十分可靠。", 1},
		{"木船是否比钢船更安全？", "zh", "不推荐使用木船。", -1},
		{"木船是否比钢船更安全？", "zh", "钢船十分可靠。", -1},
	} {
		got, said := PropositionOf(tc.question, tc.lang).Side(tc.words, "")
		if got > 0 != (tc.want > 0) || got < 0 != (tc.want < 0) {
			t.Errorf("%s: %q is on side %d, want %d", tc.question, tc.words, got, tc.want)
		}
		if (said != "") != (tc.want != 0) || said != "" && !strings.Contains(tc.words, said) {
			t.Errorf("%q: the sentence is %q", tc.words, said)
		}
	}
}

// FuzzSide: any question and any words have a side or none, and a denial of a denial is not on the other side of nothing.
func FuzzSide(f *testing.F) {
	f.Add("Do tram lanes cut travel times?", "Tram lanes do not cut travel times.", "Lanes")
	f.Add("盐是否会导致生锈？", "盐不会导致生锈。", "")
	f.Add("Should it be banned?", "x", "\xff")
	f.Fuzz(func(t *testing.T, question, words, about string) {
		for _, lang := range []string{"en", "zh"} {
			p := PropositionOf(question, lang)
			n, s := p.Side(words, about)
			if (n == 0) != (s == "") {
				t.Errorf("%q of %q: side %d and sentence %q", words, question, n, s)
			}
			if m, _ := p.Side(words, about); m != n {
				t.Errorf("%q: %d and %d", words, n, m)
			}
		}
	})
}
