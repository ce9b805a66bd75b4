package shogi

import "trefoil/game"

// MateInOne returns a move that mates, if there is one, the number of checks up to it, and
// how many squares are free for the enemy king now. l is overwritten.
//
// A move that neither uncovers a slider nor attacks all free squares from its target does
// not mate, nor one whose piece the king can take, so few of them have to be played.
func (p *Position) MateInOne(l *game.List) (mate game.Move, checks, free int) {
	l.Reset()
	p.Checks(l)
	us := p.side
	enemy := p.kings[us&1^1]
	flights := p.EscapeSquares(us ^ 1)
	free = flights.Count()
	occ := p.Occupied().Without(enemy.Bit())
	var covered Bitboard
	if free > 0 {
		covered = p.slid(us)
	}
	ring := around[0][enemy&127].king
	for i, m := range l.All() {
		to, after := target(m), occ
		if m&drop == 0 {
			after = after.Without(origin(m).Bit())
		}
		if free > 0 && (m&drop != 0 || !covered.Has(origin(m))) {
			if flights.Without(Attacks(us, KindOf(placed(m)), to, after.Or(to.Bit()))).Any() {
				continue
			}
		}
		if m&drop == 0 && ring.Has(to) && !p.attackersOf(to, after, us).Without(origin(m).Bit()).Any() {
			continue // the king takes it
		}
		if p.mates(m) {
			return m, i + 1, free
		}
	}
	return game.None, l.Len(), free
}

// slid returns the squares that sliders of c attack, steps of theirs apart.
func (p *Position) slid(c Colour) (reached Bitboard) {
	occ := p.Occupied()
	for b := p.Of(c, Lance); b.Any(); {
		var s Square
		s, b = b.Next()
		reached = reached.Or(LanceAttacks(c, s, occ))
	}
	for b := p.kinds[Bishop].Or(p.kinds[Horse]).And(p.colours[c&1]); b.Any(); {
		var s Square
		s, b = b.Next()
		reached = reached.Or(BishopAttacks(s, occ))
	}
	for b := p.kinds[Rook].Or(p.kinds[Dragon]).And(p.colours[c&1]); b.Any(); {
		var s Square
		s, b = b.Next()
		reached = reached.Or(RookAttacks(s, occ))
	}
	return reached
}

// mated reports whether the side to move, which is in check, has no legal move.
func (p *Position) mated() bool {
	us := p.side
	if p.EscapeSquares(us).Any() {
		return false
	}
	return p.checkers.Many() || !p.helped()
}

// EscapeSquares returns the squares that the king of c can step to, whoever is to move.
func (p *Position) EscapeSquares(c Colour) (free Bitboard) {
	king := p.kings[c&1]
	free = around[0][king&127].king.Without(p.colours[c&1])
	if !free.Any() {
		return free
	}
	return free.Without(p.guarded(king, c^1))
}

// helped reports whether another piece than the king ends the only check.
func (p *Position) helped() bool {
	us := p.side
	checker := p.checkers.First()
	if p.helpers(checker.Bit()).Any() {
		return true
	}
	gap := Between(p.kings[us&1], checker)
	return gap.Any() && (p.hands[us&1] != 0 && p.countDrops(gap) != 0 || p.helpers(gap).Any())
}
