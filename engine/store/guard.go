package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Guard takes the lock of a folder of this home, which it makes when absent, so that one program at a time works in it. It is
// waited for as that of a run. name may have several parts, none of which leads out of the home.
func (h *Home) Guard(name string) (release func(), err error) {
	dir, err := h.inside(name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, Fault("open "+name, dir, err)
	}
	l, err := lock(dir, h.program, lockWait)
	var held *LockedError
	if errors.As(err, &held) {
		return nil, fmt.Errorf("%s is in use by another program (%s): wait until it is done there, or stop it there first", name, held.Holder)
	}
	if err != nil {
		return nil, Fault("open "+name, dir, err)
	}
	return l.release, nil
}

func (h *Home) inside(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q is no folder of the home", name)
	}
	return filepath.Join(h.dir, name), nil
}
