package library

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"assay/engine/document"
)

// TestMain answers as the PDF worker when the test binary is run as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(document.PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m,
		// bleve starts a pool of analysis workers when it is imported; they live as long as the program.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

func testOptions() Options {
	return Options{Document: document.Options{Cache: filepath.Join(os.TempDir(), "assay-test-pdf")}}
}
