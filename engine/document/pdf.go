package document

import (
	"context"

	"assay/engine/research"
)

func readPDF(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	return research.Document{Fault: "PDF is not read yet"}, nil
}
