package mate

import (
	"context"
	"errors"
	"time"

	"trefoil/game"
	"trefoil/search/proof"
)

// A Strategy has a move in every position of a proof in which the side that mates is to move.
type Strategy struct{ plans plans }

// Move returns the move in the position with this PositionKey and Clock, which may be 0 if no mate within the
// moves that are left comes too late, and within how many moves it mates, at most those left. Every reply leads
// to a position where the strategy mates sooner. It returns None in a position that is not part of the proof.
func (s Strategy) Move(position uint64, clock, left int) (m game.Move, moves int) {
	for c := clock; c == clock || c <= 100; c++ { // what mates at a later clock mates at this one
		if p := s.plans.at(position, c); p != nil && p.length > 0 && p.length <= left {
			return p.move, p.length
		}
	}
	return game.None, 0
}

// Mover chooses the moves of a strategy, for a certificate. clock is Goal.Clock of a position; nil: it is 0.
func Mover[P interface{ Key() uint64 }](s Strategy, clock func(P) int) func(context.Context, P, int) (
	game.Move, int, error) {
	if clock == nil {
		clock = func(P) int { return 0 }
	}
	return func(_ context.Context, p P, left int) (game.Move, int, error) {
		m, moves := s.Move(p.Key(), clock(p), left)
		if m == game.None {
			return m, 0, errors.New("the solver has lost a part of its proof")
		}
		return m, moves, nil
	}
}

// Prove finds out whether a side mates within p.Moves, and returns the moves of the proof if it does: the
// first that is found, with whatever the table has of it. Without a mate it returns Failed.
func (f *Finder) Prove(ctx context.Context, p Problem, opponent bool) (a Answer, err error) {
	f.nodes, f.began = 0, time.Now()
	f.reported, p.Strategy = f.began, true
	s := &subsearch{opponent: opponent, moves: p.Moves}
	for f.current = s; s.failures <= walkRetries; s.failures++ {
		r, err := f.solver.Prove(ctx, func() proof.Goal { return p.Goal(opponent, p.Moves) }, proof.Limits{})
		f.nodes += r.Nodes
		switch {
		case err != nil:
			return a, err
		case r.Result == proof.Disproved:
			a.Failed[index(opponent)] = p.Moves
			return f.finish(a), nil
		case r.Result == proof.Unknown:
			return a, context.Cause(ctx)
		case f.improve(ctx, p, s, &a):
			return f.finish(a), nil
		}
	}
	return a, errLost
}
