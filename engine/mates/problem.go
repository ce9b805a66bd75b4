package mates

import (
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/search/proof/shogigoal"
)

// Chess asks for mates in p within some moves, by these first moves only, unless they are nil.
func Chess(p *chess.Position, moves int, only []game.Move) mate.Problem {
	return mate.Problem{Moves: moves, Goal: func(opponent bool, moves int) mate.Goal {
		c := chessgoal.New(p, chessgoal.Attacker(p, opponent), moves)
		c.Only(only)
		return c
	}}
}

// Shogi asks whether the side to move mates with checks only, in any number of
// moves, by these first checks only, unless they are nil.
func Shogi(p *shogi.Position, only []game.Move) mate.Problem {
	return byChecks(p, func(g *shogigoal.Goal) { g.Only(only) })
}

// Tsume is Shogi without useless interpositions, as solvers and composers of mate problems count
// (shogi.Position.MatedInEffect).
func Tsume(p *shogi.Position, only []game.Move) mate.Problem {
	return byChecks(p, func(g *shogigoal.Goal) { g.Only(only); g.InEffect() })
}

// byChecks asks whether the side to move mates with checks only.
func byChecks(p *shogi.Position, prepare func(*shogigoal.Goal)) mate.Problem {
	return mate.Problem{Moves: mate.Endless, Alone: true, Goal: func(opponent bool, moves int) mate.Goal {
		g := shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
		prepare(g)
		return g
	}}
}
