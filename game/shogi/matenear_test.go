package shogi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/game"
)

// covered returns what the pieces of c attack, the king left out.
func covered(p *Position, c Colour) (squares Bitboard) {
	for b := p.Colour(c).Without(p.King(c).Bit()); b.Any(); {
		var s Square
		s, b = b.Next()
		squares = squares.Or(Attacks(c, KindOf(p.At(s)), s, p.Occupied()))
	}
	return squares
}

// MateNear returns legal moves that mate, and finds most mates in one.
func TestMateNear(t *testing.T) {
	mates, seen := 0, 0
	walk(t, steps(1), func(p *Position, l *game.List, _ *rand.Rand) {
		if p.InCheck() {
			return
		}
		some := false
		for _, m := range l.All() {
			if !p.GivesCheck(m) {
				continue
			}
			mates := p.Mates(m)
			p.Make(m)
			if mates != p.Mated() {
				t.Fatalf("Mates says %v of %s:\n%v", mates, p.Text(m), p)
			}
			p.Undo()
			some = some || mates
		}
		m := p.MateNear(covered(p, p.side), covered(p, p.side^1))
		if other := p.MateBeside(); other != m {
			t.Fatalf("MateBeside finds %s, MateNear %s:\n%v", p.Text(other), p.Text(m), p)
		}
		if some {
			mates++
		}
		if m == game.None {
			return
		}
		seen++
		if !slices.Contains(l.All(), m) {
			t.Fatalf("%s is not legal:\n%v", p.Text(m), p)
		}
		p.Make(m)
		if !p.Mated() {
			t.Fatalf("%s does not mate:\n%v", p.Text(m), p)
		}
		p.Undo()
	})
	t.Logf("%d of %d mates in one are seen", seen, mates)
	if mates == 0 || seen < mates*3/4 {
		t.Errorf("%d of %d mates in one are seen", seen, mates)
	}
}
