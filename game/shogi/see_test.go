package shogi

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// exchange returns what the side to move wins at most by taking the piece of a code
// on to, with the least valuable of its pieces in occ, when it need not.
func exchange(p *Position, to Square, code int, side Colour, occ Bitboard) int {
	var taker Square = Nowhere
	for b := p.AttackersOf(to, occ, side).And(occ); b.Any(); {
		var s Square
		s, b = b.Next()
		if taker == Nowhere || rank(p.At(s)) < rank(p.At(taker)) {
			taker = s
		}
	}
	if taker == Nowhere {
		return 0
	}
	occ = occ.Without(taker.Bit())
	if KindOf(p.At(taker)) == King && p.AttackersOf(to, occ, side^1).Meets(occ) {
		return 0
	}
	return max(0, captureValues[KindOf(code)]-exchange(p, to, p.At(taker), side^1, occ))
}

// rank orders pieces as takers.
func rank(code int) int {
	k := KindOf(code)
	for i, o := range order {
		if o == k || o == golds && sets[k] == golds {
			return i
		}
	}
	return -1
}

// TestSEE compares SEE with the exchange played out.
func TestSEE(t *testing.T) {
	walk(t, steps(2), func(p *Position, l *game.List, _ *rand.Rand) {
		for _, m := range l.All() {
			to := target(m)
			occ := p.Occupied().Or(to.Bit())
			if m&drop == 0 {
				occ = occ.Without(origin(m).Bit())
			}
			want := p.CaptureValue(m) - exchange(p, to, placed(m), p.side^1, occ)
			if !p.SEE(m, want) || p.SEE(m, want+1) {
				t.Fatalf("%s: SEE is not %d in\n%v", p.Text(m), want, p)
			}
		}
	})
}

func TestSEEByHand(t *testing.T) {
	for _, c := range []struct {
		sfen, move string
		want       int
	}{
		{"4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 200},
		{"4k4/9/4g4/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 0},
		{"4k4/9/4g4/4p4/4R4/9/9/9/4K4 b - 1", "5e5d", 200 - 2200},
		{"4k4/9/4g4/4p4/4R4/4R4/9/9/4K4 b - 1", "5e5d", 200 - 2200 + 1200},
		{"4k4/9/4g4/4p4/4P4/4L4/9/9/4K4 b - 1", "5e5d", 200},
		{"4k4/9/4+p4/4P4/9/9/9/9/4K4 b - 1", "5d5c+", 700 + 500},
		{"4k4/9/4g4/9/9/9/9/9/4K4 b P 1", "P*5d", -200},
		{"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5b", -200},
		{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 0},
		{"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", -1200},
	} {
		p := parse(t, c.sfen)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if !p.SEE(m, c.want) || p.SEE(m, c.want+1) {
			t.Errorf("%s: SEE is not %d in\n%v", c.move, c.want, p)
		}
	}
}
