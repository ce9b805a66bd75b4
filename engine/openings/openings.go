// Package openings makes openings for games of an engine against itself: positions after random moves, in which
// neither side is far ahead.
package openings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"trefoil/cluster"
	"trefoil/engine/bench"
	"trefoil/engine/registry"
	"trefoil/game"
	"trefoil/internal/cli"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis/observe"
)

// How openings are made.
const (
	plies     = 8    // random plies from the start position, or one more
	bookPlies = 4    // the same from a position of a book
	nodes     = 1000 // of the search of an opening
	within    = 150  // centipawns that either side may be ahead
	attempts  = 1000 // for one opening
)

// Options are which openings are made.
type Options struct {
	Count int
	Seed  uint64
	Book  []string // positions in the notation of the game; none for the start position
}

// Usage is what ParseOptions reads.
const Usage = "N seed S book None|FILE"

// MaxCount is the largest number of openings.
const MaxCount = 1 << 31

// ParseOptions reads the arguments of genfens, as OpenBench sends them. note is passed to bench.ReadSetups.
func ParseOptions(ctx context.Context, args []string, note func(string)) (o Options, err error) {
	switch {
	case len(args) < 5:
		return o, errors.New("missing argument; usage: genfens " + Usage)
	case len(args) > 5:
		return o, fmt.Errorf("unexpected argument %.40q; usage: genfens %s", args[5], Usage)
	case args[1] != "seed" || args[3] != "book":
		return o, fmt.Errorf("unexpected arguments %.40q, %.40q; usage: genfens %s", args[1], args[3], Usage)
	}
	if o.Count, err = cli.Whole([]byte(args[0]), 1, MaxCount); err != nil {
		return o, fmt.Errorf("number of openings %w", err)
	}
	if o.Seed, err = cli.Whole[uint64]([]byte(args[2]), 0, 1<<63-1); err != nil {
		return o, fmt.Errorf("seed %w", err)
	}
	if book := args[4]; book != "None" {
		o.Book, err = bench.ReadSetups(ctx, book, note)
	}
	return o, err
}

// Generate calls yield with openings in the notation of the game, each another one. They depend on the options and
// the program alone.
func Generate(ctx context.Context, g *registry.AlphaBeta, o Options, yield func(setup string)) (err error) {
	table, err := cluster.New(1, cluster.Auto)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, table.Close()) }()
	n := bookPlies
	if len(o.Book) == 0 {
		o.Book, n = g.Setups[:1], plies
	}
	m := maker{
		newRoot: g.NewRoots(), rng: rand.New(rand.NewPCG(o.Seed, 0)),
		table: table, searcher: alphabeta.New(),
	}
	m.searcher.SetTable(table)
	made := make(map[string]bool)
	for range o.Count {
		opening, err := m.another(ctx, o.Book, n, made)
		if err != nil {
			return err
		}
		made[opening] = true
		yield(opening)
	}
	return nil
}

// maker makes openings.
type maker struct {
	newRoot  func(setup string) (alphabeta.Position, error)
	rng      *rand.Rand
	table    *cluster.Table
	searcher *alphabeta.Searcher
}

// another returns an opening that is not in made, n or n+1 plies from a position of the book.
func (m *maker) another(ctx context.Context, book []string, n int, made map[string]bool) (string, error) {
	for range attempts {
		setup := book[m.rng.IntN(len(book))]
		p, err := m.newRoot(setup)
		if err != nil {
			return "", fmt.Errorf("%.100q: %w", setup, err)
		}
		if !m.play(p, n+m.rng.IntN(2)) {
			continue
		}
		opening := observe.Notation(p)
		if made[opening] {
			continue
		}
		balanced, err := m.balanced(ctx, p)
		if err != nil {
			return "", err
		}
		if balanced {
			return opening, nil
		}
	}
	return "", fmt.Errorf("%d attempts found no new opening in which neither side is more than %d centipawns ahead",
		attempts, within)
}

// play plays random moves, and reports whether the game is not over after them.
func (m *maker) play(p alphabeta.Position, plies int) bool {
	var l game.List
	for range plies {
		l.Reset()
		if p.Moves(game.All, &l); l.Len() == 0 {
			return false
		}
		p.Make(l.At(m.rng.IntN(l.Len())))
	}
	l.Reset()
	p.Moves(game.All, &l)
	_, over := p.Adjudicate(0)
	return l.Len() > 0 && !over
}

// balanced reports whether neither side is far ahead, by a search.
func (m *maker) balanced(ctx context.Context, p alphabeta.Position) (bool, error) {
	m.searcher.NewGame()
	if err := m.table.Clear(ctx); err != nil {
		return false, err
	}
	var score search.Score
	m.searcher.Search(ctx, p, search.Limits{Nodes: nodes}, alphabeta.Settings{NoBounds: true}, func(i search.Info) {
		if len(i.PV) > 0 {
			score = i.Score
		}
	})
	return !score.Mate && -within <= score.Centipawns && score.Centipawns <= within, context.Cause(ctx)
}
