package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/registry"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
)

// SpeedOptions are what a speed test is run with.
type SpeedOptions struct {
	Threads int
	MiB     uint64
	Time    time.Duration
}

// SpeedUsage is what ParseSpeedOptions reads.
const SpeedUsage = "[THREADS [HASH [SECONDS]]]"

// The defaults of a speed test, besides a thread for each processor.
const (
	speedMiB  = 128 // for each thread
	speedTime = 30 * time.Second
)

// ParseSpeedOptions reads the arguments of speedtest.
func ParseSpeedOptions(args []string) (o SpeedOptions, err error) {
	o = SpeedOptions{Threads: min(runtime.NumCPU(), config.MaxThreads), Time: speedTime}
	if len(args) > 3 {
		return o, fmt.Errorf("unexpected argument %.40q; usage: speedtest %s", args[3], SpeedUsage)
	}
	if len(args) > 0 {
		if o.Threads, err = whole("threads", args[0], config.MaxThreads); err != nil {
			return o, err
		}
	}
	o.MiB = uint64(speedMiB * o.Threads)
	if len(args) > 1 {
		if o.MiB, err = whole[uint64]("hash", args[1], cluster.MaxMiB); err != nil {
			return o, err
		}
	}
	if len(args) > 2 {
		var seconds int
		seconds, err = whole("time", args[2], maxSeconds)
		o.Time = time.Duration(seconds) * time.Second
	}
	return o, err
}

// SpeedTest searches the positions of games in their order, the table kept from move to move as in a
// game, and prints the nodes and the speed on the last line as Run does. Earlier moves have more time
// than later ones, as on a clock.
func SpeedTest(ctx context.Context, g *registry.AlphaBeta, o SpeedOptions, print func(string)) error {
	if len(g.Games) == 0 {
		return errors.New("this game has no positions for a speed test (registry.AlphaBeta.Games)")
	}
	table, err := cluster.New(o.MiB, cluster.Auto)
	if err != nil {
		return err
	}
	defer table.Close()
	if err := table.Prefault(ctx); err != nil {
		return err
	}
	search.ReserveProcessor(o.Threads)
	searcher := alphabeta.New()
	searcher.SetTable(table)
	searcher.SetThreads(o.Threads)
	times := moveTimes(g.Games, o.Time)
	newRoot := g.NewRoots()
	nodes, spent := uint64(0), time.Duration(0)
	for i, setups := range g.Games {
		searcher.NewGame()
		if err := table.Clear(ctx); err != nil {
			return err
		}
		before := nodes
		for j, setup := range setups {
			root, err := newRoot(setup)
			if err != nil {
				return fmt.Errorf("game %d, position %d: %w", i+1, j+1, err)
			}
			start := time.Now()
			r := searcher.Search(ctx, root, search.Limits{Start: start, MoveTime: times[i][j]}, alphabeta.Settings{}, nil)
			spent += time.Since(start)
			nodes += r.Nodes
			if ctx.Err() != nil {
				return fmt.Errorf("stopped at position %d of game %d", j+1, i+1)
			}
		}
		print(fmt.Sprintf("game %d of %d: %d positions, %d nodes, hashfull %d", i+1, len(g.Games), len(setups), nodes-before,
			table.Full()))
	}
	print(fmt.Sprintf("threads %d, hash %d MiB, %.1f s", o.Threads, o.MiB, spent.Seconds()))
	print(speed(nodes, spent))
	return nil
}

// moveTimes divides a time among the positions of games as the time management divides a clock.
func moveTimes(games [][]string, total time.Duration) [][]time.Duration {
	times, sum := make([][]time.Duration, len(games)), time.Duration(0)
	for i, setups := range games {
		c := search.Clock{Given: true, Time: [2]time.Duration{time.Minute}}
		for range setups {
			b, _ := clock.AlphaBeta(0, clock.Settings{}).Budget(&search.Limits{}, c)
			c.Time[0] -= b.Limit
			times[i] = append(times[i], b.Limit)
			sum += b.Limit
		}
	}
	for _, game := range times {
		for j := range game {
			game[j] = time.Duration(float64(game[j]) / float64(sum) * float64(total))
		}
	}
	return times
}
