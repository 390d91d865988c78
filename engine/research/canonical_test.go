package research

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func TestCanonical(t *testing.T) {
	same := [][]string{
		{`{"b":1,"a":[1.50,"é"]}`, "{ \"a\": [ 15e-1, \"\\u00e9\" ],\n \"b\": 1.0 }", `{"a":[0.0150E2,"é"],"b":1e0}`},
		{`{"x":"<b>&"}`, `{"x":"\u003cb\u003e\u0026"}`},
		{`0`, `-0`, `0.000`, `0e5`}, {`1500`, `1.5e3`, `15E+2`}, {`-12.30`, `-123e-1`},
	}
	for _, group := range same {
		for _, s := range group[1:] {
			if a, b := Canonical([]byte(group[0])), Canonical([]byte(s)); !bytes.Equal(a, b) {
				t.Errorf("%s is %s and %s is %s", group[0], a, s, b)
			}
		}
	}
	for _, pair := range [][2]string{{`{"a":1}`, `{"a":2}`}, {`10`, `1`}, {`0.1`, `0.01`}, {`"1"`, `1`}, {`9007199254740993`, `9007199254740992`}, {`[1,2]`, `[2,1]`}, {`-1`, `1`}} {
		if bytes.Equal(Canonical([]byte(pair[0])), Canonical([]byte(pair[1]))) {
			t.Errorf("%s and %s are one", pair[0], pair[1])
		}
	}
	if got := Canonical([]byte(`{"a":`)); string(got) != `{"a":` {
		t.Errorf("no JSON became %s", got)
	}
}

// FuzzCanonical: the form of a form is itself, and it is a text of the same value.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,-3e7,"x\u0000"],"b":null}`, `[]`, `1e99999999999`, `"\ud800"`, `nope`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		once := Canonical(raw)
		if twice := Canonical(once); !bytes.Equal(once, twice) {
			t.Fatalf("%q, then %q", once, twice)
		}
		var a, b any
		if json.Unmarshal(raw, &a) == nil {
			if err := json.Unmarshal(once, &b); err != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%q became %q (%v)", raw, once, err)
			}
		}
	})
}
