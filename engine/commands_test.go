package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/internal/shm"
	"trefoil/options"
)

// command runs a command of e and returns what it prints.
func command(t *testing.T, e *Engine, line string) (string, error) {
	t.Helper()
	words := strings.Fields(line)
	list := e.Commands()
	i := slices.IndexFunc(list, func(c options.Command) bool { return c.Name == words[0] })
	var b strings.Builder
	err := list[i].Run(t.Context(), words[1:], func(line string) { fmt.Fprintln(&b, line) })
	return b.String(), err
}

// entries returns how many entries the command hash counts.
func entries(t *testing.T, e *Engine) (n int) {
	t.Helper()
	printed, err := command(t, e, "hash")
	if err != nil {
		t.Fatal(err)
	}
	_, count, _ := strings.Cut(printed, "hash entries ")
	if _, err := fmt.Sscan(count, &n); err != nil {
		t.Fatalf("%v in %q", err, printed)
	}
	return n
}

// TestCommands: what commands print, and what they refuse.
func TestCommands(t *testing.T) {
	most := fmt.Sprint(cluster.MaxMiB)
	for _, c := range []struct{ game, line, want string }{
		{"chess", "hash", "1048576 clusters"},
		{"chess", "hash plan 1", " 32768 clusters"},
		{"chess", "hash plan " + most, "clusters"},
		{"chess", "hash plan 0", `hash: plan: "0" is not a whole number from 1 to ` + most},
		{"chess", fmt.Sprint("hash plan ", cluster.MaxMiB+1), `hash: plan: "`},
		{"chess", "hash plan", "hash: missing argument MIB"},
		{"chess", "hash 7", `hash: unexpected arguments "7"`},
		{"chess", "hash plan 1 2", `hash: unexpected arguments "plan 1 2"`},
		{"connect4", "hash plan 1", " 32719 buckets"},
		{"chess", "bench 1 1 1 current", "position  1 of 1: "},
		{"chess", "d", "hash 32 MiB: 1048576 clusters"},
		{"chess", "d 1", `d: unexpected argument "1"`},
		{"connect4", "flip", "flip: Connect Four has no flipped positions"},
		{"connect4", "eval", "eval: Connect Four has no static evaluation"},
		{"chess", "perft", "perft: missing argument DEPTH"},
		{"chess", "perft 41", `perft: "41" is not a whole number from 1 to 40`},
		{"chess", "perft 1 2", `perft: unexpected argument "2"`},
	} {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		set(t, e, "Hash", "32")
		e.Settle(t.Context())
		got, err := command(t, e, c.line)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %s, want %q", c.game, c.line, got, c.want)
		}
	}
}

// TestLongCommands: while a command takes long, isready is answered.
func TestLongCommands(t *testing.T) {
	long := []string{"perft", "bench", "speedtest", "genfens", "hash"}
	for _, c := range started(t).Commands() {
		if c.Long != slices.Contains(long, c.Name) {
			t.Errorf("%s: %v", c.Name, c.Long)
		}
	}
}

// TestShare: a table is shared and then private again; other games have none to share.
func TestShare(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "connect4")
	refusedValue(t, e, "Hash Shared", "x", "the table of Connect Four cannot be shared")
	set(t, e, "Hash Shared", "")
	if _, err := shm.Default(); err != nil {
		t.Skip(err)
	}
	set(t, e, "UCI_Variant", "chess")
	set(t, e, "Hash", "1")
	for _, name := range []string{fmt.Sprintf("test-%016x", rand.Uint64()), ""} {
		set(t, e, "Hash Shared", name)
		nodes(e, 100)
		if line := e.tableLine(); strings.Contains(line, "shared as") != (name != "") {
			t.Errorf("%q: %s", name, line)
		}
	}
}

// TestThreadsOfGames: every game searches with the number of threads that was set before it was chosen.
func TestThreadsOfGames(t *testing.T) {
	e := started(t)
	nodes(e, 100)
	set(t, e, "Threads", "3")
	for _, game := range []string{"shogi", "chess"} {
		set(t, e, "UCI_Variant", game)
		nodes(e, 100)
		if n := e.current.player.(registry.Hasher).Use().Workers; n != 3 {
			t.Errorf("%s: %d workers", game, n)
		}
	}
}

// TestClearHash: the button empties the table.
func TestClearHash(t *testing.T) {
	e := started(t)
	deep(e, 5)
	for _, empty := range []bool{false, true} {
		e.Settle(t.Context())
		if n := entries(t, e); (n == 0) != empty {
			t.Errorf("%d entries, empty %v", n, empty)
		}
		set(t, e, "Clear Hash", "")
	}
}
