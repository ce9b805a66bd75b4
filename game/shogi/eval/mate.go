package eval

import (
	"trefoil/game"
	"trefoil/game/shogi"
)

// MateInOne returns a move that mates at once, or None. It uses the attacks that Evaluate has
// just found (see shogi.Position.MateNear), so it returns None unless p, in which the side to
// move is not in check, is the position evaluated last.
func (e *Evaluator) MateInOne(p *shogi.Position) game.Move {
	if e.evaluated != p.Key() {
		return game.None
	}
	us, them := &e.sides[p.Side()&1], &e.sides[p.Side()&1^1]
	return p.MateNear(us.all, them.all)
}
