package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// calledOnce is a scripted model that lists its calls, and which of them it was sent unchanged a second time.
type calledOnce struct {
	scripted
	reason string // how its answers end; empty: stop

	mu    sync.Mutex
	sent  []research.Call
	again []string
}

func (m *calledOnce) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	key, err := research.EffectKey(research.EventModel, c)
	if err != nil {
		return research.Answer{}, err
	}
	m.mu.Lock()
	for _, o := range m.sent {
		if k, err := research.EffectKey(research.EventModel, o); err == nil && k == key {
			m.again = append(m.again, key)
		}
	}
	m.sent = append(m.sent, c)
	m.mu.Unlock()
	a, err := m.scripted.Chat(ctx, c)
	if m.reason != "" {
		a.DoneReason = m.reason
	}
	return a, err
}

func (m *calledOnce) of(role research.Role) (n int) {
	for _, c := range m.sent {
		if c.Role == role {
			n++
		}
	}
	return n
}

// firstPlan is the first plan of a record.
func firstPlan(t *testing.T, rec *store.Memory) planned {
	t.Helper()
	for _, e := range rec.Run().Events {
		if e.Kind == research.EventStage+"plan" {
			var p planned
			if err := json.Unmarshal(e.Payload, &p); err != nil {
				t.Fatal(err)
			}
			return p
		}
	}
	t.Fatal("the record has no plan")
	return planned{}
}

// TestAcceptance holds public reports on what becomes of a run whose model answers badly. What one answer is made into stands in
// package answer under the same numbers.
func TestAcceptance(t *testing.T) {
	c := config(t, lighthouse)
	_, _, rec := digestOf(t, c)
	own := firstPlan(t, rec) // without a model
	for _, tc := range []struct {
		name, text, reason string
	}{
		{"ACCEPTANCE 37: valid JSON with other keys", `{"Ollama简介":"…"}`, ""},
		{"ACCEPTANCE 42: another key than asked", `{"search":"x"}`, ""},
		{"ACCEPTANCE 44: nothing, and the server says stop", "", ""},
		{"ACCEPTANCE 51: nothing, and the server says length", "", "length"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, lighthouse)
			m := &calledOnce{reason: tc.reason}
			m.answer = func(research.Call, int, string) (string, error) { return tc.text, nil }
			c.Model = m
			d, _, rec := digestOf(t, c)
			if got := firstPlan(t, rec); asJSON(t, got.Plan) != asJSON(t, own.Plan) || len(got.Plan.Tasks) == 0 {
				t.Errorf("the plan is not the one that is made without a model: %s", firstDiff(asJSON(t, own.Plan), asJSON(t, got.Plan)))
			}
			if n := m.of(research.Planner); n != 2 {
				t.Errorf("the planner was asked %d times, want twice", n)
			}
			if len(m.again) > 0 {
				t.Errorf("%d of %d calls were sent again unchanged", len(m.again), len(m.sent))
			}
			if !strings.Contains(printed(d), "built in 1874") || d.Model.Note == "Every sentence of the model was held against its passages." {
				t.Errorf("the report lost what the pages say, or does not say what became of the model: %q", d.Model.Note)
			}
		})
	}
	t.Run("ACCEPTANCE 46: a fence that is not closed in the last section", lastSectionCut)
	t.Run("ACCEPTANCE 47: a prompt that the server cut", promptCut)
	t.Run("ACCEPTANCE 52: two small passages and a big one", smallOnesSurvive)
	t.Run("ACCEPTANCE 54: one page of 1.2 MB", bigPage)
	t.Run("ACCEPTANCE 82: an error near the end", errorNearTheEnd)
}

// lastSectionCut: what the writer of one part says breaks off each time; the other parts keep its words, and that part gets those of its
// findings.
func lastSectionCut(t *testing.T) {
	c := config(t, lighthouse)
	m := &calledOnce{}
	m.answer = func(c research.Call, _ int, good string) (string, error) {
		in, ok := c.Input.(research.WriterInput)
		if !ok {
			return good, nil
		}
		if in.Facet.ID != "f3" {
			var a research.WriterAnswer
			if err := json.Unmarshal([]byte(good), &a); err != nil {
				return "", err
			}
			for i := range a.Sentences { // words of its own, that stand in the passages
				a.Sentences[i].Text = strings.TrimSuffix(a.Sentences[i].Text, ".") + " indeed."
			}
			b, err := json.Marshal(a)
			return string(b), err
		}
		return "```json\n{\"sentences\":[{\"text\":\"The tower", nil
	}
	c.Model = m
	d, _, _ := digestOf(t, c)
	by := map[string][]research.DigestFinding{}
	for _, s := range d.Sections {
		by[s.ID] = s.Findings
	}
	if len(by["f3"]) == 0 || len(by["f1"]) == 0 || !strings.Contains(by["f1"][0].Text, "indeed") {
		t.Errorf("the sections are %s", printed(d))
	}
	if !d.Model.Salvaged {
		t.Errorf("the report does not say that a part was put together without the model: %q", d.Model.Note)
	}
	if n := m.of(research.FindingsWriter); len(m.again) > 0 || n > 6 {
		t.Errorf("the writers were asked %d times, %d of them unchanged", n, len(m.again))
	}
}

