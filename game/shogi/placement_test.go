package shogi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/game"
)

// TestPlacement compares the placements of positions with each other, square by square.
func TestPlacement(t *testing.T) {
	var others []*Position
	walk(t, steps(1), func(p *Position, _ *game.List, rnd *rand.Rand) {
		var q, r Placement
		p.Placement(&q)
		for s := Square(0); s < Nowhere; s++ {
			if q.At(s) != p.At(s) {
				t.Fatalf("%s: %d on %v", p.SFEN(), q.At(s), s)
			}
		}
		for c := Black; c <= White; c++ {
			if q.Hand(c) != p.Hand(c) {
				t.Fatalf("%s: hand %v", p.SFEN(), q.Hand(c))
			}
		}
		if others = append(others, p.Copy()); len(others) > 20 {
			others = others[rnd.IntN(20):]
		}
		other := others[rnd.IntN(len(others))]
		other.Placement(&r)
		var want []Square
		for s := Square(0); s < Nowhere; s++ {
			if p.At(s) != other.At(s) {
				want = append(want, s)
			}
		}
		if got := q.Differences(nil, &r); !slices.Equal(got, want) {
			t.Fatalf("%s, %s: %v, want %v", p.SFEN(), other.SFEN(), got, want)
		}
		distance := len(want)
		for c := Black; c <= White; c++ {
			for k := Pawn; k < King; k++ {
				d := p.Hand(c).Count(k) - other.Hand(c).Count(k)
				distance += max(d, -d)
			}
		}
		if got := q.Distance(&r); got != distance {
			t.Fatalf("%s, %s: distance %d, want %d", p.SFEN(), other.SFEN(), got, distance)
		}
	})
}

// TestPlacementDistance compares an empty board with a full one.
func TestPlacementDistance(t *testing.T) {
	var empty, full Placement
	for s := range Nowhere {
		full.board[s>>3] |= uint64(Code(White, Dragon)) << (s & 7 << 3)
	}
	if got := full.Distance(&empty); got != 81 {
		t.Errorf("%d squares, want 81", got)
	}
}
