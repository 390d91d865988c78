package library

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"assay/engine/research"
)

// texts keeps clean texts by their SHA-256, one file each. A text is checked against its name when it is read, so that a
// file that a power cut left short is noticed and read from its document again.
type texts struct{ dir string }

// errText says that a kept text is missing or damaged.
var errText = errors.New("kept text is missing or damaged")

func (l *Library) texts() texts { return texts{filepath.Join(l.dir, "texts")} }

func (t texts) path(sha string) string { return filepath.Join(t.dir, sha[:2], sha) }

func (t texts) put(sha, text string) error {
	path := t.path(sha)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(text)) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return diskFault("keep a text", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return diskFault("keep a text", err)
	}
	defer os.Remove(tmp.Name()) // fails when the rename succeeded
	_, err = tmp.WriteString(text)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return diskFault("keep a text", err)
	}
	return nil
}

func (t texts) get(sha string) (string, error) {
	if len(sha) != 64 {
		return "", errText
	}
	b, err := os.ReadFile(t.path(sha))
	if errors.Is(err, fs.ErrNotExist) {
		return "", errText
	}
	if err != nil {
		return "", diskFault("read a kept text", err)
	}
	s := string(b)
	if research.SHA256(s) != sha {
		_ = os.Remove(t.path(sha)) // damaged: the next ingestion reads the document again
		return "", errText
	}
	return s, nil
}

// sweep deletes the texts that are not in keep.
func (t texts) sweep(keep map[string]bool) error {
	err := filepath.WalkDir(t.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if d.IsDir() || keep[d.Name()] {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil {
		return diskFault("delete old texts", err)
	}
	return nil
}
