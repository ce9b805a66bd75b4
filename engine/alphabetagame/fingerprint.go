package alphabetagame

import (
	"fmt"
	"hash/crc32"

	"trefoil/engine/registry"
	"trefoil/search/alphabeta"
)

// fingerprint returns a checksum of the evaluation of a game and of its name: two programs with the same one
// evaluate all setups of g alike, by the same net. Positions in check are left out, as they have no
// evaluation.
func fingerprint(g *registry.AlphaBeta, name string) (string, error) {
	root, sum := g.NewRoots(), crc32.NewIEEE()
	fmt.Fprintln(sum, name)
	for _, setup := range g.Setups {
		pos, err := root(setup)
		if err != nil {
			return "", err
		}
		if c, ok := pos.(alphabeta.Checker); !ok || !c.InCheck() {
			fmt.Fprintln(sum, pos.Eval())
		}
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}
