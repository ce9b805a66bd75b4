package shogi

import "trefoil/game"

// mateInOne returns a move that mates, if there is one, and the number of checks up to
// it. l is overwritten.
func (p *Position) mateInOne(l *game.List) (mate game.Move, checks int) {
	l.Reset()
	p.Checks(l)
	for i, m := range l.All() {
		p.Make(m)
		mated := p.mated()
		p.Undo()
		if mated {
			return m, i + 1
		}
	}
	return game.None, l.Len()
}

// mated reports whether the side to move, which is in check, has no legal move.
func (p *Position) mated() bool {
	return p.flights(p.side, p.Occupied()) == 0 && (p.checkers.Many() || !p.helped())
}

// flights returns to how many squares the king of c can step when occ is occupied,
// whoever is to move.
func (p *Position) flights(c Colour, occ Bitboard) (n int) {
	king := p.kings[c&1]
	occ = occ.Without(king.Bit())
	for b := around[0][king&127].king.Without(p.colours[c&1]); b.Any(); {
		var to Square
		if to, b = b.Next(); !p.attacked(to, occ, c^1) {
			n++
		}
	}
	return n
}

// helped reports whether another piece than the king ends the only check.
func (p *Position) helped() bool {
	us := p.side
	king, checker, occ := p.kings[us&1], p.checkers.First(), p.Occupied()
	// A piece that is pinned on another line does not help, and the checker pins nobody.
	helpers := p.colours[us&1].Without(p.blockers(king, us^1)).Without(king.Bit())
	if p.attackersOf(checker, occ, us).Meets(helpers) {
		return true
	}
	gap := Between(king, checker)
	if !gap.Any() {
		return false
	}
	if p.hands[us&1] != 0 && p.countDrops(gap) != 0 {
		return true
	}
	for gap.Any() {
		var s Square
		if s, gap = gap.Next(); p.attackersOf(s, occ, us).Meets(helpers) {
			return true
		}
	}
	return false
}
