package shogi

import (
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/search/mate"
	"trefoil/search/proof/shogigoal"
)

// mateProblem asks whether the side to move mates with checks only, in any number of
// moves, by these first checks only, unless they are nil.
func mateProblem(p *rules.Position, only []game.Move) mate.Problem {
	return mate.Problem{Moves: mate.Endless, Alone: true, Goal: func(opponent bool, moves int) mate.Goal {
		g := shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
		if only != nil && !opponent {
			g.Only(only)
		}
		return g
	}}
}
