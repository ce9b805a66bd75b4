package tests

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// goTest matches a command of the documentation that runs tests of one package.
var goTest = regexp.MustCompile("go test (?:-race )?\\./(\\S+) -run '?([^' `\n]+)")

// TestDocumentedTests holds the commands that repeat a result: the tests that they
// name exist.
func TestDocumentedTests(t *testing.T) {
	for _, page := range documentation(t) {
		source := filetest.Read(t, filepath.Join("..", filepath.FromSlash(page)))
		for _, m := range goTest.FindAllStringSubmatch(string(source), -1) {
			if m[2] == "xxx" { // no test, but a benchmark
				continue
			}
			name, err := regexp.Compile(m[2])
			if err != nil {
				t.Errorf("%s: %s: %v", page, m[0], err)
				continue
			}
			if !slices.ContainsFunc(testsOf(t, m[1]), name.MatchString) {
				t.Errorf("%s: %s: no such test", page, m[0])
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// testsOf lists the tests of a package, on any system.
func testsOf(t *testing.T, pkg string) (names []string) {
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source := filetest.Read(t, file)
		for _, m := range testFunc.FindAllStringSubmatch(string(source), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestDocumentedDependencies holds docs/dependencies.md to the modules of go.mod
// and their versions.
func TestDocumentedDependencies(t *testing.T) {
	source := filetest.Read(t, "../docs/dependencies.md")
	cmd := exec.Command("go", "mod", "edit", "-json") // needs no module, so no network
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var module struct {
		Require []struct {
			Path, Version string
			Indirect      bool
		}
	}
	if err := json.Unmarshal(out, &module); err != nil || len(module.Require) == 0 {
		t.Fatalf("go mod edit: %s, %v", out, err)
	}
	lines := strings.Split(string(source), "\n")
	for _, m := range module.Require {
		if m.Indirect {
			continue
		}
		row := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| `"+m.Path+"` |") })
		switch {
		case row < 0:
			t.Errorf("docs/dependencies.md has no line of %s", m.Path)
		case !strings.HasPrefix(m.Version, "v0.0.0-") && !strings.Contains(lines[row], m.Version):
			t.Errorf("docs/dependencies.md: %s is %s in go.mod: %s", m.Path, m.Version, lines[row])
		}
	}
}
