package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"assay/engine/research"
)

const (
	// workerTime is the processor time that one PDF may take. Measured: 261 pages take 2.4 s; compiling the reader, once, 5 s.
	workerTime = 2 * time.Minute
	// wallFactor times that is how long it may take by the clock: a good document must not be lost to a busy machine.
	wallFactor = 15
	// maxWorkerOutput bounds what is read from a worker: its text, the boxes of the lines and JSON's escapes.
	maxWorkerOutput = 512 << 20
	// fewGlyphs is the number of characters a page below which a PDF is taken for pictures of pages.
	fewGlyphs = 8
)

// readPDF has the bytes read by a worker and lays the lines. An error means that no worker could be started.
func readPDF(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	file, why, err := runWorker(ctx, data, opt)
	if err != nil {
		return research.Document{}, err
	}
	if why == "" {
		why = pdfFault(file)
	}
	if why != "" {
		return research.Document{Fault: why, Verdict: research.Unread}, nil
	}
	return layPDF(file), nil
}

// pdfFault says in one sentence why a file has no text, or "".
func pdfFault(f pdfFile) string {
	switch f.Fault {
	case "":
	case "password":
		return "the PDF is protected by a password; open it, save it without one, and add it again"
	case "format":
		return "the PDF is damaged or not a PDF; open it in a reader and save it again"
	default:
		return "the PDF " + f.Fault
	}
	glyphs := 0
	for _, p := range f.Pages {
		for _, l := range p.Lines {
			glyphs += runes(l.Text)
		}
	}
	if glyphs < fewGlyphs*len(f.Pages) {
		return fmt.Sprintf("the PDF has no text layer (%d pages); it needs OCR, so run it through an OCR program and add the result", len(f.Pages))
	}
	return ""
}

// runWorker runs the PDF worker on data. why says what is wrong with the file; err is about the worker.
func runWorker(ctx context.Context, data []byte, opt Options) (file pdfFile, why string, err error) {
	program := opt.Worker
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return file, "", fmt.Errorf("find the PDF worker: %w", err)
		}
	}
	limit := opt.WorkerTime
	if limit <= 0 {
		limit = workerTime
	}
	cache := opt.Cache
	if cache == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, "assay", "pdf")
		}
	}
	wall := limit * wallFactor
	wctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	cmd := exec.CommandContext(wctx, program, "pdf-worker", "-cache", cache, "-cpu", limit.String(),
		"-bytes", strconv.Itoa(len(data)))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return file, "", fmt.Errorf("start the PDF worker: %w", err)
	}
	cmd.WaitDelay = 2 * time.Second
	out := &bounded{max: maxWorkerOutput, full: cancel}
	said := &bounded{max: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, said
	if err := cmd.Start(); err != nil {
		_ = stdin.Close()
		return file, "", fmt.Errorf("start the PDF worker: %w", err)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = stdin.Write(data) // a worker that does not take it says why by its exit status
	}()
	err = cmd.Wait() // closes stdin, which until then tells the worker that this process lives
	<-sent
	switch {
	case ctx.Err() != nil:
		return file, "", ctx.Err()
	case out.over:
		return file, "the PDF has more text than is read; split it", nil
	case wctx.Err() != nil:
		return file, fmt.Sprintf("the PDF was not read within %s, in which the machine had little time for it; add the folder again when it is less busy", wall), nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		text := said.b.String()
		if exit.ExitCode() == 2 && !crashed(text) {
			return file, "", fmt.Errorf("the PDF worker does not know its arguments: %s", oneLine(text, 300))
		}
		return file, workerFault(exit.ExitCode(), text, limit), nil
	}
	if err != nil {
		return file, "", fmt.Errorf("run the PDF worker: %w", err)
	}
	if err := json.Unmarshal(out.b.Bytes(), &file); err != nil {
		return file, "", fmt.Errorf("answer of the PDF worker: %w", err)
	}
	return file, "", nil
}

// crashed reports whether what a worker said is the Go runtime's last word.
func crashed(said string) bool {
	return strings.Contains(said, "panic:") || strings.Contains(said, "fatal error:") || strings.Contains(said, "runtime:")
}

// workerFault says in one sentence why a worker that ended with status, or -1 for a signal, gave no text, and what to do:
// what the machine lacked is no fault of the file.
func workerFault(status int, said string, limit time.Duration) string {
	low := strings.ToLower(said)
	switch {
	case strings.Contains(low, "no space left"), strings.Contains(low, "disk quota"):
		return "the PDF was not read because the disk is full; free some space and add the folder again"
	case strings.Contains(low, "out of memory"), strings.Contains(low, "cannot allocate memory"):
		return "the PDF was not read because there was too little memory; close other programs and add the folder again"
	case status == overtime:
		return fmt.Sprintf("the PDF took more than %s of processor time and was given up; split it or save it again", limit)
	case status == -1:
		return "the PDF was not read because its reader was ended from outside, as when memory runs out; add the folder again and it is tried again"
	case crashed(said):
		return "the PDF could not be read because the reader crashed on it; open it in a viewer and save it again"
	case strings.TrimSpace(said) == "":
		return fmt.Sprintf("the PDF could not be read: the reader ended with status %d; add the folder again and it is tried again", status)
	}
	return "the PDF could not be read: the reader gave up on it (" + oneLine(said, 200) + "); open it in a viewer and save it again"
}

// bounded is a writer that keeps max bytes and calls full, if set, when there are more.
type bounded struct {
	b    bytes.Buffer
	max  int
	over bool
	full func()
}

// Write keeps what fits. It claims to have written everything, so that the worker is not blocked before it is killed.
func (w *bounded) Write(p []byte) (int, error) {
	room := w.max - w.b.Len()
	if len(p) > room {
		w.over = true
		if w.full != nil {
			w.full()
		}
		w.b.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return w.b.Write(p)
}
