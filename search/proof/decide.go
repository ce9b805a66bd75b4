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
	Wins    Answer // to the goal that the side to move wins; zero if that was not searched
	Loses   Answer // to the goal that the opponent wins; likewise
}

// Decide distinguishes win, draw and loss by two searches: for the goal that the side to move wins
// and, if that is disproved, for the goal that the opponent wins. The limits are for both together.
func (s *Solver) Decide(ctx context.Context, wins, loses func() Goal, limits Limits) (d Decision, err error) {
	err = s.decide(ctx, [2]func() Goal{wins, loses}, [2]*Answer{&d.Wins, &d.Loses}, limits)
	return d.evaluated(), err
}

// DecideLossFirst is Decide with the two searches in the other order. It takes fewer nodes if the side to move
// loses, and more if it wins.
func (s *Solver) DecideLossFirst(ctx context.Context, wins, loses func() Goal, limits Limits) (d Decision, err error) {
	err = s.decide(ctx, [2]func() Goal{loses, wins}, [2]*Answer{&d.Loses, &d.Wins}, limits)
	return d.evaluated(), err
}

// decide searches a goal and, if it is disproved, another one.
func (s *Solver) decide(ctx context.Context, goals [2]func() Goal, answers [2]*Answer, limits Limits) (err error) {
	if *answers[0], err = s.Prove(ctx, goals[0], limits); err != nil || answers[0].Result != Disproved {
		return err
	}
	if limits, ok := limits.less(*answers[0]); ok {
		s.first = answers[0]
		*answers[1], err = s.Prove(ctx, goals[1], limits)
		s.first = nil
	}
	return err
}

// evaluated returns the decision with the outcome that follows from both answers.
func (d Decision) evaluated() Decision {
	d.Known = true
	switch {
	case d.Wins.Result == Proved:
		d.Outcome = game.Win
	case d.Loses.Result == Proved:
		d.Outcome = game.Loss
	case d.Wins.Result == Disproved && d.Loses.Result == Disproved:
		d.Outcome = game.Draw
	default:
		d.Known = false
	}
	return d
}

// less returns what is left of limits after a search, false if that is nothing.
func (l Limits) less(a Answer) (Limits, bool) {
	if l.Nodes > 0 {
		if a.Nodes >= l.Nodes {
			return l, false
		}
		l.Nodes -= a.Nodes
	}
	if l.Time > 0 {
		if a.Time >= l.Time {
			return l, false
		}
		l.Time -= a.Time
	}
	return l, true
}

// Nodes returns the nodes of both searches.
func (d *Decision) Nodes() uint64 { return d.Wins.Nodes + d.Loses.Nodes }

// Time returns the time of both searches.
func (d *Decision) Time() time.Duration { return d.Wins.Time + d.Loses.Time }

// Move returns the move of the side to move: the move that achieves the value or, while that is not known,
// the most-proving move.
func (d *Decision) Move() game.Move {
	switch {
	case d.Loses.Move == game.None, d.Wins.Result == Proved, d.Loses.Result == Disproved && d.Wins.Result == Unknown &&
		d.Wins.Move != game.None:
		return d.Wins.Move
	}
	return d.Loses.Move
}

// Recall is Prove without reports, for a position within a proof: usually the table has its result.
func (s *Solver) Recall(ctx context.Context, newGoal func() Goal, limits Limits) (Answer, error) {
	s.quiet = true
	defer func() { s.quiet = false }()
	return s.Prove(ctx, newGoal, limits)
}

// longest is more than the moves of any known line: the longest mate known in shogi, Microcosmos, has 1,525.
const longest = 2000

// Line returns the main line of a solved goal: winning moves of the side that reaches its goal, and the
// defences of the other side that took the most work. The line of a proved goal ends with the game, the
// line of a disproved goal where Evaluate finds the result. Positions that were replaced in the table are
// searched again, each within the limits; if these do not suffice, the line ends.
func (s *Solver) Line(ctx context.Context, newGoal func() Goal, limits Limits) (line []game.Move, err error) {
	g := newGoal()
	for len(line) < longest {
		at := line
		a, err := s.Recall(ctx, func() Goal { return replay(newGoal(), at) }, limits)
		if err != nil || a.Result == Unknown || a.Move == game.None {
			return line, err
		}
		var here Child
		if g.Evaluate(&here); a.Result == Disproved && here.Solved() {
			return line, nil
		}
		line = append(line, a.Move)
		for _, next := range g.Expand(nil, s.table) {
			if next.Move == a.Move && next.Key == 0 {
				return line, nil
			}
		}
		g.Make(a.Move)
	}
	return line, nil
}

// drawLine returns the main line of a draw, from the two goals that Decide has disproved: each side
// keeps the other from winning, until Evaluate finds that neither can. Limits are as for Line.
func (s *Solver) drawLine(ctx context.Context, wins, loses func() Goal, limits Limits) (line []game.Move, err error) {
	newGoals := [...]func() Goal{wins, loses}
	goals := [...]Goal{wins(), loses()}
	for len(line) < longest {
		var other int // the goal of the side that is not to move
		open := false
		for i, g := range goals {
			var here Child
			g.Evaluate(&here)
			open = open || !here.Solved()
			if !g.Attacking() {
				other = i
			}
		}
		if !open {
			break
		}
		at := line
		a, err := s.Recall(ctx, func() Goal { return replay(newGoals[other](), at) }, limits)
		if err != nil || a.Result != Disproved || a.Move == game.None {
			return line, err
		}
		line = append(line, a.Move)
		for _, g := range goals {
			g.Make(a.Move)
		}
	}
	return line, nil
}

// MainLine returns the main line of a decision, as far as it is found within the limits, which are for
// each position of it. It has at least the first move, unless the game is over.
func (s *Solver) MainLine(ctx context.Context, d Decision, wins, loses func() Goal,
	limits Limits) (line []game.Move, err error) {
	switch {
	case !d.Known:
	case d.Outcome == game.Win:
		line, err = s.Line(ctx, wins, limits)
	case d.Outcome == game.Loss:
		line, err = s.Line(ctx, loses, limits)
	default:
		line, err = s.drawLine(ctx, wins, loses, limits)
	}
	if m := d.Move(); len(line) == 0 && m != game.None {
		line = []game.Move{m}
	}
	return line, err
}

// replay makes moves in g, makes the position after them the root, and returns g.
func replay(g Goal, moves []game.Move) Goal {
	for _, m := range moves {
		g.Make(m)
	}
	if p, ok := g.(PathGoal); ok {
		p.SetRoot()
	}
	return g
}
