package mate

import (
	"cmp"
	"context"
	"slices"
	"time"

	"trefoil/game"
)

// FindLines searches for up to n mates by the side to move, each beginning with a different move of first,
// and returns them, the shortest first. problem returns the problem restricted to the moves in only; nil
// stands for all moves. The limits hold for each search, but the limit on nodes is for all searches
// together. found, unless nil, is called with all mates whenever a mate is new or better. If there is no
// mate, the only answer is the answer of the first search. What an answer says of shorter mates is of all moves.
// It has the nodes of all searches up to it; nodes is their number in all searches.
func (f *Finder) FindLines(ctx context.Context, first []game.Move, problem func(only []game.Move) Problem, n int,
	limits Limits, found func([]Answer)) (lines []Answer, nodes uint64, err error) {
	var only []game.Move
	var failed int // within how many moves no mate begins with any move, by the first search
	began := time.Now()
	for {
		p, left := problem(only), limits
		if limits.Nodes > 0 {
			left.Nodes = limits.Nodes - nodes
		}
		if len(lines) > 0 {
			p.Alone = true
			if limits.Brief {
				left.Nodes = lower(left.Nodes, asManyAgain(nodes)-nodes)
			}
		}
		a, err := f.Find(ctx, p, left, func(a Answer) {
			if found != nil {
				a.Nodes, a.Time = a.Nodes+nodes, time.Since(began)
				found(sorted(lines, a))
			}
		})
		nodes += a.Nodes
		a.Nodes, a.Time = nodes, time.Since(began)
		if a.Moves == 0 || a.Opponent {
			if len(lines) == 0 {
				lines = []Answer{a}
			}
			return lines, nodes, err
		}
		if len(lines) == 0 {
			failed = a.Failed[0]
		}
		a.Failed[0], a.Shortest = failed, failed == a.Moves-1
		if lines = sorted(lines, a); err != nil || len(lines) >= n {
			return lines, nodes, err
		}
		only = slices.DeleteFunc(slices.Clone(first), func(m game.Move) bool {
			return slices.ContainsFunc(lines, func(a Answer) bool { return a.Line[0] == m })
		})
		if len(only) == 0 || limits.Nodes > 0 && nodes >= limits.Nodes {
			return lines, nodes, nil
		}
	}
}

// sorted returns lines with one more, the shortest first.
func sorted(lines []Answer, a Answer) []Answer {
	lines = append(slices.Clone(lines), a)
	slices.SortStableFunc(lines, func(a, b Answer) int { return cmp.Compare(a.Moves, b.Moves) })
	return lines
}
