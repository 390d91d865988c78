package search

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

func TestOpenCopies(t *testing.T) {
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"best_oa_location":{"is_oa":true,"pdf_url":"https://a.org/x.pdf","landing_page_url":"https://a.org/x"},
			"locations":[{"is_oa":false,"pdf_url":"https://closed.org/x.pdf"},{"is_oa":true,"pdf_url":null,"landing_page_url":"https://b.org/x"},{"is_oa":true,"pdf_url":"javascript:alert(1)"}]}`))
	}))
	defer s.Close()
	got := OpenCopies(t.Context(), s.Client(), s.URL, "10.1000/182")
	if want := []string{"https://a.org/x.pdf", "https://a.org/x", "https://b.org/x"}; !slices.Equal(got, want) || asked != "/works/doi:10.1000/182" {
		t.Errorf("OpenCopies = %q by %s, want %q", got, asked, want)
	}
	for _, bad := range []string{"", "x", "11.1/x"} {
		if got := OpenCopies(t.Context(), s.Client(), s.URL, bad); got != nil {
			t.Errorf("OpenCopies(%q) = %q", bad, got)
		}
	}
}

func FuzzParseCopies(f *testing.F) {
	f.Add([]byte(`{"locations":[{"is_oa":true,"pdf_url":"https://a.org/x.pdf"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := parseCopies(b); len(got) > maxCopies {
			t.Errorf("%d copies", len(got))
		}
	})
}
