package engine

import (
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// BenchDepth is the depth of a bench that does not say.
const BenchDepth = 12

// maxBench bounds the depth of a bench.
const maxBench = 100

// benchHash is the table of a bench in MiB, whatever the options are.
const benchHash = 16

func (e *Engine) bench(ctx context.Context, args []string, print func(string)) error {
	depth := BenchDepth
	if len(args) > 0 {
		var err error
		if depth, err = positive(args[0], maxBench); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return Bench(ctx, depth, print)
}

// Bench searches fixed positions to a depth with one thread and a fresh table of
// 16 MiB, and prints the nodes and the speed on the last line: "N nodes M nps".
// N depends on the depth and the program alone; it is the program's signature.
func Bench(ctx context.Context, depth int, print func(string)) error {
	table, err := cluster.New(benchHash, cluster.Auto)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer table.Close()
	table.Prefault(ctx)
	searcher := alphabeta.New()
	searcher.SetTable(table)
	var evals roster
	nodes, spent := uint64(0), time.Duration(0)
	for i, fen := range benchFENs {
		pos, err := chess.ParseFEN(fen)
		if err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		searcher.NewGame()
		if err := table.Clear(ctx); err != nil {
			return fmt.Errorf("bench: stopped at position %d", i+1)
		}
		start := time.Now()
		r := searcher.Search(ctx, evals.root(pos), search.Limits{Depth: depth, Start: start}, alphabeta.Settings{MultiPV: 1}, nil)
		spent += time.Since(start)
		if ctx.Err() != nil {
			return fmt.Errorf("bench: stopped at position %d", i+1)
		}
		nodes += r.Nodes
		print(fmt.Sprintf("position %2d of %d: %s, %d nodes", i+1, len(benchFENs), r.Best, r.Nodes))
	}
	spent = max(spent, time.Millisecond)
	print(fmt.Sprintf("%d nodes %d nps", nodes, uint64(float64(nodes)/spent.Seconds())))
	return nil
}

// benchFENs are openings, middlegames, endings and a few oddities.
var benchFENs = []string{
	chess.StartFEN,
}
