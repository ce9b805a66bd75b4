package ultimate

import (
	rules "trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// goals are that the side to move wins, and that the other side does.
func goals(p rules.Position) (wins, loses func() proof.Game) {
	goal := func(winner rules.Side) func() proof.Game {
		return func() proof.Game { return ultimategoal.New(p, winner) }
	}
	return goal(p.Side()), goal(p.Side().Other())
}
