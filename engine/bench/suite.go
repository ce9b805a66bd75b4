package bench

import (
	"fmt"

	"trefoil/engine/registry"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// NewSuite returns a suite of positions of a game that is played by alpha-beta, in its notation; without any they
// are those of its bench. The error names the position that cannot be parsed.
func NewSuite(g *registry.Game, setups []string) (ttanalysis.Suite, error) {
	if len(setups) == 0 {
		setups = g.AlphaBeta.Setups
	}
	newRoot := g.AlphaBeta.NewRoots()
	s := ttanalysis.Suite{Game: g.Name, KeySeed: g.Seed, Setups: setups, Roots: make([]alphabeta.Position, len(setups))}
	for i, setup := range setups {
		var err error
		if s.Roots[i], err = newRoot(setup); err != nil {
			return ttanalysis.Suite{}, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return s, nil
}
