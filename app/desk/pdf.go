package desk

import (
	"io"

	"assay/engine/document"
)

// PDFWorker is the program's own subcommand "pdf-worker": the child process in which a PDF is read, so that a hostile file can
// be stopped. The program routes to it before all else; see [document.PDFWorker].
func PDFWorker(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return document.PDFWorker(args, stdin, stdout, stderr)
}
