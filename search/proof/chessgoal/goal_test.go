package chessgoal

import (
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/search/proof"
)

type noTable struct{}

func (noTable) Prefetch(uint64) {}

// A position has the same key only with the same attacker, moves left and, where they
// matter, reversible plies and earlier occurrences.
func TestKey(t *testing.T) {
	key := func(fen string, attacker chess.Colour, moves int) uint64 {
		return New(gametest.Chess(t, fen), attacker, moves).Key()
	}
	quiet, late := "7k/8/5K2/8/8/8/8/R7 w - - 10 60", "7k/8/5K2/8/8/8/8/R7 w - - 90 60"
	base := key(quiet, chess.White, 5)
	for name, other := range map[string]uint64{
		"attacker": key(quiet, chess.Black, 5), "moves": key(quiet, chess.White, 6), "count": key(late, chess.White, 6),
	} {
		if other == base {
			t.Errorf("another %s, the same key", name)
		}
	}
	if base != key("7k/8/5K2/8/8/8/8/R7 w - - 91 60", chess.White, 5) {
		t.Error("9 plies after 91 end before the fifty-move rule does anything, but the key differs")
	}
	if base == key("7k/8/5K2/8/8/8/8/R7 w - - 92 60", chess.White, 5) {
		t.Error("9 plies after 92 may be too late, but the key is the same")
	}
	p := gametest.Chess(t, quiet, "a1b1 h8g8 b1a1 g8h8")
	if New(p, chess.White, 5).Key() == base {
		t.Error("a position that has occurred twice has the key of one that has not")
	}
	c := New(gametest.Chess(t, quiet), chess.White, 5)
	for range 2 { // down and up again
		for _, s := range c.Expand(nil, noTable{}) {
			c.Make(s.Move)
			if c.Key() != s.Key && s.Key != 0 {
				t.Errorf("%v: the key after it is not that of Expand", s.Move)
			}
			if c.Left() != 4 || c.Attacking() {
				t.Errorf("%d moves left", c.Left())
			}
			c.Undo()
		}
	}
	if c.Key() != base || c.Left() != 5 {
		t.Error("Undo does not lead back")
	}
}

// What ends the game without a mate is no success of the attacker, whatever it looks like.
func TestEvaluate(t *testing.T) {
	for _, c := range []struct {
		name, fen   string
		attacker    chess.Colour
		moves       int
		phi, delta0 bool // of the side to move
	}{
		{"mated", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", chess.White, 3, false, true},
		{"mated as the count ends", "7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", chess.White, 3, false, true},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", chess.White, 3, true, false},
		{"mate in one", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", chess.White, 1, true, false},
		{"none in one", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", chess.White, 1, false, true},
		{"no moves left", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", chess.White, 0, false, true},
	} {
		var s proof.Child
		New(gametest.Chess(t, c.fen), c.attacker, c.moves).Evaluate(&s)
		if (s.Phi == 0) != c.phi || (s.Delta == 0) != c.delta0 {
			t.Errorf("%s: φ %d δ %d", c.name, s.Phi, s.Delta)
		}
	}
}
