package library

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/engine/research"
)

// Verified is what [Library.Verify] looked at.
type Verified struct {
	Files    int       // whose kept text was held against its hash
	Whole    bool      // all was looked at before the time was up
	Problems []Problem // what is damaged: kept texts, by location
}

// Verify reads all of the index and every kept text and holds them against their checksums. It ends early, without an error,
// when ctx ends. It returns [ErrDamaged] for an index that cannot be trusted and [*LockedError] when it cannot be read now.
// It changes nothing.
func (l *Library) Verify(ctx context.Context) (Verified, error) {
	v := Verified{}
	ended := func(err error) (Verified, error) {
		if ctx.Err() != nil {
			return v, nil
		}
		return v, err
	}
	if err := l.ix.sums(ctx); err != nil {
		return ended(err)
	}
	entries, err := l.List(ctx, "")
	if err != nil {
		return ended(err)
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return v, nil
		}
		if e.Fault != "" || e.SHA256 == "" {
			continue
		}
		v.Files++
		b, err := os.ReadFile(l.texts().path(e.SHA256))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			v.Problems = append(v.Problems, Problem{e.Location, "the kept text of " + e.Location + " is missing; add its folder again"})
		case err != nil:
			return v, diskFault("read the kept text of "+e.Location, err)
		case research.SHA256(string(b)) != e.SHA256:
			v.Problems = append(v.Problems, Problem{e.Location, "the kept text of " + e.Location + " is damaged; add its folder again"})
		}
	}
	v.Whole = true
	return v, nil
}

// sums holds every segment file of the index against its checksum.
func (s *shelf) sums(ctx context.Context) error {
	if err := s.place(); err != nil {
		return err
	}
	dir := filepath.Join(s.path, "store")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // opening it says so
	}
	if err != nil {
		return diskFault("read the index", err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".zap" {
			continue
		}
		err := checkSum(ctx, filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the writer of another process has merged it
		}
		if errors.Is(err, ErrDamaged) && !unwritten(s.path) {
			return lockedBy(s.path) // a file that is being written looks like a damaged one
		}
		if err != nil {
			return diskFault("read the index", err)
		}
	}
	return nil
}

// checkSum reads a segment file; its last four bytes are the CRC-32 of those before, big endian.
func checkSum(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < segmentFoot {
		return ErrDamaged
	}
	sum := crc32.NewIEEE()
	for left := info.Size() - crc32.Size; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(sum, f, min(left, 1<<20))
		if err != nil {
			return err
		}
		left -= n
	}
	var want [crc32.Size]byte
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return ErrDamaged
	}
	return nil
}
