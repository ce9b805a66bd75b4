package ultimate

import (
	"trefoil/game"
	rules "trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// goals are that the side to move wins, and that the other side does.
func goals(p rules.Position) (wins, loses func() proof.Goal) {
	goal := func(winner rules.Side) func() proof.Goal {
		return func() proof.Goal { return ultimategoal.New(p, winner) }
	}
	return goal(p.Side()), goal(p.Side().Other())
}

// unknown is the value of a position that is not decided.
const unknown = "unknown"

// decisionText is the value of a position for the side to move.
func decisionText(d proof.Decision) string {
	if !d.Known {
		return unknown
	}
	return outcomeText(d.Outcome)
}

func outcomeText(o game.Outcome) string { return [...]string{"loss", "draw", "win"}[o-game.Loss] }

// label returns the label of saved proofs.
func label() window.Label {
	return window.Label{Game: name, Convention: ultimategoal.Convention, Seed: ultimategoal.Seed}
}
