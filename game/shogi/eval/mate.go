package eval

import (
	"trefoil/game"
	"trefoil/game/shogi"
)

// MateInOne returns a move that mates, None if none is seen (see Position.MateNear), or if p,
// in which the side to move is not in check, is not the position evaluated last: what that
// one's men attack is known.
func (e *Evaluator) MateInOne(p *shogi.Position) game.Move {
	if e.seen != p.Key() {
		return game.None
	}
	us := p.Side() & 1
	return p.MateNear(e.sides[us].all, e.sides[us^1].all)
}
