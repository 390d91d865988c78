package desk

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestLockEmbedding asks that pages are held against the question by the vectors of the model that was chosen, that it never takes the
// place of the one that answers, and that words alone are said to be.
func TestLockEmbedding(t *testing.T) {
	talk := enginetest.ServerModel{Name: "talk:latest"}
	both := enginetest.ServerModel{Name: "both:latest", Capabilities: []string{"completion", "embedding"}}
	first, second := enginetest.ServerModel{Name: "avec:latest", Capabilities: []string{"embedding"}}, enginetest.ServerModel{Name: "zvec:latest", Capabilities: []string{"embedding"}}
	cloud := enginetest.ServerModel{Name: "avec-cloud:latest", Capabilities: []string{"embedding"}, RemoteHost: "https://models.example.com", RemoteModel: "x"}
	for _, tc := range []struct {
		name   string
		models []enginetest.ServerModel
		chat   string
		want   string
		by     string // whose vectors; empty: nobody's
		apart  bool   // kept off the cards
		said   string // in a note
	}{
		{"the first of two", []enginetest.ServerModel{talk, second, first}, "talk", "", "avec:latest", true, ""},
		{"the one that was named", []enginetest.ServerModel{talk, second, first}, "talk", "zvec", "zvec:latest", true, ""},
		{"none that does nothing else", []enginetest.ServerModel{both}, "both", "", "both:latest", false, ""},
		{"none at all", []enginetest.ServerModel{talk}, "talk", "", "", false, "by its words alone, because the model server has no embedding model"},
		{"switched off", []enginetest.ServerModel{both, first}, "both", "off", "", false, "because the embedding model is switched off"},
		{"one that is gone", []enginetest.ServerModel{both, first}, "both", "gone", "", false, "because the model server has no model gone"},
		{"one that only talks", []enginetest.ServerModel{talk, first}, "talk", "talk", "", false, "because the model talk does not embed"},
		{"one elsewhere", []enginetest.ServerModel{talk, cloud}, "talk", "avec-cloud", "", false, "because the model avec-cloud"},
		{"none but one elsewhere", []enginetest.ServerModel{talk, cloud}, "talk", "", "", false, "has no embedding model"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			s.Models = tc.models
			to, err := url.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			var asked struct {
				Model   string
				Options map[string]any
			}
			rest := httputil.NewSingleHostReverseProxy(to)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api/embed" {
					b, _ := io.ReadAll(r.Body) // a body that is cut is no JSON either
					if err := json.Unmarshal(b, &asked); err != nil {
						t.Error(err)
					}
					r.Body = io.NopCloser(strings.NewReader(string(b)))
				}
				rest.ServeHTTP(w, r)
			}))
			defer front.Close()
			d := hardwareDesk(t, front.URL)
			var said []string
			ch, err := d.ollamaChannel(t.Context(), tc.chat+":latest", research.Web, pinnedLoad{}, told{embedding: tc.want, note: func(n research.Note) { said = append(said, n.Text) }})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = ch.end() }()
			if got := ch.model.Limits().Embeds; got != (tc.by != "") {
				t.Errorf("embeds = %v", got)
			}
			if tc.by != "" {
				if v, err := ch.model.Embed(t.Context(), []string{"The kiln."}); err != nil || len(v) != 1 || asked.Model != tc.by || (asked.Options["num_gpu"] == 0.0) != tc.apart {
					t.Errorf("Embed = %v, %v by %s with %v", v, err, asked.Model, asked.Options)
				}
			}
			if text := strings.Join(said, " "); (tc.said == "") != (text == "") || !strings.Contains(text, tc.said) {
				t.Errorf("it said %q, want %q", text, tc.said)
			}
		})
	}
}
