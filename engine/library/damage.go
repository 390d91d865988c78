package library

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// segmentFoot is the length of the fixed end of a segment file of bleve: writer id length, number of documents, two offsets,
// chunk mode, version and checksum, big endian.
const segmentFoot = 4 + 8 + 8 + 8 + 4 + 4 + 4

// checkSegments looks at the ends of the segment files in dir. bleve panics on one that is cut short, and then keeps the lock
// of the index for as long as the process runs, so they are looked at before it opens them.
func checkSegments(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // bleve says so
	}
	if err != nil {
		return diskFault("open the index", err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".zap" {
			continue
		}
		err := checkSegment(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the writer of another process has merged it
		}
		if errors.Is(err, ErrDamaged) && !named(dir, e.Name()) {
			continue // a writer was killed over it, or is at it: it is of no state of the index, and bleve sweeps it away
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxRoot bounds what is read of the list of segments, in bytes; it has a few hundred for each.
const maxRoot = 64 << 20

// named reports whether the index refers to a segment. Its list, root.bolt, holds the names as they are; a segment gets there after
// all of it is on the disk. A name that is only left over in a free page counts too: the worst of it is that the index is built again.
func named(dir, segment string) bool {
	f, err := os.Open(filepath.Join(dir, "root.bolt"))
	if err != nil {
		return true
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRoot))
	return err != nil || len(b) == maxRoot || bytes.Contains(b, []byte(segment))
}

func checkSegment(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return diskFault("open the index", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return diskFault("open the index", err)
	}
	size := info.Size()
	if size < segmentFoot {
		return ErrDamaged
	}
	var foot [segmentFoot]byte
	if _, err := f.ReadAt(foot[:], size-segmentFoot); err != nil && !errors.Is(err, io.EOF) {
		return diskFault("open the index", err)
	}
	body := uint64(size - segmentFoot)
	id, stored, sections := binary.BigEndian.Uint32(foot[0:]), binary.BigEndian.Uint64(foot[12:]), binary.BigEndian.Uint64(foot[20:])
	if uint64(id) > body || stored > body || sections > body {
		return ErrDamaged
	}
	return nil
}

// complaints are what bleve writes to the standard logger. The first three say that it went on without a part of the index.
var complaints = []string{"unable to load snapshot", "snapshot key, but bucket missing", "unable to parse segment epoch", "got err removing file", "RollbackPoints:"}

const lossy = 3

// ear stands before the standard logger's output: it keeps bleve's complaints from the person, who can do nothing with them,
// and remembers whether there was one that means a loss. All else goes on to where it went before.
type ear struct {
	mu   sync.Mutex
	next io.Writer
	loss bool
}

// Write implements io.Writer.
func (e *ear) Write(p []byte) (int, error) {
	for i, c := range complaints {
		if strings.Contains(string(p), c) {
			e.mu.Lock()
			e.loss = e.loss || i < lossy
			e.mu.Unlock()
			return len(p), nil
		}
	}
	return e.next.Write(p)
}

var (
	hearing sync.Mutex // one index is opened at a time, so that a complaint is about it
	bleveIn *ear
)

// heard runs fn and reports whether bleve complained of a loss meanwhile. The logger keeps the ear afterwards, because bleve
// also writes from its own goroutines.
func heard(fn func()) bool {
	hearing.Lock()
	defer hearing.Unlock()
	if w := log.Writer(); bleveIn == nil || w != io.Writer(bleveIn) {
		bleveIn = &ear{next: w}
		log.SetOutput(bleveIn)
	}
	fn()
	bleveIn.mu.Lock()
	defer bleveIn.mu.Unlock()
	loss := bleveIn.loss
	bleveIn.loss = false
	return loss
}
