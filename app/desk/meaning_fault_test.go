package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/engine/enginetest"
)

// faultyEmbedder is a server whose models are listed as they should be and whose vectors are what embed writes.
func faultyEmbedder(t *testing.T, embed func(w http.ResponseWriter, r *http.Request)) string {
	t.Helper()
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "vectors", Capabilities: []string{"embedding"}}}
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	rest := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/embed" {
			embed(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// TestMeaningFaults asks that a server that gives no vectors, or wrong ones, costs a search its meaning and nothing else, and that this
// is said.
func TestMeaningFaults(t *testing.T) {
	good := `{"model":"vectors","embeddings":[[1,2,3]]}`
	var n atomic.Int64
	for _, tc := range []struct {
		name  string
		embed func(w http.ResponseWriter, r *http.Request)
		said  string // by the search
		made  bool   // the passages have vectors all the same
	}{
		{"good", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, good) }, "by words and by meaning", true},
		{"a fault", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"out of luck"}`, http.StatusInternalServerError)
		}, "words alone", false},
		{"too few vectors", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"embeddings":[]}`) }, "words alone", false},
		{"too many vectors", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"embeddings":[[1,2],[1,2]]}`) }, "words alone", false},
		{"an empty vector", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"embeddings":[[]]}`) }, "words alone", false},
		{"a vector without direction", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"embeddings":[[0,0,0]]}`) }, "no direction", true},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>sign in</html>") }, "words alone", false},
		{"another length each time", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"embeddings":[[1%s]]}`, strings.Repeat(",2", int(n.Add(1))))
		}, "not the length", true},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, good[:20])
		}, "words alone", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := testDesk(t, succeed)
			d.wire.embed = d.embedder
			if err := d.SetSettings(Settings{OllamaURL: faultyEmbedder(t, tc.embed)}); err != nil {
				t.Fatal(err)
			}
			if _, err := d.AddLibrary(t.Context(), folder(t), nil); err != nil {
				t.Fatal(err)
			}
			m, words, err := d.EmbedLibrary(t.Context(), nil)
			if words != "" || (err == nil) != tc.made || (m.Have == 1) != tc.made {
				t.Errorf("EmbedLibrary = %+v, %q, %v", m, words, err)
			}
			how := ""
			hits, err := d.SearchLibrary(t.Context(), LibrarySearch{Words: "gold", Limit: 3, Told: func(s string) { how = s }})
			if err != nil || len(hits) != 1 || !strings.Contains(how, tc.said) {
				t.Errorf("SearchLibrary = %+v, %v, told %q, want %q", hits, err, how, tc.said)
			}
		})
	}
}

// TestMeaningHangs asks that a server that never answers is left when the person stops waiting.
func TestMeaningHangs(t *testing.T) {
	asked, end := make(chan struct{}, 1), make(chan struct{})
	defer close(end)
	d := testDesk(t, succeed)
	d.wire.embed = d.embedder
	if err := d.SetSettings(Settings{OllamaURL: faultyEmbedder(t, func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-end:
		case <-time.After(time.Minute): // a test that failed ends too
		}
	})}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddLibrary(t.Context(), folder(t), nil); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-asked; stop() }()
	if _, _, err := d.EmbedLibrary(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("EmbedLibrary = %v, want the cancellation", err)
	}
}
