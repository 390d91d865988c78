package checks

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBank holds the registry to its rules: what blocks is capped and ends somewhere, what is advisory never acts, every
// check has its file, its section of the documentation and a place in the order.
func TestBank(t *testing.T) {
	mine := []Action{Edit, RejectSource, Remove}
	ids, names := map[string]bool{}, map[string]bool{}
	tier := Normaliser
	for _, c := range Bank {
		t.Run(c.Name, func(t *testing.T) {
			advice := []Action{Annotate, Hedge, Issues}
			if ids[c.ID] || names[c.Name] || c.ID == "" || c.Name != strings.ToLower(c.Title) {
				t.Errorf("id %q or name %q is taken, empty, or not the title %q in lower case", c.ID, c.Name, c.Title)
			}
			ids[c.ID], names[c.Name] = true, true
			if c.Tier < tier {
				t.Error("a completion check stands after a grounding check")
			}
			tier = c.Tier
			if c.Scope == nil || c.Eval == nil {
				t.Fatal("no Scope or no Eval")
			}
			if c.Tier == Normaliser && c.Class != Advisory {
				t.Error("a normaliser blocks")
			}
			if c.Class == Advisory {
				if c.Tier == Normaliser {
					advice = append(advice, Edit)
				}
				if c.Cap != 0 || c.LifeCap != 0 || len(c.Repair) > 0 || c.Terminal != "" || !slices.Contains(advice, c.Advise) {
					t.Error("an advisory check has a cap or a repair, or no advice")
				}
			} else {
				if c.Cap < 1 || c.LifeCap < c.Cap || len(c.Repair) == 0 || c.Terminal == "" {
					t.Errorf("a blocking check needs 1 <= cap <= lifetime cap, a repair and a terminal action; it has %d, %d, %v, %q", c.Cap, c.LifeCap, c.Repair, c.Terminal)
				}
				if written(c.Terminal) || c.Terminal == Gather || c.Terminal == Rebuild {
					t.Errorf("terminal action %s calls a model", c.Terminal)
				}
			}
			needs := slices.ContainsFunc(append(slices.Clone(c.Repair), c.Terminal, c.Advise), func(a Action) bool { return slices.Contains(mine, a) })
			if needs != (c.Edit != nil) {
				t.Errorf("actions %v, %s and an edit: %v", c.Repair, c.Terminal, c.Edit != nil)
			}
			if _, err := os.Stat(c.Name + ".go"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBefore(t *testing.T) {
	place := map[string]int{}
	for i, c := range Bank {
		place[c.Name] = i
	}
	for _, p := range before {
		first, ok1 := place[p.first]
		then, ok2 := place[p.then]
		if !ok1 || !ok2 || first >= then || p.why == "" {
			t.Errorf("%s must stand before %s (%s)", p.first, p.then, p.why)
		}
	}
}

func TestDoc(t *testing.T) {
	for _, c := range Bank {
		doc, err := Doc(c.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.HasPrefix(doc, c.String()+": "+c.Class.String()) {
			t.Errorf("the section of %s begins %q, want its id, title and class", c.Name, head(doc, 60))
		}
		for _, field := range []string{"Catches:", "Reads:", "Rule:", "Repair:", "Fires:", "Silent:", c.Tier.String() + " tier", "one key a"} {
			if !strings.Contains(doc, field) {
				t.Errorf("the section of %s has no %q", c.Name, field)
			}
		}
		if c.Class > Advisory {
			caps := "cap " + strconv.Itoa(c.Cap) + " in a row and " + strconv.Itoa(c.LifeCap) + " a run"
			if flat := strings.ReplaceAll(doc, "\n", " "); !strings.Contains(flat, caps) || !strings.Contains(doc, "At the cap:") {
				t.Errorf("the section of %s does not say %q and what happens then", c.Name, caps)
			}
		}
	}
	sections := regexp.MustCompile(`(?m)^# Check (.+)$`).FindAllStringSubmatch(docSource, -1)
	if len(sections) != len(Bank) {
		t.Errorf("%d sections for %d checks", len(sections), len(Bank))
	}
	if _, err := Doc("nosuchcheck"); err == nil {
		t.Error("Doc of an unknown name gives no error")
	}
}

// allowedImports is all that the package may import: nothing that reaches a disk, a network, a clock, a random source or a
// log. package time is there for dates; what of it reads the clock is forbidden below.
var allowedImports = []string{
	"bytes", "compress/flate", "embed", "encoding/json", "fmt", "maps", "math/big", "reflect", "regexp", "slices", "sort", "strconv", "strings", "time", "unicode", "unicode/utf8",
	"assay/engine/evidence", "assay/engine/provenance", "assay/engine/research", "assay/engine/temporal", "assay/engine/text",
}

func TestAudit(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, why := range offences(file) {
			t.Errorf("%s: %s", path, why)
		}
		declared = append(declared, declaredChecks(file)...)
	}
	for _, name := range declared {
		if Lookup(name) == nil {
			t.Errorf("check %s is declared and not in the bank", name)
		}
	}
	if len(declared) != len(Bank) {
		t.Errorf("%d checks declared, %d in the bank", len(declared), len(Bank))
	}
}

// TestAuditControl shows that the audit finds what it is there for.
func TestAuditControl(t *testing.T) {
	src := `package checks
import ("net"; "os"; "math/rand"; "log"; "time")
func init() { _ = time.Now(); println(rand.Int()); _, _ = net.Dial("", ""); os.Exit(1); log.Print() }`
	file, err := parser.ParseFile(token.NewFileSet(), "control.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := offences(file); len(got) != 6 {
		t.Errorf("found %d offences of 6: %v", len(got), got)
	}
}

// offences lists the imports and calls of a file that a pure package has no use for.
func offences(file *ast.File) []string {
	var out []string
	for _, imp := range file.Imports {
		if path, _ := strconv.Unquote(imp.Path.Value); !slices.Contains(allowedImports, path) {
			out = append(out, "imports "+path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Sleep", "Tick", "NewTimer", "NewTicker", "AfterFunc"}, n.Sel.Name) {
				out = append(out, "uses time."+n.Sel.Name)
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.Ident); ok && (x.Name == "print" || x.Name == "println") {
				out = append(out, "prints")
			}
		case *ast.GoStmt:
			out = append(out, "starts a goroutine")
		}
		return true
	})
	return out
}

// declaredChecks returns the names of the package variables of a file that are a &Check{...}.
func declaredChecks(file *ast.File) []string {
	var out []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if len(v.Values) != 1 {
				continue
			}
			if u, ok := v.Values[0].(*ast.UnaryExpr); ok {
				if lit, ok := u.X.(*ast.CompositeLit); ok {
					if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Check" {
						out = append(out, v.Names[0].Name)
					}
				}
			}
		}
	}
	return out
}

// promotion is an entry of promotions.json: the measurement behind a class.
type promotion struct {
	Check     string      `json:"check"`
	Measured  string      `json:"measured"` // date
	Sets      []setResult `json:"sets"`
	Precision float64     `json:"precision"`
	Lower     float64     `json:"precision_lower"` // 95 % Wilson
	CleanFPR  float64     `json:"clean_fpr_upper"` // upper 95 % Wilson bound over all clean items
	Promoted  bool        `json:"promoted"`
	Why       string      `json:"why"`
}

type setResult struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of the file
	Clean  bool   `json:"clean"`  // items on which a fire is a false alarm
	N      int    `json:"n"`
	Fired  int    `json:"fired"`
}

func readPromotions(t *testing.T) []promotion {
	t.Helper()
	b, err := os.ReadFile("promotions.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []promotion
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatalf("promotions.json: %v", err)
	}
	return out
}

// The bar a firm check clears (CHECKS section 0).
const (
	barPrecision, barLower, barClean = 0.80, 0.70, 0.03
)

// TestPromotions refuses a firm class without a measurement that clears the bar, and figures that do not follow from their
// own counts.
func TestPromotions(t *testing.T) {
	entries := map[string]promotion{}
	for _, p := range readPromotions(t) {
		entries[p.Check] = p
		if Lookup(p.Check) == nil {
			t.Errorf("promotions.json names %q, which is no check", p.Check)
		}
		want := summarise(p)
		if want.Precision != p.Precision || want.Lower != p.Lower || want.CleanFPR != p.CleanFPR || want.Promoted != p.Promoted {
			t.Errorf("%s: figures do not follow from the counts: want %+v, have %+v", p.Check, want, p)
		}
	}
	for _, c := range Bank {
		if p, ok := entries[c.Name]; (c.Class == Firm) != (ok && p.Promoted) {
			t.Errorf("%s is %s; its entry: %v, promoted: %v", c.Name, c.Class, ok, p.Promoted)
		}
	}
}
