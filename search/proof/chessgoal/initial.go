package chessgoal

import (
	"trefoil/search/proof"
)

// guessDefence estimates the numbers of a defender with n moves: each of them is one more to
// be answered, and without a check there are threats still to be made.
func (g *Goal) guessDefence(s *proof.Child, n int) {
	s.Phi, s.Delta = 2, uint32(n)
	if !g.p.InCheck() {
		s.Delta += 2
	}
}

// guessAttack estimates the numbers of an attacker who has so many checks: it takes the more
// to mate a king the more squares are free for it. To count these instead of taking 2 solves
// 41 of 50 positions with 60,000 nodes each, against 36, when the length is not known.
func (g *Goal) guessAttack(s *proof.Child, checks int) {
	s.Phi, s.Delta = 2+uint32(g.p.EscapeSquares(g.attacker.Other()).Count()), uint32(2+checks)
	if checks == 0 {
		s.Phi++
	}
}