// promptCut: a server that read less than it was sent gave no answer: the passages are read without it, and record and report say so.
func promptCut(t *testing.T) {
	c := config(t, lighthouse)
	m := &calledOnce{}
	m.answer = func(c research.Call, _ int, good string) (string, error) {
		if c.Role == research.Reader {
			return "", fmt.Errorf("server read 2050 tokens of a prompt: %w", research.ErrTruncated)
		}
		return good, nil
	}
	c.Model = m
	d, _, rec := digestOf(t, c)
	marked := 0
	for _, e := range rec.Run().Events {
		var a research.Answer
		if e.Kind == research.EventModel && json.Unmarshal(e.Payload, &a) == nil && strings.Contains(a.Fault, "2050 tokens") {
			marked++
		}
	}
	if want := m.of(research.Reader); marked != want || want == 0 {
		t.Errorf("%d of %d cut calls are marked in the record", marked, want)
	}
	if d.Model.Answered[extractiveName] != marked || !strings.Contains(printed(d), "built in 1874") || !strings.Contains(d.Model.Note, fmt.Sprint(marked)) {
		t.Errorf("the report says %q of %v", d.Model.Note, d.Model.Answered)
	}
	if len(m.again) > 0 {
		t.Errorf("%d calls were sent again unchanged", len(m.again))
	}
}

// smallOnesSurvive: what fits a window is read together, what does not is read alone, and nothing is dropped.
func smallOnesSurvive(t *testing.T) {
	ps := []research.Passage{{Text: "small one"}, {Text: "small two"}, {Text: strings.Repeat("word ", 5000)}, {Text: "small three"}}
	lim := research.Limits{NumCtx: budgets[research.Reader] + 900, TokensPerByte: 0.3}
	var got []int
	for _, g := range fit(ps, lim) {
		got = append(got, len(g))
	}
	if !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("windows of %v passages, want 2, 1, 1", got)
	}
	var blocks []research.Block
	for _, p := range ps {
		blocks = append(blocks, research.Block{Text: p.Text})
	}
	if in := printedFindings(blocks, research.Limits{NumCtx: budgets[research.LevelsWriter] + 1000, TokensPerByte: 0.3}); len(in) != 2 {
		t.Errorf("the levels' writer sees %d findings, want the two small ones", len(in))
	}
}

// bigPage: no prompt is longer than the window, and the run ends with what the other pages say.
func bigPage(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 1_200_000; i++ {
		fmt.Fprintf(&b, "Entry %d of the log of the lighthouse tells of the weather, of the tower and of the engineer who came to see it.\n\n", i)
	}
	c := config(t, lighthouse)
	lib := testLibrary(t)
	pages := shelfOf{"log/log.txt": pageOf(t, "log/log.txt", b.String())}
	hits, err := lib.Search(t.Context(), research.Query{Text: lighthouse, Lang: "en", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		if pages[h.Location], err = lib.Read(t.Context(), h.Location); err != nil {
			t.Fatal(err)
		}
	}
	m := &calledOnce{}
	c.Model, c.Providers, c.Reader = m, []Provider{pages}, pages
	d, _, _ := digestOf(t, c)
	lim := m.Limits()
	for _, k := range m.sent {
		if n := float64(len(k.Prompt)+len(k.System)) * lim.TokensPerByte; n+float64(k.Budget) > float64(lim.NumCtx) {
			t.Errorf("a prompt of the %s has %.0f tokens, of a window of %d", k.Role, n, lim.NumCtx)
		}
	}
	if !strings.Contains(printed(d), "1874") {
		t.Errorf("the report lost what the other pages say:\n%s", printed(d))
	}
}

// errorNearTheEnd: when the writers fail, the report is made of what was found; when the model is gone for good, nothing that was
// read is lost, and the run goes on without it.
func errorNearTheEnd(t *testing.T) {
	late := func(err error) func(research.Call, int, string) (string, error) {
		return func(c research.Call, _ int, good string) (string, error) {
			if c.Role == research.FindingsWriter || c.Role == research.PeerReviewer || c.Role == research.LevelsWriter {
				return "", err
			}
			return good, nil
		}
	}
	c := config(t, lighthouse)
	c.Model = &scripted{answer: late(research.ErrServer)}
	d, _, _ := digestOf(t, c)
	if d.Metrics.Findings == 0 || !strings.Contains(printed(d), "built in 1874") || d.Model.Answered[extractiveName] == 0 {
		t.Errorf("the research is lost: %s", d.Model.Note)
	}
	c.Model = &scripted{answer: late(research.ErrMissing)}
	rec := store.NewMemory(c.Request, c.Code)
	if _, err := (&Engine{c}).Run(context.Background(), rec); !errors.Is(err, ErrModelUnavailable) {
		t.Fatalf("Run = %v, want ErrModelUnavailable", err)
	}
	before := rec.Run().Events
	c.Model, c.Reader, c.Providers = extractive.Model{}, nil, nil // whatever was read must not be read again
	d, err := (&Engine{c}).Run(context.Background(), rec)
	if err != nil || !strings.Contains(printed(d), "built in 1874") {
		t.Fatalf("gone on with: %v\n%s", err, printed(d))
	}
	for _, e := range rec.Run().Events[len(before):] {
		if e.Kind == research.EventRead || e.Kind == research.EventSearch {
			t.Errorf("%s was done again", e.Kind)
		}
	}
}
