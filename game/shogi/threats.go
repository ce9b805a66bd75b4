package shogi

import "trefoil/game"

// threats returns the squares that enemy pawns attack, and those that any small
// enemy does: pawns, lances, knights, silvers and all that move as golds.
func (p *Position) threats() (pawns, small Bitboard) {
	them, occ := p.side^1, p.Occupied()
	theirs := p.colours[them&1]
	pawns = theirs.And(p.kinds[Pawn]).ahead(them)
	small = pawns
	men := p.kinds[Lance].Or(p.kinds[Knight]).Or(p.kinds[Silver]).Or(p.kinds[golds])
	for b := theirs.And(men); b.Any(); {
		var s Square
		s, b = b.Next()
		small = small.Or(Attacks(them, KindOf(p.At(s)), s, occ))
	}
	return pawns, small
}

// Rescues writes to gains[i] the material that the quiet move moves[i] takes out of
// the reach of enemies of less worth, less what it puts there: small men fear
// pawns, bishops and rooks all small men; pawns and kings fear nothing.
func (p *Position) Rescues(moves []game.Move, gains []int32) {
	pawns, small := p.threats()
	for i, m := range moves[:min(len(moves), len(gains))] {
		k := KindOf(m.Piece()) & 15
		fear := pawns
		switch k {
		case Bishop, Rook, Horse, Dragon:
			fear = small
		case Pawn, King:
			fear = Bitboard{}
		}
		gains[i] = 0
		if fear.Has(origin(m)) {
			gains[i] = int32(swings[k])
		}
		if fear.Has(target(m)) {
			gains[i] -= int32(swings[k])
		}
	}
}
