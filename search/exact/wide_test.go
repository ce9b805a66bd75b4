package exact

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/container"
)

// newSolver128 returns a solver that searches a board with sets of two words.
func newSolver128(t *testing.T, b *connect4.Board, hash int) *Solver {
	t.Helper()
	p, err := newBest128(Options{Board: b, Hash: hash, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.close() })
	return &Solver{prover: p}
}

// TestSameTree: on boards of up to 64 cells the search with sets of two words takes the same nodes as the search with
// sets of one, and finds the same. The tables are too large from the beginning to lose an entry.
func TestSameTree(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 8))
	for _, c := range []struct{ width, height, connect, empty int }{
		{7, 6, 4, 26}, {6, 5, 3, 27}, {8, 7, 4, 34}, {9, 6, 5, 22}, {12, 4, 4, 28}, {4, 15, 4, 28}, // with sentinels
		{13, 4, 4, 28}, {8, 8, 4, 40}, {9, 7, 5, 24}, {7, 9, 4, 46}, {4, 16, 4, 40}, {14, 4, 5, 22}, // without
	} {
		b := mustBoard(t, c.width, c.height, c.connect)
		hash := max(16, int(leastOf(b)>>20))
		one, two := newSolver(t, Options{Board: b, Hash: hash}), newSolver128(t, b, hash)
		searched := uint64(0)
		for range 10 {
			p, ok := randomOn(r, b, b.Cells-c.empty)
			if !ok {
				continue
			}
			var results [2]Result
			for i, s := range []*Solver{one, two} {
				if err := s.Clear(t.Context()); err != nil {
					t.Fatal(err)
				}
				for growing := true; growing; _, growing = s.Table().Room() {
					s.Table().Grow()
				}
				results[i] = s.Solve(t.Context(), p, Limits{Nodes: 3000}, nil)
			}
			want, got := results[0], results[1]
			if want.Time, got.Time = 0, 0; got != want {
				t.Fatalf("%v\n%v\n%+v with sets of two words, %+v with sets of one", b, p, got, want)
			}
			if a, b := one.Hint(p), two.Hint(p); a != b {
				t.Fatalf("%v\n%v\nhint %d with sets of two words, %d with sets of one", b, p, b, a)
			}
			searched += want.Nodes
		}
		if t.Logf("%v: %d nodes", b, searched); searched == 0 {
			t.Errorf("%v: no nodes", b)
		}
	}
}

// TestLargeBoard: on a board of more than 64 cells three threads find the score that one finds, and a saved table has
// it; a table of another board, and an entry that no table has, are refused.
func TestLargeBoard(t *testing.T) {
	b := mustBoard(t, 11, 7, 4)
	r := rand.New(rand.NewPCG(5, 11))
	one, three := newSolver(t, Options{Board: b, Hash: 4}), newSolver(t, Options{Board: b, Hash: 8, Threads: 3})
	var p connect4.Position
	var want Result
	for want.Nodes < 4000 { // enough for the other threads to begin
		p, _ = randomOn(r, b, b.Cells-30)
		if want = one.Solve(t.Context(), p, Limits{Nodes: 200_000}, nil); !want.Exact {
			want.Nodes = 0
		}
	}
	if got := three.Solve(t.Context(), p, Limits{}, nil); !got.Exact || got.Score != want.Score {
		t.Errorf("%v\n%+v with three threads, %+v with one", p, got, want)
	}
	path := filepath.Join(t.TempDir(), "table")
	if err := three.Save(t.Context(), container.Replace(path)); err != nil {
		t.Fatal(err)
	}
	h, err := VerifyFile(t.Context(), container.File(path), nil)
	if err != nil || h.Board != b || h.Entries == 0 {
		t.Fatalf("%+v, %v", h, err)
	}
	again := newSolver(t, Options{Board: b, Hash: 2})
	if err := again.Load(t.Context(), container.File(path)); err != nil {
		t.Fatal(err)
	}
	got := again.Solve(t.Context(), p, Limits{}, nil)
	if !got.Exact || got.Score != want.Score || got.Nodes > want.Nodes/2 {
		t.Errorf("%+v with the loaded table, %+v before", got, want)
	}
	other := newSolver(t, Options{Board: mustBoard(t, 11, 7, 5), Hash: 2})
	if err := other.Load(t.Context(), container.File(path)); err == nil ||
		!strings.Contains(err.Error(), "board is 11x7, expected 11x7 connect 5") {
		t.Error(err)
	}
	for _, entry := range [][3]uint64{{1, 0, 1 << valueBits128}, {0, b.MaxHigh + 1, 64<<boundBits128 | 64}, {1, 0, 0}} {
		var block []byte
		for _, word := range entry {
			block = binary.LittleEndian.AppendUint64(block, word)
		}
		write := func(w *container.Writer) (any, error) { return fileSummary{1}, w.WriteBlock(block) }
		err := container.Write(container.Replace(path), container.Scores, headerOf(b), write)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Load(t.Context(), container.File(path)); err == nil ||
			!strings.Contains(err.Error(), "entry 1 has key") {
			t.Errorf("%x: %v", entry, err)
		}
	}
}
