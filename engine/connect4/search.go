package connect4

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/search"
	"trefoil/search/exact"
)

// solverSearch is one search of Connect Four.
type solverSearch struct {
	player *player
	limits search.Limits
	book   *book.Book
	report func(search.Info)
	nodes  uint64 // of the searches that have ended
}

// bounds are the proved bounds of a score.
type bounds struct{ lower, upper int }

func (k bounds) exact() bool { return k.lower == k.upper }

// negate returns the bounds for the other side.
func (k bounds) negate() bounds { return bounds{-k.upper, -k.lower} }

// within returns what follows from two proofs of the same score.
func (k bounds) within(other bounds) bounds {
	return bounds{max(k.lower, other.lower), min(k.upper, other.upper)}
}

// plies returns the distance to the end of the game that a score means: for a draw, to the full
// board. The winner has |score| − 1 stones left in the end.
func plies(p rules.Position, score int) int {
	left := p.Board().Cells - p.Ply()
	switch {
	case score > 0:
		return 2*((left+1)/2-score) + 1
	case score < 0:
		return 2 * ((left+2)/2 + score)
	default:
		return left
	}
}

// distance returns a score as the distance to the win.
func distance(p rules.Position, score int) search.Score {
	switch n := plies(p, score); {
	case score > 0:
		return search.Score{Mate: true, Plies: n}
	case score < 0:
		return search.Score{Mate: true, Plies: -n}
	default:
		return search.Score{}
	}
}

// scoreOf returns what a report says of p: a distance or a draw, as a bound if k is not exact, and an
// even score while both a win and a loss are possible. depth is the number of plies within which
// no other result can be forced.
func scoreOf(p rules.Position, k bounds) (score search.Score, bound search.Bound, depth int) {
	depth = p.Board().Cells - p.Ply()
	if k.upper > 0 {
		depth = min(depth, plies(p, k.upper))
	}
	if k.lower < 0 {
		depth = min(depth, plies(p, k.lower))
	}
	switch {
	case k.exact():
		return distance(p, k.lower), search.Exact, depth
	case k.lower >= 0:
		return distance(p, k.lower), search.Lower, depth - 1
	case k.upper <= 0:
		return distance(p, k.upper), search.Upper, depth - 1
	default:
		return search.Score{}, search.Exact, depth - 1
	}
}

// info returns a report of a position with known bounds.
func (s *solverSearch) info(p rules.Position, k bounds, nodes uint64, pv []int) search.Info {
	score, bound, depth := scoreOf(p, k)
	i := search.Info{
		Depth: depth, SelDepth: depth, MultiPV: 1, Score: score, Bound: bound,
		Nodes: s.nodes + nodes, Time: time.Since(s.limits.Start), HashFull: s.player.hashFull(),
	}
	for _, col := range pv {
		i.PV = append(i.PV, rules.Text(col))
	}
	if s.player.options.ShowWDL.Value() && (k.exact() || k.lower > 0 || k.upper < 0) {
		i.WDL = new(search.WDL)
		i.WDL[1-max(-1, min(1, k.lower))] = 1000
	}
	return i
}

// depth returns the limit on the depth, 0 if there is none.
func (s *solverSearch) depth() int {
	d := s.limits.Depth
	if s.limits.Mate > 0 {
		d = max(d, 2*min(s.limits.Mate, s.player.board.Cells)-1)
	}
	return d
}

// solve bounds the score of a position as far as a depth and a number of nodes (0 = any) and the rest of
// the limits allow.
func (s *solverSearch) solve(ctx context.Context, p rules.Position, depth int, nodes uint64,
	report func(exact.Result)) exact.Result {
	l := exact.Limits{Depth: depth, Nodes: nodes}
	if s.limits.Nodes > 0 {
		left := max(s.limits.Nodes, s.nodes+1) - s.nodes
		if nodes == 0 || left < nodes {
			l.Nodes = left
		}
	}
	if ctx.Err() != nil && !s.player.table.Touched() {
		l.Depth = 1 // the time is up before the memory is touched: a search that needs no table
	}
	return s.player.table.Table().Solve(ctx, p, l, report)
}

// line returns best play from a position whose score is exact.
func (s *solverSearch) line(ctx context.Context, p rules.Position) []int {
	return s.player.table.Table().Line(ctx, p, exact.Limits{Nodes: s.limits.Nodes})
}

// position finds the score of the position itself, reporting every bound on the way.
func (s *solverSearch) position(ctx context.Context) search.Result {
	p := s.player
	if score, ok := s.book.Score(p.pos); ok {
		if pv := s.bookLine(p.pos); len(pv) > 0 {
			s.report(s.info(p.pos, bounds{score, score}, 0, pv))
			return s.answer(pv)
		}
	}
	r := s.solve(ctx, p.pos, s.depth(), 0, func(r exact.Result) {
		s.report(s.info(p.pos, bounds{r.Lower, r.Upper}, r.Nodes, []int{p.table.Table().Hint(p.pos)}))
	})
	s.nodes += r.Nodes
	k, pv := bounds{r.Lower, r.Upper}, []int{p.table.Table().Hint(p.pos)}
	if k.exact() {
		if line := s.line(ctx, p.pos); len(line) > 0 {
			pv = line
		}
	} else {
		// The table has what is proved, so this is quick even after the time is up.
		if col := p.table.Table().Move(ctx, p.pos, k.lower, exact.Limits{Nodes: s.limits.Nodes}); col >= 0 {
			pv[0] = col
		}
		if s.depth() == 0 {
			s.report(search.Info{Text: fmt.Sprintf("the score is proved to be from %d to %d "+
				"(one more than the stones that the winner has left)", k.lower, k.upper)})
		}
	}
	s.report(s.info(p.pos, k, 0, pv))
	return s.answer(pv)
}

