package shogi

// mated reports whether the side to move, which is in check, has no legal move.
func (p *Position) mated() bool {
	us := p.side
	if p.EscapeSquares(us).Any() {
		return false
	}
	return p.checkers.Many() || !p.helped()
}

// EscapeSquares returns the squares that the king of c can step to, whichever side is to move.
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
