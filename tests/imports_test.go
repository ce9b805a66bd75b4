package tests

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"trefoil/internal/filetest"
)

var update = flag.Bool("update", false,
	"rewrite imports.txt, the lists of options in the documentation, and the handshakes")

// importsFile lists what each package imports besides the standard library, on any
// system that we build for. A new import between packages is a design decision: it
// changes this file, and docs/design.md where that describes it.
const importsFile = "imports.txt"

// never are imports that no change of importsFile makes right: a package below the
// path on the left imports nothing below a path on the right.
var never = []struct{ from, to []string }{
	{[]string{"game"}, []string{"search", "cluster", "remainder", "window", "engine", "protocol", "command", "options"}},
	{[]string{"cluster", "remainder", "window", "zobrist", "nnue"}, []string{"game", "search", "engine", "protocol", "command", "options"}},
	{[]string{"protocol", "options"}, []string{"game", "cluster", "remainder", "window", "engine", "command"}},
	{[]string{"search"}, []string{"engine", "protocol", "command", "options"}},
	{[]string{"engine"}, []string{"protocol", "command"}},
	{[]string{"cmd/trefoil-queue/internal"}, []string{"engine", "protocol", "command"}},
	{[]string{"cmd/trefoil-queue/internal/queue"}, []string{"game", "search"}},
}

const module = "trefoil"

// TestImports compares the imports of every package with importsFile.
func TestImports(t *testing.T) {
	imports := map[string]map[string]bool{}
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "js/wasm"} {
		goos, goarch, _ := strings.Cut(system, "/")
		for _, p := range list(t, goos, goarch) {
			name := local(p.ImportPath)
			if name == "tests" || name == "tools" || strings.HasPrefix(name, "tools/") {
				continue // may import everything
			}
			record(imports, name, p.Imports)
			record(imports, name+" (tests)", slices.Concat(p.TestImports, p.XTestImports))
			checkNever(t, name, p.Imports)
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		paths := imports[name]
		if base, ok := strings.CutSuffix(name, " (tests)"); ok {
			for path := range imports[base] {
				delete(paths, path)
			}
			delete(paths, base)
			if len(paths) == 0 {
				continue
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(slices.Sorted(maps.Keys(paths)), " "))
	}
	golden(t, importsFile, b.String())
}

// golden compares a file with what it should be, or rewrites it with -update.
func golden(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		filetest.Write(t, file, want)
		return
	}
	got := filetest.Read(t, file)
	if d := diff.Diff(file, got, "code", []byte(want)); d != nil {
		t.Errorf("%s is out of date; if the change is meant, run make golden\n%s", file, d)
	}
}

// record adds the imports of a package that are not of the standard library.
func record(imports map[string]map[string]bool, name string, paths []string) {
	if imports[name] == nil {
		imports[name] = map[string]bool{}
	}
	for _, path := range paths {
		first, _, _ := strings.Cut(path, "/")
		if first == module || strings.Contains(first, ".") {
			imports[name][local(path)] = true
		}
	}
}

// local is a path without the name of the module; the module's root is main.
func local(path string) string {
	if path == module {
		return "main"
	}
	return strings.TrimPrefix(path, module+"/")
}

func checkNever(t *testing.T, name string, imports []string) {
	t.Helper()
	below := func(path string) func(string) bool {
		return func(root string) bool { return path == root || strings.HasPrefix(path, root+"/") }
	}
	for _, rule := range never {
		if !slices.ContainsFunc(rule.from, below(name)) {
			continue
		}
		for _, path := range imports {
			if slices.ContainsFunc(rule.to, below(local(path))) && strings.HasPrefix(path, module+"/") {
				t.Errorf("%s must not import %s", name, local(path))
			}
		}
	}
}

// TestEngineHasNoQueue: the engine is not linked with the queue for many machines, on no system.
func TestEngineHasNoQueue(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", ".")
		cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for path := range strings.Lines(string(out)) {
			if strings.Contains(path, "nats") || strings.HasPrefix(path, module+"/cmd/") {
				t.Errorf("%s: the engine is linked with %s", system, path)
			}
		}
	}
}

type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// list asks the go command for the packages of the module.
func list(t *testing.T, goos, goarch string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-pgo=off", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
