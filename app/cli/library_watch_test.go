package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/app/desk"
)

// heard is what a program prints, read while it runs.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(b)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// TestLibraryWatch keeps a folder up to date in the terminal until Ctrl-C.
func TestLibraryWatch(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	x.want(2, "the library is empty", "library", "watch")
	x.want(0, "searched by words alone, because no model server answers", "library", "add", dir)
	x.want(0, "", "library", "set", "watch", "off")
	x.want(2, "switched off", "library", "watch")
	x.want(0, "", "library", "set", "watch", "on")
	x.want(2, "use on or off", "library", "set", "watch", "maybe")
	x.want(2, "use watch or meaning", "library", "set", "colour", "red")
	var out heard
	p := &program{in: strings.NewReader(""), out: &out, err: &out, version: "1.0", signals: x.signals, exit: func(int) {},
		getenv: func(name string) string {
			return map[string]string{"ASSAY_HOME": x.home, "OLLAMA_HOST": x.ollama}[name]
		}}
	code := make(chan int, 1)
	go func() { code <- p.run([]string{"library", "watch"}) }()
	await := func(text string) {
		t.Helper()
		for range 600 {
			if strings.Contains(out.String(), text) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%q is not in\n%s", text, out.String())
	}
	await("Watching " + dir + ": the system tells of its changes")
	if err := os.WriteFile(filepath.Join(dir, "zinc.txt"), []byte("Zinc melts at 419.5 degrees Celsius.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	await("1 new, 0 changed, 0 gone, 1 passage; the last was metals/zinc.txt")
	x.signals <- os.Interrupt
	if got := <-code; got != desk.ExitDone && got != desk.ExitInterrupted {
		t.Errorf("code %d", got)
	}
	x.want(0, "metals/zinc.txt", "library", "search", "zinc")
	x.want(0, "Nothing was found.", "library", "search", "--kept", "zinc")
	x.want(0, "[]", "library", "search", "--kept", "--json", "zinc")
}
