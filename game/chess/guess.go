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

// guessAttack estimates the numbers of an attacker who has so many checks.
func (c *Claim) guessAttack(s *game.Successor, checks int) {
	s.Phi, s.Delta = 2, uint32(2+checks)
	if checks == 0 {
		s.Phi++
	}
}
