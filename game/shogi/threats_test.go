package shogi

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// feared reports whether a piece of kind k would be attacked on s by an enemy that
// it fears, one look at every enemy.
func feared(p *Position, k Kind, s Square) bool {
	class := func(k Kind) int {
		switch k {
		case Pawn:
			return 0
		case Bishop, Rook, Horse, Dragon:
			return 2
		}
		return 1
	}
	them := p.side.Other()
	for from := Square(0); from < Nowhere; from++ {
		code := p.At(from)
		if code == 0 || ColourOf(code) != them || KindOf(code) == King {
			continue
		}
		enemy := KindOf(code)
		if less := class(enemy) < class(k); less && Attacks(them, enemy, from, p.Occupied()).Has(s) {
			return true
		}
	}
	return false
}

func TestRescues(t *testing.T) {
	walk(t, steps(4), func(p *Position, l *game.List, _ *rand.Rand) {
		gains := make([]int32, l.Len())
		p.Rescues(l.All(), gains)
		for i, m := range l.All() {
			want := int32(0)
			if k := KindOf(m.Piece()); m.Quiet() && k != King {
				if m&drop == 0 && feared(p, k, origin(m)) {
					want += int32(swings[k])
				}
				if feared(p, k, target(m)) {
					want -= int32(swings[k])
				}
			}
			if m.Quiet() && gains[i] != want {
				t.Fatalf("%s: rescues %d, want %d, in\n%v", p.Text(m), gains[i], want, p)
			}
		}
	})
}
