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
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// solverSearch is one search of Ultimate Tic-Tac-Toe.
type solverSearch struct {
	player *player
	limits search.Limits
	report func(search.Info)
	solver *proof.Solver
	nodes  uint64 // of the proofs that have ended
	quiet  bool   // running proofs are not reported
}

func newSolverSearch(p *player, limits search.Limits, report func(search.Info)) *solverSearch {
	s := &solverSearch{player: p, limits: limits, report: report}
	s.solver = proof.New(p.table.Table(), proof.Options{Threads: p.options.Threads.Value(), Report: s.progress})
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

// progress reports the state of the running proof.
func (s *solverSearch) progress(p proof.Progress) {
	if s.quiet {
		return
	}
	pos, side := s.player.pos, s.player.pos.Side()
	d := proof.Decision{Wins: proof.Answer{Phi: p.Phi, Delta: p.Delta}}
	if p.Second {
		side = side.Other()
		d = proof.Decision{Wins: proof.Answer{Result: proof.Disproved}, Loses: proof.Answer{Phi: p.Phi, Delta: p.Delta}}
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
	s.report(search.Info{Text: text})
	if !p.Last && p.Move != game.None {
		score, bound := scoreOf(pos, d, nil)
		s.report(s.info(score, bound, p.Nodes, []game.Move{p.Move}))
	}
}

// position decides the position itself.
func (s *solverSearch) position(ctx context.Context) search.Result {
	p := s.player.pos
	wins, loses := goals(p)
	d, err := s.solver.Decide(ctx, wins, loses, s.limit())
	if err != nil {
		s.report(search.Info{Text: err.Error()})
	}
	s.nodes += d.Nodes()
	line, _ := s.solver.MainLine(ctx, d, wins, loses, proof.Limits{Nodes: lineNodes})
	score, bound := scoreOf(p, d, line)
	s.report(s.withWDL(s.info(score, bound, 0, line), d.Known, d.Outcome))
	return s.answer(line)
}

// win decides only whether the side to move wins.
func (s *solverSearch) win(ctx context.Context) search.Result {
	p := s.player.pos
	wins, loses := goals(p)
	r, err := s.solver.Prove(ctx, wins, s.limit())
	if err != nil {
		s.report(search.Info{Text: err.Error()})
	}
	s.nodes += r.Nodes
	d := proof.Decision{Wins: r, Known: r.Result == proof.Proved, Outcome: game.Win}
	switch r.Result {
	case proof.Disproved:
		s.report(search.Info{Text: "no win"})
	case proof.Unknown:
		s.report(search.Info{Text: "unknown"})
	}
	line, _ := s.solver.MainLine(ctx, d, wins, loses, proof.Limits{Nodes: lineNodes})
	score, bound := scoreOf(p, d, line)
	s.report(s.withWDL(s.info(score, bound, 0, line), d.Known, d.Outcome))
	return s.answer(line)
}

// answer returns the result of a search with that best line.
func (s *solverSearch) answer(line []game.Move) search.Result {
	r := search.Result{Nodes: s.nodes, Time: time.Since(s.limits.Start)}
	if len(line) > 0 {
		r.Best = ultimategoal.Text(line[:1])
	} else {
		r.Best = s.player.pos.Moves(nil)[0].String() // a search that was stopped before its first node
	}
	if len(line) > 1 {
		r.Ponder = ultimategoal.Text(line[1:2])
	}
	return r
}

// rootMove is a move of the root and what is known of it.
type rootMove struct {
	move    game.Move
	after   rules.Position
	d       proof.Decision // of the position after the move
	line    []game.Move    // with the move
	tried   bool
	decided bool
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
	return score, bound
}

// class orders moves by what is proved: won 3, at least drawn 2, unknown 1, lost 0.
func (m *rootMove) class() int {
	switch {
	case m.d.Known && m.d.Outcome == game.Loss:
		return 3
	case m.d.Known && m.d.Outcome == game.Win:
		return 0
	case m.d.Wins.Result == proof.Disproved:
		return 2
	}
	return 1
}

// moves decides each of the moves, with a growing budget for those that are undecided, until
// enough of them are known. It reports as many of the best as MultiPV says.
func (s *solverSearch) moves(ctx context.Context, list []rules.Move) search.Result {
	s.quiet = true
	wanted := min(s.player.options.MultiPV.Value(), len(list))
	all := make([]rootMove, len(list))
	for i, m := range list {
		all[i] = rootMove{move: ultimategoal.Pack(m), after: s.player.pos.Play(m)}
		all[i].line = []game.Move{all[i].move}
	}
	for budget := uint64(1 << 12); ; budget *= 4 {
		open := 0
		for i := range all {
			m := &all[i]
			if !m.decided && !(m.tried && (ctx.Err() != nil || s.spent())) {
				s.searchMove(ctx, m, budget)
			}
			if !m.decided {
				open++
			}
		}
		sorted := s.sort(all)
		done := open == 0 || sorted[wanted-1].class() == 3 || ctx.Err() != nil || s.spent()
		s.list(sorted[:wanted])
		if done {
			return s.answer(sorted[0].line)
		}
	}
}

// searchMove spends a budget of nodes on a move.
func (s *solverSearch) searchMove(ctx context.Context, m *rootMove, budget uint64) {
	m.tried = true
	if winner, won, over := m.after.Over(); over {
		m.decided, m.d.Known = true, true
		if m.d.Outcome = game.Draw; won {
			m.d.Outcome = game.Loss // for the side to move
			if winner == m.after.Side() {
				m.d.Outcome = game.Win
			}
		}
		return
	}
	limits := s.limit()
	if limits.Nodes == 0 || limits.Nodes > budget {
		limits.Nodes = budget
	}
	wins, loses := goals(m.after)
	m.d, _ = s.solver.Decide(ctx, wins, loses, limits)
	s.nodes += m.d.Nodes()
	line, _ := s.solver.MainLine(ctx, m.d, wins, loses, proof.Limits{Nodes: lineNodes})
	m.line = append(m.line[:1:1], line...)
	m.decided = m.d.Known
}

// sort returns the moves with the best first.
func (s *solverSearch) sort(all []rootMove) []rootMove {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b rootMove) int {
		x, _ := a.score()
		y, _ := b.score()
		return cmp.Or(cmp.Compare(b.class(), a.class()), cmp.Compare(y.Centipawns, x.Centipawns), cmp.Compare(x.Plies, y.Plies))
	})
	return sorted
}

// list reports moves that are sorted.
func (s *solverSearch) list(best []rootMove) {
	for n := range best {
		m := &best[n]
		score, bound := m.score()
		i := s.withWDL(s.info(score, bound, 0, m.line), m.d.Known, -m.d.Outcome)
		i.MultiPV = n + 1
		s.report(i)
	}
}
