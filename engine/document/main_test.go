package document

import (
	"os"
	"path/filepath"
	"testing"
)

func testOptions(t testing.TB) Options {
	t.Helper()
	return Options{Cache: filepath.Join(os.TempDir(), "assay-pdf-cache")}
}
