package connect4

import (
	"slices"
	"testing"

	"trefoil/game/gametest"
	"trefoil/remainder"
	"trefoil/search"
	"trefoil/search/exact"
)

// TestLook: a key of the table as a drawing, in which 0 stands for the side that moves first.
func TestLook(t *testing.T) {
	s, err := exact.New(exact.Options{Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const empty = "......."
	for _, c := range []struct {
		moves string
		rows  []string
		side  int
	}{
		{"", []string{empty, empty, empty, empty, empty, empty}, 0},
		{"4144", []string{empty, empty, empty, "...1...", "...0...", "1..0..."}, 0},
		{"41444", []string{empty, empty, "...0...", "...1...", "...0...", "1..0..."}, 1},
		{"777777", []string{"......1", "......0", "......1", "......0", "......1", "......0"}, 0},
	} {
		rows, side := exactTable{s}.Position(remainder.Key{Low: gametest.ConnectFour(t, c.moves).Key()})
		if !slices.Equal(rows, c.rows) || side != c.side {
			t.Errorf("%q: %q, side %d", c.moves, rows, side)
		}
	}
}

// TestBench: both benches solve a position, and refuse a wrong one.
func TestBench(t *testing.T) {
	for _, b := range benches() {
		s, err := b.Open(1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Prepare(t.Context(), "4158"); err == nil {
			t.Errorf("%s: column 8 is played", b.Name)
		}
		if err := s.Prepare(t.Context(), "41516"); err != nil {
			t.Error(err)
		}
		if result, _, err := s.Search(t.Context(), search.Limits{}); result != "score -18" || err != nil {
			t.Errorf("%s: %s, %v", b.Name, result, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
