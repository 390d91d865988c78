package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sort"
	"strings"
	"testing"
)

// A row of the table: which packages of ours a package may import. enginetest is added for test files, and for those only.
type row struct {
	name string
	may  []string
}

// leaves is what the leaves of the engine build on.
var leaves = []string{"engine/research", "engine/text", "engine/temporal"}

// table says who may import whom. Nouns at the bottom, wiring at the top, nothing sideways. A package without a row fails
// the test: a new package is a decision.
var table = []row{
	{"engine/research", nil},
	{"gpu", nil},
	{"frontend", nil},
	{"engine/tiny", nil},
	{"engine/window", nil},

	{"engine/text", []string{"engine/research"}},
	{"engine/ablation", nil},
	{"engine/audit", []string{"engine/research"}},
	{"engine/bakeoff", []string{"engine/research"}},
	{"engine/queue", []string{"engine/research"}},
	{"engine/render", []string{"engine/research"}},
	{"engine/prompts", []string{"engine/research"}},

	{"engine/temporal", []string{"engine/research", "engine/text"}},
	{"engine/intent", leaves},
	{"engine/provenance", leaves},
	{"engine/subject", leaves},
	{"engine/answer", leaves},
	{"engine/evidence", leaves},

	{"engine/difference", append([]string{"engine/evidence"}, leaves...)}, // what contradicts an earlier report is seen by one rule

	{"engine/schedule", nil},
	{"engine/knowledge", []string{"engine/research", "engine/text"}},
	{"engine/document", []string{"engine/research", "engine/text"}},
	{"engine/fetch", []string{"engine/research", "engine/text"}},
	{"engine/search", []string{"engine/research", "engine/text"}},
	{"engine/store", []string{"engine/research", "engine/text"}},
	{"engine/ollama", []string{"engine/research", "engine/text", "engine/window"}},
	{"engine/openai", []string{"engine/research", "engine/text", "engine/window"}},
	{"engine/recorded", []string{"engine/research", "engine/text"}},
	{"engine/library", []string{"engine/research", "engine/text", "engine/document"}},
	{"engine/extractive", append([]string{"engine/intent", "engine/subject", "engine/evidence"}, leaves...)},
	{"engine/enginetest", []string{"engine/research", "engine/text", "engine/search", "engine/tiny"}},

	{"checks", append([]string{"engine/evidence", "engine/provenance"}, leaves...)}, // provenance: a source and a pool are judged by one rule
	{"engine", []string{"engine/...", "checks"}},

	{"app/desk", []string{"engine", "engine/...", "checks", "gpu"}},
	// The made runs of the mutation bench: an algorithm of its own, with its own tests.
	{"app/bench/worlds", append([]string{"engine/evidence", "engine/prompts", "checks"}, leaves...)},
	{"app/bench", []string{"engine", "engine/...", "checks", "gpu", "app/desk", "app/bench/worlds"}},
	{"app/serve", []string{"engine/research", "app/desk"}},
	{"app/mcp", []string{"engine/research", "app/desk"}},
	{"app/cli", []string{
		"engine/research", "engine/render", "engine/audit", "checks", "gpu",
		"app/desk", "app/bench", "app/serve", "app/mcp",
	}},
	{"app", []string{"engine/research", "frontend", "app/desk", "app/cli"}},
	{".", []string{"app"}},
}

// testAlso lists what the test files of a package may import besides its row and enginetest, each with its reason.
var testAlso = map[string][]string{
	"engine/ollama": {"engine/answer"}, // what a real server says is read as the engine reads it
	"engine/openai": {"engine/answer"}, // the same
}

