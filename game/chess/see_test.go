package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// board is a bare board for the slow exchange: piece codes by square.
type board [64]int

// cheapest returns where the least valuable piece of c stands that attacks to.
func (b *board) cheapest(to Square, c Colour) (from Square, ok bool) {
	best := King + 1
	var occ Bitboard
	for s := Square(0); s < 64; s++ {
		if b[s] != 0 {
			occ |= s.Bit()
		}
	}
	for s := Square(0); s < 64; s++ {
		if b[s] == 0 || ColourOf(b[s]) != c || s == to {
			continue
		}
		k := KindOf(b[s])
		reach := PawnAttacks(c, s)
		if k != Pawn {
			reach = attacks(k, s, occ)
		}
		if reach.Has(to) && k < best {
			best, from, ok = k, s, true
		}
	}
	return from, ok
}

// exchange returns what c can win by capturing on to, or 0 if it had better not.
func (b board) exchange(to Square, c Colour) int {
	from, ok := b.cheapest(to, c)
	if !ok {
		return 0
	}
	prize, piece := Value(b[to]), b[from]
	b[to], b[from] = piece, 0
	if _, back := b.cheapest(to, c^1); back && KindOf(piece) == King {
		return 0
	}
	return max(0, prize-b.exchange(to, c^1))
}

// TestSEE compares SEE with an exchange played out on a copy of the board.
func TestSEE(t *testing.T) {
	walk(t, *plies/5, func(p *Position, l *game.List, rnd *rand.Rand) {
		for _, m := range l.All() {
			want := 0
			if m&forms != castling {
				var b board
				for s := range b {
					b[s] = p.At(Square(s))
				}
				b[target(m)], b[origin(m)] = m.Piece(), 0
				if m&forms == enPassant {
					b[target(m)^8] = 0
				}
				if m.Promotes() {
					b[target(m)] = Code(p.side, promoted(m))
				}
				want = p.CaptureValue(m) - b.exchange(target(m), p.side^1)
			}
			for _, threshold := range []int{want - 1, want, want + 1, want + 200 - rnd.IntN(400), 0} {
				if got := p.SEE(m, threshold); got != (want >= threshold) {
					t.Fatalf("SEE(%s, %d) = %v, the value of the exchange is %d, in\n%v", p.Text(m),
						threshold, got, want, p)
				}
			}
		}
	})
}

func TestCaptureValue(t *testing.T) {
	p := parse(t, "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
	for text, want := range map[string]int{"e7d8q": 320 + 850, "e7d8n": 320 + 220, "e1e2": 0} {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.CaptureValue(m); got != want {
			t.Errorf("the value of %s is %d, want %d", text, got, want)
		}
	}
}
