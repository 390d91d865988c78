package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// printedBlocks are findings as a report prints them, one passage each.
func printedBlocks(words ...string) *leveller {
	l := &leveller{lang: "en", passages: map[string]research.Passage{}, lines: map[string]bool{}}
	for i, w := range words {
		p := fmt.Sprint("p", i+1)
		l.passages[p] = research.Passage{ID: p, Text: w}
		l.blocks = append(l.blocks, research.Block{ID: fmt.Sprint("f", i+1), Text: w, Citations: []string{p}, Claims: []string{fmt.Sprint("c", i+1)}})
	}
	return l
}

// TestLevelLines: what a model proposes beside the findings is printed only where the findings it cites cover it.
func TestLevelLines(t *testing.T) {
	en := []string{"The Skerry Point lighthouse was built in 1874 by Agnes Calder.", "The granite tower of the northern reef does not lean towards the village harbour.", "In 2019 the lighthouse received 15,500 visitors, 25% more than in 2018."}
	zh := []string{"斯凯里角灯塔建于1874年，由工程师艾格尼丝·考尔德设计。", "2019年灯塔接待了15500名游客。"}
	for _, tc := range []struct {
		name, lang, line string
		refs             []int
		want             string // part of the fault; empty: it stands
	}{
		{"what follows", "en", "An old lighthouse like this one draws many visitors.", []int{1, 3}, ""},
		{"a number of its finding", "en", "More than a century of ships has passed since the lighthouse was new in 1874.", []int{1}, ""},
		{"a name of its finding", "en", "Ask where else Agnes Calder worked before you visit the lighthouse.", []int{1}, ""},
		{"a mark that is no number", "en", "The visitors rose by 25%, so the lighthouse may need a second path.", []int{3}, ""},
		{"Chinese", "zh", "灯塔很老，来看它的游客却很多。", []int{1, 2}, ""},
		{"number of its own", "en", "The lighthouse is 152 years old.", []int{1}, "number"},
		{"number of another finding", "en", "The lighthouse received 15,500 visitors, which is a lot.", []int{1}, "number"},
		{"year in other digits", "en", "The lighthouse was built in the 1870s.", []int{1}, "number"},
		{"name of its own", "en", "The lighthouse was later bought by Rupert Zorblax.", []int{1}, "name"},
		{"one word as a name", "en", "The lighthouse resembles that of Kinnaird.", []int{1}, "name"},
		{"name in lower case of a sentence start", "en", "Zorblax keeps the lighthouse open.", []int{1}, "name"},
		{"date of its own", "en", "The lighthouse was finished in June after it was built.", []int{1}, "june"},
		{"word for word", "en", "The Skerry Point lighthouse was built in 1874", []int{1}, "word for word"},
		{"the opposite", "en", "The granite tower of the northern reef does lean towards the village harbour now.", []int{2}, "opposite"},
		{"something else", "en", "Everybody should buy shares of a mining company as early as possible this summer.", []int{1}, "shares no word"},
		{"hardly of it", "en", "Everybody should buy shares of a mining company before another lighthouse keeper does so, because prices climb quickly.", []int{1}, "something else"},
		{"markup", "en", "The lighthouse <b>draws</b> visitors.", []int{3}, "markup"},
		{"control token", "en", "The lighthouse draws visitors.<|im_end|>", []int{3}, "markup"},
		{"address", "en", "See https://example.org/lighthouse for visitors.", []int{3}, "markup or an address"},
		{"other language", "en", "灯塔很老，来看它的游客却很多。", []int{3}, "language"},
		{"German", "en", "Der Leuchtturm ist alt und viele Besucher kommen jedes Jahr dorthin.", []int{3}, "language"},
		{"English in a Chinese report", "zh", "The lighthouse draws many visitors.", []int{1}, "language"},
		{"Chinese number", "zh", "灯塔接待了两万名游客，人数很多。", []int{2}, "number"},
		{"endless", "en", strings.Repeat("The lighthouse draws visitors. ", 40), []int{3}, "length"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			words := en
			if tc.lang == "zh" {
				words = zh
			}
			l := printedBlocks(words...)
			l.lang = tc.lang
			got := l.fault(tc.line, l.cited(tc.refs))
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("fault(%q) = %q, want %q", tc.line, got, tc.want)
			}
		})
	}
}

