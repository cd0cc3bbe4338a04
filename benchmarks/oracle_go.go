// Prints where every call of a Go repository leads, as go/types sees it: one JSON object per line.
//
//	GO111MODULE=off go run oracle_go.go ROOT MODULE
//
// Packages of the repository are checked from source; others are looked for in GOROOT and GOPATH, and
// a file with errors is used as far as it goes. `target` is empty where nothing is known.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type site struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Name   string `json:"name"`
	Kind   string `json:"kind"` // function, value, outside, unknown
	Target string `json:"target"`
	At     int    `json:"at"` // the target's line
}

type checker struct {
	root, module string
	files        *token.FileSet
	outside      types.Importer
	packages     map[string]*types.Package
	lines        *json.Encoder
}

func main() {
	files := token.NewFileSet()
	c := &checker{
		root: os.Args[1], module: os.Args[2], files: files,
		outside:  importer.ForCompiler(files, "source", nil),
		packages: map[string]*types.Package{},
		lines:    json.NewEncoder(os.Stdout),
	}
	filepath.Walk(c.root, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.IsDir() {
			return err
		}
		name := info.Name()
		if path != c.root && (strings.HasPrefix(name, ".") || name == "vendor" || name == "testdata") {
			return filepath.SkipDir
		}
		for _, each := range c.parse(path, true) {
			c.report(path, each)
		}
		return nil
	})
}

// parse groups the files of a folder by their package; tests of the package belong to it.
func (c *checker) parse(folder string, tests bool) map[string][]*ast.File {
	found := map[string][]*ast.File{}
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		matches, err := build.Default.MatchFile(folder, filepath.Base(name))
		if err != nil || !matches || (!tests && strings.HasSuffix(name, "_test.go")) {
			continue
		}
		file, _ := parser.ParseFile(c.files, name, nil, 0)
		if file != nil {
			found[file.Name.Name] = append(found[file.Name.Name], file)
		}
	}
	return found
}

func (c *checker) Import(path string) (*types.Package, error) {
	if known := c.packages[path]; known != nil {
		return known, nil
	}
	if path != c.module && !strings.HasPrefix(path, c.module+"/") {
		return c.outside.Import(path)
	}
	folder := filepath.Join(c.root, strings.TrimPrefix(path, c.module))
	for _, files := range c.parse(folder, false) {
		checked := c.check(path, files, nil)
		c.packages[path] = checked
		return checked, nil
	}
	return nil, os.ErrNotExist
}

func (c *checker) check(path string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, c.files, files, info)
	return checked
}

func (c *checker) report(folder string, files []*ast.File) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	relative, _ := filepath.Rel(c.root, folder)
	c.check(filepath.Join(c.module, relative), files, info)
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				if name := callee(call.Fun); name != nil {
					c.print(name, info.Uses[name])
				}
			}
			return true
		})
	}
}

func callee(function ast.Expr) *ast.Ident {
	switch each := function.(type) {
	case *ast.ParenExpr:
		return callee(each.X)
	case *ast.IndexExpr:
		return callee(each.X)
	case *ast.IndexListExpr:
		return callee(each.X)
	case *ast.SelectorExpr:
		return each.Sel
	case *ast.Ident:
		return each
	}
	return nil
}

func (c *checker) print(name *ast.Ident, object types.Object) {
	place := c.files.Position(name.Pos())
	path, _ := filepath.Rel(c.root, place.Filename)
	made := site{Path: path, Line: place.Line, Column: place.Column - 1, Name: name.Name, Kind: "unknown"}
	switch object.(type) {
	case *types.TypeName, *types.Builtin:
		return // a conversion, or part of the language
	case *types.Var:
		made.Kind = "value"
	case *types.Func:
		made.Kind = "outside"
		target := c.files.Position(object.Pos())
		if strings.HasPrefix(target.Filename, c.root+"/") {
			made.Kind, made.At = "function", target.Line
			made.Target, _ = filepath.Rel(c.root, target.Filename)
		}
	}
	c.lines.Encode(made)
}
