package chessgoal

import (
	"trefoil/search/proof"
)

// initDefence fills in the initial numbers of a position of the defender with n moves: each of them
// needs an answer, and without a check there are more threats to make.
func (g *Goal) initDefence(s *proof.Child, n int) {
	s.Phi, s.Delta = 2, uint32(n)
	if !g.p.InCheck() {
		s.Delta += 2
	}
}

// initAttack fills in the initial numbers of a position of the attacker with a number of checks: a
// king with more escape squares takes more work to mate. Counting these instead of taking 2 solves
// 41 of 50 positions with 60,000 nodes each, against 36, when the length is not known.
func (g *Goal) initAttack(s *proof.Child, checks int) {
	s.Phi, s.Delta = 2+uint32(g.p.EscapeSquares(g.attacker.Other()).Count()), uint32(2+checks)
	if checks == 0 {
		s.Phi++
	}
}
