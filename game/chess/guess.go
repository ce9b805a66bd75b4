package chess

import "trefoil/game"

// guessDefence estimates the numbers of a defender with n moves: each of them is one more to
// be answered, and without a check there are threats still to be made.
func (c *Claim) guessDefence(s *game.Successor, n int) {
	s.Phi, s.Delta = 2, uint32(n)
	if c.p.checkers == 0 {
		s.Delta += 2
	}
}

// guessAttack estimates the numbers of an attacker who has so many checks: it takes the more
// to mate a king the more squares are free for it. To count these instead of taking 2 solves
// 41 of 50 positions with 60,000 nodes each, against 36, when the length is not known.
func (c *Claim) guessAttack(s *game.Successor, checks int) {
	s.Phi, s.Delta = 2+uint32(c.p.free(c.attacker^1)), uint32(2+checks)
	if checks == 0 {
		s.Phi++
	}
}

// free returns how many squares the king of a side could step to, whoever is to move.
func (p *Position) free(side Colour) (n int) {
	king := p.King(side)
	occ := p.Occupied() ^ king.Bit()
	for to := KingAttacks(king) &^ p.colours[side&1]; to != 0; {
		if p.attackersOf(to.Pop(), occ, side^1) == 0 {
			n++
		}
	}
	return n
}
