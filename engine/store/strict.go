package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// foldedDepth is down to which depth keys that differ in case only are taken for the same one: the fields of a record and of the
// things in it, which Go's decoder matches in any case. Below it keys are ids and what others wrote.
const foldedDepth = 3

// repeated reads JSON to its end and returns the first key that an object holds twice, "" when none does. What cannot be read ends it
// without a word: whoever decodes the same bytes says so.
func repeated(r io.Reader) string {
	type object struct {
		keys  map[string]bool // nil: a list
		value bool            // the next token is the value of a key
	}
	d := json.NewDecoder(r)
	d.UseNumber()
	var stack []*object
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		if delim, ok := t.(json.Delim); ok && (delim == '}' || delim == ']') {
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
			continue
		}
		if n := len(stack); n > 0 && stack[n-1].keys != nil {
			top := stack[n-1]
			if !top.value {
				key, _ := t.(string)
				fold := key
				if n <= foldedDepth {
					fold = strings.ToLower(key)
				}
				if top.keys[fold] {
					return key
				}
				top.keys[fold], top.value = true, true
				continue
			}
			top.value = false
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, &object{keys: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, &object{})
		}
	}
}

// strictly decodes one JSON value from rd into v. Fields that v does not have and keys that stand twice are errors: what one reader
// takes for the content another would not see.
func strictly(rd io.Reader, v any) error {
	pr, pw := io.Pipe()
	twice := make(chan string, 1)
	go func() {
		key := repeated(pr)
		_, _ = io.Copy(io.Discard, pr) // the rest, so that the writer never waits
		twice <- key
	}()
	d := json.NewDecoder(io.TeeReader(rd, pw))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errFollows
		}
	}
	_ = pw.Close() // never fails
	key := <-twice
	if key != "" && (err == nil || errors.Is(err, errFollows)) {
		return fmt.Errorf("%q stands in it twice", key)
	}
	return err
}

// errFollows says that something stands behind a JSON value.
var errFollows = errors.New("something follows the record: the file is damaged")
