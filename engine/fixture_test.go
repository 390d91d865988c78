package engine

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/checks"
	"assay/engine/extractive"
	"assay/engine/library"
	"assay/engine/research"
	"assay/engine/store"
)

// The question of most tests has three parts; two documents contradict each other on the last of them.
const lighthouse = "When was the Skerry Point lighthouse built, who was its engineer, and how high is the tower?"

const testClock = "2026-01-01T00:00:00Z"

// shelves are the folders under testdata/library: two voices in English, one in Chinese.
var shelves = []string{"harbour-office", "keepers-guild", "dengta"}

// opened is the library of the tests, ingested once.
var opened = sync.OnceValues(func() (*memo, error) {
	lib, err := library.Open(filepath.Join(testHome, "library"), library.Options{Workers: 2})
	if err != nil {
		return nil, err
	}
	for _, f := range shelves {
		if _, err := lib.Add(context.Background(), filepath.Join("testdata", "library", f)); err != nil {
			return nil, err
		}
	}
	scope, err := lib.Within()
	if err != nil {
		return nil, err
	}
	return &memo{scope: scope, hits: map[string][]research.Hit{}, docs: map[string]research.Document{}}, nil
})

// memo remembers what the library answered, so that a test of a hundred runs asks the index once.
type memo struct {
	scope *library.Scope
	mu    sync.Mutex
	hits  map[string][]research.Hit
	docs  map[string]research.Document
}

func (m *memo) Name() string { return m.scope.Name() }

func (m *memo) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	b, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.hits[string(b)]; ok {
		return h, nil
	}
	h, err := m.scope.Search(ctx, q)
	if err == nil {
		m.hits[string(b)] = h
	}
	return h, err
}

func (m *memo) Read(ctx context.Context, location string) (research.Document, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d, ok := m.docs[location]; ok {
		return d, nil
	}
	d, err := m.scope.Read(ctx, location)
	if err == nil {
		m.docs[location] = d
	}
	return d, err
}

func testLibrary(t testing.TB) *memo {
	t.Helper()
	m, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// request asks a question of the closed library.
func request(question string) research.Request {
	return research.Request{
		Question: question, Libraries: []string{"/library"}, Shape: research.ShapeAuto, Depth: research.Quick, Lang: "auto",
		Model: extractive.Name, Egress: research.Closed, Now: testClock, Seed: 7,
	}
}

// config answers a question with the extractive channel over the library of the tests.
func config(t testing.TB, question string) Config {
	m := testLibrary(t)
	return Config{
		Request: request(question), Model: extractive.Model{}, ModelWhy: "The test asked for it.", Providers: []Provider{m}, Reader: m,
		Fallback: extractive.Model{}, Code: "test",
	}
}

// digestOf runs a config over a fresh record and returns the digest, its JSON and the record. An error fails the test.
func digestOf(t *testing.T, c Config) (research.Digest, string, *store.Memory) {
	t.Helper()
	rec := store.NewMemory(c.Request, c.Code)
	d, err := (&Engine{c}).Run(context.Background(), rec)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	untold(t, d, rec)
	return d, asJSON(t, d), rec
}

// untold: of every delivered run, the whole bank over the stored record finds nothing that blocks and that the report does not tell.
func untold(t *testing.T, d research.Digest, rec *store.Memory) {
	t.Helper()
	run := rec.Run()
	run.Digest = &d
	v, err := checks.ViewOf(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range checks.Evaluate(v, checks.Options{}) {
		name := checks.Lookup(f.Check).String()
		if f.Blocks() && !slices.ContainsFunc(d.Issues, func(i research.Issue) bool { return strings.HasPrefix(i.Text, name) }) {
			t.Errorf("%s at %s blocks a delivered report that does not tell it: %v", name, f.Key, f.Hits)
		}
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// printed is every sentence of the findings of a report.
func printed(d research.Digest) string {
	var out []string
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			out = append(out, f.Text)
		}
	}
	return strings.Join(out, "\n")
}

// firstDiff shows where two texts part.
func firstDiff(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "line " + itoa(i+1) + ": " + as[i] + " | " + bs[i]
		}
	}
	return "one is longer than the other"
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }
