package chess

import (
	"context"
	"fmt"
	"time"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/mates"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
	"trefoil/window"
)

// goMate is one `go mate` of chess: a short alpha-beta search, so that there is always a move;
// then proof search; and if that finds no mate, an alpha-beta search with what the limits have left.
type goMate struct {
	player      *player
	limits      search.Limits
	report      func(search.Info)
	table       *window.Table
	moves       int // the longest mate of interest
	budget      time.Duration
	preview     search.Result // of the short search
	previewInfo search.Info   // its last report
	nodes       uint64        // of all searches that have ended
}

const (
	// The short search has at most previewNodes, and one part in previewPart of the time.
	previewNodes = 3000
	previewPart  = 20
	// The last search has fallBackNodes if nothing limits it. Proof search leaves it one part in
	// reservePart of the time, at most maxReserve, and one part in nodesPart of the nodes.
	fallBackNodes = 200000
	reservePart   = 50
	maxReserve    = 200 * time.Millisecond
	nodesPart     = 20
)

// goMate looks for a mate within the limits.
func (p *player) goMate(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	m := &goMate{player: p, limits: limits, report: report, moves: min(limits.Mate, chessgoal.MaxMoves)}
	timing := clock.Solver(p.pos.Side(), clock.UnknownLength, p.Options.Clock())
	budget, _ := timing.Budget(&limits, limits.Clock)
	m.budget = budget.Maximum
	if m.searchPreview(ctx); m.preview.Best == "" {
		report(m.previewInfo)
		return m.preview
	}
	var err error
	if m.table, err = p.PrepareMates(ctx, p.TableSize(), &limits, p.pos.Side(), "for mates, beside the hash: ",
		report); err != nil {
		report(search.Info{Text: err.Error()})
		return m.fallBack(ctx)
	}
	timing.Reserve = min(m.budget/reservePart, maxReserve)
	within, cancel := timing.Context(ctx, limits)
	defer cancel()
	chessgoal.Prepare(within, p.pos)
	finder := mate.New(m.table, p.Options.Threads.Value(), func(p mate.Progress) { report(alphabetagame.MateProgress(p)) })
	first := m.firstMoves()
	problem := func(only []game.Move) mate.Problem { return m.problem(first, only) }
	lines, nodes, err := finder.FindLines(within, first, problem, m.player.Options.MultiPV.Value(), m.proofLimits(),
		m.reportMates)
	a := &lines[0]
	m.nodes += nodes
	switch {
	case err != nil:
		report(search.Info{Text: err.Error()})
	case a.Moves > 0:
		return m.found(lines)
	case a.Failed[0] >= m.moves:
		report(search.Info{Text: fmt.Sprintf("no mate in %d", m.moves)})
	default:
		report(search.Info{Text: "unknown"})
	}
	return m.fallBack(ctx)
}

// searchPreview makes the short search, which reports nothing but messages: they are given only once.
func (m *goMate) searchPreview(ctx context.Context) {
	l := search.Limits{Start: m.limits.Start, Nodes: previewNodes, MoveTime: m.budget / previewPart,
		SearchMoves: m.limits.SearchMoves}
	if m.limits.Nodes > 0 {
		l.Nodes = min(l.Nodes, max(m.limits.Nodes/10, 1))
	}
	settings := m.player.Settings(m.report)
	settings.Closing = nil // the counts of a search that is not shown
	m.preview = m.player.alphaBeta(ctx, l, settings, func(i search.Info) {
		switch {
		case i.Text != "":
			m.report(i)
		case i.CurrMove == "" && i.MultiPV <= 1:
			m.previewInfo = i
		}
	})
	m.nodes = m.preview.Nodes
}

// firstMoves returns the moves that a mate may begin with.
func (m *goMate) firstMoves() []game.Move {
	p := m.player.pos
	if len(m.limits.SearchMoves) == 0 {
		var all game.List
		p.Copy().Moves(game.All, &all)
		return all.All()
	}
	var only []game.Move
	for _, text := range m.limits.SearchMoves {
		if move, err := p.ParseMove(text); err == nil {
			only = append(only, move)
		}
	}
	return only
}

