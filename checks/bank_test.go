package checks

import (
	"encoding/json"
	"fmt"
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

// bankAudit is what the entries of the bank are held against.
type bankAudit struct {
	doc       func(name string) (string, error)
	file      func(name string) bool      // whether NAME.go is there
	fixtures  func(name, kind string) int // files of testdata/NAME, kind pos or neg
	operators map[string][]string         // ids of the mutation benchmark's operators that are made for a check
	promoted  map[string]bool             // by promotions.json
}

// of lists what is wrong with a bank: what blocks is capped and ends somewhere that calls no model, what is advisory never
// acts, a firm class is measured; every entry has its file, its section with all fields, examples both ways and an operator.
func (a bankAudit) of(bank []*Check) []string {
	var out []string
	ids, names := map[string]bool{}, map[string]bool{}
	tier := Normaliser
	for _, c := range bank {
		bad := func(format string, args ...any) { out = append(out, c.Name+": "+fmt.Sprintf(format, args...)) }
		if ids[c.ID] || names[c.Name] || c.ID == "" || c.Name != strings.ToLower(c.Title) {
			bad("id %q or name is taken, empty, or not the title %q in lower case", c.ID, c.Title)
		}
		ids[c.ID], names[c.Name] = true, true
		if c.Tier < tier {
			bad("tier %s stands after %s", c.Tier, tier)
		}
		tier = c.Tier
		if c.Scope == nil || c.Eval == nil {
			bad("no scope or no evaluation")
		}
		for _, why := range badActions(c) {
			bad("%s", why)
		}
		if !a.file(c.Name) {
			bad("no file of its name")
		}
		if c.Class == Firm && !a.promoted[c.Name] {
			bad("firm without a promotion: no measurement clears the bar")
		}
		if c.Class != Firm && a.promoted[c.Name] {
			bad("promoted and not firm")
		}
		for _, kind := range []string{"pos", "neg"} {
			if n := a.fixtures(c.Name, kind); n < 2 {
				bad("%d %s examples in testdata, at least 2", n, kind)
			}
		}
		if len(a.operators[c.Name]) == 0 {
			bad("no operator of the mutation benchmark is made for it")
		}
		doc, err := a.doc(c.Name)
		if err != nil {
			bad("no section of the documentation")
			continue
		}
		for _, why := range badDoc(c, doc) {
			bad("%s", why)
		}
	}
	return out
}

// badActions says what is wrong with the caps and actions of a check.
func badActions(c *Check) []string {
	var out []string
	advice := []Action{Annotate, Hedge, Issues}
	if c.Tier == Normaliser {
		advice = append(advice, Edit)
	}
	switch {
	case c.Tier == Normaliser && c.Class != Advisory:
		out = append(out, "a normaliser blocks")
	case c.Class == Advisory:
		if c.Cap != 0 || c.LifeCap != 0 || len(c.Repair) > 0 || c.Terminal != "" {
			out = append(out, "advisory, with a cap or a repair")
		}
		if !slices.Contains(advice, c.Advise) {
			out = append(out, fmt.Sprintf("advisory, and its advice is %q", c.Advise))
		}
	default:
		if c.Cap < 1 || c.LifeCap < c.Cap {
			out = append(out, fmt.Sprintf("blocks, with cap %d in a row and %d a run", c.Cap, c.LifeCap))
		}
		if len(c.Repair) == 0 {
			out = append(out, "blocks, with no repair")
		}
		if c.Terminal == "" {
			out = append(out, "blocks, with no terminal action")
		}
		if written(c.Terminal) || c.Terminal == Gather || c.Terminal == Rebuild {
			out = append(out, fmt.Sprintf("terminal action %s calls a model", c.Terminal))
		}
		if c.Advise != "" && !slices.Contains(advice, c.Advise) {
			out = append(out, fmt.Sprintf("its advice is %q", c.Advise))
		}
	}
	mine := []Action{Edit, RejectSource, Remove}
	needs := slices.ContainsFunc(append(slices.Clone(c.Repair), c.Terminal, c.Advise), func(a Action) bool { return slices.Contains(mine, a) })
	if hasOwn := c.Edit != nil; needs && !hasOwn {
		out = append(out, "an action of its own, and no edit")
	}
	return out
}

// badDoc says what a section of the documentation lacks.
func badDoc(c *Check, doc string) []string {
	var out []string
	if !strings.HasPrefix(doc, c.String()+": "+c.Class.String()) {
		out = append(out, fmt.Sprintf("its section begins %q, want its id, title and class", head(doc, 60)))
	}
	flat := strings.ReplaceAll(doc, "\n", " ")
	for _, field := range []string{"Catches:", "Reads:", "Rule:", "Repair:", "Fires:", "Silent:", c.Tier.String() + " tier", "one key a"} {
		if !strings.Contains(flat, field) {
			out = append(out, fmt.Sprintf("its section has no %q", field))
		}
	}
	if caps := "cap " + strconv.Itoa(c.Cap) + " in a row and " + strconv.Itoa(c.LifeCap) + " a run"; c.Class > Advisory && (!strings.Contains(flat, caps) || !strings.Contains(doc, "At the cap:")) {
		out = append(out, fmt.Sprintf("its section does not say %q and what happens then", caps))
	}
	return out
}

// theAudit holds against what lies in this folder.
func theAudit(t *testing.T) bankAudit {
	t.Helper()
	b, err := os.ReadFile("operators.json")
	if err != nil {
		t.Fatal(err)
	}
	a := bankAudit{doc: Doc, operators: map[string][]string{}, promoted: map[string]bool{}}
	if err := json.Unmarshal(b, &a.operators); err != nil {
		t.Fatal(err)
	}
	for _, p := range readPromotions(t) {
		a.promoted[p.Check] = p.Promoted
	}
	a.file = func(name string) bool { _, err := os.Stat(name + ".go"); return err == nil }
	a.fixtures = func(name, kind string) int {
		list, err := filepath.Glob(filepath.Join("testdata", name, kind+"*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	return a
}

func TestBank(t *testing.T) {
	a := theAudit(t)
	for _, why := range a.of(Bank) {
		t.Error(why)
	}
	for name := range a.operators {
		if Lookup(name) == nil {
			t.Errorf("operators.json names %q, which is no check", name)
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

// TestBankPlanted tests the audit: entries that lack one thing each fail it, and for that thing.
func TestBankPlanted(t *testing.T) {
	whole := func() (*Check, bankAudit) {
		c := &Check{ID: "X1", Name: "planted", Title: "Planted", Tier: Grounding, Class: Firm, Scope: runKeys, Eval: func(View, Key) []Hit { return nil },
			Cap: 1, LifeCap: 2, Repair: []Action{Issues}, Terminal: Issues}
		doc := "X1 Planted: firm, grounding tier, cap 1 in a row and 2 a run, one key a report.\nCatches: x\nReads: x\nRule: x\nRepair: x\nAt the cap: x\nFires: x\nSilent: x"
		return c, bankAudit{doc: func(string) (string, error) { return doc, nil }, file: func(string) bool { return true }, fixtures: func(string, string) int { return 2 },
			operators: map[string][]string{"planted": {"99"}}, promoted: map[string]bool{"planted": true}}
	}
	if c, a := whole(); len(a.of([]*Check{c})) > 0 {
		t.Fatalf("an entry that lacks nothing: %v", a.of([]*Check{c}))
	}
	tests := []struct {
		name, want string
		spoil      func(*Check, *bankAudit)
	}{
		{"cap", "cap 0 in a row", func(c *Check, _ *bankAudit) { c.Cap = 0 }},
		{"lifetime cap", "2 in a row and 1 a run", func(c *Check, _ *bankAudit) { c.Cap, c.LifeCap = 2, 1 }},
		{"terminal", "no terminal action", func(c *Check, _ *bankAudit) { c.Terminal = "" }},
		{"terminal that calls a model", "calls a model", func(c *Check, _ *bankAudit) { c.Terminal = Rewrite }},
		{"repair", "no repair", func(c *Check, _ *bankAudit) { c.Repair = nil }},
		{"edit", "no edit", func(c *Check, _ *bankAudit) { c.Repair = []Action{Edit} }},
		{"section", "no section", func(_ *Check, a *bankAudit) { a.doc = func(string) (string, error) { return "", os.ErrNotExist } }},
		{"field of the section", `no "Silent:"`, func(_ *Check, a *bankAudit) {
			old, _ := a.doc("")
			a.doc = func(string) (string, error) { return strings.Replace(old, "Silent:", "", 1), nil }
		}},
		{"positive examples", "1 pos examples", func(_ *Check, a *bankAudit) {
			a.fixtures = func(_, kind string) int { return map[string]int{"pos": 1, "neg": 2}[kind] }
		}},
		{"negative examples", "0 neg examples", func(_ *Check, a *bankAudit) {
			a.fixtures = func(_, kind string) int { return map[string]int{"pos": 2}[kind] }
		}},
		{"operator", "no operator", func(_ *Check, a *bankAudit) { a.operators = nil }},
		{"promotion", "firm without a promotion", func(_ *Check, a *bankAudit) { a.promoted = nil }},
		{"class that was earned", "promoted and not firm", func(c *Check, _ *bankAudit) { c.Class = Hard }},
		{"file", "no file", func(_ *Check, a *bankAudit) { a.file = func(string) bool { return false } }},
		{"advice", `its advice is ""`, func(c *Check, a *bankAudit) {
			*c = Check{ID: c.ID, Name: c.Name, Title: c.Title, Tier: c.Tier, Scope: c.Scope, Eval: c.Eval}
			a.promoted = nil
		}},
		{"name", "not the title", func(c *Check, _ *bankAudit) { c.Title = "Other" }},
	}
	for _, tc := range tests {
		c, a := whole()
		tc.spoil(c, &a)
		if got := a.of([]*Check{c}); !slices.ContainsFunc(got, func(why string) bool { return strings.Contains(why, tc.want) }) {
			t.Errorf("without its %s the entry passes, or fails for something else: %v", tc.name, got)
		}
	}
	c, a := whole()
	if got := a.of([]*Check{c, c}); len(got) == 0 {
		t.Error("the same entry twice passes")
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

// allowedImports is all that the package may import: nothing that reaches a disk, a network, a clock, a random source or a
// log. package time is there for dates; what of it reads the clock is forbidden below.
var allowedImports = []string{
	"bytes", "cmp", "compress/flate", "embed", "encoding/json", "fmt", "maps", "math/big", "reflect", "regexp", "slices", "sort", "strconv", "strings", "time", "unicode", "unicode/utf8",
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

// promotionFaults lists what is wrong with the measurements and the classes of a bank: figures that do not follow from their
// own counts, a measurement of one side only, a firm class without a measurement that clears the bar, and a check that clears
// it and is advisory all the same.
func promotionFaults(list []promotion, bank []*Check) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	cleared := map[string]bool{}
	for _, p := range list {
		c := slices.IndexFunc(bank, func(c *Check) bool { return c.Name == p.Check })
		if c < 0 {
			bad("promotions.json names %q, which is no check", p.Check)
			continue
		}
		if _, twice := cleared[p.Check]; twice {
			bad("%s: measured twice", p.Check)
		}
		cleared[p.Check] = p.Promoted
		want := summarise(p)
		if want.Precision != p.Precision || want.Lower != p.Lower || want.CleanFPR != p.CleanFPR || want.Promoted != p.Promoted {
			bad("%s: figures do not follow from the counts: want %+v, have %+v", p.Check, want, p)
		}
		sides := map[bool]int{}
		for _, s := range p.Sets {
			sides[s.Clean] += s.N
			if s.Fired < 0 || s.Fired > s.N || len(s.SHA256) != 64 {
				bad("%s: set %q fired on %d of %d, hash %q", p.Check, s.Name, s.Fired, s.N, s.SHA256)
			}
		}
		if sides[true] == 0 || sides[false] == 0 {
			bad("%s: %d items with the fault, %d without", p.Check, sides[false], sides[true])
		}
		if p.Promoted && bank[c].Class == Advisory {
			bad("%s: clears the bar and is advisory", p.Check)
		}
	}
	for _, c := range bank {
		if c.Class == Firm && !cleared[c.Name] {
			bad("%s: firm without a measurement that clears the bar", c.Name)
		}
	}
	return out
}

// TestPromotions holds classes and measurements to each other, and plants a fault of each kind, which must be found.
func TestPromotions(t *testing.T) {
	list := readPromotions(t)
	if len(list) == 0 {
		t.Fatal("nothing was measured")
	}
	for _, why := range promotionFaults(list, Bank) {
		t.Error(why)
	}
	firm := slices.IndexFunc(list, func(p promotion) bool { return p.Promoted })
	weak := slices.IndexFunc(list, func(p promotion) bool { return !p.Promoted })
	if firm < 0 || weak < 0 {
		t.Fatal("one check that clears the bar and one that does not are needed to plant faults in")
	}
	reclassed := func(name string, class Class) []*Check {
		bank := slices.Clone(Bank)
		for i, c := range bank {
			if c.Name == name {
				changed := *c
				changed.Class = class
				bank[i] = &changed
			}
		}
		return bank
	}
	changed := func(i int, change func(p *promotion)) []promotion {
		out := slices.Clone(list)
		out[i].Sets = slices.Clone(out[i].Sets)
		change(&out[i])
		return out
	}
	for name, c := range map[string]struct {
		list []promotion
		bank []*Check
		want string
	}{
		"firm without a measurement":    {slices.Delete(slices.Clone(list), firm, firm+1), Bank, "without a measurement"},
		"firm below the bar":            {list, reclassed(list[weak].Check, Firm), "without a measurement"},
		"advisory above the bar":        {list, reclassed(list[firm].Check, Advisory), "is advisory"},
		"promoted by hand":              {changed(weak, func(p *promotion) { p.Promoted = true }), Bank, "do not follow"},
		"a false alarm left out":        {changed(weak, func(p *promotion) { p.Sets[1].Fired-- }), Bank, "do not follow"},
		"more alarms than items":        {changed(firm, func(p *promotion) { p.Sets[0].Fired = p.Sets[0].N + 1 }), Bank, "fired on"},
		"no clean items":                {changed(firm, func(p *promotion) { p.Sets = p.Sets[:1]; *p = summarise(*p) }), Bank, "items with the fault"},
		"a check that is not there":     {changed(weak, func(p *promotion) { p.Check = "nothing" }), Bank, "no check"},
		"the same check measured twice": {append(slices.Clone(list), list[firm]), Bank, "twice"},
	} {
		if faults := promotionFaults(c.list, c.bank); !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, c.want) }) {
			t.Errorf("%s: not found among %q", name, faults)
		}
	}
}
