package subject

import (
	"strings"
	"testing"

	"assay/engine/research"
)

// TestExcerptEnds holds that an excerpt begins and ends with a sentence, or at the end of a clause and says so.
func TestExcerptEnds(t *testing.T) {
	long := "When the keeper of the old tower on the reef near the village had seen the storm that came in from the north in the night of the third of May, " +
		"he lit the great lamp with the oil that the harbour office had sent him in the spring, sent his son to the village for help, and waited, " +
		"as he later told the commission of the province that looked into the matter, until the boats of the fishermen came round the point at dawn with the crew of the lost ship."
	for _, tc := range []struct {
		name, text, find, want string
	}{
		{"from the beginning", long, "keeper", "When the keeper of the old tower on the reef near the village had seen the storm that came in from the north in the night of the third of May, he lit the great lamp with the oil that the harbour office had sent him in the spring, sent his son to the village for help, and waited …"},
		{"to the end", long, "fishermen", "… sent his son to the village for help, and waited, as he later told the commission of the province that looked into the matter, until the boats of the fishermen came round the point at dawn with the crew of the lost ship."},
		{"hard line ends", "The keeper may light the lamp\nin the evening, provided that the harbour office at the village is told\nof it before noon. Nobody else may.", "provided", "The keeper may light the lamp in the evening, provided that the harbour office at the village is told of it before noon. Nobody else may."},
		{"a command alone", "To see the lamp from the village you can make it brighter by running\nlamp --bright\nThe lamp then uses more oil.", "village", "To see the lamp from the village you can make it brighter by running lamp --bright"},
		{"items", "The ships were:\nthe first one a sloop,\nthe second one a brig,\nthe last one a yawl.", "second", "The ships were: the first one a sloop, the second one a brig, the last one a yawl."},
		{"label", "Lamp\nof oil", "Lamp", "Lamp"},
		{"whole sentences", "The tower is high. It was built in 1874.\n\nGulls nest there.", "1874", "The tower is high. It was built in 1874."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := Read(research.Document{Text: tc.text, Lang: "en"})
			at := strings.Index(tc.text, tc.find)
			i := p.LineAt(at)
			span, lo, hi := p.Excerpt(i, at-p.Lines[i].Span.Start)
			if got := strings.Join(strings.Fields(p.Marked(span, lo, hi)), " "); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

// TestExcerptOfMany holds that what does not fit of an enumeration is marked on either side.
func TestExcerptOfMany(t *testing.T) {
	var b strings.Builder
	for range 12 {
		b.WriteString("one of the many ships that lay in the harbour that night,\n")
	}
	p := Read(research.Document{Text: b.String() + "the last one of them all.", Lang: "en"})
	span, lo, hi := p.Excerpt(6, 0)
	if got := p.Marked(span, lo, hi); !strings.HasPrefix(got, "… one of") || !strings.HasSuffix(got, "that night …") {
		t.Errorf("excerpt %d to %d: %q", lo, hi, got)
	}
}

// FuzzExcerpt wants spans inside the text, around or in the line, with nothing but marks added to the words.
func FuzzExcerpt(f *testing.F) {
	f.Add("A b c.\nd e, f", 0, 3)
	f.Add(strings.Repeat("many words, and more; ", 40), 0, 300)
	f.Add("灯塔建于1874年，"+strings.Repeat("海鸥很多，", 60), 0, 9)
	f.Add("\xff\xfe(a, b", 0, 0)
	f.Fuzz(func(t *testing.T, s string, i, at int) {
		if len(s) > 20_000 {
			t.Skip("longer than what is read")
		}
		p := Read(research.Document{Text: s})
		if i < 0 || i >= len(p.Lines) {
			return
		}
		span, lo, hi := p.Excerpt(i, at)
		if span.Start < 0 || span.End > len(s) || span.Start > span.End || lo > i || hi < i {
			t.Fatalf("Excerpt(%d, %d) of %q = %v, %d to %d", i, at, s, span, lo, hi)
		}
		if words := strings.Trim(p.Marked(span, lo, hi), "… ,，、"); !strings.Contains(s, words) {
			t.Errorf("Marked adds to the words: %q of %q", words, s)
		}
	})
}
