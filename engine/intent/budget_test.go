package intent

import (
	"strings"
	"testing"

	"assay/engine/research"
)

// TestComplexity: 0.4 min(1, facets/6) + 0.3 depth cue + 0.3 min(1, years/20).
func TestComplexity(t *testing.T) {
	for _, tc := range []struct {
		name, question string
		facets         int
		intent         research.Intent
		want           research.Ratio
	}{
		{"one facet", "who built it", 1, research.FactQuery, "1/15"},
		{"three facets", "who built it", 3, research.FactQuery, "1/5"},
		{"more than six", "who built it", 9, research.FactQuery, "2/5"},
		{"cue", "explain it", 1, research.FactQuery, "11/30"},
		{"intent is a cue", "optics", 1, research.Comprehensive, "11/30"},
		{"ten years", "packages from 1999 to 2009", 1, research.FactQuery, "13/60"},
		{"years bounded", "packages from 1900 to 2009", 1, research.FactQuery, "11/30"},
		{"one year is no span", "packages in 1999", 1, research.FactQuery, "1/15"},
		{"all", "explain why, from 1990 to 2010", 6, research.FactQuery, "1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := research.Understanding{Facets: make([]research.Facet, tc.facets), Intent: tc.intent}
			if got := Complexity(u, tc.question); got != tc.want {
				t.Errorf("Complexity = %s, want %s", got, tc.want)
			}
		})
	}
}

