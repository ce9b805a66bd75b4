package exact

import (
	"context"
	"time"

	"trefoil/game/connect4"
)

// Column is the value of one move for the side that makes it.
type Column struct {
	Col  int  // from 0 on
	Full bool // there is no such move: the column is full, or the game is over
	Result
}

// Analyze finds the score of every column. report, if not nil, is called for the column being solved, as
// Solve calls it. The limits are for all columns together; columns not solved within them have bounds.
func (s *Solver) Analyze(ctx context.Context, p connect4.Position, l Limits, report func(Column)) []Column {
	columns := make([]Column, p.Board().Width)
	q := newQuota(ctx, l, time.Now())
	_, over := p.Over()
	for col := range columns {
		c := &columns[col]
		c.Col, c.Full = col, over || !p.CanPlay(col)
		if c.Full {
			continue
		}
		var progress func(Result)
		if report != nil {
			progress = func(r Result) {
				c.Result = r.negate()
				report(*c)
			}
		}
		c.Result = s.solve(p.Play(col), q, progress).negate()
		q.used += c.Nodes
	}
	return columns
}

// negate returns the result for the other side.
func (r Result) negate() Result {
	r.Score, r.Lower, r.Upper = -r.Score, -r.Upper, -r.Lower
	return r
}

// Line returns a line of perfect play as columns, from 0 on: the winner wins as soon, and the loser
// loses as late, as possible. It ends with the game, or earlier if ctx or the limits end it.
func (s *Solver) Line(ctx context.Context, p connect4.Position, l Limits) []int {
	strong := Solver{s.prover, false}
	q := newQuota(ctx, l, time.Now())
	r := strong.solve(p, q, nil)
	q.used += r.Nodes
	var line []int
	for score := r.Score; r.Exact; score = -score {
		col, used := strong.best(p, score, q)
		if col < 0 {
			break
		}
		q.used += used
		line = append(line, col)
		p = p.Play(col)
	}
	return line
}

// best returns a column that preserves the score of p, and the nodes of the search for it; −1 if
// the game is over or the quota is used up.
func (s *Solver) best(p connect4.Position, score int, q quota) (col int, used uint64) {
	if _, over := p.Over(); over {
		return -1, 0
	}
	hint := s.Hint(p)
	for i := range p.Board().Width + 1 {
		col := hint // first, and only once
		if i > 0 {
			col = p.Board().MiddleFirst[i-1]
		}
		if !p.CanPlay(col) || i > 0 && col == hint {
			continue
		}
		r := s.atMost(p.Play(col), -score, q)
		used += r.Nodes
		q.used += r.Nodes
		if r.Upper <= -score {
			return col, used
		}
	}
	return -1, used
}

// atMost tightens the bounds of p until they decide whether its score is at most score.
func (s *Solver) atMost(p connect4.Position, score int, q quota) (r Result) {
	if _, over := p.Over(); over {
		return s.solve(p, q, nil)
	}
	r.Lower, r.Upper = s.prover.open(p, q)
	if r.Lower <= score && score < r.Upper {
		if bound, ok := s.prover.ask(score + 1); ok && bound <= score {
			r.Upper = bound
		}
		r.Nodes = s.prover.nodes()
	}
	return r
}
