package ultimate

import (
	"context"
	"time"

	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/proof"
)

// Proof search and alpha-beta take turns. A search with limits has one turn: proof search has a share
// of the time or of the nodes, more if the decision is near, and alpha-beta the rest. If alpha-beta ends before,
// because it has seen the end of the game, the remainder is for proof search. Without limits the turns grow.
const (
	firstTurn  = 14 // binary logarithm of the nodes of either search in the first turn without limits
	longerTurn = 9  // by how much it grows
	// If the decision is near, proof search has steps of nearStep percent more, up to mostPercent.
	nearStep, mostPercent = 5, 95
	// It is near while the square of the lesser number is at most nearSquare times the nodes.
	nearSquare = 400
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

// proofTurn returns context and limits of proof search in this turn, by the percentage of the search that is for it.
func (s *solverSearch) proofTurn(ctx context.Context, percent int) (context.Context, context.CancelFunc, proof.Limits) {
	limits := s.limit()
	end, timed := s.timed()
	switch {
	case s.unlimited():
		limits.Nodes = s.turnNodes()
	case s.turn == 0:
		if limits.Nodes > 0 {
			total := limits.Nodes + s.nodes
			limits.Nodes = max(total/100*uint64(percent), s.nodes+1) - s.nodes
		}
		if timed {
			within, cancel := context.WithDeadline(ctx, s.began.Add(end.Sub(s.began)/100*time.Duration(percent)))
			return within, cancel, limits
		}
	}
	within, cancel := context.WithCancel(ctx)
	return within, cancel, limits
}

// prove lets proof search have its turn with the position. It is longer than its share if the decision is near.
func (s *solverSearch) prove(ctx context.Context) (d proof.Decision) {
	p := s.player.pos
	wins, loses := goals(p)
	decide := s.solver.Decide
	if s.lossFirst {
		decide = s.solver.DecideLossFirst
	}
	for percent := share(&p); ; percent = min(percent+nearStep, mostPercent) {
		within, cancel, limits := s.proofTurn(ctx, percent)
		var err error
		d, err = decide(within, wins, loses, limits)
		cancel()
		s.nodes += d.Nodes()
		if err != nil {
			s.report(search.Info{Text: err.Error()})
		}
		if d.Known || err != nil || s.turn > 0 || s.unlimited() || percent == mostPercent || s.over(ctx) ||
			!near(d, s.nodes) {
			return d
		}
	}
}

// near reports whether a position will probably be decided soon, after proof search has spent some nodes: a
// proof has ended, or the lesser number of the first proof is small.
func near(d proof.Decision, nodes uint64) bool {
	if d.Wins.Result != proof.Unknown || d.Loses.Result != proof.Unknown {
		return true
	}
	least := uint64(min(d.Wins.Phi|d.Loses.Phi, d.Wins.Delta|d.Loses.Delta)) // one of the answers is empty
	return least*least < nearSquare*nodes
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
			i.Score = search.Score{Centipawns: i.Score.Value()}
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
