package shogi

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
)

// checkmate is `go mate` of USI: whether the side to move mates with checks only, in
// any number of moves. It needs no other table than that for proofs.
func (p *player) checkmate(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	answer := new(search.Checkmate)
	result := search.Result{Checkmate: answer}
	ctx, cancel := clock.Checkmate(p.pos.Side(), p.Options.Clock()).Context(ctx, limits)
	defer cancel()
	table, err := p.PrepareMates(ctx, p.Options.Request().Hash, &limits, p.pos.Side(), "for mates: ", report)
	if err != nil {
		report(search.Info{Text: err.Error()})
		return result
	}
	finder := mate.New(table, p.Options.Threads.Value(), func(p mate.Progress) { report(alphabetagame.MateProgress(p)) })
	var checks game.List
	p.pos.Copy().Checks(&checks)
	problem := func(only []game.Move) mate.Problem { return mates.Shogi(p.pos, only) }
	lines, nodes, err := finder.FindLines(ctx, checks.All(), problem, p.Options.MultiPV.Value(), p.mateLimits(&limits),
		func(lines []mate.Answer) {
			for i, a := range lines {
				report(search.Info{
					Depth: len(a.Line), SelDepth: len(a.Line), MultiPV: i + 1, Score: search.Score{Mate: true, Plies: len(a.Line)},
					Nodes: a.Nodes, Time: time.Since(limits.Start), HashFull: table.Full(), PV: p.texts(a.Line),
				})
			}
		})
	if err != nil {
		report(search.Info{Text: err.Error()})
	}
	best := &lines[0]
	if best.Moves > 0 {
		report(search.Info{Text: shortestKnown(best)})
	}
	result.Nodes, result.Time = nodes, time.Since(limits.Start)
	answer.Line = p.texts(best.Line)
	answer.None = best.Over || best.Moves == 0 && best.Failed[0] == mate.Endless
	return result
}

// mateLength is the value of the option MateLength.
type mateLength int

const (
	shortMate mateLength = iota
	anyMate
	shortestMate
)

// mateLimits returns how long the search goes on for shorter mates.
func (p *player) mateLimits(l *search.Limits) mate.Limits {
	length := p.own.mateLength.Value()
	return mate.Limits{First: length == anyMate, Thorough: length == shortestMate ||
		length == shortMate && l.MoveTime == 0}
}

// shortestKnown says whether a mate is the shortest.
func shortestKnown(a *mate.Answer) string {
	plies := len(a.Line)
	if a.Shortest {
		return fmt.Sprintf("mate %d is the shortest", plies)
	}
	return fmt.Sprintf("a mate in %d to %d plies is not ruled out", 2*a.Failed[0]+1, plies-2)
}

// texts writes moves that follow the position.
func (p *player) texts(moves []game.Move) []string {
	return alphabetagame.LineTexts(p.pos.Copy(), moves)
}
