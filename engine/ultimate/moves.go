package ultimate

import (
	"cmp"
	"context"
	"slices"

	"trefoil/game"
	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// rootMove is a move of the root and what is known of it.
type rootMove struct {
	move      game.Move
	after     rules.Position
	d         proof.Decision // of the position after the move
	line      []game.Move    // with the move
	tried     bool
	decided   bool
	estimated *search.Info // by alpha-beta, if it is one of its best lines
}

// newRootMoves returns moves about which nothing is known.
func newRootMoves(p rules.Position, list []rules.Move) []rootMove {
	all := make([]rootMove, len(list))
	for i, m := range list {
		all[i] = rootMove{move: ultimategoal.Pack(m), after: p.Play(m)}
		all[i].line = []game.Move{all[i].move}
	}
	return all
}

// score is the score of the move for the side that makes it.
func (m *rootMove) score() (search.Score, search.Bound) {
	score, bound := scoreOf(m.after, m.d, m.line[1:])
	score.Centipawns = -score.Centipawns
	if score.Mate {
		score.Plies = int(-m.d.Outcome) - score.Plies // one ply further away
	}
	if bound == search.Upper {
		bound = search.Lower
	}
	if m.decided || m.estimated == nil {
		return score, bound
	}
	score.Centipawns = m.estimated.Score.Centipawns
	if bound == search.Lower {
		score.Centipawns = max(score.Centipawns, 0)
	}
	return score, bound
}

// class orders moves by what is known: proved to win 3, drawn or estimated 2, neither 1, proved to
// lose 0.
func (m *rootMove) class() int {
	switch {
	case m.d.Known && m.d.Outcome == game.Loss:
		return 3
	case m.d.Known && m.d.Outcome == game.Win:
		return 0
	case m.decided || m.estimated != nil || m.d.Wins.Result == proof.Disproved:
		return 2
	}
	return 1
}

// A move that is decided by itself has firstBudget nodes at first, and each time that many times more.
const (
	firstBudget  = 1 << 12
	budgetGrowth = 4
)

// moves decides the moves of list, with a growing budget for undecided moves, until enough moves are known.
// Alpha-beta orders the others. It reports as many of the best moves as MultiPV says.
func (s *solverSearch) moves(ctx context.Context, list []rules.Move) search.Result {
	s.quiet = true
	wanted := min(s.player.options.MultiPV.Value(), len(list))
	all := newRootMoves(s.player.pos, list)
	budget := uint64(firstBudget)
	for ; ; s.turn++ {
		enough := s.proveMoves(ctx, all, wanted, &budget)
		if !enough && (s.turn == 0 || !s.over(ctx)) {
			s.estimateMoves(ctx, all, wanted)
		} else {
			s.list(sortMoves(all)[:wanted], 0)
		}
		if enough || s.over(ctx) {
			return s.answer(sortMoves(all)[0].line)
		}
	}
}

// proveMoves lets proof search have its turn, and reports whether enough moves are known. Without limits
// a turn is one round of all moves, else it is as many as fit.
func (s *solverSearch) proveMoves(ctx context.Context, all []rootMove, wanted int, budget *uint64) bool {
	within, cancel, limits := s.proofTurn(ctx, share(&s.player.pos))
	defer cancel()
	for end := s.nodes + limits.Nodes; ; *budget *= budgetGrowth {
		spent := func() bool { return limits.Nodes > 0 && !s.unlimited() && s.nodes+1 >= end }
		open := 0
		for i := range all {
			m := &all[i]
			if !m.decided && !(m.tried && (within.Err() != nil || spent())) {
				most := *budget
				if limits.Nodes > 0 && !s.unlimited() {
					most = min(most, max(end, s.nodes+1)-s.nodes)
				}
				s.searchMove(within, m, most)
			}
			if !m.decided {
				open++
			}
		}
		switch sorted := sortMoves(all); {
		case open == 0 || sorted[wanted-1].class() == 3:
			return true
		case within.Err() != nil || spent():
			return false
		case s.unlimited():
			*budget *= 2
			return false
		}
	}
}

// searchMove spends a budget of nodes on a move.
func (s *solverSearch) searchMove(ctx context.Context, m *rootMove, budget uint64) {
	m.tried = true
	s.nodes += m.search(ctx, s.solver, proof.Limits{Nodes: budget}, lineNodes)
}

// search goes on with the decision of the position after the move, and returns the nodes. A search of at most
// lineNodes completes each position of the main line.
func (m *rootMove) search(ctx context.Context, solver *proof.Solver, limits proof.Limits, lineNodes uint64) uint64 {
	if winner, won, over := m.after.Over(); over {
		m.decided, m.d.Known = true, true
		if m.d.Outcome = game.Draw; won {
			m.d.Outcome = game.Loss // for the side to move
			if winner == m.after.Side() {
				m.d.Outcome = game.Win
			}
		}
		return 0
	}
	wins, loses := goals(m.after)
	before := m.d
	m.d, _ = solver.Decide(ctx, wins, loses, limits)
	nodes := m.d.Nodes()
	if before.Wins.Result == proof.Disproved && m.d.Wins.Result == proof.Unknown {
		m.d = before // stopped before it was back there
	}
	line, _ := solver.MainLine(ctx, m.d, wins, loses, proof.Limits{Nodes: lineNodes})
	m.line = append(m.line[:1:1], line...)
	m.decided = m.d.Known
	return nodes
}

// estimateMoves lets alpha-beta have its turn with the moves that are not decided.
func (s *solverSearch) estimateMoves(ctx context.Context, all []rootMove, wanted int) {
	var open []*rootMove
	var names []string
	for i := range all {
		if m := &all[i]; !m.decided {
			open, names = append(open, m), append(names, ultimategoal.Text(m.line[:1]))
		}
	}
	lines := min(wanted, len(open))
	best := make([]search.Info, lines)
	take := func() {
		for i, m := range open {
			m.estimated = nil
			for k := range best {
				if pv := best[k].PV; len(pv) > 0 && pv[0] == names[i] {
					m.estimated = &best[k]
					m.line = parseLine(s.player.pos, pv)
				}
			}
		}
	}
	listed := false
	s.estimate(ctx, names, lines, func(i search.Info) {
		if i.Text != "" || i.CurrMove != "" {
			s.report(i)
			return
		}
		best[i.MultiPV-1] = i
		if listed = i.MultiPV == lines; listed {
			take()
			s.list(sortMoves(all)[:wanted], i.Nodes-s.nodes)
		}
	})
	if take(); !listed { // stopped before all lines had a value
		s.list(sortMoves(all)[:wanted], 0)
	}
}

// parseLine reads the moves of a line that alpha-beta has reported.
func parseLine(p rules.Position, texts []string) (line []game.Move) {
	for _, text := range texts {
		m, err := p.ParseMove(text)
		if err != nil {
			break
		}
		line = append(line, ultimategoal.Pack(m))
		p = p.Play(m)
	}
	return line
}

// sortMoves returns the moves with the best first.
func sortMoves(all []rootMove) []rootMove {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b rootMove) int {
		x, _ := a.score()
		y, _ := b.score()
		return cmp.Or(cmp.Compare(b.class(), a.class()), cmp.Compare(y.Centipawns, x.Centipawns),
			cmp.Compare(x.Plies, y.Plies))
	})
	return sorted
}

// list reports moves that are sorted; a search that is running has that many nodes so far.
func (s *solverSearch) list(best []rootMove, running uint64) {
	for n := range best {
		m := &best[n]
		score, bound := m.score()
		i := s.withWDL(s.info(score, bound, running, m.line), m.d.Known, -m.d.Outcome)
		i.MultiPV, i.Proof = n+1, m.proof()
		s.report(i)
	}
}

// proof returns how far proof search is with the move, for the side that makes it; nil if it is decided, or
// has not been searched. That it loses is searched first, then that it wins.
func (m *rootMove) proof() *search.Proof {
	opponent, own := m.d.Wins, m.d.Loses
	switch {
	case m.decided:
	case opponent.Result == proof.Unknown && opponent.Phi > 0:
		return &search.Proof{Phi: opponent.Phi, Delta: opponent.Delta}
	case opponent.Result == proof.Disproved && own.Result == proof.Unknown && own.Phi > 0:
		return &search.Proof{Wins: true, Phi: own.Phi, Delta: own.Delta}
	}
	return nil
}
