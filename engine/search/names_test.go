package search

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// registerAt is a register against a server that answers the two requests, and the queries that it got.
func registerAt(t *testing.T, status int, searched, entities string) (*Register, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Query().Get("action")+" "+r.URL.Query().Get("search")+r.URL.Query().Get("ids"))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if r.URL.Query().Get("action") == "wbsearchentities" {
			_, _ = w.Write([]byte(searched))
			return
		}
		if got := r.URL.Query().Get("props"); got != "labels|aliases|descriptions" {
			t.Errorf("props %q", got)
		}
		_, _ = w.Write([]byte(entities))
	}))
	t.Cleanup(s.Close)
	p, err := NewWikidata(Config{Client: s.Client(), Base: s.URL + "/w/api.php", Clock: newClock()})
	if err != nil {
		t.Fatal(err)
	}
	r, ok := NewRegister(p)
	if !ok {
		t.Fatal("Wikidata is no register")
	}
	return r, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(asked) }
}

const searchedOne = `{"search":[{"id":"Q7593","label":"Debian"}],"success":1}`

func TestNames(t *testing.T) {
	searched := searchedOne
	if b, err := os.ReadFile("../../../shared/data/providers/wikidata_search.json"); err == nil { // as it was recorded
		var rec struct{ Body json.RawMessage }
		if err := json.Unmarshal(b, &rec); err != nil {
			t.Fatal(err)
		}
		searched = string(rec.Body)
	}
	r, asked := registerAt(t, 200, searched, `{"entities":{"Q7593":{"type":"item","id":"Q7593",
		"labels":{"en":{"language":"en","value":"Debian"},"de":{"language":"de","value":"Debian DE"}},
		"descriptions":{"en":{"language":"en","value":"Linux distribution"}},
		"aliases":{"en":[{"language":"en","value":"Debian GNU/Linux"}],"zh":[{"language":"zh","value":"大便"},{"language":"zh","value":"蝶变"}]}}},"success":1}`)
	l := r.Names(t.Context(), "Debian", "en")
	if l.Fault != "" || len(l.Entries) != 1 {
		t.Fatalf("%+v", l)
	}
	e := l.Entries[0]
	if e.ID != "Q7593" || len(e.Labels) != 1 || e.Labels["en"] != "Debian" || e.Descriptions["en"] != "Linux distribution" || strings.Join(e.Aliases, ",") != "Debian GNU/Linux,大便,蝶变" {
		t.Errorf("%+v", e)
	}
	if got := asked(); !slices.Equal(got, []string{"wbsearchentities Debian", "wbgetentities Q7593"}) {
		t.Errorf("asked %q", got)
	}
}

// TestNamesHostile: what is no name is left out, and the rest is bounded.
func TestNamesHostile(t *testing.T) {
	var many []string
	for i := range 500 {
		many = append(many, `{"value":"Name `+strings.Repeat("i", i%40+1)+`"}`)
	}
	r, _ := registerAt(t, 200, searchedOne, `{"entities":{"Q7593":{"id":"Q7593",
		"labels":{"en":{"value":"`+strings.Repeat("Long ", 100)+`"},"zh":{"value":"德\u202e班"}},
		"descriptions":{"en":{"value":"a\u0007 town\nof `+strings.Repeat("words ", 400)+`"}},
		"aliases":{"en":[{"value":"<b>Bold</b>"},{"value":"Bell\u0007s"},{"value":"[[Link]]"},{"value":"https://evil.example/"},{"value":"1984"},{"value":" "},{"value":"\u200b"},`+strings.Join(many, ",")+`]}}}}`)
	l := r.Names(t.Context(), "Debian", "en")
	if l.Fault != "" || len(l.Entries) != 1 {
		t.Fatalf("%+v", l)
	}
	e := l.Entries[0]
	if len(e.Labels) != 0 || len(e.Aliases) == 0 || len(e.Aliases) > maxNames || len([]rune(e.Descriptions["en"])) > maxDescription || strings.ContainsAny(e.Descriptions["en"], "\n\a") {
		t.Errorf("%+v", e)
	}
	for _, a := range e.Aliases {
		if !strings.HasPrefix(a, "Name i") {
			t.Errorf("alias %q", a)
		}
	}
}

func TestNamesFailOpen(t *testing.T) {
	for _, tc := range []struct {
		name               string
		status             int
		searched, entities string
		fault              string
		asked              int
	}{
		{"nothing is called so", 200, `{"search":[],"success":1}`, "", "", 1},
		{"the entity is gone", 200, searchedOne, `{"entities":{"Q7593":{"id":"Q7593","missing":""}}}`, "", 2},
		{"it is another's number", 200, searchedOne, `{"entities":{"Q7593":{"id":"Q1"},"Q9":{"id":"Q9"}}}`, "", 2},
		{"empty maps are lists", 200, searchedOne, `{"entities":{"Q7593":{"id":"Q7593","labels":[],"aliases":[],"descriptions":[]}}}`, "", 2},
		{"another form", 200, searchedOne, `{"entities":{"Q7593":{"id":"Q7593","labels":"none"}}}`, "wikidata: ", 2},
		{"no entities", 200, searchedOne, `{"success":1}`, "wikidata: ", 2},
		{"no number", 200, `{"search":[{"id":"P5"}]}`, "", "wikidata: ", 1},
		{"refused", 403, "no", "", "wikidata: ", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, asked := registerAt(t, tc.status, tc.searched, tc.entities)
			l := r.Names(t.Context(), "Debian", "en")
			if !strings.HasPrefix(l.Fault, tc.fault) || (tc.fault == "") != (l.Fault == "") || l.Entries == nil {
				t.Errorf("%+v", l)
			}
			if got := asked(); len(got) != tc.asked {
				t.Errorf("asked %q", got)
			}
		})
	}
}

func FuzzEntities(f *testing.F) {
	f.Add([]byte(`{"entities":{"Q1":{"id":"Q1","labels":{"en":{"value":"A"}},"aliases":{"zh":[{"value":"甲乙"}]},"descriptions":[]}}}`))
	f.Add([]byte(`{"entities":{"Q1":{"id":"Q1","missing":""}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := parseEntities(body, []string{"Q1", "Q2"})
		if err != nil {
			return
		}
		for _, e := range got {
			if len(e.Aliases)+len(e.Labels) > maxNames {
				t.Errorf("%d names", len(e.Aliases)+len(e.Labels))
			}
			for _, a := range e.Aliases {
				if a == "" || len(a) > maxName || strings.ContainsAny(a, "<>\n\x00") {
					t.Errorf("alias %q", a)
				}
			}
		}
	})
}
