package tests

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// suspended takes the lock of a shared table, as a process has it that is suspended while it makes the
// table.
func suspended(t *testing.T, file string) {
	t.Helper()
	l := flock.New(file+".lock", flock.SetPermissions(0o600))
	if locked, err := l.TryLock(); err != nil || !locked {
		t.Fatal(locked, err)
	}
	t.Cleanup(func() { _ = l.Close() })
}

// soon fails unless f takes much less than the 30 seconds that a process waits for a lock.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	begin := time.Now()
	f()
	if d := time.Since(begin); d > 15*time.Second {
		t.Errorf("%s took %v", what, d)
	}
}

// Whoever waits for a shared table, because another process holds its lock, does not wait longer than its
// command, its search or its input lasts, and keeps the table that it has.
func TestSharedHashWaits(t *testing.T) {
	name, file := sharedName(t)
	suspended(t, file)
	share := "setoption name Hash Shared value " + name
	reason := ".lock: stopped while another process holds this lock; it stays <empty>"

	p := start(t)
	p.says([]string{"hash 2 MiB: "}, "setoption name Hash value 2")
	p.send(share, "go infinite")
	time.Sleep(100 * time.Millisecond) // it may be stopped before it waits, too
	var lines []string
	soon(t, "stop", func() {
		p.send("stop")
		lines = p.until("bestmove")
	})
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasSuffix(l, reason) }) {
		t.Errorf("%q, want %q", lines, reason)
	}
	p.says([]string{"hash 2 MiB: "}, "d")
	p.send(share)
	soon(t, "quit", p.quit)

	for _, last := range []string{"isready", "go infinite", "go depth 1"} {
		p = start(t)
		p.send(share, last)
		soon(t, "the end of the input after "+last, func() {
			_ = p.in.Close()
			lines = nil
			for p.out.Scan() {
				lines = append(lines, p.out.Text())
			}
			if err := p.cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasSuffix(l, reason) }) {
			t.Errorf("%q: %q, want %q", last, lines, reason)
		}
	}
}

// A search that joins a table waits no longer than its limits allow. So does another Hash, and the table
// that is searched for is joined as soon as its lock is free.
func TestSharedHashWaitsInSearch(t *testing.T) {
	name, file := sharedName(t)
	p := start(t)
	p.says([]string{"shared as"}, "setoption name Hash value 2", "setoption name Hash Shared value "+name,
		"setoption name UCI_Variant value connect4")
	suspended(t, file)
	for _, c := range []struct{ line, stop string }{{"go movetime 200", ""}, {"go infinite", "stop"}} {
		p.send("setoption name UCI_Variant value shogi", "isready")
		p.until("readyok")
		p.send(c.line, c.stop)
		soon(t, c.line, func() {
			if got := strings.Join(p.until("bestmove"), "\n"); !strings.Contains(got,
				"; this process uses a hash of its own") {
				t.Errorf("%s: %s", c.line, got)
			}
		})
		p.says(nil, "setoption name UCI_Variant value connect4")
	}
	p.send("setoption name UCI_Variant value chess", "setoption name Hash value 3", "go infinite", "stop")
	soon(t, "another Hash", func() { p.until("bestmove") })
	soon(t, "quit", p.quit)
}
