package shogigoal

import (
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// TestMateHand: a mate in effect remains one while the attacker keeps mateHand, whoever has in hand what
// else there is, here one piece of each kind.
func TestMateHand(t *testing.T) {
	for name, c := range map[string]struct {
		board string
		mates int // of the 128 hands
		least int // pieces of the smallest mateHand
	}{
		"every drop is useless":                 {"4R3k/6+P2/8P/9/9/9/9/9/9", 128, 0},
		"drops on 2a are useful, a move is not": {"4R3k/6+Pg1/8P/9/9/9/9/9/9", 1, 7},
		"a pawn cannot be dropped there":        {"4R3k/6+Pg1/7pP/9/9/9/9/9/9", 2, 6},
		"the king escapes to 2b":                {"4R3k/9/6N1P/9/9/9/9/9/9", 0, 7},
	} {
		mates, least := 0, 7
		mated, keep := map[shogi.Hand]bool{}, map[shogi.Hand]shogi.Hand{}
		for mask := range 128 {
			hands := ""
			for k, letter := range "plnsgbr" {
				if mask>>k&1 == 0 {
					letter += 'A' - 'a'
				}
				hands += string(letter)
			}
			g := New(gametest.Shogi(t, c.board+" w "+hands+" 1"), shogi.Black, 1)
			g.InEffect()
			hand := g.p.Hand(shogi.Black)
			if mated[hand] = g.Mated(); mated[hand] {
				keep[hand] = g.mateHand()
				mates++
				n := 0
				for k := shogi.Pawn; k <= shogi.Rook; k++ {
					n += keep[hand].Count(k)
				}
				least = min(least, n)
			}
		}
		if mates != c.mates || least != c.least {
			t.Errorf("%s: %d mates, not %d; keeping %d pieces, not %d", name, mates, c.mates, least, c.least)
		}
		for hand, mate := range mated {
			for other, kept := range keep {
				if hand.Dominates(kept) && !mate {
					t.Errorf("%s: no mate with %x, which dominates %x, kept with %x", name, hand, kept, other)
				}
			}
		}
	}
}