// problem returns the position with the moves that a mate may begin with: only, or all if only is nil.
// first are the moves that searchmoves allows.
func (m *goMate) problem(first, only []game.Move) mate.Problem {
	if only == nil && len(m.limits.SearchMoves) > 0 {
		only = first
	}
	problem := mates.Chess(m.player.pos, m.moves, only)
	problem.OneLength, problem.Longer = m.told(), min(2*m.moves+4, chessgoal.MaxMoves)
	return problem
}

// told reports whether the length of the mate is given.
func (m *goMate) told() bool { return m.limits.Mate != search.AnyMate }

// endless reports whether the user ends the search.
func (m *goMate) endless() bool { return m.limits.Infinite || m.limits.Ponder }

// proofLimits returns the limits of proof search. Where the length is given the first mate is the answer. Otherwise,
// and if the user ends the search, it continues to the shortest. Limits of time or nodes are used up for mates by the
// opponent, too.
func (m *goMate) proofLimits() mate.Limits {
	l := mate.Limits{
		Thorough: m.endless() || m.budget > 0 || m.limits.Nodes > 0,
		First:    m.told() && !m.endless(),
		Brief:    !m.endless() && m.budget == 0 && m.limits.Nodes == 0,
	}
	if n := m.limits.Nodes; n > 0 {
		l.Nodes = max(n-min(n, m.nodes+n/nodesPart), 1)
	}
	return l
}

// reportMates reports the lines that mate, the best first.
func (m *goMate) reportMates(lines []mate.Answer) {
	nodes := uint64(0)
	for i := range lines {
		nodes = max(nodes, lines[i].Nodes)
	}
	for i := range lines {
		a := &lines[i]
		plies := len(a.Line)
		score, wdl := search.Score{Mate: true, Plies: plies}, search.WDL{1000, 0, 0}
		if a.Opponent {
			score.Plies, wdl = -plies, search.WDL{0, 0, 1000}
		}
		info := search.Info{
			Depth: plies, SelDepth: plies, MultiPV: i + 1, Score: score, Nodes: nodes + m.preview.Nodes,
			Time: time.Since(m.limits.Start), HashFull: m.table.Full(), PV: m.texts(a.Line),
		}
		if m.player.Options.ShowWDL.Value() {
			info.WDL = &wdl
		}
		m.report(info)
	}
}

// found returns the result when there is a mate.
func (m *goMate) found(lines []mate.Answer) search.Result {
	a, side := &lines[0], 0
	if a.Opponent {
		side = 1
	}
	if a.Moves > m.moves && a.Failed[0] >= m.moves {
		m.report(search.Info{Text: fmt.Sprintf("no mate in %d", m.moves)})
	}
	if !a.Shortest && (a.Moves > m.moves || m.endless() || !m.told()) {
		m.report(search.Info{Text: fmt.Sprintf("a mate in %d to %d is not ruled out", a.Failed[side]+1, a.Moves-1)})
	}
	m.reportMates(lines)
	line := m.texts(a.Line)
	r := search.Result{Best: line[0], Nodes: m.nodes, Time: time.Since(m.limits.Start)}
	if len(line) > 1 {
		r.Ponder = line[1]
	}
	return r
}

// fallBack returns the result if no mate is found: the result of an alpha-beta search with what the limits
// have left, or of the short search if nothing is left.
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
		l.Nodes = fallBackNodes
	}
	if ctx.Err() != nil || m.limits.Ponder || timed && l.MoveTime <= 0 || l.Nodes > 0 && l.Nodes <= m.preview.Nodes {
		m.previewInfo.Nodes, m.preview.Nodes = 0, 0
		m.reportUnproved(m.previewInfo)
	} else {
		m.preview = m.player.alphaBeta(ctx, l, m.player.Settings(m.reportUnproved), m.reportUnproved)
	}
	m.preview.Nodes += m.nodes
	return m.preview
}

// reportUnproved reports a line of alpha-beta, with the nodes and time of the proofs before it, and a mate as
// centipawns: the mates that `go mate` reports are proved, and a search that is stopped may not have searched all
// moves.
func (m *goMate) reportUnproved(i search.Info) {
	i.Score = search.Score{Centipawns: i.Score.Value()}
	if i.Text == "" && i.CurrMove == "" {
		i.Nodes += m.nodes
		i.Time = time.Since(m.limits.Start)
	}
	m.report(i)
}

// texts writes moves that follow the position.
func (m *goMate) texts(moves []game.Move) []string {
	return alphabetagame.LineTexts(m.player.pos.Copy(), moves)
}
