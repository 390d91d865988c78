package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// dialing lists, by import path, the names that reach the network or build what does. Only engine/fetch may use them, where
// the address rules, the egress class and the outbox are; everything else is handed an *http.Client. A name that ends in *
// stands for all that begin so.
var dialing = map[string][]string{
	"net": {"Dial*", "Dialer", "Resolver", "DefaultResolver", "Lookup*"},
	"net/http": {
		"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm", "ProxyFromEnvironment",
	},
	"net/http/httputil":            {"NewSingleHostReverseProxy", "ReverseProxy"},
	"net/smtp":                     {"Dial", "SendMail"},
	"net/rpc":                      {"Dial*"},
	"crypto/tls":                   {"Dial*", "Dialer"},
	"golang.org/x/net/websocket":   {"Dial*"},
	"golang.org/x/net/proxy":       {"*"},
	"github.com/ollama/ollama/api": {"ClientFromEnvironment"},
	// What answers others asks nobody.
	"github.com/modelcontextprotocol/go-sdk/mcp":  {"NewClient", "StreamableClientTransport", "SSEClientTransport", "CommandTransport"},
	"github.com/modelcontextprotocol/go-sdk/auth": {"NewAuthorizationCodeHandler", "HTTPTransport", "NewHTTPTransport"},
}

// TestOnlyFetchDials reads every Go file of the program, tests left out, and looks for what reaches the network outside
// engine/fetch. *http.Client may be named as a type, which is how a client is handed on.
func TestOnlyFetchDials(t *testing.T) {
	files := 0
	for _, dir := range []string{"app", "checks", "engine", "frontend", "gpu"} {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains([]string{"node_modules", "testdata", "fetch", "enginetest"}, entry.Name()):
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			files++
			faults, err := dialsIn(name, nil)
			for _, f := range faults {
				t.Error(f)
			}
			return err
		})
		if err != nil && dir != "checks" {
			t.Fatal(err)
		}
	}
	if files < 20 {
		t.Errorf("read %d files; the program has more", files)
	}
}

// dialsIn says where a file uses what reaches the network. src is its text, or nil to read the file.
func dialsIn(name string, src any) ([]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, 0)
	if err != nil {
		return nil, err
	}
	imported := map[string]string{} // the name in this file -> the import path
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		local := path.Base(p)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imported[local] = p
	}
	// A pointer to a client or transport is a type that is handed on, not one that is built.
	handed := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if star, ok := n.(*ast.StarExpr); ok {
			handed[star.X] = true
		}
		return true
	})
	var faults []string
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || handed[sel] {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok || pkg.Obj != nil {
			return true
		}
		for _, pattern := range dialing[imported[pkg.Name]] {
			stem, all := strings.CutSuffix(pattern, "*")
			if sel.Sel.Name == pattern || all && strings.HasPrefix(sel.Sel.Name, stem) {
				faults = append(faults, set.Position(sel.Pos()).String()+": "+pkg.Name+"."+sel.Sel.Name+
					" reaches the network; only engine/fetch may, take an *http.Client from there")
			}
		}
		return true
	})
	return faults, nil
}

func TestDialsIn(t *testing.T) {
	tests := []struct {
		name, src string
		want      int
	}{
		{"handed on", `package p; import "net/http"; func f(c *http.Client) { c.Get("u") }`, 0},
		{"built", `package p; import "net/http"; var c = &http.Client{}`, 1},
		{"by the default", `package p; import "net/http"; func f() { http.Get("u"); _ = http.DefaultClient }`, 2},
		{"under another name", `package p; import h "net/http"; func f() { h.Post("u", "", nil) }`, 1},
		{"by hand", `package p; import "net"; func f() { net.Dial("tcp", "h:1"); net.LookupHost("h") }`, 2},
		{"a client made from the environment", `package p; import "github.com/ollama/ollama/api"; var c, _ = api.ClientFromEnvironment()`, 1},
		{"a local variable of that name", `package p; func f() { net := struct{ Dial int }{}; _ = net.Dial }`, 0},
		{"listening", `package p; import "net"; var l, _ = net.Listen("tcp", "127.0.0.1:0")`, 0},
		{"a client of assistants", `package p; import sdk "github.com/modelcontextprotocol/go-sdk/mcp"; var c = sdk.NewClient(nil, nil)`, 1},
		{"the address types", `package p; import "net"; var ip net.IP`, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			faults, err := dialsIn("p.go", tc.src)
			if err != nil || len(faults) != tc.want {
				t.Errorf("dialsIn = %q, %v; want %d", faults, err, tc.want)
			}
		})
	}
}
