package worlds

import (
	"encoding/json"
	"slices"
	"testing"

	"assay/checks"
	"assay/engine/research"
)

// sample is one world of each language, at the two ends of paraphrase.
func sample() []World {
	return []World{Make("tidal", "en", 0, 0), Make("coffee", "en", 3, 1), Make("ferry", "zh", 1, 0), Make("bikes", "zh", 2, 0), Make("solar", "en", 1, 0), Make("dairy", "zh", 0, 0)}
}

func hash(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return research.SHA256(string(b))
}

// TestMake: a world is the same each time, its passages are the words of its pages, and nothing blocks it.
func TestMake(t *testing.T) {
	for _, w := range sample() {
		if hash(t, w.View) != hash(t, Make(w.Topic, w.Lang, w.Level, w.Variant).View) {
			t.Errorf("%s: made twice, it differs", w.ID())
		}
		for _, p := range w.View.Passages {
			s := w.source(p.Source)
			if body := w.View.Texts[s.SHA256]; body[p.Start:p.End] != p.Text {
				t.Errorf("%s: passage %q is not the text of %s there", w.ID(), p.Text, s.ID)
			}
		}
		for _, f := range checks.Evaluate(w.View, checks.Options{}) {
			if f.Blocks() {
				t.Errorf("%s: %s fires at %s: %s", w.ID(), f.Check, f.Key, f.Hits[0].What)
			}
		}
	}
	if n := len(Topics()); n != 26 || len(kitsZH)+len(freshZH) != n {
		t.Errorf("%d topics in English, %d in Chinese, want 26", n, len(kitsZH)+len(freshZH))
	}
}

// TestParts: both parts have topics, and no words of the phrase lists are in both.
func TestParts(t *testing.T) {
	n := map[Part]int{}
	for _, topic := range Topics() {
		n[PartOf(topic)]++
	}
	if n[Tuning] != 8 || n[Reporting] != 12 || n[Fresh] != 6 {
		t.Errorf("parts %v, want 8, 12 and 6", n)
	}
	a, b, c := World{Topic: "bikes"}, World{Topic: "tidal"}, World{Topic: "solar"}
	for _, list := range [][]string{plansEN, plansZH, residues, refusalsEN, refusalsZH, holdersEN, holdersZH, injections, callsEN, callsZH, fillersEN, fillersZH, machineEN, machineZH, deadPages, inventedEN, inventedZH, sinks, orders} {
		if len(c.half(list)) < 3 {
			t.Errorf("the fresh part has %d phrases in place of %q", len(c.half(list)), list[0])
		}
		for _, words := range append(a.half(list), c.half(list)...) {
			if slices.Contains(b.half(list), words) || slices.Contains(list, words) && slices.Contains(c.half(list), words) {
				t.Errorf("%q is in two parts", words)
			}
		}
	}
}

// TestOperators: each operator finds a place in some world, changes what it is given nothing of, does the same twice, and says
// what it did.
func TestOperators(t *testing.T) {
	list := sample()
	ids := map[string]bool{}
	for _, op := range Operators() {
		if ids[op.ID] || op.Name == "" || len(op.Targets) == 0 {
			t.Errorf("operator %q is there twice, or has no name or target", op.ID)
		}
		ids[op.ID] = true
		n := 0
		for _, w := range list {
			before := hash(t, w.View)
			m, ok := op.Apply(w, 0)
			if !ok {
				continue
			}
			n++
			again, _ := op.Apply(w, 0)
			switch {
			case hash(t, w.View) != before:
				t.Errorf("%s changes %s itself", op.ID, w.ID())
			case hash(t, m.View) == before:
				t.Errorf("%s leaves %s as it is (%s)", op.ID, w.ID(), m.Change)
			case hash(t, again.View) != hash(t, m.View):
				t.Errorf("%s on %s differs from time to time", op.ID, w.ID())
			case m.Change == "":
				t.Errorf("%s on %s does not say what it did", op.ID, w.ID())
			}
		}
		if n == 0 {
			t.Errorf("%s finds no place in %d worlds", op.ID, len(list))
		}
	}
}

// TestRewrites: each rewrite finds a place and changes something.
func TestRewrites(t *testing.T) {
	for _, c := range Rewrites() {
		n := 0
		for _, w := range sample() {
			if m, ok := c.Apply(w, 0); ok {
				n++
				if hash(t, m.View) == hash(t, w.View) {
					t.Errorf("%q leaves %s as it is", c.Name, w.ID())
				}
			}
		}
		if n == 0 {
			t.Errorf("%q finds no place", c.Name)
		}
	}
}

// TestEveryCheckHasAnOperator: a check of the bank without a defect that is made for it is measured by nothing.
func TestEveryCheckHasAnOperator(t *testing.T) {
	var targets []string
	for _, op := range Operators() {
		targets = append(targets, op.Targets...)
	}
	for _, c := range checks.Bank {
		if !slices.Contains(targets, c.Name) {
			t.Errorf("no operator is made for %s", c.Name)
		}
	}
}

// TestVerbatim makes a report of real sentences, on which nothing blocks.
func TestVerbatim(t *testing.T) {
	page := "The harbour was dredged to nine metres in the spring of 2021. Ships of up to 40,000 tonnes may enter it since then. The mayor said the work had been worth every coin."
	var pages []string
	for range 40 {
		pages = append(pages, page)
	}
	list := Verbatim(pages, "en")
	if len(list) != 1 || len(list[0].View.Draft.Sections) != 5 {
		t.Fatalf("%d reports", len(list))
	}
	for _, f := range checks.Evaluate(list[0].View, checks.Options{}) {
		if f.Blocks() {
			t.Errorf("%s fires at %s: %s", f.Check, f.Key, f.Hits[0].What)
		}
	}
}
