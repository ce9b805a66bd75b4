package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestLibrary builds the module of docs/library.md, outside this one and without network, runs it,
// and compares what it prints with the page.
func TestLibrary(t *testing.T) {
	page := filetest.Read(t, filepath.Join("..", "docs", "library.md"))
	block := func(before string) string {
		t.Helper()
		m := regexp.MustCompile("(?s)" + regexp.QuoteMeta(before) +
			"\n\n```(?:go)?\n(.*?)```\n").FindStringSubmatch(string(page))
		if m == nil {
			t.Fatalf("docs/library.md: no block after %q", before)
		}
		return m[1]
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  strings.Replace(block("`go.mod` then has"), "../trefoil", strconv.Quote(root), 1),
		"main.go": block("`main.go`:"),
	} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	exe := filepath.Join(dir, "engine.exe")
	for _, command := range [][]string{{"go", "vet", "."}, {"go", "build", "-o", exe, "."}, {exe}} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
		}
		if want := block("`go run .` prints"); command[0] == exe && string(out) != want {
			t.Errorf("docs/library.md says\n%s\nthe program prints\n%s", want, out)
		}
	}
	mod := filetest.Read(t, filepath.Join(dir, "go.mod"))
	required := regexp.MustCompile(`(?m)^\s+(\S+\.\S+) v`).FindAllStringSubmatch(string(mod), -1)
	if len(required) == 0 {
		t.Errorf("no module is required:\n%s", mod)
	}
	for _, m := range required {
		if name := regexp.MustCompile(`^github\.com/|/v\d+$`).ReplaceAllString(m[1],
			""); !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/library.md does not name the module %s", name)
		}
	}
}

// Nothing that the packages for other programs export has a type of an internal package, which they
// could not write.
func TestLibraryNamesNothingInternal(t *testing.T) {
	for _, pkg := range []string{"zobrist", "cluster", "ttanalysis"} {
		paths, err := filepath.Glob(filepath.Join("..", pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				checkExported(t, path)
			}
		}
	}
}

// checkExported reports types of internal packages in the exported declarations of a file.
func checkExported(t *testing.T, path string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	internal := map[string]bool{}
	for _, i := range file.Imports {
		if path, _ := strconv.Unquote(i.Path.Value); strings.HasPrefix(path, module+"/internal/") {
			internal[path[strings.LastIndex(path, "/")+1:]] = true
		}
	}
	ast.FileExports(file)
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.TypeSpec: // an alias gives the type a name that they can write
			return !n.Assign.IsValid()
		case *ast.ValueSpec: // its values may be of any package
			if n.Type != nil {
				ast.Inspect(n.Type, visit)
			}
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] {
				t.Errorf("%s: %s.%s is internal", files.Position(n.Pos()), x.Name, n.Sel.Name)
			}
		}
		return true
	}
	ast.Inspect(file, visit)
}
