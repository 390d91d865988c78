package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/engine/research"
	"assay/engine/store"
	"assay/engine/text"
)

func twoParts() research.Understanding {
	q := "When was the tower built and who was its engineer?"
	return research.Understanding{
		Question: q, Lang: "en", Terms: text.Terms(q, "en"),
		Facets: []research.Facet{{ID: "f1", Text: "When was the tower built", Terms: []string{"tower", "built"}}, {ID: "f2", Text: "who was its engineer", Terms: []string{"engin"}}},
	}
}

func TestAcceptFacets(t *testing.T) {
	for _, tc := range []struct {
		name string
		said []string
		n    int
	}{
		{"in the question's words", []string{"When was the tower built", "who was the engineer of the tower", "was the tower built by an engineer"}, 3},
		{"loses a word of the question", []string{"When was the tower built"}, 0},
		{"of something else", []string{"When was the tower built", "who was its engineer", "what do gulls eat in winter"}, 0},
		{"strings for a search engine", []string{"tower built engineer overview", "engineer tower built command", "built engineer tower"}, 0},
		{"short headings", []string{"tower built", "its engineer", "engineer of the tower"}, 3},
		{"empty", []string{""}, 0}, {"none", nil, 0},
	} {
		if got := acceptFacets(tc.said, twoParts()); len(got) != tc.n {
			t.Errorf("%s: %d facets, want %d: %+v", tc.name, len(got), tc.n, got)
		}
	}
}

func TestAcceptHypotheses(t *testing.T) {
	h := func(st string) research.PlannedHypothesis {
		return research.PlannedHypothesis{Statement: st, WouldConfirm: "c", WouldRefute: "r", Test: "states", Facets: []string{"f9"}}
	}
	untestable := h("The tower was built in 1874")
	untestable.WouldRefute = " "
	got := acceptHypotheses([]research.PlannedHypothesis{
		h("The tower was built in 1874 by its engineer"), h("The tower was built in 1874 by its engineer"), h("Gulls eat fish in the winter storms of the bay"), h("tower"), h(""), untestable,
		h("The engineer of the tower was a builder of bridges"),
	}, twoParts(), "ollama:x")
	var st []string
	for _, k := range got {
		st = append(st, k.Statement)
		if k.Test != "" || k.Status != research.Unverified || len(k.Facets) == 0 || slices.Contains(k.Facets, "f9") {
			t.Errorf("a model's hypothesis kept what it may not say: %+v", k)
		}
	}
	if want := []string{"The tower was built in 1874 by its engineer", "The engineer of the tower was a builder of bridges"}; !slices.Equal(st, want) {
		t.Errorf("kept %q, want %q", st, want)
	}
}

func TestAcceptGap(t *testing.T) {
	u := twoParts()
	for _, tc := range []struct {
		name    string
		p       research.ProposedGap
		have    []research.Gap
		ok      bool
		queries []string
	}{
		{"on the question", research.ProposedGap{Name: "who built the tower", Reason: "no engineer", Facet: "f2", Queries: []string{"tower engineer secret password", "gulls"}}, nil, true, []string{"tower engineer"}},
		{"unknown facet", research.ProposedGap{Name: "who built the tower", Facet: "f7"}, nil, false, nil},
		{"off the question", research.ProposedGap{Name: "what gulls eat", Facet: "f1"}, nil, false, nil},
		{"a number of its own", research.ProposedGap{Name: "who built the tower", Reason: "it was built in 4711 by an engineer", Facet: "f2"}, nil, false, nil},
		{"a name of its own", research.ProposedGap{Name: "whether the engineer of the tower was Rupert Hallow", Facet: "f2"}, nil, false, nil},
		{"a number of the claims", research.ProposedGap{Name: "who built the tower in 1874", Facet: "f2"}, nil, true, nil},
		{"there already", research.ProposedGap{Name: "who built the tower", Facet: "f2"}, []research.Gap{{Facet: "f2", Importance: "high"}}, false, nil},
	} {
		g, ok := acceptGap(tc.p, u, u.Question+"\nThe tower was built in 1874.", tc.have)
		if ok != tc.ok || !slices.Equal(g.Queries, tc.queries) {
			t.Errorf("%s: %v %+v, want %v with %q", tc.name, ok, g, tc.ok, tc.queries)
		}
	}
}

