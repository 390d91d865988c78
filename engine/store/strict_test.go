package store

import (
	"bytes"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestRepeated(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}`: "",
		`{"a":1,"a":2}`:                   "a",
		`{"a":1,"A":2}`:                   "A",
		`{"a":{"b":{"c":{"d":1,"D":2}}}}`: "",
		`{"a":{"b":{"c":{"d":1,"d":2}}}}`: "d",
		`[{"x":1},{"x":2,"y":3,"x":4}]`:   "x",
		`{"a":"b","c":"b","d":["a","a"]}`: "",
		`{"a":1,"a"`:                      "a",
		``:                                "",
		`{"a":`:                           "",
	} {
		if got := repeated(strings.NewReader(text)); got != want {
			t.Errorf("repeated(%s) = %q, want %q", text, got, want)
		}
	}
}

// TestImportRefusesAdditions: a record is what this program writes and nothing more: no field of another's making, and no second one in
// which another reader would see something else.
func TestImportRefusesAdditions(t *testing.T) {
	m := NewMemory(research.Request{Question: "Why?"}, "1.0")
	if err := m.SetDigest(research.Digest{Schema: 1, Topic: "Why?"}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Export(&b); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	if _, err := Import(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a field at the top":       strings.Replace(good, `"schema":1,`, `"schema":1,"note":"hi",`, 1),
		"a field in the digest":    strings.Replace(good, `"digest":{`, `"digest":{"verified_by":"x",`, 1),
		"a digest before":          strings.Replace(good, `"events":`, `"digest":{"title":"FORGED"},"events":`, 1),
		"a digest in another case": strings.Replace(good, `"events":`, `"Digest":{"title":"FORGED"},"events":`, 1),
		"something behind":         good + "{}",
	} {
		if text == good {
			t.Fatalf("%s: the record was not changed", name)
		}
		if _, err := Import(strings.NewReader(text)); err == nil || strings.Contains(err.Error(), "json: ") && strings.Contains(err.Error(), "unknown field") {
			t.Errorf("%s: Import = %v", name, err)
		}
	}
}

func FuzzRepeated(f *testing.F) {
	f.Add(`{"a":1,"a":2}`)
	f.Add(`[[[{}]]]`)
	f.Fuzz(func(t *testing.T, text string) { repeated(strings.NewReader(text)) })
}
