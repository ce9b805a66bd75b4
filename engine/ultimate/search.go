package ultimate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"trefoil/game"
	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// solverSearch is one search of Ultimate Tic-Tac-Toe: proof search and alpha-beta by turns.
type solverSearch struct {
	player    *player
	estimator *estimator
	limits    search.Limits
	timing    clock.Params
	report    func(search.Info)
	solver    *proof.Solver
	began     time.Time     // when the table was ready
	lossFirst bool          // the first proof is that the side to move loses
	nodes     uint64        // of the proofs and of the searches by alpha-beta that have ended
	turn      int           // turns that have ended
	estimated search.Result // of the latest search by alpha-beta
	quiet     bool          // running proofs are not reported
	state     string        // of the proof
	said      string        // the state that was reported last
}

func newSolverSearch(p *player, limits search.Limits, timing clock.Params, report func(search.Info)) *solverSearch {
	s := &solverSearch{player: p, estimator: p.estimator, limits: limits, timing: timing, report: report,
		began: time.Now()}
	s.solver = proof.New(p.table.Table().Proofs, proof.Options{Threads: p.options.Threads.Value(), Report: s.progress})
	return s
}

// lineNodes limits the search for one move of a main line that the table no longer has.
const lineNodes = 1 << 16

// limit returns the rest of the limit on nodes. A depth counts as a limit of 2^depth nodes.
func (s *solverSearch) limit() proof.Limits {
	most := s.limits.Nodes
	if s.limits.Depth > 0 {
		n := uint64(1) << min(s.limits.Depth, 62)
		if most == 0 || n < most {
			most = n
		}
	}
	if most > 0 {
		most = max(most, s.nodes+1) - s.nodes
	}
	return proof.Limits{Nodes: most}
}

// spent reports whether the limit on nodes is reached.
func (s *solverSearch) spent() bool { return s.limit().Nodes == 1 }

// centipawns is the score of a goal that is neither proved nor disproved: a hundred times the
// binary logarithm of disproof number by proof number.
func centipawns(phi, delta uint32) int {
	return int(math.Round(100 * math.Log2(float64(max(delta, 1))/float64(max(phi, 1)))))
}

// scoreOf returns the score of a position for the side to move: a distance if it is won or lost, 0
// if it is drawn, at most 0 if it is only known not to be won, else an estimate from the proof
// numbers. The distance is the length of the main line, or the number of free cells if the line
// does not reach the end of the game.
func scoreOf(p rules.Position, d proof.Decision, line []game.Move) (search.Score, search.Bound) {
	switch {
	case d.Known && d.Outcome == game.Draw:
		return search.Score{}, search.Exact
	case d.Known:
		plies := p.Left()
		if ends(p, line) {
			plies = len(line)
		}
		if d.Outcome == game.Loss {
			plies = -plies
		}
		return search.Score{Mate: true, Plies: plies}, search.Exact
	case d.Wins.Result == proof.Disproved:
		return search.Score{Centipawns: min(0, -centipawns(d.Loses.Phi, d.Loses.Delta))}, search.Upper
	}
	return search.Score{Centipawns: centipawns(d.Wins.Phi, d.Wins.Delta)}, search.Exact
}

// bounded returns a score of alpha-beta within what is proved: that the side to move does not win, or that the
// opponent does not.
func bounded(centipawns int, bound search.Bound, d proof.Decision) (int, search.Bound) {
	switch {
	case d.Wins.Result == proof.Disproved:
		return min(centipawns, 0), search.Upper
	case d.Loses.Result == proof.Disproved:
		return max(centipawns, 0), search.Lower
	}
	return centipawns, bound
}

// ends reports whether a line ends with the game.
func ends(p rules.Position, line []game.Move) bool {
	for _, m := range line {
		p = p.Play(ultimategoal.Unpack(m))
	}
	_, _, over := p.Over()
	return over
}

// info returns a report. Depth is the binary logarithm of the nodes.
func (s *solverSearch) info(score search.Score, bound search.Bound, nodes uint64, line []game.Move) search.Info {
	nodes += s.nodes
	i := search.Info{
		Depth: max(bits.Len64(nodes)-1, 0), MultiPV: 1, Score: score, Bound: bound,
		Nodes: nodes, Time: time.Since(s.limits.Start), HashFull: s.player.table.Table().Full(),
	}
	for _, m := range line {
		i.PV = append(i.PV, ultimategoal.Text([]game.Move{m}))
	}
	return i
}

// withWDL adds win, draw and loss to a report of a known outcome, if UCI_ShowWDL is set.
func (s *solverSearch) withWDL(i search.Info, known bool, outcome game.Outcome) search.Info {
	if known && s.player.options.ShowWDL.Value() {
		i.WDL = new(search.WDL)
		i.WDL[game.Win-outcome] = 1000
	}
	return i
}

// progress reports the state of the running proof, once a second and when it is decided.
func (s *solverSearch) progress(p proof.Progress) {
	if s.quiet {
		return
	}
	side := s.player.pos.Side()
	if p.Second != s.lossFirst {
		side = side.Other()
	}
	text := fmt.Sprintf("%v wins: ", side)
	switch {
	case p.Phi == 0:
		text += "proved"
	case p.Delta == 0:
		text += "disproved"
	default:
		text += fmt.Sprintf("proof number %d, disproof number %d", p.Phi, p.Delta)
	}
	s.state = text
	if solved := p.Phi == 0 || p.Delta == 0; solved || !p.Last {
		s.say()
	}
}

// say reports the state of the proof, unless it has been reported.
func (s *solverSearch) say() {
	if s.state != s.said {
		s.said = s.state
		s.report(search.Info{Text: s.state})
	}
}

