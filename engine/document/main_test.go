package document

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain answers as the PDF worker when the test binary is run as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// testOptions share one compiled reader between runs: compiling it takes seconds.
func testOptions(t testing.TB) Options {
	t.Helper()
	return Options{Cache: filepath.Join(os.TempDir(), "assay-test-pdf")}
}
