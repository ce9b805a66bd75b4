package shogi

import (
	"context"
	"time"

	"trefoil/engine/alphabetagame"
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
	mib := uint64(p.Options.Hash.Value())
	table, err := p.PrepareMates(ctx, mib, &limits, p.pos.Side(), "for mates: ", report)
	if err != nil {
		report(search.Info{Text: err.Error()})
		return result
	}
	finder := mate.New(table, p.Options.Threads.Value(), func(p mate.Progress) { report(alphabetagame.MateProgress(p)) })
	a, err := finder.Find(ctx, mateProblem(p.pos), mate.Limits{}, func(a mate.Answer) {
		report(search.Info{
			Depth: len(a.Line), SelDepth: len(a.Line), MultiPV: 1, Score: search.Score{Mate: true, Plies: len(a.Line)},
			Nodes: a.Nodes, Time: time.Since(limits.Start), HashFull: table.Full(), PV: p.texts(a.Line),
		})
	})
	if err != nil {
		report(search.Info{Text: err.Error()})
	}
	result.Nodes, result.Time = a.Nodes, time.Since(limits.Start)
	answer.Line = p.texts(a.Line)
	answer.None = a.Over || a.Moves == 0 && a.Failed[0] == mate.Endless
	return result
}

// texts writes moves that follow the position.
func (p *player) texts(moves []game.Move) []string {
	return alphabetagame.LineTexts(p.pos.Copy(), moves)
}