// TestLevelsTake: citations are by number, marks in the text count as citations, nothing is said twice, and what is left out is counted.
func TestLevelsTake(t *testing.T) {
	l := printedBlocks("The Skerry Point lighthouse was built in 1874.", "The lighthouse received 15,500 visitors in 2019, if the count is right.")
	line := func(s string, refs ...int) research.WrittenSentence {
		return research.WrittenSentence{Text: s, Refs: refs}
	}
	l.take(research.LevelsAnswer{
		Facts: []research.WrittenFact{
			{Subject: "the skerry point lighthouse", Action: "was built", Object: "in 1874", Refs: []int{1}},
			{Subject: "The Skerry Point lighthouse", Action: "was built", Object: "in 1874", Refs: []int{1}}, // again
			{Subject: "The lighthouse", Action: "received", Object: "15,500 visitors", Refs: []int{2}},       // without its if
			{Subject: "15,500 visitors", Action: "built", Object: "the lighthouse", Refs: []int{2}},
		},
		Impact: []research.WrittenSentence{line("So old a lighthouse needs care.", 1), line("So old a lighthouse needs care!", 2), line("A lighthouse needs visitors [2].", 1), line("Any lighthouse needs paint.", 9), line("An old lighthouse needs paint.")},
		Plain:  []research.WrittenSentence{line("Many people want to see the lighthouse, all visitors together fill it.", 2)},
	})
	if len(l.out.Facts) != 1 || len(l.out.Impact) != 2 || len(l.out.Plain) != 1 || len(l.out.Decisions) != 0 || l.dropped != 6 {
		t.Errorf("take = %+v, %d dropped", l.out, l.dropped)
	}
	if got := l.out.Impact[1]; got.Text != "A lighthouse needs visitors." || !slices.Equal(got.Findings, []string{"f1", "f2"}) {
		t.Errorf("a mark in the text: %+v", got)
	}
	for _, n := range []string{"6 lines did not hold", "no finding itself"} {
		if note := l.modelled("ollama:tiny"); !strings.Contains(note, n) {
			t.Errorf("note %q lacks %q", note, n)
		}
	}
}

// TestTriple: level 1 by code is a whole sentence cut at its verb, or nothing.
func TestTriple(t *testing.T) {
	for _, tc := range []struct{ lang, sentence, want string }{
		{"en", "The Skerry Point lighthouse was built in 1874.", "The Skerry Point lighthouse | was built | in 1874"},
		{"en", "Debian 12 has 64,419 packages.", "Debian 12 | has | 64,419 packages"},
		{"en", "Agnes Calder was the engineer of the lighthouse.", "Agnes Calder | was | the engineer of the lighthouse"},
		{"en", "The lamp was not replaced before 1931.", "The lamp | was not replaced | before 1931"},
		{"en", "The tower is also known as the Finger.", "The tower | is also known | as the Finger"},
		{"en", "It was built in 1874.", ""},
		{"en", "In 2019 the lighthouse received 15,500 visitors.", ""},
		{"en", "The keeper who was there in 1902 left.", ""},
		{"en", "The lighthouse, built in 1874, is old.", ""},
		{"en", "Was the tower built in 1874?", ""},
		{"en", "Table 3 is", ""},
		{"en", "the tower is high.", ""},
		{"en", "… tower is 38 metres high.", ""},
		{"en", "Setting the clock is easy.", ""},
		{"zh", "灯塔建于1874年。", "灯塔 | 建于 | 1874年"},
		{"zh", "斯凯里角灯塔位于海湾北部的礁石上。", "斯凯里角灯塔 | 位于 | 海湾北部的礁石上"},
		{"zh", "它建于1874年。", ""},
		{"zh", "灯塔的工程师，是考尔德。", ""},
		{"zh", "灯塔但是没有人。", ""},
		{"zh", "如果灯塔是空的。", ""},
	} {
		s, a, o, ok := triple(tc.sentence, tc.lang)
		got := ""
		if ok {
			got = s + " | " + a + " | " + o
		}
		if got != tc.want {
			t.Errorf("triple(%q) = %q, want %q", tc.sentence, got, tc.want)
		}
	}
}

// FuzzTriple: the three parts are the sentence in its order and nothing else.
func FuzzTriple(f *testing.F) {
	f.Add("The tower is 38 metres high.", "en")
	f.Add("灯塔建于1874年。", "zh")
	f.Fuzz(func(t *testing.T, sentence, lang string) {
		s, a, o, ok := triple(sentence, lang)
		if !ok {
			return
		}
		if s == "" || a == "" || o == "" {
			t.Fatalf("an empty part: %q %q %q", s, a, o)
		}
		if got, want := strings.Join(letters(s+" "+a+" "+o), " "), strings.Join(letters(sentence), " "); got != want {
			t.Fatalf("the parts say %q, the sentence %q", got, want)
		}
	})
}

