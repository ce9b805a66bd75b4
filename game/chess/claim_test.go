package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// What is counted and seen of mates is what the moves say.
func TestCount(t *testing.T) {
	var inner game.List
	mates := 0
	walk(t, *plies, func(p *Position, l *game.List, _ *rand.Rand) {
		if n := p.count(); n != l.Len() {
			t.Fatalf("%d moves counted, %d listed:\n%v", n, l.Len(), p)
		}
		if p.InCheck() && p.mated() != (l.Len() == 0) {
			t.Fatalf("mated: %v with %d moves:\n%v", p.mated(), l.Len(), p)
		}
		mating, checks := game.None, 0
		for _, m := range l.All() {
			p.Make(m)
			if p.InCheck() {
				if checks++; !p.anyMove() {
					mating = m
				}
			}
			p.Undo()
		}
		m, n := p.mateInOne(&inner)
		if (m == game.None) != (mating == game.None) || m == game.None && n > checks {
			t.Fatalf("mate in one %s after %d checks, not %s of %d:\n%v", p.Text(m), n, p.Text(mating), checks, p)
		}
		if m != game.None {
			mates++
			p.Make(m)
			if !p.InCheck() || p.anyMove() {
				t.Fatalf("%s does not mate:\n%v", p.Text(m), p)
			}
			p.Undo()
		}
	})
	if mates == 0 {
		t.Error("no mate in one was met")
	}
}

type nobody struct{}

func (nobody) Prefetch(uint64) {}

// A position is the same claim only with the same attacker, moves left and, where they
// matter, reversible plies and earlier occurrences.
func TestClaimKey(t *testing.T) {
	key := func(fen string, who Colour, moves int) uint64 {
		return NewClaim(parse(t, fen), who, moves).Key()
	}
	quiet, late := "7k/8/5K2/8/8/8/8/R7 w - - 10 60", "7k/8/5K2/8/8/8/8/R7 w - - 90 60"
	base := key(quiet, White, 5)
	for name, other := range map[string]uint64{
		"attacker": key(quiet, Black, 5), "moves": key(quiet, White, 6), "count": key(late, White, 6),
	} {
		if other == base {
			t.Errorf("another %s, the same key", name)
		}
	}
	if base != key("7k/8/5K2/8/8/8/8/R7 w - - 91 60", White, 5) {
		t.Error("9 plies after 91 end before the fifty-move rule does anything, but the key differs")
	}
	if base == key("7k/8/5K2/8/8/8/8/R7 w - - 92 60", White, 5) {
		t.Error("9 plies after 92 may be too late, but the key is the same")
	}
	p := parse(t, quiet)
	play(t, p, "a1b1 h8g8 b1a1 g8h8")
	if NewClaim(p, White, 5).Key() == base {
		t.Error("a position that has occurred twice is the same claim as one that has not")
	}
	c := NewClaim(parse(t, quiet), White, 5)
	for range 2 { // down and up again
		for _, s := range c.Expand(nil, nobody{}) {
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
func TestClaimSight(t *testing.T) {
	for _, c := range []struct {
		name, fen   string
		who         Colour
		moves       int
		phi, delta0 bool // of the side to move
	}{
		{"mated", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", White, 3, false, true},
		{"mated as the count ends", "7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", White, 3, false, true},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", White, 3, true, false},
		{"mate in one", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", White, 1, true, false},
		{"none in one", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", White, 1, false, true},
		{"no moves left", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", White, 0, false, true},
	} {
		var s game.Successor
		NewClaim(parse(t, c.fen), c.who, c.moves).Sight(&s)
		if (s.Phi == 0) != c.phi || (s.Delta == 0) != c.delta0 {
			t.Errorf("%s: φ %d δ %d", c.name, s.Phi, s.Delta)
		}
	}
}
