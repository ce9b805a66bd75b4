package certificate

import (
	"context"
	"fmt"

	"trefoil/game/ultimate"
)

// An Error says in which position a strategy fails, and why.
type Error struct {
	Position ultimate.Position
	Problem  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: position %v", e.Problem, e.Position) }

// A checker plays a strategy against all replies.
type checker struct {
	Strategy
	choose   func(ultimate.Position) (ultimate.Move, error)
	most     *moves // bounds the positions, unless nil
	done     *uint64
	progress func(positions uint64)
}

// reportPositions is how many positions are checked between two looks at the context, and two reports.
const reportPositions = 1 << 14

// levels are the positions that have been met and have no move yet, by the empty cells of their open
// boards. A move takes at least one empty cell, so no position of a level is met after the first position
// of that level has its move.
type levels [ultimate.Boards*ultimate.Boards + 1]level

// check returns nil if the strategy does what it should from a position on, else an *Error, or an error
// from choose, the context or temporary files.
func (c *checker) check(ctx context.Context, p ultimate.Position) error {
	var met levels
	for i := range met {
		met[i].left = c.left
		defer met[i].close()
	}
	meet := c.replies
	if p.Side() == c.Side {
		meet = c.meet
	}
	if err := meet(p, &met); err != nil {
		return err
	}
	for i := len(met) - 1; i >= 0; i-- {
		err := met[i].each(func(code ultimate.Code) error {
			if *c.done%reportPositions == 0 {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				c.progress(*c.done)
			}
			*c.done++
			return c.play(code.Position(), &met)
		})
		if err != nil {
			return err
		}
		met[i].close()
	}
	return nil
}

// left is the number of positions that may still come.
func (c *checker) left() uint64 {
	if c.most == nil {
		return 1 << 62
	}
	return c.most.left()
}

// play makes the move of the strategy in a position, and adds the positions after all replies.
func (c *checker) play(p ultimate.Position, to *levels) error {
	m, err := c.choose(p)
	if err != nil {
		return err
	}
	if err := p.Check(m); err != nil {
		return &Error{p, err.Error()}
	}
	return c.replies(p.Play(m), to)
}

// replies adds the positions after all replies of the opponent in p.
func (c *checker) replies(p ultimate.Position, to *levels) error {
	if done, err := c.ends(&p); done || err != nil {
		return err
	}
	var buffer [ultimate.Boards * ultimate.Boards]ultimate.Move
	for _, m := range p.Moves(buffer[:0]) {
		if err := c.meet(p.Play(m), to); err != nil {
			return err
		}
	}
	return nil
}

// meet adds a position with the side to move, unless it needs no move any more.
func (c *checker) meet(p ultimate.Position, to *levels) error {
	if done, err := c.ends(&p); done || err != nil {
		return err
	}
	return to[p.Left()].add(p.Code())
}

// ends reports whether the strategy has done in p what it should. It is an *Error if the game has ended otherwise.
func (c *checker) ends(p *ultimate.Position) (bool, error) {
	winner, won, over := p.Over()
	switch {
	case won && winner != c.Side:
		return false, &Error{*p, winner.String() + " has won"}
	case over && !won && c.Wins:
		return false, &Error{*p, "a draw"}
	}
	return over || !c.Wins && !p.CanWin(c.Side.Other()), nil
}
