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
		s.first = &d.Wins
		d.Loses, err = s.Prove(ctx, loses, limits)
		s.first = nil
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

// Nodes are those of both claims.
func (d *Decision) Nodes() uint64 { return d.Wins.Nodes + d.Loses.Nodes }

// Time is what both claims took.
func (d *Decision) Time() time.Duration { return d.Wins.Time + d.Loses.Time }

// Move is the move of the side to move: the one that the value comes of, or while that is
// not known the one that promises most.
func (d *Decision) Move() game.Move {
	if d.Loses.Move != game.None {
		return d.Loses.Move
	}
	return d.Wins.Move
}

// longest is more moves than a line of any game has.
const longest = 1000

// Line returns the main line of a claim that was settled: winning moves of the side that is
// right, and those that take the other side's proof the most work. A claim that holds ends
// with the end of the game, one that fails where that is seen at once. Positions that the
// table has lost are searched again, within the limits for each; where that is not enough
// the line ends.
func (s *Solver) Line(ctx context.Context, factory func() Game, limits Limits) (line []game.Move, err error) {
	s.quiet = true
	defer func() { s.quiet = false }()
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

// Level returns the main line of a draw, by the two claims that Decide has refuted: both
// sides play what keeps the other from winning, until it is seen at once that nobody can.
// Limits are as for Line.
func (s *Solver) Level(ctx context.Context, wins, loses func() Game, limits Limits) (line []game.Move, err error) {
	s.quiet = true
	defer func() { s.quiet = false }()
	factories := [...]func() Game{wins, loses}
	games := [...]Game{wins(), loses()}
	for len(line) < longest {
		other, open := 0, false // the claim that the side that waits wins
		for i, g := range games {
			var sight game.Successor
			g.Sight(&sight)
			open = open || !sight.Solved()
			if !g.Attacking() {
				other = i
			}
		}
		if !open {
			break
		}
		at := line
		r, err := s.Prove(ctx, func() Game { return replay(factories[other](), at) }, limits)
		if err != nil || r.Verdict != Disproved || r.Move == game.None {
			return line, err
		}
		line = append(line, r.Move)
		for _, g := range games {
			g.Make(r.Move)
		}
	}
	return line, nil
}

// Main returns the main line of what was decided, for as long as it is found within the
// limits for each position of it. At least the first move is there, unless the game is over.
func (s *Solver) Main(ctx context.Context, d Decision, wins, loses func() Game, limits Limits) (line []game.Move, err error) {
	switch {
	case !d.Known:
	case d.Outcome == game.Win:
		line, err = s.Line(ctx, wins, limits)
	case d.Outcome == game.Loss:
		line, err = s.Line(ctx, loses, limits)
	default:
		line, err = s.Level(ctx, wins, loses, limits)
	}
	if m := d.Move(); len(line) == 0 && m != game.None {
		line = []game.Move{m}
	}
	return line, err
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
