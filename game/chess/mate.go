package chess

import "trefoil/game"

// MateInOne returns a move that mates, if there is one, and the number of checks up to it. escapes are the
// escape squares of the enemy king; l is overwritten.
func (p *Position) MateInOne(escapes Bitboard, l *game.List) (mate game.Move, checks int) {
	l.Reset()
	p.checks(l)
	quiet := l.Len()
	p.Moves(game.Noisy, l)
	for i, m := range l.All() {
		if i >= quiet && !p.GivesCheck(m) {
			continue
		}
		checks++
		if escapes != 0 && p.leavesEscape(m, escapes) {
			continue
		}
		p.Make(m)
		mated := p.Mated()
		p.Undo()
		if mated {
			return m, checks
		}
	}
	return game.None, checks
}

// leavesEscape reports whether the enemy king can step to an escape square after m. It does not see every
// such square.
func (p *Position) leavesEscape(m game.Move, escapes Bitboard) bool {
	if form := m & forms; form != plain && form != doubleStep {
		return false
	}
	us, from, to := p.side, origin(m), target(m)
	occ := (p.Occupied()&^from.Bit() | to.Bit()) &^ p.King(us^1).Bit()
	if kind := KindOf(m.Piece()); kind == Pawn {
		escapes &^= PawnAttacks(us, to)
	} else {
		escapes &^= attacks(kind, to, occ)
	}
	for escapes != 0 {
		if p.attackersOf(escapes.Pop(), occ, us)&^from.Bit() == 0 {
			return true
		}
	}
	return false
}

// CheckCount returns the number of moves that give check, but for castling, promotions and en passant
// captures, of a side that is not in check.
func (p *Position) CheckCount() (n int) {
	us := p.side
	own, occ := p.colours[us&1], p.Occupied()
	king, enemy := p.King(us), p.King(us^1)
	discoverers, pinned := p.blockers(enemy, us)&own, p.blockers(king, us^1)&own
	if discoverers.Has(king) {
		for to := KingAttacks(king) &^ own &^ Line(enemy, king); to != 0; {
			if p.attackersOf(to.Pop(), occ, us^1) == 0 {
				n++
			}
		}
	}
	diagonal, straight := BishopAttacks(enemy, occ), RookAttacks(enemy, occ)
	reach := [8]Bitboard{PawnAttacks(us^1, enemy), KnightAttacks(enemy), diagonal, straight, diagonal | straight}
	for b := own &^ p.kinds[King]; b != 0; {
		s := b.Pop()
		k := KindOf(p.At(s))
		to := reach[k&7]
		if discoverers.Has(s) {
			to |= ^Line(enemy, s)
		}
		if to &^= own; pinned.Has(s) {
			to &= Line(king, s)
		}
		switch {
		case to == 0:
		case k == Pawn:
			n += p.countPawns(s.Bit(), to&^(Rank1|Rank8))
		default:
			n += (attacks(k, s, occ) & to).Count()
		}
	}
	return n
}
