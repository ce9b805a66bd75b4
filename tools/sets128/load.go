package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	module = "trefoil"
	rules  = module + "/game/connect4"
)

// loader reads and type-checks packages of the module. Other packages are empty, and errors are ignored: the types of
// sets do not depend on them.
type loader struct {
	root     string
	fset     *token.FileSet
	packages map[string]*types.Package
}

// newLoader returns a loader for the module that has a folder.
func newLoader(folder string) (*loader, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	for ; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return &loader{root, token.NewFileSet(), map[string]*types.Package{}}, nil
		}
		if root == filepath.Dir(root) {
			return nil, fmt.Errorf("%s is in no module", folder)
		}
	}
}

// Import is types.Importer.Import.
func (l *loader) Import(name string) (*types.Package, error) {
	if p := l.packages[name]; p != nil {
		return p, nil
	}
	l.packages[name] = types.NewPackage(name, path.Base(name))
	l.packages[name].MarkComplete()
	if folder, ok := strings.CutPrefix(name, module+"/"); ok {
		p, _, _, err := l.load(filepath.Join(l.root, folder), "")
		if err != nil {
			return nil, err
		}
		l.packages[name] = p
	}
	return l.packages[name], nil
}

// load reads the package in a folder, without one file.
func (l *loader) load(folder, without string) (*types.Package, map[string]*ast.File, *types.Info, error) {
	found, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	files, list := map[string]*ast.File{}, []*ast.File{}
	for _, name := range found.GoFiles {
		if name == without {
			continue
		}
		file, err := parser.ParseFile(l.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, nil, err
		}
		files[name], list = file, append(list, file)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: l, Error: func(error) {}}
	abs, err := filepath.Abs(folder)
	if err != nil {
		return nil, nil, nil, err
	}
	name, err := filepath.Rel(l.root, abs)
	if err != nil {
		return nil, nil, nil, err
	}
	pkg, _ := config.Check(module+"/"+filepath.ToSlash(name), l.fset, list, info)
	return pkg, files, info, nil
}
