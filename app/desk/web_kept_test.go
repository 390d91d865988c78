package desk

import (
	"os"
	"path/filepath"
	"testing"

	"assay/engine/fetch"
	"assay/engine/research"
)

// TestFetchedBefore: what a run kept of a page is there for the next one, by its address, as long as its bytes are what they were.
func TestFetchedBefore(t *testing.T) {
	d := testDesk(t, succeed)
	if _, ok := d.fetchedBefore()("https://a.example/x"); ok {
		t.Error("a page is known that nobody fetched")
	}
	dir := folder(t)
	run := func(tag, body string) *Job {
		j := start(t, d, request(dir), StartOptions{})
		wait(t, j)
		j.keepPage(fetch.Page{URL: "https://a.example/x", Type: "text/html", Tag: tag, Language: "en", Body: []byte(body)})
		j.keepPage(fetch.Page{URL: "https://a.example/plain", Type: "text/html", Body: []byte("without a validator " + body)})
		return j
	}
	run(`"1"`, "first")
	j := run(`"2"`, "second")
	known := d.fetchedBefore()
	p, ok := known("https://a.example/x")
	if !ok || p.Tag != `"2"` || string(p.Body) != "second" || p.Type != "text/html" || p.Language != "en" || p.URL != "https://a.example/x" {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := known("https://a.example/plain"); ok {
		t.Error("a page without a validator is known")
	}
	if err := os.WriteFile(filepath.Join(j.Dir(), pagesDir, research.SHA256("second")), []byte("forged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.fetchedBefore()("https://a.example/x"); ok {
		t.Error("a page whose bytes were changed is known")
	}
}
