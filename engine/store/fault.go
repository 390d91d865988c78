package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
)

// ErrDiskFull and ErrReadOnly are matched by the errors of writes that failed for that reason.
var (
	ErrDiskFull = errors.New("the disk is full")
	ErrReadOnly = errors.New("it may not be written")
)

// Fault turns the error of a disk operation on path into a sentence that says what to do. A nil error stays nil.
func Fault(op, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrDiskFull), errors.Is(err, ErrReadOnly):
		return err // told already
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s: %w (%s): free some space there and do it again", op, ErrDiskFull, path)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %s: %w: change its permissions or choose another folder with ASSAY_HOME", op, path, ErrReadOnly)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// OutFault is [Fault] for a place that the person named with --out.
func OutFault(op, path string, err error) error {
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: %s: %w: change its permissions or choose another place with --out", op, path, ErrReadOnly)
	}
	return Fault(op, path, err)
}

// DamagedError says that a record cannot be read.
type DamagedError struct {
	ID     string
	Path   string
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("run %s: its record %s is damaged (%s): delete the run, or put back a copy of the file", e.ID, e.Path, e.Reason)
}

// VersionError says that a run was made by another version and is not resumed.
type VersionError struct {
	ID       string
	Code     string // that made the run
	Now      string // of this program
	Schema   int
	NowValid int // the schema of this program
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("run %s was made by version %s (record %d) and this is version %s (record %d): it opens, audits and renders, but start it afresh instead of resuming it",
		e.ID, e.Code, e.Schema, e.Now, e.NowValid)
}

// BadJSON says in words why a text could not be read as JSON.
func BadJSON(err error) string {
	var form *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Sprintf("%q holds a %s, which does not belong there", kind.Field, kind.Value)
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &form) && form.Error() == "unexpected end of JSON input":
		return "its end is missing"
	case form != nil:
		return fmt.Sprintf("it is not JSON at byte %d", form.Offset)
	}
	return err.Error()
}