func TestLocate(t *testing.T) {
	const passage = "The tower – “the old one” – was   built\nin 1874. It leans."
	for _, tc := range []struct {
		quote, want string
	}{
		{"built\nin 1874", "built\nin 1874"}, {"was built in 1874", "was   built\nin 1874"}, {"The TOWER - \"the old one\"", "The tower – “the old one"},
		{"built in 1875", ""}, {"leaning tower", ""}, {"", ""}, {"x", ""}, {"  It leans. ", "It leans."},
	} {
		start, end, ok := locate(passage, tc.quote)
		if ok != (tc.want != "") || passage[start:end] != tc.want {
			t.Errorf("locate(%q) = %q %v, want %q", tc.quote, passage[start:end], ok, tc.want)
		}
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("The tower was built in 1874.", "was  BUILT in")
	f.Add("灯塔建于1874年。", "建于1874")
	f.Add("\xff\xfea b", "a b")
	f.Fuzz(func(t *testing.T, passage, quote string) {
		start, end, ok := locate(passage, quote)
		if start < 0 || end < start || end > len(passage) || ok && start == end {
			t.Fatalf("locate(%q, %q) = %d %d %v", passage, quote, start, end, ok)
		}
	})
}

func TestUnlike(t *testing.T) {
	const passage = "The tower was built in 1874 by Agnes Calder. It is 38 metres high. The board of the harbour office did not approve the repainting of the old tower. Visitors grew from 12 to 15."
	for _, tc := range []struct{ name, statement, says string }{
		{"holds", "Agnes Calder built the tower in 1874.", ""},
		{"number", "The tower is 39 metres high.", "number"},
		{"date", "The tower was built in May 1874.", "date"},
		{"name", "The tower was built by Rupert Hallow.", "name"},
		{"opposite", "The board of the harbour office did approve the repainting of the old tower.", "opposite"},
		{"nothing", "It is.", "says nothing"},
		{"other words", "Gulls nest under roofs of the harbour every spring.", "words"},
	} {
		got := unlike(tc.statement, passage, "", "en")
		if (got == "") != (tc.says == "") || !strings.Contains(got, tc.says) {
			t.Errorf("%s: unlike = %q, want %q in it", tc.name, got, tc.says)
		}
	}
}

// TestOnceTogether: many goroutines that need the same step end with the same recorded value.
func TestOnceTogether(t *testing.T) {
	r := &run{record: store.NewMemory(request("q"), "test")}
	var wg sync.WaitGroup
	got := make([]int, 16)
	for i := range got {
		wg.Go(func() {
			v, err := once(context.Background(), r, "test", "same", func(context.Context, string) (int, error) { return i + 1, nil })
			if err != nil {
				t.Error(err)
			}
			got[i] = v
		})
	}
	wg.Wait()
	for _, v := range got {
		if v != got[0] || v == 0 {
			t.Fatalf("one step has several results: %v", got)
		}
	}
}

// TestOnceKeepsNoFailure: what failed or was cancelled is done again.
func TestOnceKeepsNoFailure(t *testing.T) {
	r := &run{record: store.NewMemory(request("q"), "test")}
	broke := errors.New("broke")
	if _, err := once(context.Background(), r, "test", 1, func(context.Context, int) (int, error) { return 0, broke }); !errors.Is(err, broke) {
		t.Errorf("once: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := once(ctx, r, "test", 1, func(context.Context, int) (int, error) { cancel(); return 1, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("once: %v", err)
	}
	if v, err := once(context.Background(), r, "test", 1, func(context.Context, int) (int, error) { return 2, nil }); v != 2 || err != nil {
		t.Errorf("once = %d, %v", v, err)
	}
	if v, _ := once(context.Background(), r, "test", 1, func(context.Context, int) (int, error) { return 3, nil }); v != 2 {
		t.Errorf("a recorded step was done again: %d", v)
	}
}

// TestApprove: the person may strike a search from the plan, or stop.
func TestApprove(t *testing.T) {
	c := config(t, lighthouse)
	c.Approve = func(_ context.Context, _ research.Understanding, hs []research.Hypothesis, p research.Plan) (research.Plan, []research.Hypothesis, error) {
		p.Tasks = p.Tasks[:1]
		return p, hs[:1], nil
	}
	d, _, rec := digestOf(t, c)
	if len(d.Hypotheses) != 1 {
		t.Errorf("%d hypotheses, want the one that was left", len(d.Hypotheses))
	}
	searches := func(rec *store.Memory) (n int) {
		for _, ev := range rec.Run().Events {
			n += count(ev.Kind == research.EventSearch)
		}
		return n
	}
	if _, _, whole := digestOf(t, config(t, lighthouse)); searches(rec) >= searches(whole) {
		t.Errorf("%d searches with a shorter plan, %d with the whole", searches(rec), searches(whole))
	}
	stop := errors.New("no, thank you")
	c.Approve = func(context.Context, research.Understanding, []research.Hypothesis, research.Plan) (research.Plan, []research.Hypothesis, error) {
		return research.Plan{}, nil, stop
	}
	if _, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code)); !errors.Is(err, stop) || !strings.HasPrefix(err.Error(), "plan: ") {
		t.Errorf("Run: %v, want the refusal with its stage", err)
	}
}

// TestWatch: who watches sees every event of the record, after it is recorded.
func TestWatch(t *testing.T) {
	c := config(t, lighthouse)
	var mu sync.Mutex
	seen := map[int64]bool{}
	c.Watch = func(ev research.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[ev.Seq] = true
	}
	_, _, rec := digestOf(t, c)
	for i, ev := range rec.Run().Events {
		if ev.Seq != int64(i+1) || !seen[ev.Seq] {
			t.Errorf("event %d (%s) was not shown", ev.Seq, ev.Kind)
		}
	}
}
