package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	chessnnue "trefoil/game/chess/nnue"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/internal/filetest"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
	"trefoil/options"
	"trefoil/search"
)

// evalFiles are the games that evaluate by nets, and their options in UCI.
var evalFiles = []struct {
	game, option string
	shape        func(hidden int) nnue.Shape
	move         string // legal at first
}{
	{"chess", "EvalFile", chessnnue.Shape, "a2a3"},
	{"shogi", "Shogi EvalFile", shoginnue.Shape, "9g9f"},
}

// netFile writes a random net.
func netFile(t *testing.T, shape func(hidden int) nnue.Shape, seed uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := nnuetest.Random(t, shape(32), seed).Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// explained is the last line of the command eval.
func explained(t *testing.T, e *Engine) string {
	t.Helper()
	var lines []string
	if err := e.explain(t.Context(), nil, func(line string) { lines = append(lines, line) }); err != nil {
		t.Fatal(err)
	}
	return lines[len(lines)-1]
}

// fresh is what a search in a middlegame finds after a new game, and the static evaluation.
func fresh(t *testing.T, e *Engine, game string) string {
	t.Helper()
	setUp(t, e, "startpos", middlegames[game]...)
	e.NewGame()
	r, last := deep(e, 6)
	return strings.Join(last.PV, " ") + " " + r.Best + explained(t, e)
}

// A net changes the search, and goes without a trace.
func TestEvalFile(t *testing.T) {
	for _, c := range evalFiles {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		set(t, e, "Hash", "2")
		own := fresh(t, e, c.game)
		set(t, e, c.option, "none")
		hand := fresh(t, e, c.game)
		one, two := netFile(t, c.shape, 1), netFile(t, c.shape, 2)
		set(t, e, c.option, one)
		first := fresh(t, e, c.game)
		set(t, e, c.option, two)
		second := fresh(t, e, c.game)
		if first == hand || second == hand || first == second || own == hand {
			t.Errorf("%s: hand-written %q, of the program %q, by two nets %q, %q", c.game, hand, own, first, second)
		}
		set(t, e, "Threads", "3") // makes new evaluators
		set(t, e, "Threads", "1")
		if got := fresh(t, e, c.game); got != second {
			t.Errorf("%q, want %q", got, second)
		}
		set(t, e, "UCI_Variant", "connect4")
		set(t, e, c.option, one)
		set(t, e, "UCI_Variant", c.game)
		if got := fresh(t, e, c.game); got != first {
			t.Errorf("set while another game is chosen: %q, want %q", got, first)
		}
		for value, want := range map[string]string{"none": hand, "": own} {
			set(t, e, c.option, one)
			set(t, e, c.option, value)
			if got := fresh(t, e, c.game); got != want {
				t.Errorf("%s %q: %q, want %q", c.option, value, got, want)
			}
		}
	}
}

// emptied reports whether setting an option empties the table of the present game, given a move that is
// legal at first.
func emptied(t *testing.T, e *Engine, option, value, move string) bool {
	t.Helper()
	nodes(e, 1000)
	set(t, e, option, value)
	nodes(e, 1, move) // waits for the table to be cleared
	return entries(t, e) <= 1
}

// TestEmptiedOnClock: a search on a clock, which would wait only briefly for a large table to be cleared, finds no
// value by another evaluation.
func TestEmptiedOnClock(t *testing.T) {
	for _, c := range evalFiles {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		set(t, e, "Hash", fmt.Sprint(min(512, e.Room()>>21))) // half of the memory that is left, if that is less
		nodes(e, 20_000)
		set(t, e, c.option, "none")
		e.Search(t.Context(), search.Limits{Nodes: 1, MoveTime: time.Millisecond}, func(search.Info) {})
		if n := entries(t, e); n > 20 { // those of that search
			t.Errorf("%s: %d entries", c.game, n)
		}
	}
}

// A change of the evaluation empties the table, also with NeverClearHash; the same evaluation keeps it.
func TestEvalFileEmptiesTheTable(t *testing.T) {
	for _, c := range evalFiles {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		set(t, e, "Hash", "2")
		set(t, e, "NeverClearHash", "true")
		path := netFile(t, c.shape, 1)
		for _, change := range []struct {
			value   string
			changes bool
		}{{"", false}, {"none", true}, {"none", false}, {path, true}, {path, false}, {"", true}} {
			if empty := emptied(t, e, c.option, change.value, c.move); empty != change.changes {
				t.Errorf("%s %q: empty %v, changed %v", c.option, filepath.Base(change.value), empty, change.changes)
			}
		}
	}
}

// The bench evaluates as the program does, whatever EvalFile is.
func TestEvalFileAndBench(t *testing.T) {
	for _, c := range evalFiles {
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		bench := func() (nodes string) {
			if err := e.bench(t.Context(), []string{"1"},
				func(line string) { nodes, _, _ = strings.Cut(line, " ") }); err != nil {
				t.Fatal(err)
			}
			return nodes
		}
		want := bench()
		set(t, e, c.option, netFile(t, c.shape, 1))
		if got := bench(); got != want {
			t.Errorf("%s: %s nodes with a net, %s without", c.game, got, want)
		}
	}
}

// A file that is refused changes nothing.
func TestEvalFileRefuses(t *testing.T) {
	for i, c := range evalFiles {
		good, folder := netFile(t, c.shape, 1), t.TempDir()
		data := filetest.Read(t, good)
		other := filetest.Read(t, netFile(t, evalFiles[1-i].shape, 1))
		damaged := slices.Clone(data)
		damaged[len(damaged)/2] ^= 1
		e := started(t)
		set(t, e, "UCI_Variant", c.game)
		set(t, e, "Hash", "2")
		set(t, e, c.option, good)
		want := fresh(t, e, c.game)
		for _, bad := range []struct {
			name, says string
			data       []byte
		}{
			{"damaged", "damaged", damaged},
			{"other", "its features are", other},
			{"short", "cut short", data[:40]},
			{"empty", "cut short", nil},
			{"text", "not a net of Trefoil", []byte("a text that is no net")},
			{"large", "more than any net of " + c.game + " has", make([]byte, 9<<20)},
			{"missing", "no such file", nil},
			{"folder", "a directory", nil},
		} {
			path := filepath.Join(folder, bad.name)
			var err error
			switch {
			case bad.name == "folder":
				err = os.Mkdir(path, 0o777)
			case bad.name != "missing":
				err = os.WriteFile(path, bad.data, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			err = e.Options().Set(context.Background(), options.UCI, c.option, path)
			if err == nil {
				t.Fatalf("%s: accepted", bad.name)
			}
			says := bad.says
			if bad.name == "missing" {
				says = bad.name // the rest is the system's
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, says) ||
				!strings.HasSuffix(text, "it stays "+good) {
				t.Errorf("%s: %v", bad.name, err)
			}
		}
		if got := fresh(t, e, c.game); got != want {
			t.Errorf("after all refusals %q, want %q", got, want)
		}
	}
}