// explains answers the levels' writer with a line of each kind on every finding it is shown, and one that goes beyond.
func explains(c research.Call, _ int, good string) (string, error) {
	in, ok := c.Input.(research.LevelsInput)
	if !ok {
		return good, nil
	}
	none := []research.WrittenSentence{}
	a := research.LevelsAnswer{Facts: []research.WrittenFact{}, Impact: none, Decisions: none, Plain: none}
	for i, f := range in.Findings {
		words := strings.Fields(f.Text)
		long := slices.IndexFunc(words, func(w string) bool {
			return len(w) > 5 && w == strings.ToLower(w) && !strings.ContainsAny(w, ".,0123456789")
		})
		if long < 0 {
			continue
		}
		a.Impact = append(a.Impact, research.WrittenSentence{Text: fmt.Sprintf("Whoever asks about the %s learns more from it.", words[long]), Refs: []int{f.Index}})
		a.Plain = append(a.Plain, research.WrittenSentence{Text: fmt.Sprintf("This is the story of a %s.", words[long]), Refs: []int{f.Index}})
		if i == 0 {
			a.Decisions = append(a.Decisions, research.WrittenSentence{Text: "Pay 4711 pounds to Rupert Zorblax.", Refs: []int{f.Index}})
		}
	}
	b, err := json.Marshal(a)
	return string(b), err
}

func lines(l research.Levels) []research.LevelLine {
	return slices.Concat(l.Impact, l.Decisions, l.Plain)
}

// TestLevels: a run with a model prints what holds and says what did not; the audit recomputes it; the record replays to the same; a
// line falls with each finding it cites, and comes back with it.
func TestLevels(t *testing.T) {
	c := config(t, lighthouse)
	m := &scripted{answer: explains}
	c.Model = m
	was, js, rec := digestOf(t, c)
	if len(was.Levels.Impact) == 0 || len(was.Levels.Plain) == 0 || len(was.Levels.Decisions) != 0 {
		t.Fatalf("levels: %s", asJSON(t, was.Levels))
	}
	if !strings.Contains(was.Levels.Note, "left out") || strings.Contains(js, "Zorblax") {
		t.Errorf("what went beyond its findings is not told, or is printed: %q", was.Levels.Note)
	}
	if err := rec.SetDigest(was); err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(rec.Run()); !rep.OK() {
		t.Errorf("audit: %v", rep.Faults)
	}
	again, err := (&Engine{c}).Run(context.Background(), store.FromRun(rec.Run(), true))
	if err != nil || asJSON(t, again) != js {
		t.Errorf("over its own record the run gives another report: %v %s", err, firstDiff(js, asJSON(t, again)))
	}
	f := reopened(t, c, rec)
	if d, _, err := f.Without(context.Background(), nil); err != nil || asJSON(t, d.Levels) != asJSON(t, was.Levels) {
		t.Errorf("without none: %v\n%s", err, firstDiff(asJSON(t, was.Levels), asJSON(t, d.Levels)))
	}
	fell := 0
	for _, s := range was.Sources {
		if s.Verdict != research.Verified {
			continue
		}
		d, judged, err := f.Without(context.Background(), []string{s.ID})
		if err != nil {
			t.Fatal(err)
		}
		in := map[string]bool{}
		for _, sec := range d.Sections {
			for _, x := range sec.Findings {
				in[x.ID] = true
			}
		}
		for _, l := range lines(d.Levels) {
			for _, id := range l.Findings {
				if !in[id] {
					t.Errorf("without %s the line %q cites the finding %s, which is gone", s.Title, l.Text, id)
				}
			}
		}
		if n := len(lines(was.Levels)) - len(lines(d.Levels)); n > 0 {
			fell += n
			if !strings.Contains(d.Levels.Note, "fell with") {
				t.Errorf("without %s %d lines are gone and the note is %q", s.Title, n, d.Levels.Note)
			}
		}
		if rep := audit.Check(restated(t, rec, d, judged).Run()); !rep.OK() {
			t.Errorf("without %s: %v", s.Title, rep.Faults)
		}
	}
	if fell == 0 {
		t.Error("no source whose line falls: the test says nothing")
	}
}

// TestLevelsWithoutModel: level 1 is cut by code, the rest is said to need a model.
func TestLevelsWithoutModel(t *testing.T) {
	for _, tc := range []struct{ question, note string }{
		{lighthouse, "need a model"}, {"斯凯里角灯塔建于哪一年？工程师是谁？", "需要语言模型"},
	} {
		c := config(t, tc.question)
		c.Model = extractive.Model{}
		d, _, rec := digestOf(t, c)
		if len(lines(d.Levels)) != 0 || !strings.Contains(d.Levels.Note, tc.note) {
			t.Errorf("%s: levels %s", tc.question, asJSON(t, d.Levels))
		}
		if d.Lang == "en" && len(d.Levels.Facts) == 0 {
			t.Error("no fact was cut from the findings")
		}
		if err := rec.SetDigest(d); err != nil {
			t.Fatal(err)
		}
		if rep := audit.Check(rec.Run()); !rep.OK() {
			t.Errorf("audit: %v", rep.Faults)
		}
	}
}
