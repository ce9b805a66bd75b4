package bench

import (
	"fmt"

	"trefoil/engine/registry"
	"trefoil/ttanalysis/observe"
)

// NewSuite returns a suite of positions of a game that is played by alpha-beta, in its notation;
// without any they are those of its bench. The error names the position that cannot be parsed.
func NewSuite(g *registry.Game, setups []string) (observe.Suite, error) {
	if len(setups) == 0 {
		setups = g.AlphaBeta.Setups
	}
	newRoot := g.AlphaBeta.NewRoots()
	for i, setup := range setups {
		if _, err := newRoot(setup); err != nil {
			return observe.Suite{}, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return observe.Suite{Game: g.Name, KeySeed: g.Seed, Setups: setups, NewRoot: newRoot}, nil
}
