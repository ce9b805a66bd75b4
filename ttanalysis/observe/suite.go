package observe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// A Suite is a list of positions that are searched one after the other with the same table.
type Suite struct {
	Game    string   // name of the game, for the header of a trace
	KeySeed string   // seed of its Zobrist keys, likewise
	Setups  []string // the positions in the notation of the game
	// NewRoot returns the root of a search of a position. The root returned before is not used any
	// more, so they may share an evaluator.
	NewRoot func(setup string) (alphabeta.Position, error)

	MiB     uint64
	Index   cluster.Index
	KeyBits int    // check bits; 0 means all
	Nodes   uint64 // per position; 0 means no limit
	Depth   int    // per position; 0 means no limit
	Threads int    // 0 counts as 1
	OneGame bool   // keep table and histories between positions
}

// Run searches the positions, each with an empty table unless OneGame is set. observe makes the observer of
// the table; its caller closes what it opens. done is called after each position with its number from 0,
// the result, and the observer, whose counters are for this position.
func (s Suite) Run(ctx context.Context, observe func(*cluster.Table) (*Observer, error),
	done func(i int, r search.Result, o *Observer)) error {
	table, err := cluster.New(s.MiB, s.Index, cluster.KeyBits(cmp.Or(s.KeyBits, cluster.MaxKeyBits)))
	if err != nil {
		return err
	}
	defer table.Close()
	if err := table.Prefault(ctx); err != nil {
		return err
	}
	searcher := alphabeta.New()
	searcher.SetTable(table)
	searcher.SetThreads(s.Threads)
	o, err := observe(table)
	if err != nil {
		return err
	}
	settings := alphabeta.Settings{Observer: o.Worker}
	for i, setup := range s.Setups {
		root, err := s.NewRoot(setup)
		if err != nil {
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		if !s.OneGame {
			searcher.NewGame()
			if err := table.Clear(ctx); err != nil {
				return err
			}
			if err := o.Cleared(ctx); err != nil {
				return err
			}
		}
		if err := o.NewSearch(max(1, s.Threads)); err != nil {
			return err
		}
		r := searcher.Search(ctx, root, search.Limits{Nodes: s.Nodes, Depth: s.Depth, Start: time.Now()}, settings, nil)
		if ctx.Err() != nil {
			return fmt.Errorf("stopped at position %d of %d", i+1, len(s.Setups))
		}
		done(i, r, o)
	}
	return nil
}

// Title describes the suite on one line.
func (s Suite) Title() string {
	limit := fmt.Sprintf("%d nodes", s.Nodes)
	switch {
	case s.Nodes == 0:
		limit = fmt.Sprintf("depth %d", s.Depth)
	case s.Depth > 0:
		limit += fmt.Sprintf(" or depth %d", s.Depth)
	}
	of := s.Game
	if s.OneGame {
		of = "one game of " + of
	}
	return fmt.Sprintf("%s of %s, hash %d MiB, %s each", s.positions(), of, s.MiB, limit)
}

// positions is their number with the noun.
func (s Suite) positions() string {
	if len(s.Setups) == 1 {
		return "1 position"
	}
	return fmt.Sprintf("%d positions", len(s.Setups))
}

// Record searches the suite with one thread and records the use of the table in a trace, which create begins.
// source says where the positions come from. progress, unless nil, is called with the number of
// positions done. On an error, such as a full disk, there is no trace and an older file is
// unchanged.
func (s Suite) Record(ctx context.Context, create func(ttanalysis.TraceHeader) (*ttanalysis.TraceWriter, error),
	source string, progress func(positions int)) (records, nodes uint64, err error) {
	trace, err := create(s.traceHeader(source))
	if err != nil {
		return 0, 0, err
	}
	defer trace.Discard()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err = s.Run(ctx,
		func(t *cluster.Table) (*Observer, error) { return NewObserver(t, nil, trace), nil },
		func(i int, r search.Result, _ *Observer) {
			nodes += r.Nodes
			if progress != nil {
				progress(i + 1)
			}
			if trace.Err() != nil {
				stop()
			}
		})
	if err != nil && trace.Err() == nil {
		return 0, 0, err
	}
	if err := trace.Close(); err != nil {
		return 0, 0, err
	}
	return trace.Records(), nodes, nil
}

func (s Suite) traceHeader(source string) ttanalysis.TraceHeader {
	between := "each from an empty table"
	if s.OneGame {
		between = "one game"
	}
	return ttanalysis.TraceHeader{
		Game: s.Game, MiB: s.MiB, Index: s.Index, KeyBits: s.KeyBits, Seed: s.KeySeed,
		Note: fmt.Sprintf("%s of %s, %d nodes each, %s", s.positions(), source, s.Nodes, between),
	}
}
