package library

import (
	"context"
	"fmt"
	"io"
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
	if len(os.Args) > 2 && os.Args[1] == "hold-index" {
		os.Exit(holdIndex(os.Args[2]))
	}
	if len(os.Args) > 3 && os.Args[1] == "watch-folder" {
		os.Exit(watchFolder(os.Args[2], os.Args[3]))
	}
	if len(os.Args) > 2 && os.Args[1] == "embed-library" {
		os.Exit(embedLibrary(os.Args[2]))
	}
	goleak.VerifyTestMain(m,
		// bleve starts a pool of analysis workers when it is imported; they live as long as the program.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

// holdIndex is another process that has the library in dir open for writing until its standard input ends.
func holdIndex(dir string) int {
	l, err := Open(dir, testOptions())
	if err != nil {
		fmt.Println(err)
		return 1
	}
	_, done, err := l.ix.open(context.Background(), false)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer done()
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func testOptions() Options {
	return Options{Document: document.Options{Cache: filepath.Join(os.TempDir(), "assay-test-pdf")}}
}
