// Package document turns the bytes of a page or file into clean text with its title, byline, publisher and date, and the
// clean text into passages.
//
// Start at [Read] (a file) or [FromBytes] (a page that was fetched), then [Passages]. The files by job: charset.go finds
// the encoding, hygiene.go removes what a reader cannot see, builder.go lays lines and keeps their offsets; html.go,
// html_blocks.go, markdown.go, plain.go, csv.go, pdf.go, docx.go, odt.go and epub.go read one format each, the last three out of a pack.go;
// zim.go and zim_cluster.go read archives of many pages; of
// a page of the web html_web.go and html_trim.go find the main text, html_date.go and html_author.go what it shows of its date and
// authors; meta.go and date.go read what a page says about itself; passages.go cuts sentence-aligned windows.
//
// Caveats. PDFs are read by PDFium compiled to WebAssembly, in a child process with a limit of processor time: the program
// must route its "pdf-worker" argument to [PDFWorker]. A date or a byline of a file comes from metadata or from an element marked as
// such, never from running text: no date is better than a wrong one. On a page of the web a short line by the title counts as well.
package document

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Media types that FromBytes reads. Others give a document with a Fault.
const (
	HTML     = "text/html"
	Markdown = "text/markdown"
	Plain    = "text/plain"
	CSV      = "text/csv"
	MHTML    = "multipart/related"
	PDF      = "application/pdf"
	DOCX     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	ODT      = "application/vnd.oasis.opendocument.text"
	EPUB     = "application/epub+zip"
)

// What FromBytes and Read can read, in words: for a sentence, and with the endings of the names.
const (
	FormatNames = "HTML, MHTML, PDF, DOCX, ODT, EPUB, CSV, Markdown or plain text"
	Formats     = "HTML (.html .htm .xhtml .xht .shtml, or saved whole .mhtml .mht), PDF (.pdf), Word and OpenDocument texts (.docx .odt), books (.epub), " +
		"papers as Europe PMC gives them (.nxml .jats), tables of values (.csv .tsv .tab), Markdown (.md .markdown .mdown .mkd) and plain text " +
		"(.txt .text .rst .adoc .org .tex .info .rfc .asc .log, or a name without an ending), each also compressed (.gz), and archives of pages (.zim)"
)

// MaxBytes is the most of a file that is read unless Options say otherwise. A plain text of this size is a shelf of books;
// what is larger is a data set, and its words would drown the rest of a library.
const MaxBytes = 64 << 20

// Options of Read and FromBytes. The zero value suits a file that the person added.
type Options struct {
	// MaxBytes is the most bytes of a file. If zero, [MaxBytes].
	MaxBytes int64
	// Web says that the bytes are a page of the web, whose main text has to be told from menus and notices. Files of a
	// library keep their whole body (without navigation), because losing half a manual is worse than keeping a menu.
	Web bool
	// URL is the address of a page, for its relative links. May be empty.
	URL string
	// Worker is the program that is run as "Worker pdf-worker" to read a PDF. If empty, the running program itself.
	Worker string
	// WorkerTime is how much processor time one PDF may take; by the clock it is fifteen times as much. If zero, two minutes.
	WorkerTime time.Duration
	// Archives, when set, keeps the archives of pages open that are read from. The caller closes it.
	Archives *Archives
	// Cache is the folder for the compiled PDF reader (about 21 MB). If empty, "assay/pdf" in the user's cache folder.
	Cache string
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return MaxBytes
}

// Read opens the file at path and reads it as the format that its name and first bytes say. The document's Location is
// location. A file that is missing, unreadable, too large or of an unknown format is a document with a Fault, not an error;
// an error means that the context ended or that the reader itself could not work.
func Read(ctx context.Context, location, path string, opt Options) (research.Document, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return research.Document{}, fmt.Errorf("read %s: %w", location, err)
	}
	if archive, page, ok := InZIM(abs); ok {
		return readInZIM(ctx, location, archive, page, opt)
	}
	data, why, err := load(ctx, abs, opt.maxBytes())
	if err != nil {
		return research.Document{}, err
	}
	name := path
	if strings.HasSuffix(strings.ToLower(path), gzipEnding) && why == "" {
		name = path[:len(path)-len(gzipEnding)]
		if data, why, err = unpacked(ctx, data, opt.maxBytes()); err != nil {
			return research.Document{}, err
		}
	}
	if why != "" {
		doc := unread(location, TypeByName(path), fmt.Sprintf("%s %s", filepath.Base(path), why))
		doc.Path = abs
		return doc, nil
	}
	doc, err := FromBytes(ctx, location, MediaType(name, data), data, opt)
	doc.Path = abs
	return doc, err
}

