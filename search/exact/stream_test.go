package exact

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
	"trefoil/internal/container"
	"trefoil/remainder"
)

// known returns the entries of a table.
func known(s *Solver) map[uint64]uint64 {
	all := map[uint64]uint64{}
	for key, value := range s.prover.(*best).table.All() {
		all[key.Low] = value
	}
	return all
}

// A table goes through a stream as through a file. After a bad stream one that is not empty is as it was, and an empty
// one is empty.
func TestStream(t *testing.T) {
	first := newSolver(t, Options{Hash: 4})
	p := gametest.ConnectFour(t, "4444")
	first.Solve(t.Context(), p, Limits{Nodes: 50_000}, nil)
	var out bytes.Buffer
	if err := first.Save(t.Context(), container.WriteStream(&out, "a pipe")); err != nil {
		t.Fatal(err)
	}
	file, want := out.Bytes(), known(first)
	for name, read := range map[string]func(in container.Input) (FileHeader, error){
		"inspect": func(in container.Input) (FileHeader, error) { return InspectFile(t.Context(), in) },
		"verify":  func(in container.Input) (FileHeader, error) { return VerifyFile(t.Context(), in, func(_, _ uint64) {}) },
	} {
		h, err := read(container.Stream(iotest.OneByteReader(bytes.NewReader(file)), "a pipe"))
		if err != nil || h.Board != connect4.Standard || h.Entries != uint64(len(want)) || h.Exact == 0 ||
			h.FileBytes != uint64(len(file)) {
			t.Errorf("%s: %+v, %v, want %d entries", name, h, err, len(want))
		}
	}
	for _, before := range []uint64{0, 77} {
		s := newSolver(t, Options{Hash: 4})
		if before > 0 {
			s.prover.(*best).table.Store(remainder.Key{Low: before}, pack(1, 2, 3, 0))
		}
		for _, n := range []int{0, 30, 300, len(file) / 2, len(file) - 512, len(file) - 1, len(file) + 1} {
			bad := append(bytes.Clone(file), 0)[:n]
			err := s.Load(t.Context(), container.Stream(bytes.NewReader(bad), "a pipe"))
			if err == nil || !strings.Contains(err.Error(), "loading the table: a pipe: ") {
				t.Errorf("%d bytes: %v", n, err)
			}
			if now := known(s); before == 0 && len(now) > 0 ||
				before > 0 && (len(now) != 1 || now[before] != pack(1, 2, 3, 0)) {
				t.Fatalf("%d bytes: %d entries", n, len(now))
			}
		}
		if err := s.Load(t.Context(),
			container.Stream(iotest.HalfReader(bytes.NewReader(file)), "a pipe")); err != nil {
			t.Fatal(err)
		}
		now := known(s)
		for key, value := range now {
			if want[key] != value {
				t.Fatalf("key %d: %x became %x", key, want[key], value)
			}
		}
		if len(now) < len(want)*99/100 { // full buckets of a table that has not grown yet lose some
			t.Errorf("%d entries, want %d", len(now), len(want))
		}
	}
}
