package certificate

import (
	"context"
	"fmt"

	"trefoil/game/ultimate"
)

// Value is the value of a position of Ultimate Tic-Tac-Toe for the side to move.
type Value string

// The values.
const (
	Win  Value = "win"
	Draw Value = "draw"
	Loss Value = "loss"
)

// A Strategy is what has to be shown of a side of Ultimate Tic-Tac-Toe: that it wins, or only that it does
// not lose.
type Strategy struct {
	Side ultimate.Side
	Wins bool
}

func (s Strategy) String() string {
	if s.Wins {
		return s.Side.String() + " wins"
	}
	return s.Side.String() + " does not lose"
}

// strategies returns the strategies that prove a value.
func strategies(p *ultimate.Position, v Value) ([]Strategy, error) {
	switch v {
	case Win:
		return []Strategy{{p.Side(), true}}, nil
	case Draw:
		return []Strategy{{ultimate.X, false}, {ultimate.O, false}}, nil
	case Loss:
		return []Strategy{{p.Side().Other(), true}}, nil
	}
	return nil, fmt.Errorf("value %.20q is not one of win, draw, loss", v)
}

// An UltimateMover chooses the move of a strategy in a position with its side to move.
type UltimateMover func(ctx context.Context, p ultimate.Position, s Strategy) (ultimate.Move, error)

// Ultimate returns a proof of the value of a position of Ultimate Tic-Tac-Toe.
func Ultimate(p ultimate.Position, v Value, choose UltimateMover) Proof {
	return chosen(newProof(ultimateGame(), p.String(), string(v)), choose)
}

// UltimateStrategy returns a proof that a strategy does from a position on what it should.
func UltimateStrategy(p ultimate.Position, s Strategy, choose UltimateMover) Proof {
	return chosen(Proof{rules: ultimateGame(), claim: header{Position: p.String(), Value: s.String()},
		strategies: []strategy{&ultimatePlay{s, p}}}, choose)
}

// chosen is a proof with the moves of choose.
func chosen(p Proof, choose UltimateMover) Proof {
	p.entry = func(ctx context.Context, s strategy, _ int, code string) ([]byte, error) {
		m, err := choose(ctx, decode(code), s.(*ultimatePlay).Strategy)
		return []byte{byte(m)}, err
	}
	return p
}

func ultimateGame() *rules {
	return &rules{name: "", entry: 1, strategies: func(position, value string) (list []strategy, err error) {
		p, err := ultimate.Parse(position)
		if err != nil {
			return nil, err
		}
		all, err := strategies(&p, Value(value))
		for _, s := range all {
			list = append(list, &ultimatePlay{s, p})
		}
		return list, err
	}}
}

// ultimatePlay is a Strategy from a position on.
type ultimatePlay struct {
	Strategy
	root ultimate.Position
}

// decode returns the position of a code.
func decode(code string) ultimate.Position {
	c := ultimate.Code([]byte(code))
	return c.Position()
}

func (u *ultimatePlay) text(code string) string { return decode(code).String() }

func (u *ultimatePlay) move(code, text string) ([]byte, error) {
	p := decode(code)
	m, err := p.ParseMove(text)
	return []byte{byte(m)}, err
}

func (u *ultimatePlay) withoutClock(code string) (string, int) { return code, 0 }

func (u *ultimatePlay) group() string { return u.String() }

func (u *ultimatePlay) begin(meet func(int, string) error) error {
	if u.root.Side() == u.Side {
		return u.meet(u.root, meet)
	}
	return u.replies(u.root, meet)
}

func (u *ultimatePlay) play(_ int, code string, entry []byte, meet func(int, string) error) error {
	p, m := decode(code), ultimate.Move(entry[0])
	if err := p.Check(m); err != nil {
		return &Error{p.String(), err.Error()}
	}
	return u.replies(p.Play(m), meet)
}

// replies meets the positions after all replies of the opponent in p.
func (u *ultimatePlay) replies(p ultimate.Position, meet func(int, string) error) error {
	if done, err := u.ends(&p); done || err != nil {
		return err
	}
	var buffer [ultimate.Boards * ultimate.Boards]ultimate.Move
	for _, m := range p.Moves(buffer[:0]) {
		if err := u.meet(p.Play(m), meet); err != nil {
			return err
		}
	}
	return nil
}

// meet meets a position with the side to move, unless it needs no move any more.
func (u *ultimatePlay) meet(p ultimate.Position, meet func(int, string) error) error {
	if done, err := u.ends(&p); done || err != nil {
		return err
	}
	code := p.Code()
	return meet(ultimate.Boards*ultimate.Boards-p.Left(), string(code[:]))
}

// ends reports whether the strategy has done in p what it should. It is an *Error if the game has ended
// otherwise.
func (u *ultimatePlay) ends(p *ultimate.Position) (bool, error) {
	winner, won, over := p.Over()
	switch {
	case won && winner != u.Side:
		return false, &Error{p.String(), winner.String() + " has won"}
	case over && !won && u.Wins:
		return false, &Error{p.String(), "a draw"}
	}
	return over || !u.Wins && !p.CanWin(u.Side.Other()), nil
}
