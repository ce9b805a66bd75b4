package engine

import (
	"context"
	"time"

	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/mate"
	"trefoil/search/proof/shogigoal"
)

// checkmate is `go mate` of USI: whether the side to move mates by nothing but checks, in
// any number of moves. It needs no other table than that for proofs.
func (s *shogiVariant) checkmate(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	answer := new(search.Checkmate)
	result := search.Result{Checkmate: answer}
	ctx, cancel := clock.Checkmate(s.pos.Side(), moveOverhead(s.opts)).Context(ctx, limits)
	defer cancel()
	mib := uint64(s.opts.Hash.Value())
	if err := s.prepare(ctx, mib, &limits, s.pos.Side(), "for mates: ", report); err != nil {
		report(search.Info{Text: err.Error()})
		return result
	}
	finder := mate.New(s.proofs.Table(), s.opts.Threads.Value(), func(p mate.Progress) { report(proofProgress(p)) })
	problem := mate.Problem{Moves: mate.Endless, Alone: true, Goal: func(opponent bool, moves int) mate.Goal {
		return shogigoal.New(s.pos, shogigoal.Attacker(s.pos, opponent), moves)
	}}
	a, err := finder.Find(ctx, problem, mate.Limits{}, func(a mate.Answer) {
		report(search.Info{
			Depth: len(a.Line), SelDepth: len(a.Line), MultiPV: 1, Score: search.Score{Mate: true, Plies: len(a.Line)},
			Nodes: a.Nodes, Time: time.Since(limits.Start), HashFull: s.proofs.Table().Full(), PV: s.texts(a.Line),
		})
	})
	if err != nil {
		report(search.Info{Text: err.Error()})
	}
	result.Nodes, result.Time = a.Nodes, time.Since(limits.Start)
	answer.Line = s.texts(a.Line)
	answer.None = a.Over || a.Moves == 0 && a.Failed[0] == mate.Endless
	return result
}

// texts writes moves that follow the position.
func (s *shogiVariant) texts(moves []game.Move) (texts []string) {
	return lineTexts(s.pos.Copy(), moves)
}
