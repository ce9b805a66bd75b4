package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// Counting moves, mates and escape squares agrees with the moves.
func TestCount(t *testing.T) {
	walk(t, *plies, func(p *Position, l *game.List, _ *rand.Rand) {
		if n := p.MoveCount(); n != l.Len() {
			t.Fatalf("%d moves counted, %d listed:\n%v", n, l.Len(), p)
		}
		if mated := p.InCheck() && l.Len() == 0; p.Mated() != mated {
			t.Fatalf("mated: %v with %d moves:\n%v", p.Mated(), l.Len(), p)
		}
		var steps Bitboard
		for _, m := range l.All() {
			if KindOf(m.Piece()) == King && m&forms == plain {
				steps |= target(m).Bit()
			}
		}
		if got := p.EscapeSquares(p.side); got != steps {
			t.Fatalf("%d escape squares, %d steps of the king:\n%v", got.Count(), steps.Count(), p)
		}
	})
}