// bookLine returns best play from pos, which the book has, up to the last ply of the book or to the end of the game.
func (s *solverSearch) bookLine(pos rules.Position) (line []int) {
	for over := false; !over && pos.Ply() < s.book.Ply(); _, over = pos.Over() {
		best, bestScore := -1, -pos.Board().Cells
		for _, col := range pos.Board().MiddleFirst {
			if !pos.CanPlay(col) {
				continue
			}
			after := pos.Play(col)
			score, ok := s.book.Score(after)
			if _, over := after.Over(); over {
				score, ok = after.FinalScore(), true
			}
			if ok && -score > bestScore {
				best, bestScore = col, -score
			}
		}
		if best < 0 {
			break // the book is not complete
		}
		line = append(line, best)
		pos = pos.Play(best)
	}
	return line
}

func (s *solverSearch) answer(pv []int) search.Result {
	r := search.Result{Best: rules.Text(pv[0]), Nodes: s.nodes, Time: time.Since(s.limits.Start)}
	if len(pv) > 1 {
		r.Ponder = rules.Text(pv[1])
	}
	return r
}

// rootMove is a column and what is known of it, for the side that plays it.
type rootMove struct {
	bounds
	tried bool
	done  bool // no more will be known
	pv    []int
}

// orderingScore orders columns by their proved score. A column without a proved bound comes after a
// draw and before a loss.
func (b rootMove) orderingScore() int {
	if b.lower < 0 && b.upper >= 0 {
		return -1
	}
	return 2 * b.lower
}

// firstTurn is the number of nodes that each column is searched in the first round of moves. Each
// round multiplies it by turnGrowth.
const (
	firstTurn  = 1 << 14
	turnGrowth = 4
)

// moves finds the score of every column. It searches the columns in turn, in rounds of ever more nodes, so
// that all have been searched alike when the time is up. After each column it reports as many of the best
// ones as MultiPV says.
func (s *solverSearch) moves(ctx context.Context, cols []int) search.Result {
	p := s.player.pos
	all := bounds{-(p.Board().Cells - p.Ply()) / 2, p.WinScore()}
	columns := make([]rootMove, len(cols))
	for i, col := range cols {
		columns[i] = rootMove{bounds: all, pv: []int{col}}
	}
	best := columns[0]
	for turn, open := uint64(firstTurn), true; open; turn *= turnGrowth {
		open = false
		for i := range columns {
			if b := &columns[i]; !b.tried || !b.done && !s.ended(ctx) {
				s.searchMove(ctx, b, p.Play(cols[i]), turn)
				best = s.list(columns)
				open = open || !b.done && !s.ended(ctx)
			}
		}
	}
	return s.answer(best.pv)
}

// ended reports whether the limits of the search are used up.
func (s *solverSearch) ended(ctx context.Context) bool {
	return ctx.Err() != nil || s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes
}

// searchMove searches a column, after which the position is after, with that many nodes at most.
func (s *solverSearch) searchMove(ctx context.Context, b *rootMove, after rules.Position, nodes uint64) {
	b.tried, b.done = true, true
	if _, over := after.Over(); over {
		b.bounds = bounds{after.FinalScore(), after.FinalScore()}.negate()
		return
	}
	if score, ok := s.book.Score(after); ok {
		b.bounds = bounds{-score, -score}
		b.pv = append(b.pv, s.bookLine(after)...)
		return
	}
	depth := s.depth()
	if depth == 1 {
		return // nothing is won or lost by one move
	}
	r := s.solve(ctx, after, max(depth-1, 0), nodes, nil)
	s.nodes += r.Nodes
	b.bounds = b.within(bounds{r.Lower, r.Upper}.negate()) // a search that is stopped at once has no bounds
	if b.done = b.exact() || r.Nodes < nodes && !s.ended(ctx); b.exact() {
		b.pv = append(b.pv, s.line(ctx, after)...)
	}
}

// list reports the best columns tried and returns the best one. Of two with equal scores the one nearer to
// the middle is better.
func (s *solverSearch) list(columns []rootMove) rootMove {
	sorted := slices.DeleteFunc(slices.Clone(columns), func(b rootMove) bool { return !b.tried })
	slices.SortStableFunc(sorted, func(a, b rootMove) int {
		return cmp.Or(cmp.Compare(b.orderingScore(), a.orderingScore()), cmp.Compare(b.upper, a.upper))
	})
	for n, b := range sorted[:min(len(sorted), s.player.options.MultiPV.Value())] {
		i := s.info(s.player.pos, b.bounds, 0, b.pv)
		i.MultiPV = n + 1
		s.report(i)
	}
	return sorted[0]
}
