package proof

import (
	"context"
	"time"

	"trefoil/game"
)

// Decision is the value of a position as far as it is known.
type Decision struct {
	Outcome game.Outcome // for the side to move, if Known
	Known   bool
	Wins    Result // of the claim that the side to move wins
	Loses   Result // of the claim that the opponent does; zero if that was not asked
}

// Decide tells win, draw and loss apart by two proofs: that of the claim that the side to
// move wins, and unless that is proved that of the claim that the opponent does. The limits
// are for both together.
func (s *Solver) Decide(ctx context.Context, wins, loses func() Game, limits Limits) (d Decision, err error) {
	if d.Wins, err = s.Prove(ctx, wins, limits); err != nil || d.Wins.Verdict == Unknown {
		return d, err
	}
	if d.Wins.Verdict == Proved {
		d.Outcome, d.Known = game.Win, true
		return d, nil
	}
	if limits, ok := limits.less(d.Wins); ok {
		d.Loses, err = s.Prove(ctx, loses, limits)
	}
	switch d.Loses.Verdict {
	case Proved:
		d.Outcome, d.Known = game.Loss, true
	case Disproved:
		d.Outcome, d.Known = game.Draw, true
	}
	return d, err
}

// less returns what is left of limits after a search, false if that is nothing.
func (l Limits) less(r Result) (Limits, bool) {
	if l.Nodes > 0 {
		if r.Nodes >= l.Nodes {
			return l, false
		}
		l.Nodes -= r.Nodes
	}
	if l.Time > 0 {
		if r.Time >= l.Time {
			return l, false
		}
		l.Time -= r.Time
	}
	return l, true
}

// longest is more moves than a line of any game has.
const longest = 1000

// Line returns the main line of a claim that was settled: winning moves of the side that is
// right, and those that take the other side's proof the most work. A claim that holds ends
// with the end of the game, one that fails where that is seen at once. Positions that the
// table has lost are searched again, within the limits for each; where that is not enough
// the line ends.
func (s *Solver) Line(ctx context.Context, factory func() Game, limits Limits) (line []game.Move, err error) {
	g := factory()
	for len(line) < longest {
		at := line
		r, err := s.Prove(ctx, func() Game { return replay(factory(), at) }, limits)
		if err != nil || r.Verdict == Unknown || r.Move == game.None {
			return line, err
		}
		var sight game.Successor
		if g.Sight(&sight); r.Verdict == Disproved && sight.Solved() {
			return line, nil
		}
		line = append(line, r.Move)
		for _, next := range g.Expand(nil, s.table) {
			if next.Move == r.Move && next.Key == 0 {
				return line, nil
			}
		}
		g.Make(r.Move)
	}
	return line, nil
}

func replay(g Game, moves []game.Move) Game {
	for _, m := range moves {
		g.Make(m)
	}
	return g
}

// idle is the time that workers were done before the last one was.
func idle(ends []time.Time) (sum time.Duration) {
	last := ends[0]
	for _, e := range ends {
		if e.After(last) {
			last = e
		}
	}
	for _, e := range ends {
		sum += last.Sub(e)
	}
	return sum
}
