package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// feared reports whether a piece of kind k, not a king, would be attacked on s
// by an enemy of lower value, one look at every enemy.
func feared(p *Position, k Kind, s Square) bool {
	rank := [...]int{Pawn: 0, Knight: 1, Bishop: 1, Rook: 2, Queen: 3}
	them := p.side.Other()
	for b := p.Colour(them) &^ p.Kind(King); b != 0; {
		from := b.Pop()
		enemy := KindOf(p.At(from))
		reach := PawnAttacks(them, from)
		if enemy != Pawn {
			reach = attacks(enemy, from, p.Occupied())
		}
		if rank[enemy] < rank[k] && reach.Has(s) {
			return true
		}
	}
	return false
}

func TestThreatBonus(t *testing.T) {
	walk(t, 3000, func(p *Position, l *game.List, _ *rand.Rand) {
		gains := make([]int32, l.Len())
		p.ThreatBonus(l.All(), gains)
		for i, m := range l.All() {
			want := int32(0)
			if k := KindOf(m.Piece()); m.Quiet() && k != King {
				if feared(p, k, origin(m)) {
					want += int32(values[k])
				}
				if feared(p, k, target(m)) {
					want -= int32(values[k])
				}
			}
			if m.Quiet() && gains[i] != want {
				t.Fatalf("%s: %s has bonus %d, want %d", p.FEN(), p.Text(m), gains[i], want)
			}
		}
	})
}