// position decides the position itself. Until that is done, alpha-beta chooses the move.
func (s *solverSearch) position(ctx context.Context) search.Result {
	p := s.player.pos
	wins, loses := goals(p)
	var d proof.Decision
	var last search.Info // of alpha-beta
	for ; ; s.turn++ {
		d = s.prove(ctx)
		if !s.unlimited() {
			s.say()
		}
		if d.Known || s.turn > 0 && s.over(ctx) {
			break
		}
		s.estimate(ctx, nil, 1, func(i search.Info) {
			if i.Text == "" && i.CurrMove == "" {
				i.Score.Centipawns, i.Bound = bounded(i.Score.Centipawns, i.Bound, d)
				last = i
			}
			s.report(i)
		})
		if s.over(ctx) {
			break
		}
	}
	s.say()
	if !d.Known {
		s.estimated.Nodes, s.estimated.Time = s.nodes, time.Since(s.limits.Start)
		if last.Nodes != s.nodes || s.unlimited() {
			last.Nodes, last.Time = s.estimated.Nodes, s.estimated.Time
			s.report(last)
		}
		return s.estimated
	}
	line := s.mainLine(ctx, d, wins, loses)
	score, bound := scoreOf(p, d, line)
	s.report(s.withWDL(s.info(score, bound, 0, line), d.Known, d.Outcome))
	return s.answer(line)
}

// win decides only whether the side to move wins.
func (s *solverSearch) win(ctx context.Context) search.Result {
	wins, loses := goals(s.player.pos)
	a := s.proveGoal(ctx, wins, s.limit())
	return s.answerWin(a, s.mainLine(ctx, ifProved(a, game.Win), wins, loses))
}

// mainLine returns the main line; a legal move if the search was stopped before its first node.
func (s *solverSearch) mainLine(ctx context.Context, d proof.Decision, wins, loses func() proof.Goal) []game.Move {
	line, _ := s.solver.MainLine(ctx, d, wins, loses, proof.Limits{Nodes: lineNodes})
	if len(line) == 0 {
		line = []game.Move{ultimategoal.Pack(s.player.pos.Moves(nil)[0])}
	}
	return line
}

// winBy is win with a given list of moves. Proof search tries each in turn, with a growing budget.
func (s *solverSearch) winBy(ctx context.Context, list []rules.Move) search.Result {
	s.quiet = true
	all := newRootMoves(s.player.pos, list)
	for budget := uint64(firstBudget); ; budget *= budgetGrowth {
		open := false
		for i := range all {
			m := &all[i]
			if !m.decided && !(m.tried && s.over(ctx)) {
				s.proveLoss(ctx, m, budget)
			}
			if m.d.Known {
				all, open = all[i:i+1], false
				break
			}
			open = open || !m.decided
		}
		if !open || s.over(ctx) {
			break
		}
	}
	best := slices.MaxFunc(all, func(a, b rootMove) int {
		return cmp.Compare(centipawns(a.d.Loses.Phi, a.d.Loses.Delta), centipawns(b.d.Loses.Phi, b.d.Loses.Delta))
	})
	wins, loses := goals(best.after)
	line, _ := s.solver.MainLine(ctx, best.d, wins, loses, proof.Limits{Nodes: lineNodes})
	return s.answerWin(best.d.Loses, append(best.line[:1:1], line...))
}

// proveLoss spends a budget of nodes on the proof that the opponent loses after a move.
func (s *solverSearch) proveLoss(ctx context.Context, m *rootMove, budget uint64) {
	limits := s.limit()
	if limits.Nodes == 0 || limits.Nodes > budget {
		limits.Nodes = budget
	}
	_, loses := goals(m.after)
	m.d = ifProved(s.proveGoal(ctx, loses, limits), game.Loss)
	m.tried, m.decided = true, m.d.Loses.Result != proof.Unknown
}

// proveGoal searches a goal and counts the nodes.
func (s *solverSearch) proveGoal(ctx context.Context, goal func() proof.Goal, limits proof.Limits) proof.Answer {
	a, err := s.solver.Prove(ctx, goal, limits)
	if err != nil {
		s.report(search.Info{Text: err.Error()})
	}
	s.nodes += a.Nodes
	return a
}

// ifProved returns what is known if a goal stands for an outcome: that the side to move wins, or that it loses.
func ifProved(a proof.Answer, outcome game.Outcome) proof.Decision {
	d := proof.Decision{Known: a.Result == proof.Proved, Outcome: outcome}
	if outcome == game.Win {
		d.Wins = a
	} else {
		d.Loses = a
	}
	return d
}

// answerWin reports whether the side to move wins, with the best line, and returns the result.
func (s *solverSearch) answerWin(a proof.Answer, line []game.Move) search.Result {
	switch a.Result {
	case proof.Disproved:
		s.report(search.Info{Text: "no win"})
	case proof.Unknown:
		s.report(search.Info{Text: "unknown"})
	}
	d := ifProved(a, game.Win)
	score, bound := scoreOf(s.player.pos, d, line)
	s.report(s.withWDL(s.info(score, bound, 0, line), d.Known, d.Outcome))
	return s.answer(line)
}

// answer returns the result of a search with that best line.
func (s *solverSearch) answer(line []game.Move) search.Result {
	r := search.Result{Best: ultimategoal.Text(line[:1]), Nodes: s.nodes, Time: time.Since(s.limits.Start)}
	if len(line) > 1 {
		r.Ponder = ultimategoal.Text(line[1:2])
	}
	return r
}
