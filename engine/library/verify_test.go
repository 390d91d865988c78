package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/engine/research"
)

func TestVerify(t *testing.T) {
	l := open(t)
	dir := tree(t, "one", manual)
	add(t, l, dir)
	if v, err := l.Verify(t.Context()); err != nil || !v.Whole || v.Files != 3 || len(v.Problems) != 0 {
		t.Fatalf("Verify of a sound library = %+v, %v", v, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if v, err := l.Verify(ended); err != nil || v.Whole {
		t.Errorf("Verify without time = %+v, %v; want no error and not all", v, err)
	}
	if v, err := open(t).Verify(t.Context()); err != nil || !v.Whole {
		t.Errorf("Verify of a new library = %+v, %v", v, err)
	}

	entries, err := l.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for i, spoil := range []string{"", "gone", "another text"} {
		path := l.texts().path(entries[i].SHA256)
		if spoil == "gone" {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, []byte(spoil), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if v, err := l.Verify(t.Context()); err != nil || len(v.Problems) != 3 {
		t.Errorf("Verify with three spoilt texts = %+v, %v", v, err)
	}

	// A flipped byte in the middle of a segment is seen by its checksum alone.
	spoil(t, l, func(b []byte) []byte { b[len(b)/2] ^= 0x40; return b })
	if _, err := l.Verify(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("Verify with a flipped byte = %v, want ErrDamaged", err)
	}
}

// TestMend: a search whose kept text is spoilt reads the document again, and says so where it has changed.
func TestMend(t *testing.T) {
	dir := tree(t, "port", map[string]string{"a.txt": "The ferry leaves at noon.\n"})
	l := open(t)
	add(t, l, dir)
	entries, err := l.List(t.Context(), "")
	if err != nil || len(entries) != 1 {
		t.Fatalf("List = %v, %v", entries, err)
	}
	kept := l.texts().path(entries[0].SHA256)
	write(t, kept, "The fer")
	if hits := search(t, l, "ferry"); len(hits) != 1 || !strings.Contains(hits[0].Snippet, "noon") {
		t.Errorf("after a spoilt text the search gives %+v", hits)
	}
	if b, err := os.ReadFile(kept); err != nil || !strings.Contains(string(b), "noon") {
		t.Errorf("the text is not mended: %q, %v", b, err)
	}
	write(t, kept, "")
	write(t, filepath.Join(dir, "a.txt"), "The ferry leaves at one.\n")
	if _, err := l.Search(t.Context(), research.Query{Text: "ferry"}); err == nil || !strings.Contains(err.Error(), "add its folder again") {
		t.Errorf("Search = %v, want a sentence", err)
	}
}

// TestFileInPlace has a file lie where a folder of the library belongs: it is not thrown away, and the sentence names it.
func TestFileInPlace(t *testing.T) {
	for _, name := range []string{"index", "texts"} {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			path := filepath.Join(l.dir, name)
			write(t, path, "mine")
			_, err := l.Add(t.Context(), tree(t, "one", manual))
			if err == nil || !strings.Contains(err.Error(), "move it away") || !strings.Contains(err.Error(), path) {
				t.Errorf("Add = %v", err)
			}
			if _, err := l.Verify(t.Context()); name == "index" && (err == nil || !strings.Contains(err.Error(), path+")")) {
				t.Errorf("Verify = %v, want it to name %s", err, path)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
				t.Errorf("the file is now %q, %v", b, err)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "f")
	write(t, file, "mine")
	if _, err := Open(file, testOptions()); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("Open of a file = %v", err)
	}
}

func TestDiskFault(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{errors.New("segment /x/000.zap: write /x/000.zap: no space left on device"), "free some space"},
		{&fs.PathError{Op: "write", Path: "/x/y", Err: syscall.ENOSPC}, "free some space"},
		{&fs.PathError{Op: "open", Path: "/x/y", Err: syscall.EACCES}, "/x/y"},
		{errors.New("open /x: read-only file system"), "make it writable"},
		{errors.New("odd"), "run assay doctor"},
	} {
		got := diskFault("write the index", tc.err)
		if !strings.Contains(got.Error(), tc.want) || !strings.HasPrefix(got.Error(), "the library could not write the index: ") || !errors.Is(got, tc.err) {
			t.Errorf("diskFault(%v) = %q, want %q", tc.err, got, tc.want)
		}
		if again := diskFault("do more", got); again != got {
			t.Errorf("a sentence is put into another: %q", again)
		}
	}
	for _, err := range []error{nil, context.Canceled, ErrDamaged} {
		if got := diskFault("write", err); got != err {
			t.Errorf("diskFault(%v) = %v", err, got)
		}
	}
}
