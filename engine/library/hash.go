package library

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// changedMeanwhile reports whether a file is another than when it was listed and hashed. Of one that is as new as its last write,
// size and time do not tell.
func changedMeanwhile(f file, st state) bool {
	info, err := os.Stat(f.path)
	if err != nil || info.Size() != f.size || info.ModTime().UnixNano() != f.mtime {
		return true
	}
	if st.Mtime != 0 || st.Hash == "" {
		return false
	}
	hash, err := hashFile(f.path)
	return err != nil || hash != st.Hash
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
