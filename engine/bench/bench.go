// Package bench measures searches with fixed positions: their signatures (Run), what they do with
// their table (NewSuite), and the size of table that a time control needs (Advise). The positions
// and the searches are those of a registry.Game. Perft counts game trees.
package bench

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/registry"
)

// MaxDepth bounds the depth of a bench.
const MaxDepth = 100

// Run searches the positions of a bench to a depth (0 = the depth of its signature) with one thread
// and an empty table of registry.BenchMiB for each, and prints the nodes and the speed on the last
// line: "N nodes M nps". N depends on the depth and the program alone; it is the signature of
// that search.
func Run(ctx context.Context, b *registry.Bench, depth int, print func(string)) (err error) {
	switch {
	case depth == 0:
		depth = b.Depth
	case b.Depth == 0:
		return fmt.Errorf("%s takes no depth", b.Name)
	case depth < 0 || depth > MaxDepth:
		return fmt.Errorf("depth %d: want 1 to %d", depth, MaxDepth)
	}
	s, err := b.Open(registry.BenchMiB)
	if err != nil {
		return err
	}
	defer func() {
		if e := s.Close(); err == nil {
			err = e
		}
	}()
	nodes, spent := uint64(0), time.Duration(0)
	for i, setup := range b.Setups {
		err := s.Prepare(ctx, setup)
		start := time.Now()
		result, n := "", uint64(0)
		if err == nil {
			result, n, err = s.Search(ctx, depth)
		}
		spent += time.Since(start)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("stopped at position %d", i+1)
		case err != nil:
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		nodes += n
		print(fmt.Sprintf("position %2d of %d: %s, %d nodes", i+1, len(b.Setups), result, n))
	}
	spent = max(spent, time.Millisecond)
	print(fmt.Sprintf("%d nodes %d nps", nodes, uint64(float64(nodes)/spent.Seconds())))
	return nil
}
