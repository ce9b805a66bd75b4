package ultimate

import (
	rules "trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// goals are that the side to move wins, and that the other side does.
func goals(p rules.Position) (wins, loses func() proof.Goal) {
	goal := func(winner rules.Side) func() proof.Goal {
		return func() proof.Goal { return ultimategoal.New(p, winner) }
	}
	return goal(p.Side()), goal(p.Side().Other())
}
