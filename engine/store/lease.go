package store

import (
	"errors"
	"os"
)

// Lease takes the lock of a folder, which is made when absent, for this program, or says who has it. The operating system lets
// it go when the process ends, however it ends. A nil release means that the holder has it; then held is true. It is for
// things other than runs, such as a server that all programs of one home share.
func Lease(dir, program string) (release func(), holder Holder, held bool, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, Holder{}, false, Fault("make the folder", dir, err)
	}
	l, err := lock(dir, program, 0)
	var locked *LockedError
	switch {
	case errors.As(err, &locked):
		return nil, locked.Holder, true, nil
	case err != nil:
		return nil, Holder{}, false, Fault("lock the folder", dir, err)
	}
	return l.release, Holder{}, false, nil
}

// LeaseHolder reports which program has the lock of a folder, if any has.
func LeaseHolder(dir string) (Holder, bool) { return probe(dir) }
