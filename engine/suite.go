package engine

import (
	"fmt"

	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// NewSuite returns a suite of positions of chess or shogi, FENs or SFENs; without any they are
// those of Bench. Its error names the position that cannot be parsed.
func NewSuite(variant string, setups []string) (ttanalysis.Suite, error) {
	b, err := newBench(variant)
	if err != nil {
		return ttanalysis.Suite{}, err
	}
	if len(setups) == 0 {
		setups = b.setup
	}
	s := ttanalysis.Suite{Game: variant, KeySeed: "trefoil " + variant, Setups: setups, Roots: make([]alphabeta.Position, len(setups))}
	for i, setup := range setups {
		if s.Roots[i], err = b.root(setup); err != nil {
			return ttanalysis.Suite{}, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return s, nil
}
