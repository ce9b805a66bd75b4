package eval

import (
	"trefoil/game"
	"trefoil/game/shogi"
)

// near is the danger to a king from which a mate in three is likely: of such positions, two
// plies and more before quiescence, a fifth have one that the search does not know yet.
const near = 600

// MateWithin returns a move that mates within so many plies, 1 or 3, and within how many: None
// if none is seen (see Position.MateNear and MateInThree), if three are too many for a king
// that is in no danger, or if p, in which the side to move is not in check, is not the
// position evaluated last. lists is overwritten.
func (e *Evaluator) MateWithin(p *shogi.Position, plies int, lists *[3]game.List) (game.Move, int) {
	if e.seen != p.Key() {
		return game.None, 0
	}
	us, them := &e.sides[p.Side()&1], &e.sides[p.Side()&1^1]
	if m := p.MateNear(us.all, them.all); m != game.None {
		return m, 1
	}
	if plies < 3 || them.danger < near {
		return game.None, 0
	}
	return p.MateInThree(lists), 3
}
