package exact

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/connect4"
)

// TestSave: a table that is loaded, also of another size, knows what was proved; a file of another board
// or a damaged one is refused, and the table stays as it is.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, b := range []*connect4.Board{connect4.Standard, mustBoard(t, 8, 7, 4), mustBoard(t, 9, 5, 3)} {
		first := newSolver(t, Options{Board: b, Hash: 4})
		p, ok := randomOn(rand.New(rand.NewPCG(1, 5)), b, b.Cells*45/100)
		if !ok {
			t.Fatal("no position")
		}
		want := first.Solve(t.Context(), p, Limits{Nodes: 200_000}, nil)
		if err := first.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		for _, hash := range []int{1, 4, 16} {
			s := newSolver(t, Options{Board: b, Hash: hash})
			if err := s.Load(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			entries := 0
			for key, value := range s.prover.(*best).table.All() {
				lower, upper := unpack(value)
				if l, u := -b.Cells/2, b.Cells/2; key > b.MaxKey || int(lower) < l || int(upper) > u || lower > upper {
					t.Fatalf("%v: key %d, %d to %d", b, key, lower, upper)
				}
				entries++
			}
			again := s.Solve(t.Context(), p, Limits{}, nil)
			if want.Exact && again.Score != want.Score || again.Score < want.Lower || again.Score > want.Upper || want.Exact && hash > 1 && again.Nodes > want.Nodes/10+10 {
				t.Errorf("%v, %d MiB with %d entries: %+v, first %+v", b, hash, entries, again, want)
			}
		}
	}
	s := newSolver(t, Options{Hash: 1})
	if err := s.Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), "board is 9x5, 3 in line, want 7x6") {
		t.Error(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	damaged := newSolver(t, Options{Board: mustBoard(t, 9, 5, 3), Hash: 1})
	if err := damaged.Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	tutorial := newSolver(t, Options{Solver: Tutorial})
	if tutorial.Save(t.Context(), path+"2") == nil || tutorial.Load(t.Context(), path) == nil {
		t.Error("the tutorial's table has no file")
	}
}
