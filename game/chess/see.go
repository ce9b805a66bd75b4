package chess

import "trefoil/game"

// values are the centipawns of a piece in an exchange, by kind.
var values = [8]int{Pawn: 100, Knight: 320, Bishop: 330, Rook: 500, Queen: 950}

// Value returns the centipawns of a piece code in an exchange; a king, which
// cannot be taken, and no piece count 0.
func Value(code int) int {
	if code == 0 {
		return 0
	}
	return values[KindOf(code)&7]
}

// CaptureValue returns the material that m wins at once: the victim and the gain of a
// promotion.
func (p *Position) CaptureValue(m game.Move) int {
	value := Value(m.Victim())
	if m.Promotes() {
		value += values[promoted(m)&7] - values[Pawn]
	}
	return value
}

// SEE reports whether the static exchange evaluation of m is at least
// threshold centipawns: both sides go on capturing on the target, the least
// valuable piece first, for as long as it pays. Pins and recaptures that
// promote are ignored.
func (p *Position) SEE(m game.Move, threshold int) bool {
	form := m & forms
	if form == castling {
		return threshold <= 0
	}
	// balance is by how much the side that has just moved exceeds what it needs.
	balance := p.CaptureValue(m) - threshold
	if balance < 0 {
		return false
	}
	from, to := origin(m), target(m)
	occ := p.Occupied()&^from.Bit() | to.Bit()
	piece := KindOf(m.Piece())
	if form == enPassant {
		occ &^= (to ^ 8).Bit()
	}
	if form >= promotion {
		piece = promoted(m)
	}
	balance -= values[piece&7]
	if balance >= 0 {
		return true // even if the piece is lost for nothing
	}
	diagonal := p.kinds[Bishop] | p.kinds[Queen]
	straight := p.kinds[Rook] | p.kinds[Queen]
	attackers := p.attackers(to, occ) & occ
	// Each turn, the side to move is behind and can only gain by capturing; the exchange ends
	// when a side cannot or need not capture.
	us := p.side
	side := us ^ 1
	for {
		own := attackers & p.colours[side&1]
		if own == 0 {
			return side != us
		}
		k := Pawn
		for own&p.kinds[k&7] == 0 {
			k++
		}
		if k == King && attackers&p.colours[side&1^1] != 0 {
			return side != us // the king would step into an attack
		}
		occ ^= (own & p.kinds[k&7]).First().Bit()
		if k == Pawn || k == Bishop || k == Queen {
			attackers |= BishopAttacks(to, occ) & diagonal
		}
		if k == Rook || k == Queen {
			attackers |= RookAttacks(to, occ) & straight
		}
		attackers &= occ
		side ^= 1
		balance = -balance - 1 - values[k&7]
		if balance >= 0 {
			return side != us
		}
	}
}
