package engine

import (
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// A Suite is positions that are searched one after the other, each with an empty table
// unless they are of one game, while somebody watches what becomes of the table.
type Suite struct {
	Variant string   // chess or shogi
	Setups  []string // FENs or SFENs; none are those of Bench
	MiB     uint64
	Index   cluster.Index
	KeyBits int    // 0 are all
	Nodes   uint64 // per position; 0 is no limit
	Depth   int    // likewise
	Threads int    // 0 counts as 1
	OneGame bool   // the positions follow each other: nothing is forgotten between them
	// Watch returns what watches the table; nil if nobody does. It is asked once, and the
	// caller closes what it made.
	Watch func(*cluster.Table) (*ttanalysis.Observer, error)
	// Done is told of each position that has been searched: its number from 0, what came of
	// it, and the watch, whose counts are of this position.
	Done func(i int, setup string, r search.Result, w *ttanalysis.Observer)
}

// Game returns the game's name and the seed of its key words.
func (s *Suite) Game() (name, seed string) { return s.Variant, "trefoil " + s.Variant }

// positions returns the roots of the searches, or names the setup that is not one.
func (s *Suite) positions() ([]string, []alphabeta.Position, error) {
	b, err := newBench(s.Variant)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Setups) > 0 {
		b.setup = s.Setups
	}
	roots := make([]alphabeta.Position, len(b.setup))
	for i, setup := range b.setup {
		if roots[i], err = b.root(setup); err != nil {
			return nil, nil, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return b.setup, roots, nil
}

// Run searches the positions.
func (s *Suite) Run(ctx context.Context) error {
	setups, roots, err := s.positions()
	if err != nil {
		return err
	}
	bits := s.KeyBits
	if bits == 0 {
		bits = cluster.MaxKeyBits
	}
	table, err := cluster.New(s.MiB, s.Index, cluster.KeyBits(bits))
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
	set, w := alphabeta.Settings{}, (*ttanalysis.Observer)(nil)
	if s.Watch != nil {
		if w, err = s.Watch(table); err != nil {
			return err
		}
		set.Watch = w.Worker
	}
	for i, root := range roots {
		if !s.OneGame {
			searcher.NewGame()
			if err := table.Clear(ctx); err != nil {
				return err
			}
			if err := w.Cleared(ctx); err != nil {
				return err
			}
		}
		if err := w.NewSearch(max(1, s.Threads)); err != nil {
			return err
		}
		r := searcher.Search(ctx, root, search.Limits{Nodes: s.Nodes, Depth: s.Depth, Start: time.Now()}, set, nil)
		if ctx.Err() != nil {
			return fmt.Errorf("stopped at position %d of %d", i+1, len(roots))
		}
		if s.Done != nil {
			s.Done(i, setups[i], r, w)
		}
	}
	return nil
}
