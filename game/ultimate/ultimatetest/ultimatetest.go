// Package ultimatetest values positions of Ultimate Tic-Tac-Toe for tests, by the rules alone.
package ultimatetest

import (
	"math"

	"trefoil/game/ultimate"
)

// Minimax is the value of a position for the side to move: 1 win, 0 draw, -1 loss.
func Minimax(p ultimate.Position) int {
	value, _ := Within(math.MaxInt, p)
	return value
}

// Within is Minimax for at most that many positions, and how many were left, less than 0 if it gave up.
func Within(budget int, p ultimate.Position) (value, left int) {
	value = minimax(p, -1, 1, &budget)
	return value, budget
}

func minimax(p ultimate.Position, alpha, beta int, budget *int) int {
	if *budget--; *budget < 0 {
		return 0
	}
	if winner, won, over := p.Over(); over {
		switch {
		case !won:
			return 0
		case winner == p.Side():
			return 1
		}
		return -1
	}
	var moves [81]ultimate.Move
	best := -1
	for _, m := range p.Moves(moves[:0]) {
		best = max(best, -minimax(p.Play(m), -beta, -max(alpha, best), budget))
		if best >= beta {
			break
		}
	}
	return best
}
