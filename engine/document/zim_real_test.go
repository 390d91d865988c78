package document

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manuals are folders in which a Debian documentation package lays its pages; the first that is there is made into an archive.
// ASSAY_ZIM_PAGES names another.
var manuals = []string{"/usr/share/debian-reference", "/usr/share/doc/debian-policy/policy.html", "/usr/share/developers-reference", "/usr/share/doc/debian-handbook/html/en-US"}

// site copies the pages of a documentation package, or what every Debian system has: the texts of the licences.
func site(t *testing.T, to string) {
	t.Helper()
	keep := func(name string, b []byte) {
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, from := range append([]string{os.Getenv("ASSAY_ZIM_PAGES")}, manuals...) {
		if n > 0 || from == "" {
			continue
		}
		_ = filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".html") {
				if b, err := os.ReadFile(path); err == nil && len(b) < 4<<20 {
					rel, _ := filepath.Rel(from, path)
					keep(filepath.Join("pages", rel), b)
					n++
				}
			}
			return nil
		})
	}
	if n == 0 {
		texts, _ := filepath.Glob("/usr/share/common-licenses/*")
		for _, name := range texts {
			if b, err := os.ReadFile(name); err == nil {
				keep(filepath.Join("licences", filepath.Base(name)+".html"), fmt.Appendf(nil, "<html><head><meta charset=utf-8><title>%s</title></head><body><pre>%s</pre></body></html>",
					filepath.Base(name), html.EscapeString(strings.ToValidUTF8(string(b), "?"))))
				n++
			}
		}
	}
	if n == 0 {
		t.Skip("needs a Debian documentation package in HTML, or Debian's licences in /usr/share/common-licenses")
	}
	var icon bytes.Buffer
	if err := png.Encode(&icon, image.NewRGBA(image.Rect(0, 0, 48, 48))); err != nil {
		t.Fatal(err)
	}
	keep("icon.png", icon.Bytes())
	keep("index.html", []byte("<html><head><title>Index</title></head><body><p>An index of pages.</p></body></html>"))
}

// TestZIMAgainstKiwix: of every page of an archive that zimwriterfs made, kiwix-serve gives the bytes that are read here.
func TestZIMAgainstKiwix(t *testing.T) {
	for _, tool := range []string{"zimwriterfs", "kiwix-serve"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s (apt-get install kiwix-tools zim-tools)", tool)
		}
	}
	dir := t.TempDir()
	pages, book := filepath.Join(dir, "site"), filepath.Join(dir, "book.zim")
	site(t, pages)
	if out, err := exec.CommandContext(t.Context(), "zimwriterfs", "--welcome=index.html", "--illustration=icon.png", "--language=eng", "--title=Manuals",
		"--description=Manuals", "--creator=Debian", "--publisher=local", "--name=manuals_en_all", pages, book).CombinedOutput(); err != nil {
		t.Fatalf("zimwriterfs: %v\n%s", err, out)
	}
	z, err := OpenZIM(book)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if z.Title != "Manuals" || z.Lang != "en" || len(z.Date) != 10 || z.By != "Debian" {
		t.Errorf("about: %q %q %q %q", z.Title, z.Lang, z.Date, z.By)
	}
	base := serveKiwix(t, book)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	n, read := 0, 0
	left, err := z.Pages(t.Context(), func(path string) error {
		n++
		at := (&url.URL{Path: "/raw/book/content/" + path}).EscapedPath()
		resp, err := client.Get(base + at)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		served, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		e, err := z.find(z.content, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		ours, err := z.packed.blob(context.Background(), e, MaxBytes)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if resp.StatusCode != http.StatusOK || !bytes.Equal(served, ours) {
			t.Errorf("%s: served with %d, %d bytes, read %d", path, resp.StatusCode, len(served), len(ours))
		}
		doc, err := z.Read(t.Context(), "lib/book.zim/"+path, path, Options{})
		if err != nil {
			return err
		}
		if doc.Fault == "" {
			read++
			if doc.Title == "" || doc.Published == "" {
				t.Errorf("%s: title %q, date %q", path, doc.Title, doc.Published)
			}
		}
		return nil
	})
	if err != nil || left != 0 || n < 5 {
		t.Fatalf("%d pages, %d left out, %v", n, left, err)
	}
	t.Logf("%d pages are the same in both, %d of them have text", n, read)
}

// serveKiwix serves an archive on loopback.
func serveKiwix(t *testing.T, book string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "kiwix-serve", "--address=127.0.0.1", fmt.Sprintf("--port=%d", port), book)
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cancel(); <-ended })
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 600 {
		if resp, err := client.Get(base + "/catalog/v2/entries"); err == nil {
			resp.Body.Close()
			return base
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("kiwix-serve ended: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("kiwix-serve does not answer")
	return ""
}
