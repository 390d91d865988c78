package engine

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/checks"
	"assay/engine/audit"
	"assay/engine/extractive"
	"assay/engine/research"
)

// dredging is a contested question with documents on both sides.
const dredging = "Should the harbour of Veldt be dredged?"

var dredgingPages = map[string]string{
	"pilots/depth.md": "# Depth\n\nBy the pilots of Veldt\n\nA dredged harbour is safer for large ships, because the channel at the bar is shallow at low water.\n\n" +
		"The harbour of Veldt would gain trade if it were dredged, as larger ships bring more timber.\n",
	"oysters/beds.md": "# Oyster beds\n\nBy the oyster growers of Veldt\n\nDredging the harbour harms the oyster beds, which lie beside the channel at the bar.\n\n" +
		"The harbour board cannot pay: to have the harbour dredged is expensive, and the timber trade has been lost to the railway.\n",
}

func TestContestedRun(t *testing.T) {
	d, _, rec := digestOf(t, overPages(t, dredging, dredgingPages))
	if d.Shape != research.ShapeDebate || d.Argument == nil || d.Debate != nil {
		t.Fatalf("shape %s, argument %v, debate %v", d.Shape, d.Argument, d.Debate)
	}
	a := d.Argument
	if len(a.Points) == 0 || a.By != extractiveName {
		t.Fatalf("points %+v by %s", a.Points, a.By)
	}
	answered := 0
	for _, p := range a.Points {
		if !strings.Contains(d.Steelman, plainText(p.Text)) {
			t.Errorf("the steelman does not hold %q:\n%s", p.Text, d.Steelman)
		}
		if len(p.Answers) > 0 {
			answered++
		}
		for _, x := range p.Answers {
			if slices.ContainsFunc(x.Findings, func(id string) bool { return slices.Contains(p.Findings, id) }) {
				t.Errorf("%q answers itself", x.Text)
			}
			if !strings.Contains(d.Counter, plainText(x.Text)) {
				t.Errorf("the counter does not hold %q", x.Text)
			}
		}
	}
	if answered == 0 {
		t.Errorf("nothing is answered:\n%s\n%s", d.Steelman, d.Counter)
	}
	if strings.Contains(d.Steelman, "harms") || strings.Contains(d.Counter, "is safer") {
		t.Errorf("the sides are mixed up:\n%s\n%s", d.Steelman, d.Counter)
	}
	if g := gateOf(t, d, "argument"); g.State != research.GatePass {
		t.Errorf("gate %+v", g)
	}
	if !audited(t, d, rec) {
		t.Error("the record does not hold")
	}
	for what, spoil := range map[string]func(*research.Digest){
		"a key of nobody":     func(d *research.Digest) { d.Steelman += " [9]" },
		"a finding of nobody": func(d *research.Digest) { d.Argument.Points[0].Findings = []string{"fx"} },
	} {
		b, _ := json.Marshal(d)
		var other research.Digest
		if err := json.Unmarshal(b, &other); err != nil {
			t.Fatal(err)
		}
		spoil(&other)
		if r := audit.Check(recordOf(t, rec, other)); !slices.ContainsFunc(r.Faults, func(f audit.Fault) bool {
			return strings.HasPrefix(f.Where, "point 1") || f.Where == "steelman"
		}) {
			t.Errorf("%s: the audit says %v", what, r.Faults)
		}
	}
	// A survey of the same has one section instead.
	c := overPages(t, dredging, dredgingPages)
	c.Request.Shape = research.ShapeSurvey
	s, _, _ := digestOf(t, c)
	if s.Argument != nil || s.Steelman+s.Counter != "" || s.Debate == nil || len(s.Debate.For) == 0 || len(s.Debate.Against) == 0 || gateOf(t, s, "argument").State != research.GatePass {
		t.Errorf("a survey: argument %v, debate %+v", s.Argument, s.Debate)
	}
}

