package search

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestPaperText(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.URL.Query().Get("query"))
		switch {
		case r.URL.Path == "/search":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"resultList":{"result":[{"id":"9","doi":"10.1000/OTHER","pmcid":"PMC9","isOpenAccess":"Y"},{"id":"123","pmid":"123","doi":"10.1000/kiln","pmcid":"PMC77","isOpenAccess":"N","inEPMC":"Y"},
				{"id":"124","pmid":"124","pmcid":"PMC78","isOpenAccess":"N","inEPMC":"N"}]}}`))
		case r.URL.Path == "/PMC77/fullTextXML":
			w.Header().Set("Content-Type", "application/xml")
			_, _ = w.Write([]byte(`<?xml version="1.0"?><article article-type="x"><body><p>Text</p></body></article>`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	for id, found := range map[string]bool{
		"10.1000/Kiln": true, "PMID:123": true, "PMC77": true, "PMID:124": false, "10.1000/none": false, "PMC78": false, "": false, "PMC77/../x": false, "11.1/x": false, `10.1000/"x`: false,
	} {
		asked = nil
		body, at := PaperText(t.Context(), s.Client(), s.URL, id)
		if (len(body) > 0) != found || (at == s.URL+"/PMC77/fullTextXML") != found {
			t.Errorf("PaperText(%q) = %q at %q after %q", id, body, at, asked)
		}
	}
}

func FuzzParsePMC(f *testing.F) {
	f.Add([]byte(`{"resultList":{"result":[{"doi":"10.1/x","pmcid":"PMC1","inEPMC":"Y"}]}}`), "10.1/x")
	f.Fuzz(func(t *testing.T, b []byte, id string) {
		if got := parsePMC(b, id); got != "" && !paperIDs[0].re.MatchString(got) {
			t.Errorf("%q", got)
		}
	})
}