// load reads a regular file of at most limit bytes. why is a clause that says what is wrong with the file.
func load(ctx context.Context, path string, limit int64) (data []byte, why string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, "is not readable: " + reason(err) + "; check that it exists and may be read", nil
	}
	if !info.Mode().IsRegular() {
		return nil, "is not a regular file, so it was not read; give the file itself", nil
	}
	if info.Size() > limit {
		return nil, tooLarge(info.Size(), limit), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, "is not readable: " + reason(err) + "; check that it exists and may be read", nil
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, "is not readable: " + reason(err) + "; copy it to another disk and try again", nil
	}
	if int64(len(data)) > limit { // it grew since Stat
		return nil, tooLarge(int64(len(data)), limit), nil
	}
	if len(data) == 0 {
		return nil, "is empty", nil
	}
	return data, "", nil
}

func tooLarge(size, limit int64) string {
	return fmt.Sprintf("is %d MiB, and files over %d MiB are not read; split it into smaller files", (size+1<<20-1)>>20, limit>>20)
}

// reason drops the operation and the path from an error of the file system: the sentence around it names the file.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// FromBytes reads data as mediaType, which may carry a charset parameter as in an HTTP header; an empty or generic one is
// worked out from the bytes. It returns a document with a Fault when there is no text to have, and an error only when the
// context ended or the PDF worker could not be started.
func FromBytes(ctx context.Context, location, mediaType string, data []byte, opt Options) (research.Document, error) {
	if err := ctx.Err(); err != nil {
		return research.Document{}, err
	}
	base, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		base, params = strings.ToLower(strings.TrimSpace(strings.Split(mediaType, ";")[0])), nil
	}
	if base == "" || base == "application/octet-stream" || base == "binary/octet-stream" {
		base = MediaType(location, data)
	}
	if (base == "text/xml" || base == "application/xml") && looksJATS(data[:min(len(data), 4096)]) {
		base = JATS
	}
	if int64(len(data)) > opt.maxBytes() {
		return unread(location, base, location+" "+tooLarge(int64(len(data)), opt.maxBytes())), nil
	}
	var doc research.Document
	switch base {
	case HTML, "application/xhtml+xml":
		doc = readHTML(ctx, decode(data, params["charset"], true), opt)
		base = HTML
	case Markdown, "text/x-markdown":
		src := decode(data, params["charset"], false)
		if why := notText(src); why != "" {
			return unread(location, base, location+" "+why), nil
		}
		doc = readMarkdown(src)
		base = Markdown
	case Plain:
		src := decode(data, params["charset"], false)
		if why := notText(src); why != "" {
			return unread(location, base, location+" "+why), nil
		}
		doc = readPlain(src)
	case CSV, "text/tab-separated-values", "application/csv":
		src := decode(data, params["charset"], false)
		if why := notText(src); why != "" {
			return unread(location, base, location+" "+why), nil
		}
		doc = readCSV(ctx, location, src)
		base = CSV
	case PDF, "application/x-pdf":
		base = PDF
		if doc, err = readPDF(ctx, data, opt); err != nil {
			return research.Document{}, fmt.Errorf("read %s: %w", location, err)
		}
	case MHTML, "message/rfc822", "application/x-mimearchive":
		base = MHTML
		if doc, err = readMHTML(ctx, data, opt); ctx.Err() != nil {
			return research.Document{}, ctx.Err()
		} else if err != nil {
			return unread(location, base, location+" "+err.Error()), nil
		}
	case JATS:
		if doc, err = readJATS(ctx, data); ctx.Err() != nil {
			return research.Document{}, ctx.Err()
		} else if err != nil {
			return unread(location, base, location+" "+err.Error()), nil
		}
	case DOCX, ODT, EPUB:
		read := map[string]func(context.Context, []byte, Options) (research.Document, error){DOCX: readDOCX, ODT: readODT, EPUB: readEPUB}[base]
		if doc, err = read(ctx, data, opt); ctx.Err() != nil {
			return research.Document{}, ctx.Err()
		} else if err != nil {
			return unread(location, base, location+" "+err.Error()), nil
		}
	default:
		return unread(location, base, fmt.Sprintf("%s is of the format %q, which is not read; save it as %s", location, base, FormatNames)), nil
	}
	if err := ctx.Err(); err != nil {
		return research.Document{}, err
	}
	doc.Location, doc.MediaType = location, base
	if doc.Fault == "" && strings.TrimSpace(doc.Text) == "" {
		doc.Fault = location + " holds no text to read"
		if len(bytes.TrimSpace(data)) == 0 {
			doc.Fault = location + " is empty"
		}
	}
	if doc.Fault != "" {
		if doc.Verdict == "" {
			doc.Verdict = research.Unread
		}
		doc.Text, doc.Headings, doc.Tables, doc.Heads, doc.Pages = "", nil, nil, nil, nil
		return doc, nil
	}
	finish(&doc)
	return doc, nil
}

// finish fills what is worked out from the clean text of every format alike.
func finish(doc *research.Document) {
	doc.Title = oneLine(doc.Title, 300)
	doc.Byline = oneLine(doc.Byline, 200)
	doc.Publisher = oneLine(doc.Publisher, 200)
	if doc.Title == "" {
		if len(doc.Headings) > 0 {
			doc.Title = oneLine(doc.Headings[0].Text, 300)
		} else {
			doc.Title = firstLine(doc.Text)
		}
	}
	doc.Lang = language(doc.Lang, doc.Text)
	doc.SHA256 = research.SHA256(doc.Text)
}

