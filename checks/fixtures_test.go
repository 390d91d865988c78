package checks

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"assay/engine/enginetest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// fixture is a file of testdata/NAME: a view on which the check fires at the key (pos) or stays silent (neg).
type fixture struct {
	path string
	Why  string `json:"why"`
	Key  string `json:"key"`
	View View   `json:"view"`
}

func fixtures(t *testing.T, pattern string) []fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(paths)
	var out []fixture
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		f := fixture{path: filepath.ToSlash(p)}
		dec := json.NewDecoder(strings.NewReader(string(b)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&f); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		out = append(out, f)
	}
	return out
}

// TestFixtures runs the whole bank over every example: a positive one makes its check fire at its key, a negative one leaves
// it silent, and what else fires is pinned in matrix.txt, so that two checks cannot merge and a new one that fires on
// another's good example is seen.
func TestFixtures(t *testing.T) {
	var matrix strings.Builder
	for _, c := range Bank {
		for _, kind := range []string{"pos", "neg"} {
			list := fixtures(t, c.Name+"/"+kind+"*.json")
			if len(list) < 2 {
				t.Errorf("%s has %d %s fixtures, want at least 2", c.Name, len(list), kind)
			}
			for _, f := range list {
				fires := Evaluate(f.View, Options{})
				if f.Why == "" {
					t.Errorf("%s does not say why", f.path)
				}
				fired := false
				var all []string
				for _, fire := range fires {
					here := fire.Check == c.Name
					fired = fired || here && (kind == "neg" || fire.Key.String() == f.Key)
					all = append(all, fmt.Sprintf("%s@%s=%s/%s", fire.Check, fire.Key, fire.Class, fire.Action))
				}
				if fired != (kind == "pos") {
					t.Errorf("%s (%s): %s fires = %v at %q; all that fires: %v", f.path, f.Why, c.Name, fired, f.Key, all)
				}
				fmt.Fprintf(&matrix, "%s: %s\n", strings.TrimPrefix(f.path, "testdata/"), strings.Join(all, " "))
			}
		}
	}
	golden := filepath.Join("testdata", "matrix.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(matrix.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := matrix.String(); got != string(want) {
		t.Errorf("the verdict matrix changed; run go test ./checks -run Fixtures -update and read the diff\n%s", firstDiff(got, string(want)))
	}
}

func firstDiff(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, g[i], append(w, make([]string, len(g))...)[i])
		}
	}
	return "the golden file has more lines"
}

// TestPurity evaluates every fixture many times: the hits are the same whatever the order of maps, and the view is untouched
// by Evaluate and by Step.
func TestPurity(t *testing.T) {
	for i, f := range fixtures(t, "*/*.json") {
		if i%enginetest.Sparse(5) != 0 {
			continue
		}
		before := viewHash(t, f.View)
		first := Evaluate(f.View, Options{})
		step := Step(State{}, f.View, Options{})
		own := Lookup(filepath.Base(filepath.Dir(f.path)))
		for _, k := range own.Scope(f.View) {
			hits := own.Eval(f.View, k)
			for range 20 { // the order of a map differs from one walk to the next
				if again := own.Eval(f.View, k); !reflect.DeepEqual(again, hits) {
					t.Fatalf("%s: two evaluations of %s at %s differ", f.path, own.Name, k)
				}
			}
		}
		if again := Evaluate(f.View, Options{}); !reflect.DeepEqual(again, first) {
			t.Fatalf("%s: two evaluations differ", f.path)
		}
		if again := Step(State{}, f.View, Options{}); !reflect.DeepEqual(again, step) {
			t.Fatalf("%s: two steps differ", f.path)
		}
		if after := viewHash(t, f.View); after != before {
			t.Errorf("%s: the view was changed", f.path)
		}
	}
}

func viewHash(t *testing.T, v View) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestEdits holds what is promised of edits: each leaves its own check clean on the key, and doing it twice is doing it once.
func TestEdits(t *testing.T) {
	for _, f := range fixtures(t, "*/pos*.json") {
		for _, c := range Bank {
			if c.Edit == nil {
				continue
			}
			for _, k := range c.Scope(f.View) {
				once := c.Edit(f.View, k)
				if strongHits(c.Eval(f.View, k)) == nil && c.Name != "emptysection" && viewHash(t, once) != viewHash(t, f.View) {
					t.Errorf("%s: %s edits %s, which is clean", f.path, c.Name, k)
				}
				if hits := strongHits(c.Eval(once, k)); len(hits) > 0 {
					t.Errorf("%s: after its edit %s still fires on %s: %v", f.path, c.Name, k, hits)
				}
				if twice := c.Edit(once, k); viewHash(t, twice) != viewHash(t, once) {
					t.Errorf("%s: the edit of %s at %s is not idempotent", f.path, c.Name, k)
				}
			}
		}
	}
}

// strongHits leaves out what only advises: an edit puts right what blocks.
func strongHits(hits []Hit) []Hit {
	var out []Hit
	for _, h := range hits {
		if !h.Weak {
			out = append(out, h)
		}
	}
	return out
}
