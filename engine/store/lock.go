package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// lockWait is how long a lock is waited for before its holder is named (CONTRACT section 2).
const lockWait = 2 * time.Second

// lockPoll is the pause between two tries.
const lockPoll = 20 * time.Millisecond

// errLocked is what tryLock returns while another open file holds the lock.
var errLocked = errors.New("locked")

// Holder is the program that works on a run.
type Holder struct {
	PID     int    `json:"pid"`
	Program string `json:"program"` // "window", "terminal"
}

// String is "window, process 4711".
func (h Holder) String() string {
	if h.PID == 0 {
		return "another program"
	}
	return fmt.Sprintf("%s, process %d", h.Program, h.PID)
}

// LockedError says who works on a run.
type LockedError struct {
	ID     string
	Holder Holder
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("run %s is in use by another program (%s): wait until it is done there, or stop it there first", e.ID, e.Holder)
}

// fileLock is a lock the operating system lets go when the process ends, however it ends.
type fileLock struct{ f *os.File }

// lock takes the lock of a run's folder, trying for at most wait. The error matches errLocked and is a *LockedError without
// its ID when another program kept it.
func lock(dir, program string, wait time.Duration) (*fileLock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(lockPoll) {
		if err = tryLock(f, true); err == nil {
			break
		}
		if !errors.Is(err, errLocked) || time.Since(began) >= wait {
			holder := readHolder(f)
			err2 := f.Close()
			if errors.Is(err, errLocked) {
				return nil, &LockedError{Holder: holder}
			}
			return nil, errors.Join(err, err2)
		}
	}
	b, err := json.Marshal(Holder{PID: os.Getpid(), Program: program})
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.WriteAt(b, 0)
	}
	if err != nil { // the lock holds all the same; only its message would be poorer, but a full disk is better told now
		return nil, errors.Join(err, f.Close())
	}
	return &fileLock{f}, nil
}

// release lets the lock go. The file stays: removing it would let two programs lock two files of one name.
func (l *fileLock) release() { _ = l.f.Close() }

// probe reports whether some process holds the lock of a run's folder, and which.
func probe(dir string) (Holder, bool) {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if err != nil {
		return Holder{}, false
	}
	defer func() { _ = f.Close() }() // opened for reading
	if err := tryLock(f, false); !errors.Is(err, errLocked) {
		return Holder{}, false
	}
	return readHolder(f), true
}

func readHolder(f *os.File) Holder {
	var h Holder
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	if err != nil || json.Unmarshal(b, &h) != nil {
		return Holder{}
	}
	return h
}

// lockFault puts the run's id into a *LockedError and tells any other error as a sentence.
func lockFault(op, id string, err error) error {
	var le *LockedError
	if errors.As(err, &le) {
		return &LockedError{ID: id, Holder: le.Holder}
	}
	return Fault(op, id, err)
}
