package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// diskFault puts an error of the file system, or of the index about it, into a sentence that says what to do. doing is what
// was tried: "write the index". Errors that have their sentence, and the end of a context, stay as they are.
func diskFault(doing string, err error) error {
	var held *LockedError
	var said *fault
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrDamaged), errors.As(err, &held), errors.As(err, &said):
		return err
	}
	text := strings.ToLower(err.Error())
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), has("no space left", "disk quota", "not enough space"):
		return &fault{doing, "the disk is full; free some space and add the folder again: what was read before is kept", err}
	case errors.Is(err, fs.ErrPermission), has("permission denied", "read-only file system", "access is denied"):
		return &fault{doing, "the folder of the library may not be written (" + where(err) + "); make it writable and try again", err}
	case errors.Is(err, syscall.ENOTDIR), has("not a directory", "file exists"):
		return &fault{doing, "a file lies where a folder of the library belongs (" + where(err) + "); move it away and add the folder again", err}
	}
	return &fault{doing, cause(err) + " (" + where(err) + "); run assay doctor, and add the folder again", err}
}

// where names the file of an error, or says what the error says.
func where(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Path
	}
	return err.Error()
}

// fault is an error in one sentence.
type fault struct {
	doing, why string
	err        error
}

func (f *fault) Error() string { return fmt.Sprintf("the library could not %s: %s", f.doing, f.why) }
func (f *fault) Unwrap() error { return f.err }
