package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
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
	if why := reason(err); why != "" {
		return &placeError{text: fmt.Sprintf("%s: %s: %s", op, path, why), err: err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// placeError is a disk's error told in words.
type placeError struct {
	text string
	err  error
}

func (e *placeError) Error() string { return e.text }
func (e *placeError) Unwrap() error { return e.err }

// reason says in words what is wrong with a place and what to do; empty when the error is of another kind.
func reason(err error) string {
	for _, r := range []struct {
		is   error
		text string
	}{
		{fs.ErrNotExist, "its folder does not exist: make it, or choose another place"},
		{syscall.ENOTDIR, "a part of this path is a file and not a folder: choose another place"},
		{syscall.EISDIR, "it is a folder and not a file: choose another name"},
		{syscall.ENAMETOOLONG, "the name is too long: choose a shorter one"},
		{syscall.ELOOP, "its links lead in a circle: choose another place"},
		{syscall.EMFILE, "too many files are open: close other programs and do it again"},
		{syscall.ENFILE, "too many files are open: close other programs and do it again"},
		{syscall.EIO, "the disk does not answer: check it and do it again"},
	} {
		if errors.Is(err, r.is) {
			return r.text
		}
	}
	return ""
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
		what, _, _ := strings.Cut(kind.Value, " ") // "number 1e999": the number itself may be long
		a := "a"
		if strings.ContainsAny(what[:min(1, len(what))], "aeio") {
			a = "an"
		}
		if kind.Field == "" {
			return fmt.Sprintf("it is %s %s and not an object", a, what)
		}
		if what == "number" && kind.Type != nil && kind.Type.Kind() >= reflect.Int && kind.Type.Kind() <= reflect.Uint64 {
			return fmt.Sprintf("%q holds a number that is not whole, not written in plain digits (4096, not 4.096e3), or too large", kind.Field)
		}
		return fmt.Sprintf("%q holds %s %s, which does not belong there", kind.Field, a, what)
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &form) && form.Error() == "unexpected end of JSON input":
		return "its end is missing"
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return strings.TrimPrefix(err.Error(), "json: unknown field ") + " does not belong there"
	case form != nil && strings.Contains(form.Error(), "max depth"):
		return "it nests values thousands deep, which no record does"
	case form != nil:
		return fmt.Sprintf("it is not JSON at byte %d", form.Offset)
	}
	return err.Error()
}
