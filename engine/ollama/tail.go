package ollama

import (
	"os"
	"path/filepath"
	"sync"
)

// Bounds of what is kept of a server's log.
const (
	maxTailFile  = 4 << 20 // bytes; then the file is put aside as NAME.1 and begun anew
	maxTailLines = 2000    // in memory
	maxTailLine  = 4 << 10 // bytes of a line in memory
)

// tail keeps the end of a server's log, in a file that never grows without end and in memory, and what it says.
type tail struct {
	name string // of the file; empty: none

	mu     sync.Mutex
	file   *os.File
	size   int64
	lines  []string
	next   int // where the next line goes once the ring is full
	reader LogReader
	fault  error // why the file could not be written; the rest goes on
}

// openTail goes on with the file of an earlier start.
func openTail(name string) *tail {
	t := &tail{name: name}
	if name == "" {
		return t
	}
	if t.fault = os.MkdirAll(filepath.Dir(name), 0o700); t.fault == nil {
		t.open()
	}
	return t
}

func (t *tail) open() {
	t.file, t.fault = os.OpenFile(t.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if t.fault != nil {
		return
	}
	if st, err := t.file.Stat(); err == nil {
		t.size = st.Size()
	}
}

// line takes in one line without its end.
func (t *tail) line(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reader.Line(string(b))
	short := string(b[:min(len(b), maxTailLine)])
	if len(t.lines) < maxTailLines {
		t.lines = append(t.lines, short)
	} else {
		t.lines[t.next] = short
		t.next = (t.next + 1) % maxTailLines
	}
	if t.file == nil {
		return
	}
	if t.size+int64(len(b))+1 > maxTailFile {
		_ = t.file.Close() // appended to; what is in it stays
		t.file, t.size = nil, 0
		if t.fault = os.Rename(t.name, t.name+".1"); t.fault != nil {
			return
		}
		if t.open(); t.file == nil {
			return
		}
	}
	n, err := t.file.Write(append(b, '\n'))
	if t.size += int64(n); err != nil {
		t.fault = err
		_ = t.file.Close()
		t.file = nil
	}
}

// last returns up to n of the newest lines, oldest first.
func (t *tail) last(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append(append([]string{}, t.lines[t.next:]...), t.lines[:t.next]...)
	return all[max(0, len(all)-max(n, 0)):]
}

// said is what the log says.
func (t *tail) said() Log {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reader.Log()
}

func (t *tail) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		_ = t.file.Close() // appended to; what is in it stays
		t.file = nil
	}
}
