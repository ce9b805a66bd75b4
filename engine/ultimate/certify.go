package ultimate

import (
	"context"
	"errors"
	"fmt"

	"trefoil/game/certificate"
	rules "trefoil/game/ultimate"
	"trefoil/internal/cli"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// certify writes the certificate of a position that is decided. Positions whose result the table has lost are
// solved again.
func (s *lineSolver) certify(ctx context.Context, p rules.Position, value string) {
	positions, err := certificate.Write(ctx, s.cert, certificate.Ultimate(p, certificate.Value(value), s.choose), func(done uint64) {
		s.screen.Note("certificate: %d positions", done)
	})
	switch {
	case err == nil:
		s.failed = nil
		s.sum.certificate = fmt.Sprintf("# %s: %s\n", s.cert.Name, cli.Count(positions, "position"))
	case ctx.Err() == nil:
		s.failed = err
	}
}

// choose is the certificate.UltimateMover of the solver.
func (s *lineSolver) choose(ctx context.Context, p rules.Position, strategy certificate.Strategy) (rules.Move, error) {
	attacker, want := strategy.Side, proof.Proved
	if !strategy.Wins {
		attacker, want = attacker.Other(), proof.Disproved
	}
	a, err := s.solver.Recall(ctx, func() proof.Goal { return ultimategoal.New(p, attacker) }, proof.Limits{})
	switch {
	case err != nil:
		return 0, err
	case a.Result == proof.Unknown:
		return 0, context.Cause(ctx)
	case a.Result != want:
		return 0, fmt.Errorf("the solver contradicts itself: %v in %v", strategy, p)
	case a.Move == 0:
		return 0, errors.New("no move in " + p.String())
	}
	return ultimategoal.Unpack(a.Move), nil
}
