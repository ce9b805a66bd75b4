package chess

import "trefoil/game"

// checks appends the quiet legal moves that give check to l.
func (p *Position) checks(l *game.List) {
	us := p.side
	own, occ := p.colours[us&1], p.Occupied()
	king, enemy := p.King(us), p.King(us^1)
	discoverers := p.blockers(enemy, us) & own
	if discoverers.Has(king) {
		p.kingMoves(l, king, ^(occ | Line(enemy, king)))
	}
	if p.checkers == 0 {
		for rooks := p.castle & own; rooks != 0; {
			m := p.newMove(king, rooks.Pop(), castling)
			if p.castlingLegal(king, target(m)) && p.GivesCheck(m) {
				l.Add(m)
			}
		}
	}
	if p.checkers.Many() {
		return
	}
	safe := ^occ
	if p.checkers != 0 {
		safe &= Between(king, p.checkers.First())
	}
	pinned := p.blockers(king, us^1) & own
	diagonal, straight := BishopAttacks(enemy, occ), RookAttacks(enemy, occ)
	reach := [8]Bitboard{PawnAttacks(us^1, enemy), KnightAttacks(enemy), diagonal, straight, diagonal | straight}
	for b := own &^ p.kinds[King]; b != 0; {
		s := b.Pop()
		k := KindOf(p.At(s))
		t := reach[k&7]
		if discoverers.Has(s) {
			t |= ^Line(enemy, s)
		}
		if t &= safe; pinned.Has(s) {
			t &= Line(king, s)
		}
		if k == Pawn {
			p.pawnMoves(l, game.Quiet, s.Bit(), t&^(Rank1|Rank8))
			continue
		}
		p.add(l, s, attacks(k, s, occ)&t)
	}
	p.promotionChecks(l, king, safe, pinned)
}

// promotionChecks adds the quiet promotions to squares in safe that give check.
func (p *Position) promotionChecks(l *game.List, king Square, safe, pinned Bitboard) {
	for b := p.Pieces(p.side, Pawn) & lastRank(p.side).ahead(p.side^1); b != 0; {
		s := b.Pop()
		to := s.Bit().ahead(p.side).First()
		if !safe.Has(to) || pinned.Has(s) && !Line(king, s).Has(to) {
			continue
		}
		for k := Knight; k <= Rook; k++ {
			if m := promote(p.newMove(s, to, promotion), k); p.GivesCheck(m) {
				l.Add(m)
			}
		}
	}
}

// ahead returns b one rank on, as c sees it.
func (b Bitboard) ahead(c Colour) Bitboard {
	if c == White {
		return b << 8
	}
	return b >> 8
}

// attacks returns what a piece of kind k, no pawn, attacks from s.
func attacks(k Kind, s Square, occ Bitboard) Bitboard {
	switch k {
	case Knight:
		return KnightAttacks(s)
	case Bishop:
		return BishopAttacks(s, occ)
	case Rook:
		return RookAttacks(s, occ)
	case Queen:
		return QueenAttacks(s, occ)
	}
	return KingAttacks(s)
}

// GivesCheck reports whether the legal move m gives check.
func (p *Position) GivesCheck(m game.Move) bool {
	us := p.side
	own, enemy := p.colours[us&1], p.King(us^1)
	from, to := origin(m), target(m)
	kind, form := KindOf(m.Piece()), m&forms
	occ := p.Occupied()&^from.Bit() | to.Bit()
	own &^= from.Bit()
	uncovers := Line(enemy, from) != 0
	switch form {
	case castling:
		kingTo, rookTo := castled(from, to)
		occ = occ&^to.Bit() | kingTo.Bit() | rookTo.Bit()
		own &^= to.Bit()
		kind, to, uncovers = Rook, rookTo, true
	case enPassant:
		occ &^= (to ^ 8).Bit()
		uncovers = true
	}
	if form >= promotion {
		kind = promoted(m)
	}
	return hits(us, kind, to, enemy, occ) || uncovers &&
		(BishopAttacks(enemy, occ)&own&(p.kinds[Bishop]|p.kinds[Queen]) != 0 ||
			RookAttacks(enemy, occ)&own&(p.kinds[Rook]|p.kinds[Queen]) != 0)
}

// hits reports whether a piece attacks the enemy king from s when occ is occupied.
func hits(c Colour, k Kind, s, enemy Square, occ Bitboard) bool {
	r := &rays[enemy&63]
	switch k {
	case Pawn:
		return PawnAttacks(c, s).Has(enemy)
	case Knight:
		return KnightAttacks(s).Has(enemy)
	case Bishop:
		return r.bishop.Has(s) && Between(s, enemy)&occ == 0
	case Rook:
		return r.rook.Has(s) && Between(s, enemy)&occ == 0
	case Queen:
		return (r.bishop | r.rook).Has(s) && Between(s, enemy)&occ == 0
	}
	return false
}
