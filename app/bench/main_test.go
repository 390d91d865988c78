package bench

import (
	"os"
	"testing"

	"assay/app/desk"
)

// The program reads PDF files in children of itself; a child of the test program must not run the tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(desk.PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
