package main

import (
	"flag"
	"os"
	"runtime"
	"testing"

	"trefoil/internal/commandline/commandlinetest"
)

// asProgram is the variable with which the test binary is the program.
const asProgram = "TREFOIL_QUEUE_TESTED"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if runtime.GOMAXPROCS(0) < 4 {
		_ = flag.Set("test.parallel", "4") // unless -parallel is given: most tests wait for processes
	}
	os.Exit(m.Run())
}

// TestProgram tests the program as one with subcommands.
func TestProgram(t *testing.T) { commandlinetest.Check(t, program()) }
