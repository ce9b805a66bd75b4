package alphabetagame

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/mate"
	"trefoil/window"
)

// benchDepth is the depth of the signatures of alpha-beta.
const benchDepth = 13

// NewBench returns the bench of a game's alpha-beta search.
func NewBench(game string, a *registry.AlphaBeta) registry.Bench {
	return registry.Bench{Name: game, Depth: benchDepth, Setups: a.Setups,
		Open: func(mib uint64, threads int) (registry.BenchSearch, error) {
			table, err := cluster.New(mib, cluster.Auto)
			if err != nil {
				return nil, err
			}
			b := &benchSearch{table: table, searcher: alphabeta.New(), newRoot: a.NewRoots()}
			b.searcher.SetTable(table)
			b.searcher.SetThreads(threads)
			return b, nil
		}}
}

// Games returns the positions of games in a text: one on a line, with an empty line between games.
func Games(text string) (games [][]string) {
	for game := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		games = append(games, strings.Split(game, "\n"))
	}
	return games
}

// benchSearch is an alpha-beta search of a bench.
type benchSearch struct {
	table    *cluster.Table
	searcher *alphabeta.Searcher
	newRoot  func(setup string) (alphabeta.Position, error)
	root     alphabeta.Position
}

func (b *benchSearch) Prepare(ctx context.Context, setup string) (err error) {
	if b.root, err = b.newRoot(setup); err != nil {
		return err
	}
	b.searcher.NewGame()
	return errors.Join(b.table.Prefault(ctx), b.table.Clear(ctx))
}

func (b *benchSearch) Search(ctx context.Context, limits search.Limits) (result string, nodes uint64, err error) {
	limits.Start = time.Now()
	r := b.searcher.Search(ctx, b.root, limits, alphabeta.Settings{MultiPV: 1}, nil)
	return r.Best, r.Nodes, ctx.Err()
}

func (b *benchSearch) Close() error { return b.table.Close() }

// NewMateBench returns the bench of a game's search for mates, in positions that have one.
// problem reads a position.
func NewMateBench(name string, setups []string, problem func(setup string) (mate.Problem, error)) registry.Bench {
	return registry.Bench{Name: name, Setups: setups, Open: func(mib uint64, threads int) (registry.BenchSearch, error) {
		table, err := window.New(mib)
		if err != nil {
			return nil, err
		}
		return &mateBenchSearch{table: table, finder: mate.New(table, threads, nil), read: problem}, nil
	}}
}

// mateBenchSearch is a search for mates of a bench.
type mateBenchSearch struct {
	table   *window.Table
	finder  *mate.Finder
	read    func(setup string) (mate.Problem, error)
	problem mate.Problem
}

func (b *mateBenchSearch) Prepare(ctx context.Context, setup string) (err error) {
	if b.problem, err = b.read(setup); err != nil {
		return err
	}
	return errors.Join(b.table.Prefault(ctx), b.table.Clear(ctx))
}

func (b *mateBenchSearch) Search(ctx context.Context, _ search.Limits) (result string, nodes uint64, err error) {
	a, err := b.finder.Find(ctx, b.problem, mate.Limits{Nodes: mateBenchNodes}, nil)
	if err == nil {
		err = ctx.Err()
	}
	return mateText(a), a.Nodes, err
}

// mateBenchNodes ends the search of a position that suddenly takes very long.
const mateBenchNodes = 2_000_000

// mateText is the result of a search for mates in words.
func mateText(a mate.Answer) string {
	switch {
	case a.Moves == 0:
		return "no mate found"
	case a.Opponent:
		return fmt.Sprintf("mated in %d", a.Moves)
	}
	return fmt.Sprintf("mate in %d", a.Moves)
}

func (b *mateBenchSearch) Close() error { return b.table.Close() }