// owners says which one package may import what is not ours. What is in neither list fails the test: a new dependency is a
// decision, with a sentence in its commit. golang.org/x is as free as the standard library.
var owners = map[string]string{
	"go.etcd.io/bbolt":                        "engine/store",
	"github.com/blevesearch/":                 "engine/library",
	"github.com/fsnotify/fsnotify":            "engine/library", // what changes in a watched folder
	"github.com/wailsapp/wails/":              "app",
	"github.com/ollama/ollama/":               "engine/ollama",
	"github.com/PuerkitoBio/goquery":          "engine/document",
	"github.com/andybalholm/cascadia":         "engine/document",
	"github.com/gogs/chardet":                 "engine/document",
	"github.com/dlclark/regexp2":              "app/bench", // the look-arounds in the scoring patterns of a data set
	"github.com/go-shiori/":                   "engine/document",
	"github.com/klippa-app/go-pdfium":         "engine/document",
	"github.com/klauspost/compress":           "engine/document", // zstd, in which the pages of ZIM archives are packed
	"github.com/ulikunitz/xz":                 "engine/document", // LZMA2, in those of before 2021
	"github.com/tetratelabs/wazero":           "engine/document",
	"github.com/yuin/goldmark":                "engine/render", // the Markdown of a report, to make a document of it
	"github.com/kaptinlin/jsonrepair":         "engine/answer",
	"github.com/santhosh-tekuri/jsonschema/":  "engine/answer",
	"github.com/kljensen/snowball":            "engine/text",
	"github.com/abadojack/whatlanggo":         "engine/text",
	"github.com/temoto/robotstxt":             "engine/fetch",
	"github.com/microcosm-cc/bluemonday":      "engine/render",
	"github.com/nats-io/":                     "engine/queue",
	"github.com/spf13/cobra":                  "app/cli",
	"github.com/schollz/progressbar/":         "app/cli",
	"github.com/shirou/gopsutil/":             "gpu",
	"github.com/zalando/go-keyring":           "app/desk",
	"github.com/modelcontextprotocol/go-sdk/": "app/mcp",
	"github.com/danielgtaylor/huma/":          "app/serve",
}

// testOnly is what test files of any package may import besides.
var testOnly = []string{
	"github.com/oapi-codegen/runtime", // of the client that is generated from the description of app/serve
	"go.uber.org/goleak", "pgregory.net/rapid", "github.com/google/go-cmp/", "golang.org/x/tools/txtar",
	"github.com/nats-io/nats-server/",        // the real server of a shared queue
	"github.com/santhosh-tekuri/jsonschema/", // to hold what is written against the published schema
}

// pureOnly lists what the bank of checks may not import: a check has no input or output, no randomness and no log.
var pureOnly = []string{"os", "net", "net/http", "io/ioutil", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand"}

const (
	longestFromEngine = 6  // packages in the longest chain of imports that starts at engine, both ends counted
	longestOfAll      = 11 // the same from main
)

// listed is what `go list -json` says of a package, as far as it is asked.
type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// short is the package's name in the table.
func short(path string) string {
	if path == "assay" {
		return "."
	}
	return strings.TrimPrefix(path, "assay/")
}

func ours(path string) bool { return path == "assay" || strings.HasPrefix(path, "assay/") }

// module reads this module's packages.
func module(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.String())
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
	return all
}

func TestLayering(t *testing.T) {
	for _, fault := range layeringFaults(module(t)) {
		t.Error(fault)
	}
}

// layeringFaults says what in the packages goes against the table and the owners.
func layeringFaults(packages []listed) []string {
	var faults []string
	for _, p := range packages {
		name := short(p.ImportPath)
		i := slices.IndexFunc(table, func(r row) bool { return r.name == name })
		if i < 0 {
			faults = append(faults, name+": has no row in the table of layering_test.go")
			continue
		}
		for _, kind := range []struct {
			word    string
			imports []string
			test    bool
		}{{"imports", p.Imports, false}, {"test imports", p.TestImports, true}, {"outer test imports", p.XTestImports, true}} {
			for _, path := range kind.imports {
				if why := refuse(table[i], path, kind.test); why != "" {
					faults = append(faults, fmt.Sprintf("%s: %s %s: %s", name, kind.word, path, why))
				}
			}
		}
	}
	return faults
}

// refuse says why a package may not import a path, or "".
func refuse(r row, path string, test bool) string {
	if ours(path) {
		name := short(path)
		if name == r.name || allows(r, name) || test && (name == "engine/enginetest" || slices.Contains(testAlso[r.name], name)) {
			return ""
		}
		return "the table does not allow it"
	}
	if r.name == "checks" && !test && slices.Contains(pureOnly, path) {
		return "a check has no input or output, no randomness and no log"
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") || (first == "golang.org" && strings.HasPrefix(path, "golang.org/x/")) {
		return ""
	}
	if test && slices.ContainsFunc(testOnly, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
		return ""
	}
	for prefix, owner := range owners {
		if strings.HasPrefix(path, prefix) {
			if owner == r.name {
				return ""
			}
			return "only " + owner + " may"
		}
	}
	return "the dependency has no owner in layering_test.go"
}

// allows says whether the row names a package. "engine/..." is every package under engine but enginetest.
func allows(r row, name string) bool {
	return slices.ContainsFunc(r.may, func(m string) bool {
		if m == "engine/..." {
			return strings.HasPrefix(name, "engine/") && name != "engine/enginetest"
		}
		return m == name
	})
}

