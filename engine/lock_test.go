package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// pagesOf is a provider and a reader of a few pages by location.
type pagesOf map[string]string

func (p pagesOf) Name() string { return "pages" }

func (p pagesOf) Search(context.Context, research.Query) ([]research.Hit, error) {
	var out []research.Hit
	for _, at := range []string{"town/one.html", "town/two.html", "league/table.html"} {
		out = append(out, research.Hit{Location: at, Title: at})
	}
	return out, nil
}

func (p pagesOf) Read(_ context.Context, at string) (research.Document, error) {
	s := p[at]
	return research.Document{
		Location: at, Title: strings.SplitN(s, "\n", 2)[0], Text: s, Lang: "en", MediaType: "text/html", SHA256: research.SHA256(s), Publisher: strings.SplitN(at, "/", 2)[0],
		Published: "2025-01-01",
	}, nil
}

// kelso are pages in which Kelso is a town, and one in which it is a team.
var kelso = pagesOf{
	"town/one.html": "The town by the river\nIn Kelso, Ohio, live 4,312 people by the count of the year 2020. The population of the town of Kelso grew by a tenth. The council of the village met in Kelso.",
	"town/two.html": "The census\nThe census found 4,312 people in Kelso. People of the county live from the mill near Kelso, and the road through Kelso leads to the river.",
	"league/table.html": "Standings\nStandings of the football league after the matches of Saturday:\nAlva 20 9 7 4 29 21 34\nKelso 20 7 7 6 18 18 28\n" +
		"Dunmore 21 7 6 8 28 22 27\nThe midfielder scored and people cheered. Their live show of goals beat Kelso 3 in the cup.",
}

// embedder is the extractive channel with vectors: one number for each of a few words.
type embedder struct {
	extractive.Model
	fault error

	mu    sync.Mutex
	asked [][]string
}

func (e *embedder) Limits() research.Limits {
	l := e.Model.Limits()
	l.Embeds = true
	return l
}

func (e *embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, texts)
	if e.fault != nil {
		return nil, e.fault
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{0.1}
		for _, w := range []string{"people", "Kelso", "live", "league"} {
			out[i] = append(out[i], float32(strings.Count(t, w)))
		}
	}
	return out, nil
}

func kelsoConfig(m Model) Config {
	return Config{
		Request: request("How many people live in Kelso?"), Model: m, ModelWhy: "The test asked for it.", Providers: []Provider{kelso}, Reader: kelso,
		Fallback: extractive.Model{}, Code: "test",
	}
}

// A page in which the name of the question means a team is kept out, and its figures are not claimed of the town.
func TestSameNameKeptApart(t *testing.T) {
	d, _, rec := digestOf(t, kelsoConfig(extractive.Model{}))
	events, err := rec.Events(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]research.Source{}
	for _, e := range events {
		var s research.Source
		if e.Kind == research.EventSource && json.Unmarshal(e.Payload, &s) == nil {
			verdicts[s.Location] = s
		}
	}
	team := verdicts["league/table.html"]
	if team.Verdict != research.RejectOffSubject || !strings.Contains(team.Note, "means another Kelso") {
		t.Errorf("the page of the team: %s, %q", team.Verdict, team.Note)
	}
	for _, at := range []string{"town/one.html", "town/two.html"} {
		if s := verdicts[at]; s.Verdict != research.Verified {
			t.Errorf("%s: %s, %q", at, s.Verdict, s.Note)
		}
	}
	if said := printed(d); !strings.Contains(said, "4,312") || strings.Contains(said, "Dunmore") {
		t.Errorf("findings: %s", said)
	}
}

// The vectors are asked for once in the life of a run: one that is resumed takes them from the record and says the same.
func TestVectorsAreRecorded(t *testing.T) {
	m := &embedder{}
	c := kelsoConfig(m)
	d, first, rec := digestOf(t, c)
	if len(m.asked) == 0 || m.asked[0][0] != c.Request.Question {
		t.Fatalf("asked for vectors of %q", m.asked)
	}
	n := len(m.asked)
	again, err := (&Engine{c}).Run(context.Background(), rec)
	if err != nil || asJSON(t, again) != first || len(m.asked) != n {
		t.Errorf("again: %v, asked %d times more; %s", err, len(m.asked)-n, firstDiff(first, asJSON(t, again)))
	}
	plain, _, _ := digestOf(t, kelsoConfig(extractive.Model{}))
	if len(plain.Sources) != len(d.Sources) {
		t.Errorf("%d sources with vectors, %d without", len(d.Sources), len(plain.Sources))
	}
}

// A model that gives no vectors after all costs a note and nothing else.
func TestVectorsThatFail(t *testing.T) {
	m := &embedder{fault: errors.New("no such model")}
	c := kelsoConfig(m)
	rec := store.NewMemory(c.Request, c.Code)
	if _, err := (&Engine{c}).Run(context.Background(), rec); err != nil {
		t.Fatal(err)
	}
	events, err := rec.Events(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	said := false
	for _, e := range events {
		said = said || strings.Contains(string(e.Payload), "gave no vectors: no such model")
	}
	if !said {
		t.Error("nothing in the record says that there were no vectors")
	}
}
