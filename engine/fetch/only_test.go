package fetch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// forbidden are the names, by import path, with which a package could reach the network by itself.
var forbidden = map[string]string{
	"net/http":                     "DefaultClient DefaultTransport Client Transport Get Head Post PostForm ProxyFromEnvironment NewFileTransport",
	"net":                          "Dial DialTimeout DialTCP DialUDP DialIP DialUnix Dialer Resolver DefaultResolver LookupHost LookupIP LookupAddr LookupCNAME LookupMX LookupNS LookupPort LookupSRV LookupTXT ResolveTCPAddr ResolveUDPAddr ResolveIPAddr",
	"crypto/tls":                   "Dial DialWithDialer Dialer",
	"net/rpc":                      "Dial DialHTTP DialHTTPPath",
	"net/smtp":                     "Dial SendMail",
	"github.com/ollama/ollama/api": "ClientFromEnvironment",
	"golang.org/x/net/proxy":       "*",
	"golang.org/x/net/websocket":   "*",
}

// TestOnlyFetchDials reads every Go file of the program but tests and this package, and finds no other way out.
func TestOnlyFetchDials(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch filepath.ToSlash(rel) {
			case "engine/fetch", "engine/enginetest", "build", "frontend/node_modules", "frontend/dist", ".git":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		files++
		for _, fault := range waysOut(t, path) {
			t.Errorf("%s; take an *http.Client that engine/fetch made", fault)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files read", files)
	}
}

// waysOut lists the forbidden names of a file.
func waysOut(t *testing.T, path string) []string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // the file's name of an import -> what it forbids
	var out []string
	for _, imp := range f.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		bad, ok := forbidden[p]
		if !ok {
			continue
		}
		name := p[strings.LastIndexByte(p, '/')+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if bad == "*" || name == "." {
			out = append(out, fset.Position(imp.Pos()).String()+": imports "+p)
			continue
		}
		names[name] = " " + bad + " "
	}
	ast.Inspect(f, func(n ast.Node) bool {
		// A pointer to a client that somebody gives makes nothing; a value, a call or a literal does.
		switch n := n.(type) {
		case *ast.StarExpr:
			return !named(n.X, names)
		case *ast.SelectorExpr:
			if named(n, names) {
				out = append(out, fset.Position(n.Pos()).String()+": uses "+n.Sel.Name)
			}
		}
		return true
	})
	return out
}

// named reports whether e is a forbidden name of an import.
func named(e ast.Expr, names map[string]string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && strings.Contains(names[x.Name], " "+s.Sel.Name+" ")
}

func TestWaysOut(t *testing.T) {
	tests := []struct {
		name, body string
		want       int
	}{
		{"a given client", "import \"net/http\"\ntype T struct{ c *http.Client }\nfunc f(c *http.Client) { _, _ = c.Get(\"x\") }", 0},
		{"constants and handlers", "import \"net/http\"\nvar _ = http.StatusOK\nfunc f(http.ResponseWriter, *http.Request) {}", 0},
		{"listening", "import \"net\"\nvar _, _ = net.Listen(\"tcp\", \"127.0.0.1:0\")", 0},
		{"the default client", "import \"net/http\"\nvar c = http.DefaultClient", 1},
		{"a call", "import \"net/http\"\nfunc f() { _, _ = http.Get(\"x\") }", 1},
		{"a literal", "import \"net/http\"\nvar c = &http.Client{Transport: &http.Transport{}}", 2},
		{"new", "import \"net/http\"\nvar c = new(http.Client)", 1},
		{"a value", "import \"net/http\"\nvar c http.Client", 1},
		{"a field that is a value", "import \"net/http\"\ntype T struct{ c http.Client }", 1},
		{"another name", "import web \"net/http\"\nvar c = web.DefaultClient", 1},
		{"no name", "import . \"net/http\"\nvar c = DefaultClient", 1},
		{"a dialer", "import \"net\"\nvar d net.Dialer\nfunc f() { _, _ = net.Dial(\"tcp\", \"x\") }", 2},
		{"the client of the environment", "import \"github.com/ollama/ollama/api\"\nvar c, _ = api.ClientFromEnvironment()", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.go")
			if err := os.WriteFile(path, []byte("package x\n"+tc.body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := waysOut(t, path); len(got) != tc.want {
				t.Errorf("ways out = %q, want %d", got, tc.want)
			}
		})
	}
}
