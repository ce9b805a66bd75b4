package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	chessnnue "trefoil/game/chess/nnue"
	"trefoil/nnue/nnuetest"
	"trefoil/options"
)

// netFile writes a random net of chess.
func netFile(t *testing.T, seed uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := nnuetest.Random(t, chessnnue.Shape(32), seed).Write(f); err != nil {
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
func fresh(t *testing.T, e *Engine) string {
	t.Helper()
	if err := e.SetPosition("startpos", openings["chess"]); err != nil {
		t.Fatal(err)
	}
	e.NewGame()
	r, last := deep(e, 6)
	return strings.Join(last.PV, " ") + " " + r.Best + explained(t, e)
}

// A net changes the search, and goes without a trace.
func TestEvalFile(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "2")
	hand := fresh(t, e)
	one, two := netFile(t, 1), netFile(t, 2)
	set(t, e, "EvalFile", one)
	first := fresh(t, e)
	set(t, e, "EvalFile", two)
	second := fresh(t, e)
	if first == hand || second == hand || first == second {
		t.Errorf("equal among %q, %q, %q", hand, first, second)
	}
	set(t, e, "Threads", "3") // makes new evaluators
	set(t, e, "Threads", "1")
	if got := fresh(t, e); got != second {
		t.Errorf("%q, want %q", got, second)
	}
	set(t, e, "UCI_Variant", "connect4")
	set(t, e, "EvalFile", one)
	set(t, e, "UCI_Variant", "chess")
	if got := fresh(t, e); got != first {
		t.Errorf("set while another game is chosen: %q, want %q", got, first)
	}
	for _, value := range []string{"none", ""} {
		set(t, e, "EvalFile", one)
		set(t, e, "EvalFile", value)
		if got := fresh(t, e); got != hand {
			t.Errorf("EvalFile %q: %q, want %q", value, got, hand)
		}
	}
}

// A change of the evaluation empties the table, also with NeverClearHash; the same evaluation keeps it.
func TestEvalFileEmptiesTheTable(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "2")
	set(t, e, "NeverClearHash", "true")
	path := netFile(t, 1)
	for _, c := range []struct {
		value   string
		changes bool
	}{{"none", false}, {"", false}, {path, true}, {path, false}, {"none", true}} {
		nodes(e, 1000)
		set(t, e, "EvalFile", c.value)
		nodes(e, 1, "a2a3") // waits for the table to be cleared
		line := ""
		print := func(l string) {
			if strings.HasPrefix(l, "hash entries ") {
				line = l
			}
		}
		if err := e.hash(t.Context(), nil, print); err != nil {
			t.Fatal(err)
		}
		if empty := strings.HasPrefix(line, "hash entries 0 ") || strings.HasPrefix(line, "hash entries 1 "); empty != c.changes {
			t.Errorf("EvalFile %q: %s, changed: %v", filepath.Base(c.value), line, c.changes)
		}
	}
}

// A file that is refused changes nothing.
func TestEvalFileRefuses(t *testing.T) {
	good, folder := netFile(t, 1), t.TempDir()
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(data)
	damaged[len(damaged)/2] ^= 1
	e := started(t)
	set(t, e, "Hash", "2")
	set(t, e, "EvalFile", good)
	want := fresh(t, e)
	for _, c := range []struct {
		name, says string
		data       []byte
	}{
		{"damaged", "damaged", damaged},
		{"short", "cut short", data[:40]},
		{"empty", "cut short", nil},
		{"text", "not a net of Trefoil", []byte("a text that is no net")},
		{"large", "more than any net of chess has", make([]byte, 3<<20)},
		{"missing", "no such file", nil},
		{"folder", "a directory", nil},
	} {
		path := filepath.Join(folder, c.name)
		var err error
		switch {
		case c.name == "folder":
			err = os.Mkdir(path, 0o777)
		case c.name != "missing":
			err = os.WriteFile(path, c.data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = e.Options().Set(context.Background(), options.UCI, "EvalFile", path)
		if err == nil {
			t.Fatalf("%s: accepted", c.name)
		}
		says := c.says
		if c.name == "missing" {
			says = c.name // the rest is the system's
		}
		if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, says) || !strings.HasSuffix(text, "it stays "+good) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if got := fresh(t, e); got != want {
		t.Errorf("after all refusals %q, want %q", got, want)
	}
}
