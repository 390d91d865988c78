package document

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"assay/engine/research"
)

// Bounds of a table of data in a file of its own.
const (
	mostRows = 100_000
	// mostCell is the most bytes of a cell that are kept.
	mostCell = 4000
	// mostField is the most bytes that a field may have: a quotation mark that nothing closes swallows the rest of a file.
	mostField   = 64 << 10
	mostColumns = 1024
	// told is how many records are looked at to tell the delimiter.
	told = 50
)

// delimiters in the order in which they are preferred.
var delimiters = []rune{',', '\t', ';', '|'}

// readCSV reads a table of values with a delimiter between them. Which one, is told by the records: that by which most have as many
// fields as each other. Lines before the table are kept as paragraphs, the first of them as its title.
func readCSV(ctx context.Context, location, s string) research.Document {
	doc := research.Document{}
	comma := rune(0)
	if line, rest, ok := strings.Cut(s, "\n"); ok && strings.HasPrefix(line, "sep=") && len(line) > len("sep=") {
		if c := rune(line[len("sep=")]); slices.Contains(delimiters, c) {
			comma, s = c, rest // a spreadsheet says so itself
		}
	}
	width := 0
	if comma == 0 {
		comma, width = delimiter(ctx, s)
	} else {
		_, width = shape(ctx, s, comma)
	}
	if width < 2 {
		return readPlain(s) // one column is a list
	}
	b := newBuilder()
	rows, wide := 0, 0
	err := records(ctx, s, comma, func(cells []string) error {
		for i, c := range cells {
			if wide = max(wide, len(c)); wide > mostField {
				return errWide
			}
			cells[i] = oneLine(c, mostCell)
		}
		if rows++; rows > mostRows {
			return errRows
		}
		if b.inTable < 0 && len(cells) < width {
			if line := strings.Join(strings.Fields(strings.Join(cells, " ")), " "); line != "" {
				if doc.Title == "" {
					doc.Title = line
				}
				b.para(line)
			}
			return nil
		}
		if b.inTable >= 0 { // what a row leaves out at its end is empty
			cells = append(cells, make([]string, max(0, len(b.open.first)-len(cells)))...)
		}
		b.row(cells)
		return nil
	})
	switch {
	case errors.Is(err, errRows):
		doc.Fault = fmt.Sprintf("%s holds more than %d rows, which is not read; keep the rows that matter", location, mostRows)
	case errors.Is(err, errWide):
		doc.Fault = fmt.Sprintf("%s holds a field of more than %d KiB, as when a quotation mark is not closed, so it was not read; mend it", location, mostField>>10)
	case err != nil && ctx.Err() == nil:
		doc.Fault = location + " is no table of values: " + err.Error() + "; save it again as CSV"
	}
	if doc.Title == "" {
		name := path.Base(strings.ReplaceAll(location, "\\", "/"))
		name = strings.TrimSuffix(name, gzipEnding)
		doc.Title = strings.Join(strings.FieldsFunc(strings.TrimSuffix(name, path.Ext(name)), func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
	}
	b.into(&doc)
	return doc
}

var (
	errRows = errors.New("too many rows")
	errWide = errors.New("a field is too long")
)

// records calls each with every record. Its slice is used again.
func records(ctx context.Context, s string, comma rune, each func([]string) error) error {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = comma, true, -1, true, comma != '\t'
	for n := 0; ; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(cells); err != nil {
			return err
		}
	}
}

// delimiter tells what stands between the fields, and how many fields a record has.
func delimiter(ctx context.Context, s string) (comma rune, width int) {
	even := 0.0
	comma, width = delimiters[0], 1
	for _, d := range delimiters {
		// Decimal commas divide the rows of figures as evenly as the delimiter does, but not the row of names above them.
		if share, w := shape(ctx, s, d); w > 1 && (share > even || share == even && w > width) {
			even, comma, width = share, d, w
		}
	}
	return comma, width
}

// shape is the most frequent number of fields of the first records, 1 when none has two, and the share of them that has it.
func shape(ctx context.Context, s string, comma rune) (share float64, width int) {
	count := map[int]int{}
	n := 0
	head := s[:min(len(s), 4*mostField)]
	if i := strings.LastIndexByte(head, '\n'); i > 0 && len(head) < len(s) {
		head = head[:i]
	}
	err := records(ctx, head, comma, func(cells []string) error {
		count[len(cells)]++
		if n++; n >= told {
			return io.EOF
		}
		return nil
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 1
	}
	most := 0
	width = 1
	for w := 2; w <= mostColumns; w++ {
		if c := count[w]; c > most {
			most, width = c, w
		}
	}
	return float64(most) / float64(max(n, 1)), width
}
