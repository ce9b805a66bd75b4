// Package bench measures searches with fixed positions: their signatures (Run), their speed in games
// (SpeedTest), what they do with their table (NewSuite), and the size of table that a time control needs
// (Advise). A registry.Game has the positions and the searches.
package bench

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/registry"
	"trefoil/search"
)

// Run searches the positions of a bench, each with an empty table, and prints the nodes and the speed on
// the last line: "N nodes M nps". With one thread and a limit of depth or nodes, N depends on the options
// and the program alone; by the zero Options it is the signature of that search.
func Run(ctx context.Context, b *registry.Bench, o Options, print func(string)) (err error) {
	limits := o.Limits
	switch limited := limits.Depth > 0 || limits.Nodes > 0 || limits.MoveTime > 0; {
	case !limited:
		limits = search.Limits{Depth: b.Depth}
	case b.Depth == 0:
		return fmt.Errorf("%s takes no limit", b.Name)
	}
	setups := b.Setups
	if len(o.Setups) > 0 {
		setups = o.Setups
	}
	mib, threads := max(o.MiB, 1), max(o.Threads, 1)
	if o.MiB == 0 {
		mib = registry.BenchMiB
	}
	search.ReserveProcessor(threads)
	s, err := b.Open(mib, threads)
	if err != nil {
		return err
	}
	defer func() {
		if e := s.Close(); err == nil {
			err = e
		}
	}()
	nodes, spent := uint64(0), time.Duration(0)
	for i, setup := range setups {
		err := s.Prepare(ctx, setup)
		start := time.Now()
		result, n := "", uint64(0)
		if err == nil {
			result, n, err = s.Search(ctx, limits)
		}
		spent += time.Since(start)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("stopped at position %d", i+1)
		case err != nil:
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		nodes += n
		print(fmt.Sprintf("position %2d of %d: %s, %d nodes", i+1, len(setups), result, n))
	}
	print(speed(nodes, spent))
	return nil
}

// speed is the last line of a measurement.
func speed(nodes uint64, spent time.Duration) string {
	return fmt.Sprintf("%d nodes %d nps", nodes, uint64(float64(nodes)/max(spent, time.Millisecond).Seconds()))
}
