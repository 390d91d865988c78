//go:build !unix

package library

import (
	"errors"
	"io/fs"
	"os"
)

// takeTurn takes the lock that a file stands for, and reports whether another process has it. A file that a process holds open
// cannot be removed here, so one that can was left by a process that is gone.
func takeTurn(path string) (release func(), held bool, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	return func() { _ = f.Close() }, false, nil
}
