package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestBoundMethodsRecover reads the API's source: a method that the page may call begins with the deferred recovery, or only
// returns something. A panic in a bound method ends the window's program, with all the runs in it.
func TestBoundMethodsRecover(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	bound := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() || !isAPI(f.Recv.List[0].Type) {
				continue
			}
			bound++
			if !recovers(f.Body) {
				t.Errorf("%s: API.%s does not begin with `defer recovered(&err)`", name, f.Name.Name)
			}
		}
	}
	if bound < 5 {
		t.Errorf("found %d bound methods; the page calls more", bound)
	}
}

func isAPI(receiver ast.Expr) bool {
	star, ok := receiver.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := star.X.(*ast.Ident)
	return ok && name.Name == "API"
}

// recovers says whether a body begins with the deferred recovery, or is a single return.
func recovers(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return true
	}
	if _, ok := body.List[0].(*ast.ReturnStmt); ok {
		return true
	}
	d, ok := body.List[0].(*ast.DeferStmt)
	if !ok {
		return false
	}
	name, ok := d.Call.Fun.(*ast.Ident)
	return ok && name.Name == "recovered"
}
