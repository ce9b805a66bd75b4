package board

import (
	"fmt"

	"trefoil/engine/registry"
	"trefoil/game"
)

// rules is a position of a game that is played by alpha-beta.
type rules[P any] interface {
	Rules
	ParseMove(text string) (game.Move, error)
	Copy() P
	Side() int
}

// played is the Position of a game whose rules are P.
type played[P rules[P]] struct {
	pos P
	// write writes a move as people do, before the move is made.
	write func(P, game.Move) Move
}

// viewOf plays moves on p and returns the view of the position.
func viewOf[P rules[P]](p P, moves []string, write func(P, game.Move) Move) (*View, error) {
	v, at := new(View), played[P]{p, write}
	var err error
	if v.Played, err = at.play(p, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	v.Side, v.Position = p.Side(), at
	if c, ok := any(p).(interface{ InCheck() bool }); ok {
		v.Check = c.InCheck()
	}
	var l game.List
	p.Moves(game.All, &l)
	for _, m := range l.All() {
		v.Legal = append(v.Legal, write(p, m))
	}
	return v, nil
}

// play makes moves on p, as far as they are legal, and writes them.
func (a played[P]) play(p P, moves []string) (texts []Move, err error) {
	err = registry.PlayMoves(moves, func(text string) error {
		m, err := p.ParseMove(text)
		if err != nil {
			return err
		}
		texts = append(texts, a.write(p, m)) // in the notation of the engine, however it was sent
		p.Make(m)
		return nil
	})
	return texts, err
}

func (a played[P]) Line(moves []string) []Move {
	texts, _ := a.play(a.pos.Copy(), moves)
	return texts
}

func (a played[P]) Key() uint64 { return a.pos.Key() }

func (a played[P]) Walk() Walk {
	p := a.pos.Copy()
	return Walk{p, func(m game.Move) Move { return a.write(p, m) }}
}
