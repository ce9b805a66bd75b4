package ultimate

import (
	"context"
	"fmt"

	"trefoil/game/certificate"
	rules "trefoil/game/ultimate"
	"trefoil/internal/cli"
	"trefoil/search/proof/ultimategoal"
)

// certify writes the certificate of a position that is decided. Positions whose result the table has lost are
// solved again.
func (s *lineSolver) certify(ctx context.Context, p rules.Position, value string) {
	proof := certificate.Ultimate(p, certificate.Value(value), ultimategoal.Mover(s.solver))
	positions, err := certificate.Write(ctx, s.cert, proof, func(done uint64) {
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
