package chess

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// FromMove16 returns the legal move whose Move16 is s, if there is one.
func (p *Position) FromMove16(s uint16) (game.Move, bool) {
	m := game.Move(s)
	from, to, form := origin(m), target(m), m&forms
	us := p.side
	code := p.At(from)
	if m&0x40 != 0 || !p.colours[us&1].Has(from) {
		return game.None, false
	}
	kind := KindOf(code)
	m |= game.Move(code) << 16
	if form == castling {
		ok := kind == King && p.checkers == 0 && p.CastlingRooks(us).Has(to) && p.castlingLegal(from, to)
		return m, ok
	}
	m |= p.victim(to)
	if p.colours[us&1].Has(to) {
		return game.None, false
	}
	if kind == Pawn {
		if form == enPassant {
			ok := p.ep != 0 && to == Square(p.ep) && PawnAttacks(us, from).Has(to) && p.enPassantLegal(from, to)
			return m | p.victim(to^8), ok
		}
		if !p.pawnCanMove(from, to, form) {
			return game.None, false
		}
		if form >= promotion {
			m = game.NewMove(s, code, m.Victim(), true)
		}
	} else if form != plain || !attacks(kind, from, p.Occupied()).Has(to) {
		return game.None, false
	}
	return m, p.safe(kind, from, to)
}

// pawnCanMove reports whether a move of the pawn on from, other than en
// passant, has the right form and geometry.
func (p *Position) pawnCanMove(from, to Square, form game.Move) bool {
	us := p.side
	if lastRank(us).Has(to) != (form >= promotion) {
		return false
	}
	occ := p.Occupied()
	up := to - from
	if us == Black {
		up = -up
	}
	switch {
	case form == doubleStep:
		return up == 16 && homeRank(us).ahead(us).Has(from) && (to.Bit()|Between(from, to))&occ == 0
	case up == 8:
		return !occ.Has(to)
	}
	return PawnAttacks(us, from).Has(to) && occ.Has(to)
}

// safe reports whether the king is safe after a piece of a kind has moved, by
// neither castling nor en passant.
func (p *Position) safe(kind Kind, from, to Square) bool {
	us := p.side
	if kind == King {
		return p.attackersOf(to, p.Occupied()^from.Bit(), us^1) == 0
	}
	king := p.King(us)
	if p.checkers != 0 {
		if p.checkers.Many() || !(p.checkers | Between(king, p.checkers.First())).Has(to) {
			return false
		}
	}
	return Line(king, from).Has(to) || !p.blockers(king, us^1).Has(from)
}

// KeyAfter returns the key after m; it leaves out the en passant capture that
// a double step may offer.
func (p *Position) KeyAfter(m game.Move) uint64 {
	us := p.side
	from, to := origin(m), target(m)
	code, form := m.Piece(), m&forms
	key := p.key ^ zobrist.Side ^ words.pieces[code&15][from&63]
	if p.ep != 0 {
		key ^= words.ep[p.ep&7]
	}
	for lost := p.castle & p.touched(m, us); lost != 0; {
		key ^= words.castle[lost.Pop()]
	}
	victim := to
	switch {
	case form == castling:
		kingTo, rookTo := castled(from, to)
		rook := &words.pieces[(code-4)&15]
		return key ^ words.pieces[code&15][kingTo&63] ^ rook[to&63] ^ rook[rookTo&63]
	case form >= promotion:
		code = Code(us, promoted(m))
	case form == enPassant:
		victim ^= 8
	}
	// The words of code 0, no victim, are 0.
	return key ^ words.pieces[code&15][to&63] ^ words.pieces[m.Victim()&15][victim&63]
}
