package chess

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/alphabetagame"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

// goMate is one `go mate` of chess: a short usual search, so that there is a move at any
// moment; then the proofs; and unless they find a mate, a usual search with what is left.
type goMate struct {
	player *player
	limits search.Limits
	report func(search.Info)
	table  *window.Table
	moves  int // the longest mate of interest
	budget time.Duration
	usual  search.Result // of the short search
	last   search.Info   // its report
	nodes  uint64        // of the usual search
}

const (
	// preview is how many nodes the usual search has before the proofs.
	preview = 3000
	// afterwards is how many it has after them if nothing limits it.
	afterwards = 200000
	// previewPart is the part of the time, one in so many, that it has before the proofs.
	previewPart = 20
	// reservePart and mostReserve are what the proofs leave it of the time.
	reservePart = 50
	mostReserve = 200 * time.Millisecond
)

// goMate looks for a mate within the limits.
func (p *player) goMate(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	m := &goMate{player: p, limits: limits, report: report, moves: min(limits.Mate, chessgoal.MostMoves)}
	timing := clock.Solver(p.pos.Side(), clock.UnknownLength, p.Options.Clock())
	budget, _ := timing.Budget(&limits, limits.Clock)
	m.budget = budget.Maximum
	if m.first(ctx); m.usual.Best == "" {
		report(m.last)
		return m.usual
	}
	var err error
	if m.table, err = p.PrepareMates(ctx, p.TableMiB(), &limits, p.pos.Side(), "for mates, beside the hash: ", report); err != nil {
		report(search.Info{Text: err.Error()})
		return m.fallBack(ctx)
	}
	timing.Reserve = min(m.budget/reservePart, mostReserve)
	within, cancel := timing.Context(ctx, limits)
	defer cancel()
	finder := mate.New(m.table, p.Options.Threads.Value(), func(p mate.Progress) { report(alphabetagame.MateProgress(p)) })
	a, err := finder.Find(within, m.problem(), m.proofLimits(), func(a mate.Answer) { m.tell(&a) })
	m.nodes += a.Nodes
	switch {
	case err != nil:
		report(search.Info{Text: err.Error()})
	case a.Moves > 0:
		return m.found(&a)
	case a.Failed[0] == m.moves:
		report(search.Info{Text: fmt.Sprintf("no mate in %d", m.moves)})
	default:
		report(search.Info{Text: "unknown"})
	}
	return m.fallBack(ctx)
}

// first makes a short usual search, of which nothing is reported.
func (m *goMate) first(ctx context.Context) {
	l := search.Limits{Start: m.limits.Start, Nodes: preview, MoveTime: m.budget / previewPart, SearchMoves: m.limits.SearchMoves}
	if m.limits.Nodes > 0 {
		l.Nodes = min(l.Nodes, max(m.limits.Nodes/10, 1))
	}
	m.usual = m.player.alphaBeta(ctx, l, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" && i.MultiPV <= 1 {
			m.last = i
		}
	})
	m.nodes = m.usual.Nodes
}

// problem is the position with the moves that are to be searched.
func (m *goMate) problem() mate.Problem {
	p := m.player.pos
	var only []game.Move
	for _, text := range m.limits.SearchMoves {
		if move, err := p.ParseMove(text); err == nil {
			only = append(only, move)
		}
	}
	return mateProblem(p, m.moves, only)
}

// proofLimits leaves a part of the nodes to the usual search. Where time or the user ends the
// search, or the length is left open, it goes on to the shortest mate.
func (m *goMate) proofLimits() mate.Limits {
	l := mate.Limits{Thorough: m.limits.Infinite || m.limits.Ponder}
	if m.limits.Mate == search.AnyMate {
		l.Thorough = l.Thorough || m.budget > 0 || m.limits.Nodes > 0
	}
	if n := m.limits.Nodes; n > 0 {
		l.Nodes = max(n-min(n, m.nodes)-n/20, 1)
	}
	return l
}

// tell reports a mate.
func (m *goMate) tell(a *mate.Answer) {
	plies := len(a.Line)
	score := search.Score{Mate: true, Plies: plies}
	if a.Opponent {
		score.Plies = -plies
	}
	i := search.Info{
		Depth: plies, SelDepth: plies, MultiPV: 1, Score: score, Nodes: a.Nodes + m.usual.Nodes,
		Time: time.Since(m.limits.Start), HashFull: m.table.Full(), PV: m.texts(a.Line),
	}
	if m.player.Options.ShowWDL.Value() {
		wdl := expected(score)
		i.WDL = &wdl
	}
	m.report(i)
}

// found is the answer when there is a mate.
func (m *goMate) found(a *mate.Answer) search.Result {
	if !a.Shortest {
		side := 0
		if a.Opponent {
			side = 1
		}
		m.report(search.Info{Text: fmt.Sprintf("a mate in %d to %d is not ruled out", a.Failed[side]+1, a.Moves-1)})
	}
	m.tell(a)
	line := m.texts(a.Line)
	r := search.Result{Best: line[0], Nodes: m.nodes, Time: time.Since(m.limits.Start)}
	if len(line) > 1 {
		r.Ponder = line[1]
	}
	return r
}

// fallBack is the answer when there is none: that of a usual search with what the limits
// have left, or that of the short one if they have nothing.
func (m *goMate) fallBack(ctx context.Context) search.Result {
	l := search.Limits{
		Start: time.Now(), Depth: m.limits.Depth, Infinite: m.limits.Infinite, SearchMoves: m.limits.SearchMoves,
	}
	timed := m.budget > 0 && !l.Infinite
	if timed {
		l.MoveTime = time.Until(m.limits.Start.Add(m.budget))
	}
	if n := m.limits.Nodes; n > 0 {
		l.Nodes = max(n, m.nodes+1) - m.nodes
	}
	if !timed && !l.Infinite && l.Nodes == 0 && l.Depth == 0 {
		l.Nodes = afterwards
	}
	if ctx.Err() != nil || m.limits.Ponder || timed && l.MoveTime <= 0 || l.Nodes > 0 && l.Nodes <= m.usual.Nodes {
		m.last.Time = time.Since(m.limits.Start)
		m.report(unproved(m.last))
		return m.usual
	}
	return m.player.alphaBeta(ctx, l, func(i search.Info) { m.report(unproved(i)) })
}

// unproved is a report of the usual search, in which a mate is not shown as one: those of
// `go mate` are proved, and a usual search that is stopped may not have looked at all moves.
func unproved(i search.Info) search.Info {
	const best = 32000
	if i.Score.Mate {
		cp := best - i.Score.Plies
		if i.Score.Plies <= 0 {
			cp = -best - i.Score.Plies
		}
		i.Score = search.Score{Centipawns: cp}
	}
	return i
}

// texts writes moves that follow the position.
func (m *goMate) texts(moves []game.Move) []string {
	return alphabetagame.LineTexts(m.player.pos.Copy(), moves)
}
