package ollama

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// answering is a server that gives one answer with status 200 to everything but a question for bytes, which it has.
func answering(t *testing.T, contentType, body string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a client that is told of an end while it sends reports that
		if r.Method == http.MethodHead {
			return
		}
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func modelFile(t *testing.T, content []byte) string {
	file := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAnswersOfAnother holds that a program that is no Ollama server and says 200 to everything is never believed.
func TestAnswersOfAnother(t *testing.T) {
	for name, a := range map[string]struct{ kind, body string }{
		"HTML": {"text/html", "<!DOCTYPE html>\n<html><body>Welcome</body></html>"}, "empty HTML": {"text/html", ""}, "text": {"text/plain", "ok"},
		"no type": {"", "  \nIt works!"}, "HTML that says JSON": {"application/json", "<html>"}, "blanks": {"text/plain", strings.Repeat(" ", 200)},
	} {
		t.Run(name, func(t *testing.T) {
			adm, faults := admin(t, answering(t, a.kind, a.body)), map[string]error{}
			_, faults["Version"] = adm.Version(t.Context())
			_, faults["List"] = adm.List(t.Context())
			_, faults["Running"] = adm.Running(t.Context())
			_, _, faults["Show"] = adm.Show(t.Context(), "a")
			_, faults["Load"] = adm.Load(t.Context(), "a", LoadOptions{})
			faults["Unload"] = adm.Unload(t.Context(), "a")
			faults["Copy"] = adm.Copy(t.Context(), "a", "b", false)
			faults["Delete"] = adm.Delete(t.Context(), "a")
			faults["Create"] = adm.Create(t.Context(), "a", modelFile(t, enginetest.Tiny{}.GGUF()), CreateOptions{})
			p, _, err := adm.Pull(t.Context(), "a", PullOptions{Tries: 1})
			if err != nil {
				t.Fatal(err)
			}
			faults["Pull"] = p.Wait(t.Context())
			for what, err := range faults {
				if !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "answers, but not as an Ollama server does") {
					t.Errorf("%s = %v", what, err)
				}
			}
		})
	}
}

// TestYesThatIsNone holds that a yes without its effect is none: the list decides.
func TestYesThatIsNone(t *testing.T) {
	adm := admin(t, answering(t, "application/json", `{"models":[{"name":"a:latest"}]}`))
	if err := adm.Copy(t.Context(), "a", "b", false); !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "does not list that name") {
		t.Errorf("Copy = %v", err)
	}
	if err := adm.Delete(t.Context(), "a"); !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "still lists it") {
		t.Errorf("Delete = %v", err)
	}
	if err := adm.Delete(t.Context(), "c"); err != nil {
		t.Errorf("Delete of one that is gone = %v", err)
	}
}

// TestServersOwnWords holds that what a server writes of a fault is not taken for a broken connection.
func TestServersOwnWords(t *testing.T) {
	file := modelFile(t, enginetest.Tiny{}.GGUF())
	for words, want := range map[string]string{"unexpected EOF": "the file is cut off or damaged; get it again", "invalid file magic": "get it again", "EOF": "says: EOF", "connection reset by peer": "says: connection reset by peer"} {
		adm := admin(t, answering(t, "application/x-ndjson", fmt.Sprintf(`{"error":%q}`, words)))
		err := adm.Create(t.Context(), "a", file, CreateOptions{})
		if errors.Is(err, research.ErrUnavailable) || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Create with %q = %v, want %q", words, err, want)
		}
		if err := adm.Unload(t.Context(), "a"); !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "says: "+words) {
			t.Errorf("Unload with %q = %v", words, err)
		}
	}
}

// TestCutOffFile holds that a file which ends before what its header announces is refused, at whatever byte it ends, and that nothing
// is sent.
func TestCutOffFile(t *testing.T) {
	whole := enginetest.Tiny{}.GGUF()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }))
	defer s.Close()
	adm := admin(t, s.URL)
	for _, n := range []int{0, 3, 4, 5, 8, 16, 23, 24, 30, 100, 1000, len(whole) / 2, len(whole) - 4096} {
		err := adm.Create(t.Context(), "a", modelFile(t, whole[:n]), CreateOptions{})
		want := "is cut off"
		if n < 4 {
			want = "is not a model: it does not begin as a GGUF file does"
		}
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d of %d bytes: %v, want %q", n, len(whole), err, want)
		}
	}
	need, err := ggufSize(bytes.NewReader(whole), uint64(len(whole)))
	if err != nil || need > uint64(len(whole)) || need < uint64(len(whole))-4096 {
		t.Errorf("ggufSize = %d, %v; the file has %d", need, err, len(whole))
	}
}

// TestHangingPull holds that a pull ends with a sentence when a server accepts it and says nothing.
func TestHangingPull(t *testing.T) {
	url, asked := pulling(t, []string{"hang"})
	adm := admin(t, url)
	adm.Look = 50 * time.Millisecond
	p, _, err := adm.Pull(t.Context(), "tiny", PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); !errors.Is(err, research.ErrHung) || !strings.Contains(err.Error(), "said nothing for 50ms; restart it and pull again") {
		t.Errorf("Wait = %v", err)
	}
	if asked.Load() != 1 || p.Progress().Phase != PullFailed {
		t.Errorf("asked %d times, %+v", asked.Load(), p.Progress())
	}
}

// FuzzGGUFSize holds that no header makes the reader fail otherwise than with an error, or read beyond the file.
func FuzzGGUFSize(f *testing.F) {
	whole := enginetest.Tiny{}.GGUF()
	f.Add(whole[:4096])
	f.Add([]byte("GGUF\x03\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if need, err := ggufSize(bytes.NewReader(b), uint64(len(b))); err == nil && need > 1<<63 {
			t.Errorf("%d bytes", need)
		}
	})
}
