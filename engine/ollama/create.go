package ollama

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// ErrFile: a model file is none, is damaged, or is not the one that was expected. Nothing was sent.
var ErrFile = errors.New("model file refused")

// Phases of [Admin.Create].
const (
	CreateChecking  = "checking"  // the file is read and its checksum made
	CreateUploading = "uploading" // to the server
	CreateMaking    = "making"    // the server reads it
)

// CreateOptions are what a model is made of, besides its file.
type CreateOptions struct {
	// SHA256 is the checksum that the file must have, 64 hex digits with or without "sha256:". If empty, any.
	SHA256 string
	// Replace says yes to a name that stands for another model already.
	Replace bool
	// Template and System are those of the model. If empty, the file's own.
	Template, System string
	// Parameters are the model's own defaults, such as num_ctx. May be nil.
	Parameters map[string]any
	// Progress, when set, is told the phase and the bytes of it. It must not block for long.
	Progress func(phase string, done, total int64)
}

var hex64 = regexp.MustCompile(`^(?i:sha256[:-])?([0-9a-fA-F]{64})$`)

// Create makes a model of a GGUF file: it reads the file once to make its checksum, which must be the expected one if there is
// one, and once to send it, unless the server has these bytes already. The error wraps [ErrFile] when the file is refused, and
// [ErrTaken] when the name stands for a model already; then nothing was sent.
func (a *Admin) Create(ctx context.Context, name, file string, opt CreateOptions) error {
	n, err := ParseName(name)
	if err != nil {
		return err
	}
	want := ""
	if opt.SHA256 != "" {
		m := hex64.FindStringSubmatch(strings.TrimSpace(opt.SHA256))
		if m == nil {
			return saying(ErrFile, "checksum %.80q: it is not a SHA-256 of 64 hex digits", opt.SHA256)
		}
		want = strings.ToLower(m[1])
	}
	tell := opt.Progress
	if tell == nil {
		tell = func(string, int64, int64) {}
	}
	f, size, err := openModel(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading
	if err := a.free(ctx, name, "", opt.Replace); err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, &counted{stopped: ctx.Err, r: f, tell: func(n int64) { tell(CreateChecking, n, size) }}); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if want != "" && sum != want {
		return saying(ErrFile, "%s is not the file that was expected: its SHA-256 is %s and not %s; copy it again or get it from elsewhere", file, sum, want)
	}
	digest := "sha256:" + sum
	if err := a.upload(ctx, f, file, size, digest, tell); err != nil {
		return err
	}
	tell(CreateMaking, 0, 0)
	yes, success := true, false
	ctx, heard, done := untilSilent(ctx, silence, silence, "the server at %s did not say within %s that it made "+n.Short()+"; look at its log, or restart it", a.base)
	defer done()
	err = a.api.Create(ctx, &api.CreateRequest{
		Model: n.Short(), Stream: &yes, Files: map[string]string{filepath.Base(file): digest},
		Template: opt.Template, System: opt.System, Parameters: opt.Parameters,
	}, func(r api.ProgressResponse) error {
		heard()
		success = success || r.Status == "success"
		return nil
	})
	if err == nil && !success {
		err = errCut
	}
	if err != nil && contains(strings.ToLower(err.Error()), "unexpected eof", "invalid file magic", "unsupported gguf") && !broke(err) {
		return saying(ErrFile, "the server cannot read %s (%s): the file is cut off or damaged; get it again", file, short(err.Error()))
	}
	return a.fault(ctx, "create", name, err)
}

// openModel opens a GGUF file and returns its size in bytes.
func openModel(file string) (*os.File, int64, error) {
	f, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, saying(ErrFile, "file %s does not exist; check the spelling", file)
	case errors.Is(err, fs.ErrPermission):
		return nil, 0, saying(ErrFile, "file %s may not be read; give yourself the right to", file)
	case err != nil:
		return nil, 0, saying(ErrFile, "model file %s cannot be opened (%v)", file, err)
	}
	st, err := f.Stat()
	magic := make([]byte, 4)
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err == nil {
		if _, err = io.ReadFull(f, magic); err == io.EOF || err == io.ErrUnexpectedEOF || err == nil && !bytes.Equal(magic, []byte("GGUF")) {
			err = errors.New("it does not begin as a GGUF file does")
		}
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, 0, saying(ErrFile, "%s is not a model: %v; give a file whose name ends in .gguf", file, err)
	}
	for _, step := range []func() error{
		func() error { _, err := f.Seek(0, io.SeekStart); return err },
		func() error { return wholeModel(file, f, st.Size()) },
		func() error { _, err := f.Seek(0, io.SeekStart); return err },
	} {
		if err := step(); err != nil {
			_ = f.Close() // opened for reading
			return nil, 0, err
		}
	}
	return f, st.Size(), nil
}

// upload sends the file unless the server has it.
func (a *Admin) upload(ctx context.Context, f *os.File, file string, size int64, digest string, tell func(string, int64, int64)) error {
	have, err := a.has(ctx, digest)
	if err != nil || have {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	body := &counted{stopped: ctx.Err, r: f, tell: func(n int64) { tell(CreateUploading, n, size) }}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/api/blobs/"+digest, body)
	if err != nil {
		return err
	}
	req.ContentLength = size
	resp, err := a.http.Do(req)
	if err != nil {
		return fmt.Errorf("upload %s: %w", file, lookFault(ctx, a.base, err))
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return fmt.Errorf("upload %s: %w", file, lookFault(ctx, a.base, err))
	}
	err = statusFault(resp.StatusCode, b)
	var status api.StatusError
	if errors.As(err, &status) {
		low := strings.ToLower(status.ErrorMessage)
		switch {
		case strings.Contains(low, "digest mismatch"):
			return saying(ErrDigest, "%s changed while it was sent, or the way to the server damages it; try again", file)
		case contains(low, "no space left", "not enough space", "disk quota exceeded"):
			return saying(ErrNoSpace, "the disk of the model server is full; free %s and try again", BytesText(size))
		}
		return a.fault(ctx, "upload", file, err)
	}
	return nil
}

// has asks whether the server holds these bytes.
func (a *Admin) has(ctx context.Context, digest string) (bool, error) {
	ctx, cancel := a.look(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, a.base+"/api/blobs/"+digest, nil)
	if err != nil {
		return false, err
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return false, lookFault(ctx, a.base, err)
	}
	_ = resp.Body.Close() // there is none
	switch {
	case resp.StatusCode == http.StatusOK:
		return true, nil
	case resp.StatusCode == http.StatusNotFound:
		return false, nil
	}
	return false, saying(research.ErrServer, "the server at %s does not say whether it holds the file (status %d)", a.base, resp.StatusCode)
}

// counted tells how much was read, every megabyte, and ends when it is stopped.
type counted struct {
	stopped   func() error
	r         io.Reader
	tell      func(int64)
	n, toldAt int64
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.stopped(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.n-c.toldAt >= 1<<20 || err == io.EOF {
		c.toldAt = c.n
		c.tell(c.n)
	}
	return n, err
}
