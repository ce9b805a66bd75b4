package shogi

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// class ranks the kinds by value.
func class(k Kind) int {
	switch k {
	case Pawn:
		return 0
	case Lance, Knight:
		return 1
	case Bishop, Horse:
		return 3
	case Rook, Dragon:
		return 4
	case King:
		return 5
	}
	return 2
}

// attackersOn returns the squares of the pieces of c that attack s, by one look at every piece.
func attackersOn(p *Position, c Colour, s Square) (from []Square) {
	for b := p.colours[c&1]; b.Any(); {
		var f Square
		f, b = b.Next()
		if Attacks(c, KindOf(p.At(f)), f, p.Occupied()).Has(s) {
			from = append(from, f)
		}
	}
	return from
}

// inDanger reports whether a piece of the side to move of kind k would be lost on s: attacked by an enemy of a lower
// class, or by any where no own piece guards it.
func inDanger(p *Position, k Kind, s Square) bool {
	enemies := attackersOn(p, p.side^1, s)
	for _, f := range enemies {
		if class(KindOf(p.At(f))) < class(k) {
			return true
		}
	}
	return len(enemies) > 0 && len(attackersOn(p, p.side, s)) == 0
}

// threatens reports whether a piece of the side to move of kind k on s threatens an enemy.
func threatens(p *Position, k Kind, s Square) bool {
	for b := Attacks(p.side, k, s, p.Occupied()).And(p.colours[p.side&1^1]); b.Any(); {
		var f Square
		f, b = b.Next()
		victim := KindOf(p.At(f))
		if victim == King {
			continue
		}
		if class(victim) > class(k) && (k == Pawn || class(k) == 1 || class(k) == 2) ||
			class(k) >= 2 && len(attackersOn(p, p.side^1, f)) == 0 {
			return true
		}
	}
	return false
}

func TestThreatBonus(t *testing.T) {
	saved, lost, attacks := 0, 0, 0
	walk(t, 2000, func(p *Position, l *game.List, _ *rand.Rand) {
		gains := make([]int32, l.Len())
		p.ThreatBonus(l.All(), gains)
		for i, m := range l.All() {
			if !m.Quiet() {
				continue
			}
			k, to, onBoard := KindOf(m.Piece()), target(m), m&drop == 0 && KindOf(m.Piece()) != King
			want := int32(0)
			if onBoard && inDanger(p, k, origin(m)) {
				want += int32(values[k])
				saved++
			}
			if k != King && inDanger(p, k, to) ||
				onBoard && len(attackersOn(p, p.side^1, to)) > 0 && len(attackersOn(p, p.side, to)) == 1 {
				want -= int32(values[k])
				lost++
			}
			if want >= 0 && k != King && threatens(p, KindOf(placed(m)), to) {
				want += attackGain
				attacks++
			}
			if gains[i] != want {
				t.Fatalf("%s: %s has bonus %d, want %d", p.SFEN(), p.Text(m), gains[i], want)
			}
		}
	})
	if min(saved, lost, attacks) < 1000 {
		t.Errorf("%d moves save a piece, %d lose one, %d threaten one", saved, lost, attacks)
	}
}
