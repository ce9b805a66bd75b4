// Package selfplay plays games of chess or shogi of the engine's search against itself in one
// process, with a fixed number of nodes per move: the same seed gives the same games on every
// machine.
package selfplay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// Player is a searcher with its table. It is not safe for concurrent use.
type Player struct {
	search *alphabeta.Searcher
	table  *cluster.Table
	params *alphabeta.Params // nil: as the game has them
}

// New returns a player with a table of mib MiB.
func New(mib uint64) (*Player, error) {
	table, err := cluster.New(mib, cluster.Auto)
	if err != nil {
		return nil, err
	}
	p := &Player{search: alphabeta.New(), table: table}
	p.search.SetTable(table)
	return p, nil
}

// Close unmaps the table.
func (p *Player) Close() error { return p.table.Close() }

// SetParams makes searches use parameters in place of the game's; with nil, the game's.
func (p *Player) SetParams(params *alphabeta.Params) { p.params = params }

// NewGame clears table and histories, so that a game does not depend on earlier ones.
func (p *Player) NewGame(ctx context.Context) error {
	p.search.NewGame()
	return p.table.Clear(ctx)
}

// Line is a move, and its value in centipawns for the side to move (mates are ±Mate
// less the plies to them).
type Line struct {
	Move  game.Move
	Value int
}

// Mate is larger than all values that are not mates.
const Mate = 32000

// Soft returns the limits of a search that begins no iteration after that many nodes. Iterations of
// hardly any position exceed the nodes that end it.
func Soft(nodes uint64) search.Limits { return search.Limits{SoftNodes: nodes, Nodes: 8 * nodes} }

// Hard returns the limits of a search of that many nodes.
func Hard(nodes uint64) search.Limits { return search.Limits{Nodes: nodes} }

// Search searches pos within limits and returns at most n best lines, best first; none if pos has no
// legal move. They are of the last report in which all lines have exact values.
func (p *Player) Search(ctx context.Context, pos Board, limits search.Limits, n int) ([]Line, error) {
	var lines, latest []Line
	exact := false // all values of latest
	keep := func() {
		if exact {
			lines = append(lines[:0], latest...)
		}
	}
	var bad error
	report := func(i search.Info) {
		if len(i.PV) == 0 {
			return
		}
		m, err := pos.ParseMove(i.PV[0])
		if err != nil {
			bad = fmt.Errorf("the search proposes %s in %s: %w", i.PV[0], pos.Setup(), err)
			return
		}
		if i.MultiPV <= 1 {
			keep()
			latest, exact = latest[:0], true
		}
		latest, exact = append(latest, Line{m, i.Score.Value()}), exact && i.Bound == search.Exact
	}
	r := p.search.Search(ctx, pos, limits, alphabeta.Settings{MultiPV: n, Params: p.params}, report)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	keep()
	slices.SortStableFunc(lines, func(a, b Line) int { return b.Value - a.Value })
	if bad == nil && r.Best != "" && n == 1 {
		var m game.Move
		if m, bad = pos.ParseMove(r.Best); bad == nil {
			if len(lines) == 0 {
				lines = append(lines, Line{Value: pos.Eval()})
			}
			lines[0].Move = m
		}
	}
	return lines, bad
}

// Best searches pos, which has a legal move, within limits and returns the best line.
func (p *Player) Best(ctx context.Context, pos Board, limits search.Limits) (Line, error) {
	lines, err := p.Search(ctx, pos, limits, 1)
	if err != nil {
		return Line{}, err
	}
	if len(lines) == 0 {
		return Line{}, fmt.Errorf("no move in %s", pos.Setup())
	}
	return lines[0], nil
}

// Subject returns the game of a name from those of a tool.
func Subject[S any](games map[string]S, name string) (S, error) {
	s, ok := games[name]
	if !ok {
		return s, fmt.Errorf("game %q: known are %s", name, strings.Join(slices.Sorted(maps.Keys(games)), ", "))
	}
	return s, nil
}
