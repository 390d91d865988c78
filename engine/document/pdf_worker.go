package document

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	// wasmPages bounds the memory of PDFium, in pages of 64 KiB: 1 GiB. A file that needs more is refused.
	wasmPages = 16384
	// workerMemory is the soft limit of the rest of the worker.
	workerMemory = 1 << 30
	// maxPages and maxPDFText bound what one PDF may give.
	maxPages   = 20000
	maxPDFText = 64 << 20
	maxOutline = 5000
)

// Exit statuses of the worker besides 0, 1 (could not work) and 2 (unknown arguments, or a crash of the Go runtime).
const (
	overtime = 124 // its limit of processor time
	orphaned = 125 // the parent is gone
)

// pdfFile is what the worker writes, as JSON.
type pdfFile struct {
	Title   string     `json:"title,omitempty"`
	Author  string     `json:"author,omitempty"`
	Pages   []pdfPage  `json:"pages"`
	Outline []pdfEntry `json:"outline,omitempty"`
	// Fault is why there are no pages: "password", "format", or a message.
	Fault string `json:"fault,omitempty"`
}

// pdfPage is the lines of a page in PDFium's reading order.
type pdfPage struct {
	Width  float64   `json:"w"`
	Height float64   `json:"h"`
	Lines  []pdfLine `json:"lines"`
}

// pdfLine is one line with its box in points; y grows upwards. PDFium joins lines that part a word and puts a mark there,
// so the base line of the first character (Base) and of the last (End) may differ. Size is that of the first character.
type pdfLine struct {
	Text  string  `json:"t"`
	Left  float64 `json:"l"`
	Right float64 `json:"r"`
	Base  float64 `json:"b"`
	End   float64 `json:"e"`
	Size  float64 `json:"s"`
}

// pdfEntry is a bookmark. Page is 0-based.
type pdfEntry struct {
	Title string `json:"title"`
	Page  int    `json:"page"`
	Level int    `json:"level"`
}

// PDFWorker is the program's "pdf-worker" subcommand: it reads one PDF from stdin and writes its lines as JSON to stdout.
// args are those after the subcommand: -cache DIR, -cpu DURATION, -bytes N. With -bytes the PDF is so long, and stdin stays open
// while the parent lives: when it ends, the worker does. It returns the exit status: 0 when stdout holds an answer,
// which may be that the file cannot be read. PDFium is C++ and its input hostile, so it runs as WebAssembly without a file
// system, in a process that ends by itself when it has used its processor time or its parent is gone, and that its
// parent kills at a deadline.
func PDFWorker(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pdf-worker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	cache := flags.String("cache", "", "folder for the compiled reader")
	limit := flags.Duration("cpu", time.Minute, "limit of processor time")
	size := flags.Int64("bytes", -1, "length of the PDF; what follows it on stdin is the parent's life")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	debug.SetMemoryLimit(workerMemory)
	// A second processor for the watchers: compiled code of the module gives the first one back only between calls.
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	defer watchTime(*limit)()
	data, err := readInput(stdin, *size)
	if err != nil {
		fmt.Fprintln(stderr, "pdf-worker: read:", err)
		return 1
	}
	if *size >= 0 {
		go func() {
			_, _ = io.Copy(io.Discard, stdin) // how it ends does not matter
			os.Exit(orphaned)
		}()
	}
	file, err := extract(data, *cache)
	if err != nil {
		fmt.Fprintln(stderr, "pdf-worker:", err)
		return 1
	}
	if err := json.NewEncoder(stdout).Encode(file); err != nil {
		fmt.Fprintln(stderr, "pdf-worker: write:", err)
		return 1
	}
	return 0
}

// cpuPoll is the pause between two looks at the processor time.
const cpuPoll = 100 * time.Millisecond

// watchTime ends the process when it has used more processor time than limit. On a busy machine a good document takes long by
// the clock and no more of this.
func watchTime(limit time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		for t := time.NewTicker(cpuPoll); ; {
			select {
			case <-t.C:
				if cpuTime() > limit {
					os.Exit(overtime)
				}
			case <-done:
				t.Stop()
				return
			}
		}
	}()
	return func() { close(done) }
}

// readInput reads the PDF: size bytes, or all when size is negative.
func readInput(stdin io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		return io.ReadAll(stdin)
	}
	data, err := io.ReadAll(io.LimitReader(stdin, size))
	if err == nil && int64(len(data)) < size {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

// startPDFium instantiates PDFium. Compiling it takes 4 to 5 seconds and 400 MB, so the result is kept in cache.
func startPDFium(ctx context.Context, cache string) (pdfium.Pool, error) {
	// The two features are what the module was compiled for: without exception handling it does not start.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(wasmPages)
	if cache != "" {
		c, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, fmt.Errorf("open the cache of the compiled reader: %w", err)
		}
		config = config.WithCompilationCache(c)
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MinIdle: 1, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	return pool, nil
}

func extract(data []byte, cache string) (file pdfFile, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pool, err := startPDFium(ctx, cache)
	if err != nil {
		return file, err
	}
	defer pool.Close()
	in, err := pool.GetInstance(30 * time.Second)
	if err != nil {
		return file, fmt.Errorf("start PDFium: %w", err)
	}
	defer in.Close()
	opened, err := in.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return pdfFile{Fault: "password"}, nil
	case err != nil:
		return pdfFile{Fault: "format"}, nil
	}
	x := extractor{in: in, doc: opened.Document}
	defer func() { // a trap of the module; the process ends with this file
		if p := recover(); p != nil {
			file, err = pdfFile{Fault: "format"}, nil
		}
	}()
	return x.file()
}

