package main

import (
	"archive/zip"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

var long = flag.Bool("long", false, "run the test that takes minutes")

// TestRename: paths of packages and of modules are renamed, and nothing else; imports stay in order.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module trefoil\n",
		"main.go":       "package main\n\nimport (\n\t_ \"net/http\"\n\t_ \"trefoil/sub/a\"\n)\n\nfunc main() {}\n",
		"sub/a/a.go":    "package a\n\nconst module = \"trefoil\" // trefoil/sub/a, trefoil/x, x/trefoil/sub\n",
		"nested/go.mod": "module trefoil/sub/nested\n",
		"Makefile":      "-X trefoil/sub/a.stamp=1 -o trefoil\n",
		"a.md":          "go mod edit -require trefoil@v0.0.0 -replace trefoil=../trefoil; trefoil is the module\n",
		"a.txt":         "trefoil/sub/a\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"-dir", dir, "example.org/trefoil"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if out.String() != "example.org/trefoil: 6 files changed\n" {
		t.Error(out.String())
	}
	for name, want := range map[string]string{
		"go.mod":        "module example.org/trefoil\n",
		"main.go":       "package main\n\nimport (\n\t_ \"example.org/trefoil/sub/a\"\n\t_ \"net/http\"\n)\n\nfunc main() {}\n",
		"sub/a/a.go":    "package a\n\nconst module = \"example.org/trefoil\" // example.org/trefoil/sub/a, trefoil/x, x/trefoil/sub\n",
		"nested/go.mod": "module example.org/trefoil/sub/nested\n",
		"Makefile":      "-X example.org/trefoil/sub/a.stamp=1 -o trefoil\n",
		"a.md": "go mod edit -require example.org/trefoil@v0.0.0 -replace example.org/trefoil=../trefoil; " +
			"trefoil is the module\n",
		"a.txt": "trefoil/sub/a\n",
	} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s: %v\n%swant\n%s", name, err, got, want)
		}
	}
}

// TestMisuse: a path that cannot be fetched is refused.
func TestMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"": "usage: ", "a.org b.org": "usage: ", "trefoil": `"trefoil": not the path`, "a.org/": `"a.org/": not`,
		"https://a.org/b": "not the path", "-dir " + t.TempDir() + " a.org/b": "go list: ",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
}

// TestFetched renames a copy of this module, serves it as a proxy of modules does, and installs the engine and builds a
// program with package cluster from there, without replace.
func TestFetched(t *testing.T) {
	if !*long {
		t.Skip("compiles all packages under another path: -long")
	}
	root := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", "--depth", "1", "file://"+abs(t, "../.."),
		root).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	if err := run(t.Context(), []string{"-dir", root, "example.org/trefoil"}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	served := t.TempDir()
	at := filepath.Join(served, "example.org/trefoil/@v/v0.1.0")
	write(t, filepath.Join(filepath.Dir(at), "list"), "v0.1.0\n")
	write(t, at+".info", `{"Version":"v0.1.0"}`)
	mod := filetest.Read(t, filepath.Join(root, "go.mod"))
	write(t, at+".mod", string(mod))
	zipModule(t, root, at+".zip")
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir, bin, fetched := t.TempDir(), t.TempDir(), t.TempDir()
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=file://"+served+",file://"+strings.TrimSpace(string(cache))+"/cache/download",
			"GOSUMDB=off", "GOMODCACHE="+fetched, "GOFLAGS=-modcacherw -mod=mod", "GOBIN="+bin, "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	command("go", "install", "example.org/trefoil@v0.1.0")
	if out := command(filepath.Join(bin, "trefoil"), "version"); !strings.HasPrefix(out, "Trefoil 0.1.0") {
		t.Errorf("trefoil version: %s", out)
	}
	write(t, filepath.Join(dir, "main.go"), "package main\n\nimport \"example.org/trefoil/cluster\"\n\n"+
		"func main() { println(cluster.ClustersPerMiB) }\n")
	command("go", "mod", "init", "example.org/engine")
	command("go", "get", "example.org/trefoil/cluster@v0.1.0")
	if out := command("go", "run", "."); out != "32768\n" {
		t.Errorf("the program prints %s", out)
	}
}

// zipModule writes the module in a folder as a proxy serves it.
func zipModule(t *testing.T, root, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if err == nil && entry.IsDir() && name != root && (nested == nil || entry.Name() == ".git") {
				return fs.SkipDir
			}
			return err
		}
		inside, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		to, err := w.Create("example.org/trefoil@v0.1.0/" + filepath.ToSlash(inside))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil {
			_, err = to.Write(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, name, text)
}
