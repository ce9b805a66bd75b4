package ultimategoal

import (
	"context"
	"errors"
	"fmt"

	"trefoil/game/certificate"
	"trefoil/game/ultimate"
	"trefoil/search/proof"
)

// Mover chooses the moves of a strategy from what a solver has in its table. Positions that the table has
// lost are solved again.
func Mover(solver *proof.Solver) certificate.UltimateMover {
	return func(ctx context.Context, p ultimate.Position, s certificate.Strategy) (ultimate.Move, error) {
		attacker, want := s.Side, proof.Proved
		if !s.Wins {
			attacker, want = attacker.Other(), proof.Disproved
		}
		a, err := solver.Recall(ctx, func() proof.Goal { return New(p, attacker) }, proof.Limits{})
		switch {
		case err != nil:
			return 0, err
		case a.Result == proof.Unknown:
			return 0, context.Cause(ctx)
		case a.Result != want:
			return 0, fmt.Errorf("the solver contradicts itself: %v in %v", s, p)
		case a.Move == 0:
			return 0, errors.New("no move in " + p.String())
		}
		return Unpack(a.Move), nil
	}
}