// extractor reads one open PDF.
type extractor struct {
	in   pdfium.Pdfium
	doc  references.FPDF_DOCUMENT
	size int
}

func (x *extractor) file() (pdfFile, error) {
	var f pdfFile
	count, err := x.in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: x.doc})
	if err != nil || count.PageCount == 0 {
		return pdfFile{Fault: "format"}, nil
	}
	if count.PageCount > maxPages {
		return pdfFile{Fault: fmt.Sprintf("has %d pages, and at most %d are read; split it", count.PageCount, maxPages)}, nil
	}
	f.Title, f.Author = x.tag("Title"), x.tag("Author")
	for i := range count.PageCount {
		page, err := x.page(i)
		if err != nil {
			page = pdfPage{} // one broken page does not lose the others
		}
		f.Pages = append(f.Pages, page)
		if x.size > maxPDFText {
			return pdfFile{Fault: fmt.Sprintf("has more than %d MiB of text; split it", maxPDFText>>20)}, nil
		}
	}
	if marks, err := x.in.GetBookmarks(&requests.GetBookmarks{Document: x.doc}); err == nil {
		outline(marks.Bookmarks, 1, &f.Outline)
	}
	return f, nil
}

func (x *extractor) tag(name string) string {
	got, err := x.in.GetMetaData(&requests.GetMetaData{Document: x.doc, Tags: &[]string{name}})
	if err != nil || len(got.Tags) == 0 {
		return ""
	}
	return strings.TrimSpace(got.Tags[0].Value)
}

func outline(marks []responses.GetBookmarksBookmark, level int, out *[]pdfEntry) {
	for _, m := range marks {
		if len(*out) >= maxOutline || level > 6 {
			return
		}
		page := -1
		if m.DestInfo != nil {
			page = m.DestInfo.PageIndex
		} else if m.ActionInfo != nil && m.ActionInfo.DestInfo != nil {
			page = m.ActionInfo.DestInfo.PageIndex
		}
		*out = append(*out, pdfEntry{Title: m.Title, Page: page, Level: level})
		outline(m.Children, level+1, out)
	}
}

// page reads the lines of a page. Their boxes come from the first and the last character of each: asking for every
// character would take ten times as long.
func (x *extractor) page(i int) (pdfPage, error) {
	var p pdfPage
	loaded, err := x.in.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: x.doc, Index: i})
	if err != nil {
		return p, err
	}
	defer x.in.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	ref := requests.Page{ByReference: &loaded.Page}
	if w, err := x.in.FPDF_GetPageWidth(&requests.FPDF_GetPageWidth{Page: ref}); err == nil {
		p.Width = w.Width
	}
	if h, err := x.in.FPDF_GetPageHeight(&requests.FPDF_GetPageHeight{Page: ref}); err == nil {
		p.Height = h.Height
	}
	tp, err := x.in.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		return p, err
	}
	defer x.in.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: tp.TextPage})
	n, err := x.in.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: tp.TextPage})
	if err != nil || n.Count <= 0 {
		return p, err
	}
	got, err := x.in.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: tp.TextPage, StartIndex: 0, Count: n.Count})
	if err != nil {
		return p, err
	}
	x.size += len(got.Text)
	x.lines(&p, tp.TextPage, got.Text, n.Count)
	return p, nil
}

// lines splits the text of a page and looks up where each line stands. at counts characters as PDFium does; it is brought
// back into step at the start of every line, because PDFium's text leaves out some of the characters it counts.
func (x *extractor) lines(p *pdfPage, tp references.FPDF_TEXTPAGE, s string, count int) {
	at := 0
	for len(s) > 0 {
		line := s
		next := len(s)
		if i := strings.IndexAny(s, "\r\n"); i >= 0 {
			line, next = s[:i], i+1
			if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				next++
			}
		}
		trimmed := strings.TrimRight(line, " ")
		lead := len(trimmed) - len(strings.TrimLeft(trimmed, " "))
		if body := trimmed[lead:]; body != "" {
			first, _ := utf8.DecodeRuneInString(body)
			at = x.step(tp, at, lead, first, count)
			l := pdfLine{Text: body}
			from, to := at+lead, at+units16(trimmed)-1
			if box, err := x.in.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: tp, Index: min(from, count-1)}); err == nil {
				l.Left, l.Base = box.Left, box.Bottom
			}
			if box, err := x.in.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: tp, Index: min(max(to, 0), count-1)}); err == nil {
				l.Right = box.Right
			}
			if o, err := x.in.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: tp, Index: min(from, count-1)}); err == nil {
				l.Base, l.End = o.Y, o.Y
			}
			if o, err := x.in.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: tp, Index: min(max(to, 0), count-1)}); err == nil {
				l.End = o.Y
			}
			if size, err := x.in.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: tp, Index: min(from, count-1)}); err == nil {
				l.Size = size.FontSize
			}
			p.Lines = append(p.Lines, l)
		}
		at += units16(s[:next])
		s = s[next:]
	}
}

// step returns the index of the line's start: at, or the next place where its first character stands.
func (x *extractor) step(tp references.FPDF_TEXTPAGE, at, lead int, first rune, count int) int {
	for i := at; i < at+40 && i+lead < count; i++ {
		u, err := x.in.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: tp, Index: i + lead})
		if err != nil {
			break
		}
		if rune(u.Unicode) == first {
			return i
		}
	}
	return at
}

// units16 is the length of s in UTF-16, which is how PDFium counts.
func units16(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
