package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestSealsFind changes every value of a record, one at a time, drops every event and swaps neighbours, and wants each found
// and its place named.
func TestSealsFind(t *testing.T) {
	raw, err := json.Marshal(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	tried := 0
	try := func(path, want string) {
		t.Helper()
		b, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var run research.Run
		if json.Unmarshal(b, &run) != nil {
			return // it is no record at all then
		}
		tried++
		for _, f := range Check(run).Faults {
			if strings.HasPrefix(f.Where, want) {
				return
			}
		}
		t.Errorf("%s was changed, and no fault at %q says so", path, want)
	}
	for _, name := range keysOf(tree) {
		want := map[string]string{"events": "event ", "blobs": "blob ", "digest": "digest", "seals": ""}
		place, ok := want[name]
		if !ok {
			place = "head"
		}
		seen := map[string]bool{}
		eachValue(tree[name], name, func(v any) { tree[name] = v }, func(path string, set func(any), old any) {
			// One value of each kind of the digest is enough: its seal covers all of it as one text.
			kind := places.ReplaceAllString(path, "*")
			if name == "digest" && seen[kind] {
				return
			}
			seen[kind] = true
			at := place
			if n, _, ok := strings.Cut(strings.TrimPrefix(path, "events["), "]"); ok && name == "events" {
				if strings.HasSuffix(path, "].seq") {
					at = "event "
				} else {
					at = "event " + next(n)
				}
			}
			set(other(old))
			try(path, at)
			set(old)
		})
	}
	events := tree["events"].([]any)
	for i := range events {
		tree["events"] = append(append([]any{}, events[:i]...), events[i+1:]...)
		try(fmt.Sprintf("events without %d", i), "")
		if i > 0 {
			moved := append([]any{}, events...)
			moved[i-1], moved[i] = moved[i], moved[i-1]
			tree["events"] = moved
			try(fmt.Sprintf("events %d and %d swapped", i-1, i), "event ")
		}
	}
	tree["events"] = events
	delete(tree, "seals")
	try("seals taken off", "seals")
	t.Logf("%d changes", tried)
	if tried < 400 {
		t.Errorf("only %d changes were tried", tried)
	}
}

// places are the indices and ids in a path.
var places = regexp.MustCompile(`\[\d+\]|\.(?:[a-z]+\d[0-9a-f]*)`)

// next is the number of the event at index n.
func next(n string) string {
	var i int
	fmt.Sscan(n, &i)
	return fmt.Sprint(i + 1)
}

// eachValue calls fn for every value of a tree that is no object and no list.
func eachValue(v any, path string, set func(any), fn func(path string, set func(any), old any)) {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range keysOf(x) {
			eachValue(x[k], path+"."+k, func(v any) { x[k] = v }, fn)
		}
	case []any:
		for i := range x {
			eachValue(x[i], fmt.Sprintf("%s[%d]", path, i), func(v any) { x[i] = v }, fn)
		}
	default:
		fn(path, set, v)
	}
}

// other is a value of the same kind.
func other(v any) any {
	switch x := v.(type) {
	case json.Number:
		return json.Number("1" + strings.TrimPrefix(x.String(), "-"))
	case bool:
		return !x
	case nil:
		return "x"
	}
	return v.(string) + "x"
}
