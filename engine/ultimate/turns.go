package ultimate

import (
	"context"
	"time"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/proof"
)

// Proof search and alpha-beta take turns. A search with limits has one turn: proof search has a share
// of the time or of the nodes, and alpha-beta the rest. If alpha-beta ends before, because it has seen
// the end of the game, the remainder is for proof search. Without limits the turns grow.
const (
	firstTurn  = 14 // binary logarithm of the nodes of either search in the first turn without limits
	longerTurn = 9  // by how much it grows
	// lastNodes are for alpha-beta if the search ends before its first turn.
	lastNodes = 500
)

// shares are the percentages of proof search by the empty cells of open boards.
var shares = [...]struct{ left, percent int }{{56, 3}, {48, 6}, {42, 12}, {36, 25}, {0, 50}}

// share is the percentage of proof search.
func share(p *rules.Position) int {
	for _, s := range shares {
		if p.Left() >= s.left {
			return s.percent
		}
	}
	return 100
}

// timed returns when the search has to end, if time limits it.
func (s *solverSearch) timed() (end time.Time, ok bool) {
	if s.limits.Infinite || s.limits.Ponder {
		return end, false
	}
	b, ok := s.timing.Budget(&s.limits, s.limits.Clock)
	return s.limits.Start.Add(b.Maximum), ok
}

// unlimited reports whether neither time nor nodes limit the search.
func (s *solverSearch) unlimited() bool {
	_, timed := s.timed()
	return !timed && s.limit().Nodes == 0
}

// proofTurn returns context and limits of proof search in this turn.
func (s *solverSearch) proofTurn(ctx context.Context) (context.Context, context.CancelFunc, proof.Limits) {
	limits := s.limit()
	end, timed := s.timed()
	percent := share(&s.player.pos)
	switch {
	case s.unlimited():
		limits.Nodes = s.turnNodes()
	case s.turn == 0:
		if limits.Nodes > 0 {
			limits.Nodes = max(limits.Nodes/100*uint64(percent), 1)
		}
		if timed {
			within, cancel := context.WithTimeout(ctx, max(time.Until(end)/100*time.Duration(percent), 0))
			return within, cancel, limits
		}
	}
	within, cancel := context.WithCancel(ctx)
	return within, cancel, limits
}

// turnNodes are the nodes of either search in a turn without limits.
func (s *solverSearch) turnNodes() uint64 { return 1 << (firstTurn + min(s.turn, longerTurn)) }

// estimate lets alpha-beta search its turn: the moves, all if there are none, for a number of
// best lines. It passes the reports with all nodes of the search. Alpha-beta proves nothing, so that even a mate
// is reported as centipawns; but it ends the turn.
func (s *solverSearch) estimate(ctx context.Context, moves []string, lines int, receive func(search.Info)) {
	limits := search.Limits{Start: s.limits.Start, SearchMoves: moves, Nodes: s.limit().Nodes}
	if s.unlimited() {
		limits.Nodes = s.turnNodes()
	}
	if ctx.Err() != nil {
		limits.Nodes, ctx = lastNodes, context.Background()
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	r := s.estimator.search(within, s.player.pos, limits, lines, s.turn > 0, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" {
			if i.Score.Mate && i.Bound == search.Exact && i.MultiPV == lines {
				cancel()
			}
			i.Score = search.Score{Centipawns: alphabetagame.Centipawns(i.Score)}
			i.Nodes += s.nodes
			if i.HashFull >= 0 {
				i.HashFull = s.player.table.Table().Full()
			}
		}
		receive(i)
	})
	s.nodes += r.Nodes
	s.estimated = r
}

// over reports whether the search has to end.
func (s *solverSearch) over(ctx context.Context) bool { return ctx.Err() != nil || s.spent() }