func TestBudgetFor(t *testing.T) {
	for _, tc := range []struct {
		depth      research.Depth
		complexity research.Ratio
		want       research.Budget
	}{
		{research.Quick, "1/2", research.Budget{SearchDepth: 1, Tasks: 4, GapRounds: 1, QueriesPerGap: 4, Sources: 12, FloorVoices: 5, FloorOrigins: 3, FloorOpposing: 1, PassagesPerHit: 8}},
		{research.Standard, "1/2", research.Budget{SearchDepth: 2, Tasks: 8, GapRounds: 2, QueriesPerGap: 4, Sources: 30, FloorVoices: 15, FloorOrigins: 4, FloorOpposing: 2, PassagesPerHit: 8}},
		{research.Deep, "1/2", research.Budget{SearchDepth: 3, Tasks: 12, GapRounds: 2, QueriesPerGap: 4, Sources: 60, FloorVoices: 20, FloorOrigins: 4, FloorOpposing: 3, PassagesPerHit: 8}},
		{research.Standard, "1/10", research.Budget{SearchDepth: 2, Tasks: 8, GapRounds: 1, QueriesPerGap: 4, Sources: 30, FloorVoices: 15, FloorOrigins: 4, FloorOpposing: 2, PassagesPerHit: 8}},
		{research.Standard, "3/20", research.Budget{SearchDepth: 2, Tasks: 8, GapRounds: 2, QueriesPerGap: 4, Sources: 30, FloorVoices: 15, FloorOrigins: 4, FloorOpposing: 2, PassagesPerHit: 8}},
	} {
		if got := BudgetFor(tc.depth, tc.complexity); got != tc.want {
			t.Errorf("BudgetFor(%s, %s) = %+v, want %+v", tc.depth, tc.complexity, got, tc.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	f := func(w research.AnswerType, terms ...string) research.Facet {
		return research.Facet{Want: w, Terms: terms}
	}
	for _, tc := range []struct {
		name, words, lang string
		facet             research.Facet
		answers, counts   bool
	}{
		{"counts what is asked", "It had 14 keepers.", "en", f(research.AnswerQuantity, "keeper"), true, true},
		{"counts something else", "It had 172 steps.", "en", f(research.AnswerQuantity, "keeper"), true, false},
		{"a year is no figure", "It was built in 1874.", "en", f(research.AnswerQuantity, "keeper"), false, false},
		{"a version is no figure", "Use Debian 2.1.3 here.", "en", f(research.AnswerQuantity, "debian"), false, false},
		{"date", "It was built in 1874.", "en", f(research.AnswerDate), true, false},
		{"no date", "It was built of granite.", "en", f(research.AnswerDate), false, false},
		{"person", "The engineer was Agnes Calder.", "en", f(research.AnswerPerson), true, false},
		{"no person", "the engineer was not named", "en", f(research.AnswerPerson), false, false},
		{"reason", "It was moved because the reef broke.", "en", f(research.AnswerReason), true, false},
		{"a common cause", "They have made common cause since 1996.", "en", f(research.AnswerReason), false, false},
		{"a purpose", "To prevent confusion the release was renamed.", "en", f(research.AnswerReason), true, false},
		{"no reason", "It was moved.", "en", f(research.AnswerReason), false, false},
		{"chinese reason", "因为风暴，灯塔关闭。", "zh", f(research.AnswerReason), true, false},
		{"anything", "It was moved.", "en", f(research.AnswerAny), false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answers, counts := Answers(tc.facet, tc.words, tc.lang)
			if answers != tc.answers || counts != tc.counts {
				t.Errorf("Answers = %v %v, want %v %v", answers, counts, tc.answers, tc.counts)
			}
		})
	}
}

func TestShapeOf(t *testing.T) {
	for _, tc := range []struct {
		question, lang string
		said, want     research.Shape
	}{
		{"Should the lamp be replaced?", "en", research.ShapeAuto, research.ShapeDebate},
		{"Does salt cause rust?", "en", research.ShapeAuto, research.ShapeDebate},
		{"Is the new lamp better than the old one?", "en", research.ShapeAuto, research.ShapeDebate},
		{"是否应该更换灯具？", "zh", research.ShapeAuto, research.ShapeDebate},
		{"Do tram lanes cut travel times?", "en", research.ShapeAuto, research.ShapeDebate},
		{"盐会导致生锈吗？", "zh", research.ShapeAuto, research.ShapeDebate},
		{"电车专用道能缩短通行时间吗？", "zh", research.ShapeAuto, research.ShapeDebate},
		{"Who built the tower?", "en", research.ShapeAuto, research.ShapeFact},
		{"Who is Ada Stolz?", "en", research.ShapeAuto, research.ShapeFact},
		{"When was the lighthouse released from service?", "en", research.ShapeAuto, research.ShapeFact},
		{"How many lamps does the tower have?", "en", research.ShapeAuto, research.ShapeFact},
		{"灯塔由谁设计？", "zh", research.ShapeAuto, research.ShapeFact},
		{"灯塔何时建成？", "zh", research.ShapeAuto, research.ShapeFact},
		{"什么导致了灯塔关闭？", "zh", research.ShapeAuto, research.ShapeSurvey},
		{"Give an overview of the lighthouse.", "en", research.ShapeAuto, research.ShapeSurvey},
		{"全面介绍一下灯塔", "zh", research.ShapeAuto, research.ShapeSurvey},
		{"How does the lamp work?", "en", research.ShapeAuto, research.ShapeSurvey},
		{"Who built the tower?", "en", research.ShapeSurvey, research.ShapeSurvey},
		{"Who built the tower?", "en", research.ShapeDebate, research.ShapeDebate},
		{"Should the lamp be replaced?", "en", research.ShapeSurvey, research.ShapeSurvey},
	} {
		if got := Understand(tc.question, tc.lang, tc.said, research.Quick, now).Shape; got != tc.want {
			t.Errorf("the shape of %q, said %s, is %s, want %s", tc.question, tc.said, got, tc.want)
		}
	}
}

func TestUnderstand(t *testing.T) {
	u := Understand("  When was the\nSkerry Point lighthouse built?  ", "auto", research.ShapeAuto, research.Quick, now)
	if u.Question != "When was the Skerry Point lighthouse built?" || u.Lang != "en" || u.Budget.Tasks != 4 || u.Strategy != "DirectVerification" {
		t.Errorf("Understand: %+v", u)
	}
	if len(u.Entities) != 1 || u.Entities[0].Text != "Skerry Point" {
		t.Errorf("entities %+v", u.Entities)
	}
	if u := Understand("灯塔由谁设计？", "", research.ShapeAuto, research.Quick, now); u.Lang != "zh" {
		t.Errorf("language %q", u.Lang)
	}
}

func TestAngleQuery(t *testing.T) {
	u := Understand("When was the Skerry Point lighthouse built?", "en", research.ShapeAuto, research.Quick, now)
	seen := map[string]bool{}
	for _, a := range research.Angles {
		q := AngleQuery(u, a)
		if !strings.HasPrefix(q.Text, "Skerry Point ") || q.Angle != a || seen[q.Text] {
			t.Errorf("angle %s: %+v", a, q)
		}
		seen[q.Text] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d angles, want 10", len(seen))
	}
}

func TestOptimise(t *testing.T) {
	u := research.Understanding{Temporal: research.Temporal{Category: "After", Range: research.DateRange{Start: "2019-01-01", End: "2026-01-01"}}}
	q := research.Query{Text: "lighthouse visitors"}
	got := Optimise(q, u)
	if len(got) != 2 || got[0].Text != "2019 lighthouse visitors" || got[1].Range != u.Temporal.Range || got[1].Text != q.Text {
		t.Errorf("Optimise: %+v", got)
	}
	for name, text := range map[string]string{"operator": "site:example.org lamps", "phrase": `"two lamps"`, "year": "visitors 2019"} {
		if got := Optimise(research.Query{Text: text}, u); len(got) > 0 {
			t.Errorf("%s: %q is changed to %+v", name, text, got)
		}
	}
	if got := Optimise(q, research.Understanding{}); len(got) > 0 {
		t.Errorf("without a time: %+v", got)
	}
}
