package exact

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/internal/tabletest"
	"trefoil/remainder"
)

// TestSave: a table that is loaded, also of another size, knows what was proved; a file of another board
// or a damaged one is refused, and the table stays as it is.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, b := range []*connect4.Board{connect4.Standard, mustBoard(t, 8, 7, 4), mustBoard(t, 13, 4, 4),
		mustBoard(t, 9, 5, 3)} {
		first := newSolver(t, Options{Board: b, Hash: 4})
		rnd, p, want := rand.New(rand.NewPCG(1, 5)), b.Start(), Result{}
		for i := 0; i < 100 && want.Nodes < 100; i++ { // most positions need no search
			var ok bool
			if p, ok = randomOn(rnd, b, b.Cells*45/100); !ok {
				t.Fatal("no position")
			}
			want = first.Solve(t.Context(), p, Limits{Nodes: 200_000}, nil)
		}
		if err := first.Save(t.Context(), container.Replace(path)); err != nil {
			t.Fatal(err)
		}
		for _, hash := range []int{1, 4, 16} {
			s := newSolver(t, Options{Board: b, Hash: hash})
			if err := s.Load(t.Context(), container.File(path)); err != nil {
				t.Fatal(err)
			}
			entries := 0
			for key, value := range s.prover.(*best).table.All() {
				lower, upper := unpack(value)
				if l, u := -b.Cells/2, b.Cells/2; key.Low > b.MaxKey || int(lower) < l || int(upper) > u || lower > upper {
					t.Fatalf("%v: key %v, %d to %d", b, key, lower, upper)
				}
				entries++
			}
			if entries == 0 && want.Nodes > 0 {
				t.Errorf("%v, %d MiB: no entry", b, hash)
			}
			again := s.Solve(t.Context(), p, Limits{}, nil)
			if want.Exact && again.Score != want.Score || again.Score < want.Lower || again.Score > want.Upper ||
				want.Exact && hash > 1 && again.Nodes > want.Nodes/10+10 {
				t.Errorf("%v, %d MiB with %d entries: %+v, first %+v", b, hash, entries, again, want)
			}
		}
	}
	s := newSolver(t, Options{Hash: 1})
	if err := s.Load(t.Context(), container.File(path)); err == nil ||
		!strings.Contains(err.Error(), "board is 9x5 connect 3, expected 7x6") {
		t.Error(err)
	}
	data := filetest.Read(t, path)
	data[len(data)/2] ^= 1
	filetest.Write(t, path, data)
	damaged := newSolver(t, Options{Board: mustBoard(t, 9, 5, 3), Hash: 1})
	if err := damaged.Load(t.Context(), container.File(path)); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	tutorial := newSolver(t, Options{Solver: Tutorial})
	if tutorial.Save(t.Context(), container.Replace(path+"2")) == nil ||
		tutorial.Load(t.Context(), container.File(path)) == nil {
		t.Error("the tutorial's table has no file")
	}
	if err := Writable(container.Replace(path)); err != nil {
		t.Error(err)
	}
}

// entryFile writes a file of a board with entries that a test chooses, and a count of them.
func entryFile(t *testing.T, kind container.Kind, b *connect4.Board, count uint64, words ...uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "entries")
	var block []byte
	for _, w := range words {
		block = binary.LittleEndian.AppendUint64(block, w)
	}
	err := container.Write(container.Replace(path), kind, fileHeader{b.Width, b.Height, b.Connect},
		func(w *container.Writer) (any, error) {
			return fileSummary{count}, w.WriteBlock(block)
		})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLoadRefuses: a file with an entry that no table has is refused as a whole, and a file of another kind is
