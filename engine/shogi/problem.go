package shogi

import (
	rules "trefoil/game/shogi"
	"trefoil/search/mate"
	"trefoil/search/proof/shogigoal"
)

// mateProblem asks whether the side to move mates with checks only, in any number of
// moves.
func mateProblem(p *rules.Position) mate.Problem {
	return mate.Problem{Moves: mate.Endless, Alone: true, Goal: func(opponent bool, moves int) mate.Goal {
		return shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
	}}
}
