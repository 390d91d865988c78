package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// maxLabelled is the largest file of labelled cases that is read, in bytes.
const maxLabelled = 256 << 20

// eachCase calls f with every line of the .jsonl files of dir (or of the file dir), as raw fields, in the order of the files'
// names. Sets are told apart by their fields, not by the names of their files.
func eachCase(dir string, f func(file string, fields map[string]json.RawMessage) error) error {
	files := []string{dir}
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil {
			return err
		}
		sort.Strings(files)
	}
	if len(files) == 0 {
		return fmt.Errorf("%s holds no .jsonl file", dir)
	}
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.Size() > maxLabelled {
			return fmt.Errorf("%s has %d bytes, more than the %d that are read", name, info.Size(), maxLabelled)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, len(b)+1)
		for n := 1; lines.Scan(); n++ {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(lines.Bytes(), &fields); err != nil {
				return fmt.Errorf("%s line %d: %w", name, n, err)
			}
			if err := f(filepath.Base(name), fields); err != nil {
				return fmt.Errorf("%s line %d: %w", name, n, err)
			}
		}
	}
	return nil
}

// has reports whether all of keys are among the fields.
func has(fields map[string]json.RawMessage, keys ...string) bool {
	for _, k := range keys {
		if _, ok := fields[k]; !ok {
			return false
		}
	}
	return true
}

// into decodes the fields of a case.
func into(fields map[string]json.RawMessage, v any) error {
	b, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// isChinese reports whether a label of language says Chinese; the sets write "ZH" or "Chinese".
func isChinese(lang string) bool {
	l := strings.ToLower(lang)
	return strings.HasPrefix(l, "zh") || strings.HasPrefix(l, "chinese")
}

// byteOffset turns an offset in characters into one in bytes.
func byteOffset(s string, chars int) int {
	for i := range s {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(s)
}