// language returns the language of a text, ISO 639-1: what the words say decides where it contradicts what the page
// declares, because templates carry lang="en" around pages of any language.
func language(declared, s string) string {
	if seen := mostly(s); seen != "" {
		return seen
	}
	d, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(declared)), "-")
	d, _, _ = strings.Cut(d, "_")
	if len(d) != 2 || d[0] < 'a' || d[0] > 'z' || d[1] < 'a' || d[1] > 'z' {
		return ""
	}
	return d
}

// mostly is the language in which most samples of a text are: one place may hold a quotation or what nobody translated yet. Of as
// many, that of the earlier place; empty when no sample tells.
func mostly(s string) string {
	const size, places = 2000, 5
	if len(s) <= size*places {
		return text.Lang(sample(s, size*places, 1, 2))
	}
	var seen []string
	for i := range places {
		if l := text.Lang(sample(s, size, i+1, places+1)); l != "" {
			seen = append(seen, l)
		}
	}
	best, most := "", 0
	for _, l := range seen {
		n := 0
		for _, other := range seen {
			if other == l {
				n++
			}
		}
		if n > most {
			best, most = l, n
		}
	}
	return best
}

// sample returns n bytes around the place num/den of s, cut at character boundaries.
func sample(s string, n, num, den int) string {
	if len(s) <= n {
		return s
	}
	from := min(max(0, len(s)/den*num-n/2), len(s)-n)
	to := from + n
	for from < to && !utf8.RuneStart(s[from]) {
		from++
	}
	for to > from && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	return s[from:to]
}

func unread(location, mediaType, fault string) research.Document {
	return research.Document{Location: location, MediaType: mediaType, Fault: fault, Verdict: research.Unread}
}

// oneLine collapses white space and cuts at max bytes, at a character boundary.
func oneLine(s string, max int) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return strings.TrimSpace(s[:max])
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return oneLine(line, 120)
}

// types by lower-case extension; Formats lists them.
var types = map[string]string{
	".html": HTML, ".htm": HTML, ".xhtml": HTML, ".xht": HTML, ".shtml": HTML,
	".md": Markdown, ".markdown": Markdown, ".mdown": Markdown, ".mkd": Markdown,
	".txt": Plain, ".text": Plain, ".info": Plain, ".rfc": Plain, ".asc": Plain, ".rst": Plain, ".adoc": Plain,
	".org": Plain, ".tex": Plain, ".log": Plain,
	".mhtml": MHTML, ".mht": MHTML,
	".nxml": JATS, ".jats": JATS,
	".csv": CSV, ".tsv": CSV, ".tab": CSV,
	".pdf": PDF, ".docx": DOCX, ".odt": ODT, ".epub": EPUB,
}

// TypeByName returns the media type that the extension of a file name says, and the empty string when it says none that is
// read.
func TypeByName(name string) string {
	name = strings.ToLower(name)
	return types[filepath.Ext(strings.TrimSuffix(name, gzipEnding))]
}

// gzipEnding is that of a single compressed file, as systems keep their documentation: guide.txt.gz is read as guide.txt.
const gzipEnding = ".gz"

// unpacked returns the data of a compressed file, at most limit bytes; why is a clause that says why there is none.
func unpacked(ctx context.Context, data []byte, limit int64) (_ []byte, why string, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, "is damaged: it is not compressed as its name says; unpack it by hand", nil
	}
	out, err := io.ReadAll(io.LimitReader(checked{ctx, z}, limit+1))
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		return nil, "is damaged: it cannot be unpacked; copy it again from where it came", nil
	case int64(len(out)) > limit:
		return nil, fmt.Sprintf("unpacks to more than %d MiB, which is not read; unpack and split it", limit>>20), nil
	case len(out) == 0:
		return nil, "is empty", nil
	}
	return out, "", nil
}

// MediaType returns the media type of a file from its name and, where the name says nothing, from its first bytes. A PDF or
// an HTML page under a wrong name is told by its bytes.
func MediaType(name string, data []byte) string {
	head := data[:min(len(data), 1024)]
	if i := bytes.Index(head, []byte("%PDF-")); i >= 0 && (i == 0 || TypeByName(name) == PDF) {
		return PDF
	}
	if t := TypeByName(name); t != "" {
		if t == Plain && looksHTML(head) {
			return HTML
		}
		return t
	}
	if looksHTML(head) {
		return HTML
	}
	sniffed, _, err := mime.ParseMediaType(http.DetectContentType(data))
	if err != nil {
		return "application/octet-stream"
	}
	if sniffed == "text/xml" && bytes.Contains(bytes.ToLower(head), []byte("<html")) {
		return HTML
	}
	return sniffed
}

func looksHTML(head []byte) bool {
	h := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	return bytes.HasPrefix(h, []byte("<!doctype html")) || bytes.HasPrefix(h, []byte("<html")) ||
		bytes.HasPrefix(h, []byte("<?xml")) && bytes.Contains(h, []byte("<html"))
}
