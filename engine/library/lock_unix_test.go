//go:build unix

package library

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestHalfWrittenSegment holds that a file which the writer of the index has not finished is not taken for damage by
// another: the index would be thrown away from under the writer.
func TestHalfWrittenSegment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	writer := &shelf{path: path}
	x, done, err := writer.open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := x.Index.SetInternal([]byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(path, "store", "0000000000ff.zap")
	if err := os.WriteFile(half, make([]byte, 10), 0o600); err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if _, err := (&shelf{path: path}).createIndex(); !errors.As(err, &locked) {
		t.Errorf("createIndex beside a writer = %v, want that it is locked", err)
	}
	if _, err := (&shelf{path: path}).openIndex(true); !errors.As(err, &locked) {
		t.Errorf("openIndex beside a writer = %v, want that it is locked", err)
	}
	if _, err := os.Stat(filepath.Join(path, "index_meta.json")); err != nil {
		t.Errorf("the writer's index is gone: %v", err)
	}
}
