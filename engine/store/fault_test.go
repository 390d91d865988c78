package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFaultsOfAPlaceSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, want string }{
		{filepath.Join(dir, "none", "x.html"), "its folder does not exist"},
		{filepath.Join(file, "x.html"), "is a file and not a folder"},
		{filepath.Join(dir, strings.Repeat("x", 300)), ""}, // the temporary name is short; the rename fails
		{filepath.Join(dir, strings.Repeat("y", 5000), "x"), "too long"},
	} {
		err := WriteOut(tc.name, []byte("x"))
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), ".new-") || strings.Contains(err.Error(), "no such file") {
			t.Errorf("WriteOut(%.80s) = %v, want %q", tc.name, err, tc.want)
		}
	}
	if err := WriteOut(filepath.Join(dir, "none", "x"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not match fs.ErrNotExist", err)
	}
}

func TestBadJSONInWords(t *testing.T) {
	var v struct {
		N int `json:"n"`
	}
	for text, want := range map[string]string{
		``:             "its end is missing",
		`{"n":`:        "its end is missing",
		`{"n":1]`:      "it is not JSON at byte 7",
		`[1]`:          "it is an array and not an object",
		`{"n":"one"}`:  `"n" holds a string, which does not belong there`,
		`{"n":[]}`:     `"n" holds an array, which does not belong there`,
		`{"n":{}}`:     `"n" holds an object, which does not belong there`,
		`{"n":1e99}`:   `"n" holds a number that is not whole, not written in plain digits (4096, not 4.096e3), or too large`,
		`"not a dict"`: "it is a string and not an object",
	} {
		err := json.Unmarshal([]byte(text), &v)
		if err == nil || BadJSON(err) != want {
			t.Errorf("BadJSON of %s = %q, want %q", text, BadJSON(err), want)
		}
	}
}