// TestChain holds the longest chains of imports, in the packages as they are and in the table, which says how far they can
// grow: this is the number that says whether a reader can follow the program.
func TestChain(t *testing.T) {
	packages := map[string][]string{}
	for _, p := range module(t) {
		for _, path := range p.Imports {
			if ours(path) {
				packages[short(p.ImportPath)] = append(packages[short(p.ImportPath)], short(path))
			}
		}
	}
	allowed := map[string][]string{}
	for _, from := range table {
		for _, to := range table {
			if from.name != to.name && allows(from, to.name) {
				allowed[from.name] = append(allowed[from.name], to.name)
			}
		}
	}
	for _, tc := range []struct {
		name  string
		graph map[string][]string
	}{{"packages", packages}, {"table", allowed}} {
		t.Run(tc.name, func(t *testing.T) {
			for from, most := range map[string]int{"engine": longestFromEngine, ".": longestOfAll} {
				chain, err := longest(tc.graph, from)
				if err != nil {
					t.Fatal(err)
				}
				if len(chain) > most {
					t.Errorf("the longest chain from %s has %d packages, more than %d: %s", from, len(chain), most, strings.Join(chain, " -> "))
				}
			}
		})
	}
}

// longest is a longest path in the graph from a node, or an error that names a circle.
func longest(graph map[string][]string, from string) ([]string, error) {
	done := map[string][]string{}
	var walk func(name string, path []string) ([]string, error)
	walk = func(name string, path []string) ([]string, error) {
		if slices.Contains(path, name) {
			return nil, fmt.Errorf("a circle of imports: %s -> %s", strings.Join(path, " -> "), name)
		}
		if best, ok := done[name]; ok {
			return best, nil
		}
		best := []string{name}
		next := slices.Clone(graph[name])
		sort.Strings(next)
		for _, n := range next {
			chain, err := walk(n, append(slices.Clone(path), name))
			if err != nil {
				return nil, err
			}
			if len(chain)+1 > len(best) {
				best = append([]string{name}, chain...)
			}
		}
		done[name] = best
		return best, nil
	}
	return walk(from, nil)
}

// TestLayeringRefuses holds that the test can fail: each kind of fault is found in a made-up package.
func TestLayeringRefuses(t *testing.T) {
	tests := []struct {
		name string
		p    listed
		want string // "" for none
	}{
		{"allowed", listed{ImportPath: "assay/engine/text", Imports: []string{"assay/engine/research", "strings"}}, ""},
		{"no row", listed{ImportPath: "assay/engine/util"}, "has no row"},
		{"sideways", listed{ImportPath: "assay/engine/fetch", Imports: []string{"assay/engine/store"}}, "does not allow it"},
		{"upwards in a test", listed{ImportPath: "assay/engine/text", TestImports: []string{"assay/engine"}}, "test imports assay/engine: the table"},
		{"upwards in an outer test", listed{ImportPath: "assay/engine/text", XTestImports: []string{"assay/engine"}}, "outer test imports"},
		{"test helpers in a test", listed{ImportPath: "assay/engine/fetch", TestImports: []string{"assay/engine/enginetest"}}, ""},
		{"test helpers in the program", listed{ImportPath: "assay/engine", Imports: []string{"assay/engine/enginetest"}}, "does not allow it"},
		{"its own package from an outer test", listed{ImportPath: "assay/engine/text", XTestImports: []string{"assay/engine/text"}}, ""},
		{"the owner", listed{ImportPath: "assay/engine/store", Imports: []string{"go.etcd.io/bbolt"}}, ""},
		{"not the owner", listed{ImportPath: "assay/app/desk", Imports: []string{"go.etcd.io/bbolt"}}, "only engine/store may"},
		{"no owner", listed{ImportPath: "assay/app/desk", Imports: []string{"github.com/pkg/errors"}}, "has no owner"},
		{"a check that reads files", listed{ImportPath: "assay/checks", Imports: []string{"os"}}, "a check has no input"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.Join(layeringFaults([]listed{tc.p}), "\n")
			if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
				t.Errorf("faults = %q, want %q", got, tc.want)
			}
		})
	}
	if _, err := longest(map[string][]string{"a": {"b"}, "b": {"a"}}, "a"); err == nil {
		t.Error("longest found no circle in a -> b -> a")
	}
}
