package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// debianPages fills a folder with a small site of Debian's documentation: the licences that every Debian system has, as
// pages, and the manuals in HTML that are installed. It returns the pages' bytes by their paths.
func debianPages(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	pages := map[string][]byte{}
	texts, _ := filepath.Glob("/usr/share/common-licenses/*")
	for _, name := range texts {
		b, err := os.ReadFile(name)
		if err != nil || len(b) > 100<<10 {
			continue
		}
		title := filepath.Base(name)
		pages["licences/"+title+".html"] = fmt.Appendf(nil, "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Licence %s</title></head><body><h1>%s</h1><pre>%s</pre></body></html>",
			title, title, html.EscapeString(strings.ToValidUTF8(string(b), "?")))
	}
	manuals, _ := filepath.Glob("/usr/share/developers-reference/*.html")
	for _, name := range manuals {
		if b, err := os.ReadFile(name); err == nil && len(b) < 1<<20 {
			pages["devref/"+filepath.Base(name)] = b
		}
	}
	if len(texts) == 0 {
		t.Skip("needs Debian's licences in /usr/share/common-licenses for the pages of a book")
	}
	var index bytes.Buffer
	index.WriteString("<!DOCTYPE html><html><head><title>Index</title></head><body>")
	for name, b := range pages {
		fmt.Fprintf(&index, "<a href=%q>%s</a> ", name, name)
		write(t, filepath.Join(dir, name), b)
	}
	index.WriteString("</body></html>")
	write(t, filepath.Join(dir, "index.html"), index.Bytes())
	var icon bytes.Buffer
	if err := png.Encode(&icon, image.NewRGBA(image.Rect(0, 0, 48, 48))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "icon.png"), icon.Bytes())
	return pages
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// startKiwix builds a book and serves it on loopback.
func startKiwix(t *testing.T) (base string, pages map[string][]byte) {
	t.Helper()
	for _, tool := range []string{"zimwriterfs", "kiwix-serve"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s (apt-get install kiwix-tools zim-tools)", tool)
		}
	}
	dir := t.TempDir()
	site, book := filepath.Join(dir, "site"), filepath.Join(dir, "debian.zim")
	pages = debianPages(t, site)
	out, err := exec.CommandContext(t.Context(), "zimwriterfs", "--welcome=index.html", "--illustration=icon.png", "--language=eng",
		"--title=Debian docs", "--description=Debian documentation", "--creator=Debian", "--publisher=local", "--name=debian_docs_en_all",
		site, book).CombinedOutput()
	if err != nil {
		t.Fatalf("zimwriterfs: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "kiwix-serve", "--address=127.0.0.1", fmt.Sprintf("--port=%d", port), book)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cancel(); <-ended })
	base = fmt.Sprintf("http://127.0.0.1:%d", port)
	for range 600 {
		if resp, err := http.Get(base + "/catalog/v2/entries"); err == nil {
			resp.Body.Close()
			return base, pages
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("kiwix-serve ended: %v\n%s", err, said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("kiwix-serve does not answer")
	return "", nil
}

// TestKiwixReal asks a real kiwix-serve: what it finds are pages of the book, and the addresses give their own bytes.
func TestKiwixReal(t *testing.T) {
	base, pages := startKiwix(t)
	p, err := NewKiwix(Config{Client: http.DefaultClient, Base: base})
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "/raw/debian/content/"
	q := research.Query{Text: "patent license", Lang: "en", Limit: 5}
	a, err := p.Ask(t.Context(), q)
	if err != nil || len(a.Hits) != 5 {
		t.Fatalf("%d hits, %v", len(a.Hits), err)
	}
	sound(t, p, q, a)
	for _, h := range a.Hits {
		name, ok := strings.CutPrefix(h.Location, base+prefix)
		if !ok || pages[name] == nil {
			t.Errorf("location %q is no page of the book", h.Location)
			continue
		}
		resp, err := http.Get(h.Location)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !bytes.Equal(got, pages[name]) {
			t.Errorf("%s: status %d, %d bytes where the page has %d, %v", h.Location, resp.StatusCode, len(got), len(pages[name]), err)
		}
		if h.Title == "" || h.Snippet == "" || strings.Contains(h.Snippet, "<") {
			t.Errorf("hit %+v", h)
		}
	}
	if a, err := p.Ask(t.Context(), research.Query{Text: "zzzznotfoundzzzz"}); err != nil || len(a.Hits) != 0 {
		t.Errorf("an unknown word: %+v, %v", a, err)
	}
	all, err := p.Ask(t.Context(), research.Query{Text: "license", Limit: 100})
	if err != nil || len(all.Hits) < 6 {
		t.Errorf("%d hits, %v", len(all.Hits), err)
	}
	// What the server itself refuses: a book that it does not hold, and a path that it does not know.
	site := p.(*provider)
	_, err = searchBook(t.Context(), site, book{name: "nosuch"}, ask{text: "license", limit: 5})
	if !errors.Is(err, ErrBadQuery) || !strings.Contains(err.Error(), "No such book: nosuch") {
		t.Errorf("an unknown book: %v", err)
	}
	// A wiki that is none, and a SearXNG that is none, are no empty success either.
	for name, make := range map[string]func(Config) (Provider, error){"MediaWiki": NewMediaWiki, "SearXNG": NewSearXNG} {
		p, err := make(Config{Client: http.DefaultClient, Base: base, Clock: newClock()})
		if err != nil {
			t.Fatal(err)
		}
		var e *Error
		if _, err = p.Ask(t.Context(), q); !errors.As(err, &e) {
			t.Errorf("%s at a kiwix-serve: %v", name, err)
		} else {
			t.Log(name, err)
		}
	}
}