// neither read nor replaced.
func TestLoadRefuses(t *testing.T) {
	b := connect4.Standard
	most := int32(b.Cells / 2)
	good := pack(-most, most, 100, 0)
	for _, c := range []struct {
		name  string
		count uint64
		words []uint64
		want  string // in the error, "" for none
	}{
		{"the greatest key and the widest bounds", 2, []uint64{b.MaxKey, good, 5, pack(3, 3, 1<<39, 0)}, ""},
		{"a key too large", 1, []uint64{b.MaxKey + 1, good}, "entry 1 has key"},
		{"the second entry's key too large", 2, []uint64{5, good, b.MaxKey + 1, good}, "entry 2 has key"},
		{"a lower bound too low", 1, []uint64{5, pack(-most-1, most, 100, 0)}, "bounds -22 to 21"},
		{"an upper bound too high", 1, []uint64{5, pack(-most, most+1, 100, 0)}, "bounds -21 to 22"},
		{"bounds that cross", 1, []uint64{5, pack(4, 3, 100, 0)}, "bounds 4 to 3"},
		{"more bits of work than there are", 1, []uint64{5, good | 1<<(64-leastKeyBits)}, "entry 1 has key 18446744073709551621 and"},
		{"one entry less than announced", 2, []uint64{5, good}, "count of entries is 1, expected 2"},
		{"one more", 0, []uint64{5, good}, "count of entries is 1, expected 0"},
		{"half an entry", 1, []uint64{5, good, 6}, "length of a block is 24"},
	} {
		s := newSolver(t, Options{Hash: 1})
		table := s.prover.(*best).table
		table.Store(remainder.Key{Low: 77}, pack(1, 2, 3, 0))
		err := s.Load(t.Context(), container.File(entryFile(t, container.Scores, b, c.count, c.words...)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
		entries := 0
		for key, value := range table.All() {
			entries++
			if c.want != "" && (key.Low != 77 || value != pack(1, 2, 3, 0)) {
				t.Errorf("%s: the table has key %v", c.name, key)
			}
		}
		if want := max(1, int(c.count)); c.want == "" && entries != want || c.want != "" && entries != 1 {
			t.Errorf("%s: %d entries after loading", c.name, entries)
		}
	}
	s, other := newSolver(t, Options{Hash: 1}), entryFile(t, container.Proofs, b, 1, 5, good)
	for name, err := range map[string]error{"Load": s.Load(t.Context(), container.File(other)),
		"Save": s.Save(t.Context(), container.Replace(other)), "Writable": Writable(container.Replace(other))} {
		if err == nil {
			t.Errorf("%s accepts a file of another kind", name)
		}
	}
}

// TestLoadRefusesEmpty: bounds that would be an empty entry are refused. On boards of less than 64 cells they are too
// low anyway.
func TestLoadRefusesEmpty(t *testing.T) {
	b := mustBoard(t, 8, 8, 4)
	err := newSolver(t, Options{Board: b, Hash: 64}).Load(t.Context(),
		container.File(entryFile(t, container.Scores, b, 1, 5, 0)))
	if err == nil || !strings.Contains(err.Error(), "entry 1 has key 5 and bounds -32 to -32") {
		t.Error(err)
	}
}

// TestLoadEnds: whenever the context ends, a table has all that it had, or nothing.
func TestLoadEnds(t *testing.T) {
	const keys = 100
	path := entryFile(t, container.Scores, connect4.Standard, 1, 5, pack(3, 3, 1, 0))
	s := newSolver(t, Options{Hash: 16})
	for looks := 0; ; looks++ {
		table := s.Table()
		for _, growing := table.Room(); growing; _, growing = table.Room() {
			table.Grow() // to more than is cleared between two looks at a context
		}
		for i := range uint64(keys) {
			table.Store(remainder.Key{Low: i * (connect4.Standard.MaxKey / keys)}, pack(1, 2, 3, 0))
		}
		err := s.Load(&tabletest.EndsAfter{Context: t.Context(), Looks: looks}, container.File(path))
		n := len(known(s))
		if err == nil && n == 1 {
			return
		}
		if !errors.Is(err, context.Canceled) || n != 0 && n != keys {
			t.Fatalf("after %d looks: %v, %d of %d entries", looks, err, n, keys)
		}
	}
}
