package bench

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/engine/document"
	"assay/engine/research"
)

// maxPage is the most bytes of one unpacked page of a set.
const maxPage = 16 << 20

// readPage reads the page in file below dir, plain or compressed, as the program reads a page of the web that it fetched
// from address.
func readPage(ctx context.Context, dir, file, address string) (research.Document, error) {
	if !filepath.IsLocal(file) {
		return research.Document{}, fmt.Errorf("the page %q is not a name below the data folder", file)
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return research.Document{}, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return research.Document{}, fmt.Errorf("%s: %w", file, err)
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, maxPage+1))
	if err != nil {
		return research.Document{}, fmt.Errorf("%s: %w", file, err)
	}
	if len(data) > maxPage {
		return research.Document{}, fmt.Errorf("%s has more than the %d bytes that are read", file, maxPage)
	}
	return document.FromBytes(ctx, address, document.HTML, data, document.Options{Web: true, URL: address})
}

// pageFile is the name below dir of the page with that id: html/ID.html.gz, or the same without .gz.
func pageFile(dir, id string) (string, error) {
	for _, ending := range []string{".html.gz", ".html"} {
		name := "html/" + id + ending
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s holds no page html/%s.html.gz", dir, id)
}

// harmonic is the harmonic mean of precision and recall, 0 where both are.
func harmonic(precision, recall float64) float64 {
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}
