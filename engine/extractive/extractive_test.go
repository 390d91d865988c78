package extractive

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/engine/research"
)

var (
	facets = []research.Facet{
		{ID: "f1", Text: "When was the tower built", Terms: []string{"tower", "built"}, Want: research.AnswerDate},
		{ID: "f2", Text: "who was its engineer", Terms: []string{"engin"}, Want: research.AnswerPerson},
	}
	u = research.Understanding{Question: "When was the tower built, and who was its engineer?", Lang: "en", Intent: research.FactQuery, Shape: research.ShapeSurvey, Facets: facets}
)

const passage = "The tower was built in 1874. Its engineer was Agnes Calder.\nGulls nest there. The tower is high. The tower is old. The tower leans."

func ask(t *testing.T, role research.Role, in, out any) string {
	t.Helper()
	a, err := Model{}.Chat(context.Background(), research.Call{Role: role, Input: in})
	if err != nil {
		t.Fatalf("Chat(%s): %v", role, err)
	}
	if a.By != Name || a.DoneReason != "stop" {
		t.Errorf("%s: signed %q, done %q", role, a.By, a.DoneReason)
	}
	dec := json.NewDecoder(strings.NewReader(a.Text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(out); err != nil {
		t.Fatalf("%s: %v in %s", role, err, a.Text)
	}
	fits(t, role, a.Text)
	return a.Text
}

// fits holds an answer against the schema that a server would be given.
func fits(t *testing.T, role research.Role, text string) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../prompts/" + string(role) + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("the answer of the %s does not fit its schema: %v", role, err)
	}
}

func TestAnalyst(t *testing.T) {
	var a research.AnalystAnswer
	ask(t, research.Analyst, research.AnalystInput{Question: u.Question, Draft: u}, &a)
	if a.Intent != string(u.Intent) || a.Shape != string(u.Shape) || len(a.Facets) > 0 {
		t.Errorf("the analyst changes the draft: %+v", a)
	}
}

func TestPlanner(t *testing.T) {
	many := u
	for len(many.Facets) < 6 {
		many.Facets = append(many.Facets, research.Facet{ID: "fx", Text: "more"})
	}
	zh := research.Understanding{Question: "灯塔由谁设计？", Lang: "zh", Facets: []research.Facet{{ID: "f1", Text: "灯塔由谁设计", Want: research.AnswerPerson}}}
	other := u
	other.Lang = "de"
	for _, tc := range []struct {
		name string
		u    research.Understanding
		n    int
		says string
	}{{"two facets", u, 4, "A source states the answer to: who was its engineer"}, {"six facets", many, 5, "a person's name"}, {"chinese", zh, 3, "人名"}, {"another language", other, 4, "A source states"}} {
		t.Run(tc.name, func(t *testing.T) {
			var a research.PlannerAnswer
			text := ask(t, research.Planner, research.PlannerInput{Understanding: tc.u}, &a)
			if len(a.Hypotheses) != tc.n || !strings.Contains(text, tc.says) {
				t.Errorf("%d hypotheses, want %d with %q: %s", len(a.Hypotheses), tc.n, tc.says, text)
			}
			seen := map[string]bool{}
			for _, h := range a.Hypotheses {
				if h.Statement == "" || h.WouldConfirm == "" || h.WouldRefute == "" || h.Test == "" || len(h.Facets) == 0 || seen[h.Statement] {
					t.Errorf("not testable or twice: %+v", h)
				}
				seen[h.Statement] = true
			}
		})
	}
}

