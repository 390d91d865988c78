package library

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	outside := tree(t, "elsewhere", map[string]string{"o.txt": "The orchard has forty pear trees.\n"})
	dir := tree(t, "links", map[string]string{"sub/a.txt": "The vineyard has ninety vines.\n"})
	for name, target := range map[string]string{
		"sub/up": dir, "sub/self": filepath.Join(dir, "sub/self"), "again": filepath.Join(dir, "sub"),
		"out": outside, "out2": outside, "dangling": filepath.Join(dir, "nothing"), "b.txt": filepath.Join(dir, "sub/a.txt"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("this file system has no links: %v", err)
		}
	}
	l := open(t)
	g := add(t, l, dir)
	if g.Files-g.Unread != 2 {
		t.Errorf("Add = %+v, want 2 files read: each once", g)
	}
	if hits := search(t, l, "pear trees"); len(hits) != 1 || hits[0].Location != "links/out/o.txt" {
		t.Errorf("the linked folder gives %+v", hits)
	}
	if len(g.Problems) != 2 {
		t.Errorf("problems %v, want the dangling link and the circle", g.Problems)
	}
}

// TestLinksStayNear asks that a link to a folder brings in that folder and no more, and never what the system shows of itself.
func TestLinksStayNear(t *testing.T) {
	far := tree(t, "far", map[string]string{"f.txt": "The lantern has a brass lid.\n"})
	outside := tree(t, "elsewhere", map[string]string{"o.txt": "The orchard has forty pear trees.\n", "in/p.txt": "The cellar has nine casks.\n"})
	dir := tree(t, "links", map[string]string{"a.txt": "The vineyard has ninety vines.\n"})
	for at, target := range map[string]string{
		filepath.Join(dir, "out"): outside, filepath.Join(outside, "far"): far, filepath.Join(outside, "far.txt"): filepath.Join(far, "f.txt"),
		filepath.Join(outside, "again"): filepath.Join(outside, "in"), filepath.Join(dir, "zsystem"): "/proc", filepath.Join(dir, "zself"): "/proc/self",
	} {
		if err := os.Symlink(target, at); err != nil {
			t.Skipf("this file system has no links: %v", err)
		}
	}
	l := open(t)
	g := add(t, l, dir)
	if g.Files-g.Unread != 3 {
		t.Errorf("Add = %+v, want the 3 files of the folder and of the linked one", g)
	}
	if len(search(t, l, "pear trees")) != 1 || len(search(t, l, "nine casks")) != 1 || len(search(t, l, "brass lantern")) != 0 {
		t.Error("what was read is not the folder and the linked one")
	}
	said := fmt.Sprint(g.Problems)
	for _, want := range []string{"links/out/far ", "links/out/far.txt "} {
		if !strings.Contains(said, want+"is a link out of a folder that is itself linked") {
			t.Errorf("%s does not name %s", said, want)
		}
	}
	if runtime.GOOS == "linux" && strings.Count(said, "shows the state of the machine") != 2 {
		t.Errorf("%s does not name the two folders of the system", said)
	}
}

// TestPackedAlone asks that a file that is compressed alone is a document when it would be one unpacked.
func TestPackedAlone(t *testing.T) {
	packed := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(s)) // into memory
		_ = z.Close()
		return b.String()
	}
	l := open(t)
	g := add(t, l, tree(t, "packed", map[string]string{
		"README.gz": packed("The ferry leaves at noon.\n"), "MANIFESTO.GZ": packed("The charter has nine articles.\n"),
		"page.gz": packed("<!doctype html><p>The quay is of granite.</p>"), "notes.txt.gz": packed("The bell is of bronze.\n"),
		"tool.gz": packed("\x7fELF\x00\x00\x00"), "disk.img.gz": packed("The disk.\n"), "cut.gz": packed("The rope is torn.\n")[:12], "none.gz": packed(""),
	}))
	for _, words := range []string{"ferry noon", "charter articles", "granite quay", "bronze bell"} {
		if len(search(t, l, words)) != 1 {
			t.Errorf("%q is not found", words)
		}
	}
	if g.Files-g.Unread != 4 || g.Unread != 4 {
		t.Errorf("Add = %+v, want four read and four named with the reason", g)
	}
}
