package chess

import "trefoil/game"

// threats returns, by Kind, the squares on which a piece of the side to move
// would be attacked by an enemy of lower value. Of pawns and kings there are none.
func (p *Position) threats() (to [8]Bitboard) {
	them, occ := p.side^1, p.Occupied()
	pawns := p.Pieces(them, Pawn).ahead(them)
	b := pawns&^FileA>>1 | pawns&^FileH<<1
	to[Knight], to[Bishop] = b, b
	for minors := p.Pieces(them, Knight); minors != 0; {
		b |= KnightAttacks(minors.Pop())
	}
	for minors := p.Pieces(them, Bishop); minors != 0; {
		b |= BishopAttacks(minors.Pop(), occ)
	}
	to[Rook] = b
	for rooks := p.Pieces(them, Rook); rooks != 0; {
		b |= RookAttacks(rooks.Pop(), occ)
	}
	to[Queen] = b
	return to
}

// ThreatBonus writes to gains[i] the value of the piece that the quiet move moves[i] takes out of the reach
// of enemies of lower value, less the value of the piece that it puts within their reach.
func (p *Position) ThreatBonus(moves []game.Move, gains []int32) {
	to := p.threats()
	for i, m := range moves[:min(len(moves), len(gains))] {
		k := KindOf(m.Piece()) & 7
		gains[i] = int32(values[k]) * int32(to[k]>>origin(m)&1-to[k]>>target(m)&1)
	}
}