// TestUnanswered: a point that nothing takes up is told so.
func TestUnanswered(t *testing.T) {
	d, _, _ := digestOf(t, overPages(t, dredging, map[string]string{"pilots/depth.md": dredgingPages["pilots/depth.md"]}))
	if d.Argument == nil || len(d.Argument.Points) == 0 || !strings.Contains(d.Counter, "Point 1 stands unanswered") || !strings.Contains(d.Argument.Note, "speaks against") {
		t.Errorf("%+v\n%s", d.Argument, d.Counter)
	}
	if g := gateOf(t, d, "argument"); g.State != research.GatePass {
		t.Errorf("told as it is: %+v", g)
	}
}

// arguer answers as the extractive channel does, under a name of its own, and argues by script.
type arguer struct {
	extractive.Model
	say func(prompt string) research.ArguerAnswer
}

func (arguer) Limits() research.Limits {
	return research.Limits{Name: "ollama:arguer", NumCtx: 8192, TokensPerByte: 0.3}
}

func (m arguer) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	a, err := m.Model.Chat(ctx, c)
	if c.Role == research.Builder {
		b, _ := json.Marshal(m.say(c.Prompt))
		a.Text = string(b)
	}
	a.By = "ollama:arguer"
	return a, err
}

func TestArgumentOfAModel(t *testing.T) {
	number := func(prompt, words string) int {
		for _, l := range strings.Split(prompt, "\n") {
			if m := regexp.MustCompile(`^\[(\d+)\]`).FindStringSubmatch(l); m != nil && strings.Contains(l, words) {
				n := 0
				for _, r := range m[1] {
					n = n*10 + int(r-'0')
				}
				return n
			}
		}
		return 0
	}
	for _, tc := range []struct {
		name     string
		say      func(prompt string) research.ArguerAnswer
		by       string
		has, not string
	}{
		{"what holds is printed, point by point", func(p string) research.ArguerAnswer {
			return research.ArguerAnswer{
				Steelman: []research.WrittenSentence{{Text: "A dredged harbour is safer for large ships.", Refs: []int{number(p, "safer")}}},
				Counter:  []research.WrittenAnswer{{Text: "Dredging harms the oyster beds beside the channel at the bar.", Refs: []int{number(p, "oyster beds")}, Answers: 1}},
			}
		}, "ollama:arguer", "1. To point 1: Dredging harms the oyster beds beside the channel at the bar.", "unanswered"},
		{"a point of the other side is no point", func(p string) research.ArguerAnswer {
			return research.ArguerAnswer{Steelman: []research.WrittenSentence{{Text: "Dredging harms the oyster beds.", Refs: []int{number(p, "oyster beds")}}}, Counter: []research.WrittenAnswer{}}
		}, extractiveName, "", "1. Dredging harms"},
		{"what no finding holds is no point", func(p string) research.ArguerAnswer {
			return research.ArguerAnswer{Steelman: []research.WrittenSentence{{Text: "Dredging would bring 400 jobs to Veldt in 1950.", Refs: []int{number(p, "safer")}}}, Counter: []research.WrittenAnswer{}}
		}, extractiveName, "", "400 jobs"},
		{"an injected mark is words alone", func(p string) research.ArguerAnswer {
			return research.ArguerAnswer{Steelman: []research.WrittenSentence{{Text: "A dredged harbour is safer for large ships.<img src=x onerror=alert(1)>", Refs: []int{number(p, "safer")}}}, Counter: []research.WrittenAnswer{}}
		}, "ollama:arguer", "", "onerror"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := overPages(t, dredging, dredgingPages)
			c.Model = arguer{say: tc.say}
			d, _, _ := digestOf(t, c)
			if d.Argument == nil || d.Argument.By != tc.by {
				t.Fatalf("argument %+v, want by %s", d.Argument, tc.by)
			}
			both := d.Steelman + "\n" + d.Counter
			if !strings.Contains(both, tc.has) || strings.Contains(both, tc.not) {
				t.Errorf("want %q, not %q:\n%s", tc.has, tc.not, both)
			}
			if g := gateOf(t, d, "argument"); g.State != research.GatePass {
				t.Errorf("gate %+v", g)
			}
		})
	}
}

func gateOf(t *testing.T, d research.Digest, name string) research.Gate {
	t.Helper()
	for _, g := range d.Gates {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("no gate %s among %v of %v", name, d.Gates, checks.GateNames())
	return research.Gate{}
}
