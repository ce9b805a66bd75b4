package tests

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"trefoil/tools/mutants/mutant"
)

// trefoil is the path of the built program.
var trefoil string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain builds the engine and runs the tests.
func testMain(m *testing.M) int {
	if trefoil = os.Getenv(mutant.Program); trefoil != "" {
		return runTests(m)
	}
	dir, err := os.MkdirTemp("", "trefoil")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	trefoil = filepath.Join(dir, "trefoil")
	if runtime.GOOS == "windows" {
		trefoil += ".exe"
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", trefoil, "..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return runTests(m)
}

func runTests(m *testing.M) int {
	if runtime.GOMAXPROCS(0) < 4 {
		_ = flag.Set("test.parallel", "4") // unless -parallel is given: most tests wait for processes
	}
	return m.Run()
}
