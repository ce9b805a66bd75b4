package tests

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt sends SIGINT twice, as timeout does, while solve works on the empty board: it
// prints what is proved and the summary, and exits with status 130.
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
	for range 2 { // the second one has no effect
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	// The signal may come before the second position has begun.
	if !regexp.MustCompile(`^(startpos -?\d+\.\.-?\d+ \d+ [0-9.]+ 2\n)?# 1 position, 0 wrong, 0 bad lines(, 1 not solved)?: .*\n$`).Match(rest) {
		t.Errorf("%q", rest)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("%v", cmd.ProcessState)
	}
}

// TestInterruptedBook sends SIGINT when the first position of a book is solved: the message says how many
// are, and that the same command continues.
func TestInterruptedBook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send an interrupt to another process")
	}
	path := filepath.Join(t.TempDir(), "book")
	cmd := exec.Command(trefoil, "book", "connect4", "--size", "6x6", "--ply", "7", "--hash", "8", path)
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for lines := 0; lines < 2; { // the title, and a position
		select {
		case err := <-ended:
			t.Fatalf("%v: %s", err, &messages)
		case <-time.After(time.Millisecond):
		}
		journal, _ := os.ReadFile(path + ".part")
		lines = strings.Count(string(journal), "\n")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-ended
	if want := `^trefoil: book connect4: \d+ of \d{5} positions are solved; the same command continues from there\n$`; cmd.ProcessState.ExitCode() != 130 ||
		!regexp.MustCompile(want).MatchString(messages.String()) {
		t.Errorf("%v: %q", cmd.ProcessState, messages.String())
	}
}

// interrupted starts solve ultimate on the empty board with a table that is saved often,
// ends it by a signal after the first save, and returns its output.
func interrupted(t *testing.T, table string, wait time.Duration,
	sig os.Signal) (out string, state *os.ProcessState) {
	t.Helper()
	args := []string{"solve", "ultimate", "--hash", "8", "--threads", "2", "--save", table, "--every", "10ms"}
	if _, err := os.Stat(table); err == nil {
		args = append(args, "--load", table)
	}
	cmd := exec.Command(trefoil, args...)
	cmd.Stdin = strings.NewReader("startpos\n")
	var stdout strings.Builder
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until it saves
		if _, err := os.Stat(table); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(wait)
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return stdout.String(), cmd.ProcessState
}

// loads asserts that a new process resumes from the saved table.
func loads(t *testing.T, table string) {
	t.Helper()
	cmd := exec.Command(trefoil, "solve", "ultimate", "--hash", "8", "--load", table, "--time", "1ms")
	cmd.Stdin = strings.NewReader("startpos\n")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "1\tstartpos\tunknown\t") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestInterruptSaves sends SIGINT, and SIGHUP as a closed terminal does, while solve has a table to save.
func TestInterruptSaves(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send an interrupt to another process")
	}
	signals := []os.Signal{os.Interrupt}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup the engine ignores it too
		signals = append(signals, syscall.SIGHUP)
	}
	for _, s := range signals {
		table := filepath.Join(t.TempDir(), "table")
		out, state := interrupted(t, table, 0, s)
		// The first save, and so the signal, may come before the first node: no move is known then.
		if state.ExitCode() != 130 || !regexp.MustCompile(
			`^1\tstartpos\tunknown\t(0\t\d+\t|\d+\t\d+\t[a-i][a-i])\n# 0 solved, 1 unknown, .*\n$`).MatchString(out) {
			t.Errorf("%v: %v: %q", s, state, out)
		}
		if entries, err := os.ReadDir(filepath.Dir(table)); len(entries) != 1 {
			t.Errorf("%v: beside the table: %v, %v", s, entries, err)
		}
		loads(t, table)
	}
}

// TestKilledWhileSolving sends SIGKILL at any moment: the file is always complete.
func TestKilledWhileSolving(t *testing.T) {
	rounds := 3
	if *long {
		rounds = 100
	}
	table := filepath.Join(t.TempDir(), "table")
	for i := range rounds {
		interrupted(t, table, time.Duration(i*7%50)*time.Millisecond, os.Kill)
		loads(t, table)
	}
}
