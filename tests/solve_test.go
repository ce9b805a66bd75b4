package tests

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestInterrupt presses Ctrl-C while solve works on the empty board: it says what is
// proved, sums up, and ends with the status that shells expect.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send an interrupt to another process")
	}
	cmd := exec.Command(trefoil, "solve", "connect4", "--hash", "1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	if _, err := io.WriteString(in, "112233\nstartpos\n"); err != nil {
		t.Fatal(err)
	}
	first, err := out.ReadString('\n')
	if err != nil || !strings.HasPrefix(first, "112233 18 ") {
		t.Fatalf("%q %v", first, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	// The signal may come before the second position has begun.
	if !regexp.MustCompile(`^(startpos -?\d+\.\.-?\d+ \d+ [0-9.]+\n)?# 1 positions, 0 wrong, 0 bad lines: .*\n$`).Match(rest) {
		t.Errorf("%q", rest)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("%v", cmd.ProcessState)
	}
}
