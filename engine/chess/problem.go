package chess

import (
	"trefoil/game"
	rules "trefoil/game/chess"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
)

// mateProblem asks for mates in p within some moves, by these first moves only, unless they are nil.
func mateProblem(p *rules.Position, moves int, only []game.Move) mate.Problem {
	return mate.Problem{Moves: moves, Goal: func(opponent bool, moves int) mate.Goal {
		c := chessgoal.New(p, chessgoal.Attacker(p, opponent), moves)
		if only != nil {
			c.Only(only)
		}
		return c
	}}
}
