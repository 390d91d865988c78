package engine

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// testHome holds the index of testdata/library while the tests run.
var testHome string

func TestMain(m *testing.M) {
	var err error
	if testHome, err = os.MkdirTemp("", "assay-engine-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m,
		// bleve, which keeps the index of the library, starts a pool of analysis workers when it is imported.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
		goleak.Cleanup(func(code int) {
			os.RemoveAll(testHome)
			os.Exit(code)
		}),
	)
}