func TestReader(t *testing.T) {
	in := research.ReaderInput{Lang: "en", Facets: facets, Weights: map[string]float64{"tower": 1, "built": 2, "engin": 3}, Passages: []research.Passage{{Text: "Bread is baked."}, {Text: passage}}}
	var a research.ReaderAnswer
	ask(t, research.Reader, in, &a)
	n := map[string]int{}
	said := map[string]bool{}
	for _, c := range a.Claims {
		if c.Passage != 2 || !strings.Contains(passage, c.Quote) || c.Statement != c.Quote || said[c.Quote] {
			t.Errorf("claim %+v is not a sentence of passage 2, or stands twice", c)
		}
		said[c.Quote] = true
		n[c.Facet]++
	}
	if !said["The tower was built in 1874."] || !said["Its engineer was Agnes Calder."] || said["Gulls nest there."] || n["f1"] > perPassage {
		t.Errorf("claims %+v", a.Claims)
	}
	if a.Claims[0].Quote != "The tower was built in 1874." && a.Claims[0].Quote != "Its engineer was Agnes Calder." {
		t.Errorf("the first claim is %q", a.Claims[0].Quote)
	}
	// A stem without a weight counts one.
	in.Weights = nil
	ask(t, research.Reader, in, &a)
	if len(a.Claims) == 0 {
		t.Error("nothing is read without weights")
	}
	var none research.ReaderAnswer
	if text := ask(t, research.Reader, research.ReaderInput{Lang: "en", Facets: facets}, &none); text != `{"claims":[]}` {
		t.Errorf("no passages give %s", text)
	}
}

func TestReaderChinese(t *testing.T) {
	f := []research.Facet{{ID: "f1", Text: "灯塔建于哪一年", Terms: []string{"灯塔", "建于"}}}
	var a research.ReaderAnswer
	ask(t, research.Reader, research.ReaderInput{Lang: "zh", Facets: f, Passages: []research.Passage{{Text: "灯塔建于1874年。海鸥很多。"}}}, &a)
	if len(a.Claims) != 1 || a.Claims[0].Quote != "灯塔建于1874年。" {
		t.Errorf("claims %+v", a.Claims)
	}
}

func TestWriter(t *testing.T) {
	in := research.WriterInput{Lang: "en", Facet: facets[0], Findings: []research.WriterFinding{{Index: 1, Text: "The tower was built in 1874."}, {Index: 2, Text: "It leans."}}}
	var a research.WriterAnswer
	ask(t, research.FindingsWriter, in, &a)
	if len(a.Sentences) != 2 {
		t.Fatalf("sentences %+v", a.Sentences)
	}
	for i, s := range a.Sentences {
		if s.Text != in.Findings[i].Text || len(s.Refs) != 1 || s.Refs[0] != i+1 {
			t.Errorf("sentence %d: %+v", i, s)
		}
	}
}

func TestReasonerAndReviewer(t *testing.T) {
	var r research.ReasonerAnswer
	if text := ask(t, research.Reasoner, research.ReasonerInput{Understanding: u}, &r); text != `{"gaps":[]}` {
		t.Errorf("reasoner: %s", text)
	}
	var v research.LevelsAnswer
	if text := ask(t, research.LevelsWriter, research.LevelsInput{}, &v); text != `{"facts":[],"impact":[],"decisions":[],"plain":[]}` {
		t.Errorf("levels: %s", text)
	}
	var p research.ReviewerAnswer
	if text := ask(t, research.PeerReviewer, research.ReviewerInput{}, &p); text != `{"remarks":[]}` {
		t.Errorf("reviewer: %s", text)
	}
}

func TestDeterminism(t *testing.T) {
	in := research.ReaderInput{Lang: "en", Facets: facets, Weights: map[string]float64{"tower": 1, "built": 1, "engin": 1}, Passages: []research.Passage{{Text: passage}, {Text: passage}}}
	var a research.ReaderAnswer
	first := ask(t, research.Reader, in, &a)
	for range 20 {
		if again := ask(t, research.Reader, in, &a); again != first {
			t.Fatalf("the same passages are read otherwise:\n%s\n%s", first, again)
		}
	}
}

func TestRefusals(t *testing.T) {
	if _, err := (Model{}).Chat(context.Background(), research.Call{Role: research.Builder}); err == nil || !strings.Contains(err.Error(), "builder") {
		t.Errorf("a call without an input: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Model{}).Chat(ctx, research.Call{Role: research.Analyst, Input: research.AnalystInput{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	if _, err := (Model{}).Embed(context.Background(), []string{"a"}); err == nil {
		t.Error("Embed gives vectors")
	}
	if l := (Model{}).Limits(); l.Name != Name || l.NumCtx != 0 || l.Embeds {
		t.Errorf("limits %+v", l)
	}
}
