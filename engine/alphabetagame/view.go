package alphabetagame

import (
	"fmt"

	"trefoil/engine/registry"
	"trefoil/game"
)

// Viewed is what ViewOf needs of a position.
type Viewed[P any] interface {
	Rules
	Copy() P
	Side() int
	InCheck() bool
	Key() uint64
	FromMove16(bits uint16) (game.Move, bool)
}

// ViewOf plays moves on p and returns the view of the position. write writes a move as people do; it is called
// before the move is made.
func ViewOf[P Viewed[P]](p P, moves []string, write func(P, game.Move) registry.MoveText) (*registry.View, error) {
	v := new(registry.View)
	line := func(p P, moves []string) (texts []registry.MoveText, err error) {
		err = registry.PlayMoves(moves, func(text string) error {
			m, err := p.ParseMove(text)
			if err != nil {
				return err
			}
			texts = append(texts, write(p, m)) // in the notation of the engine, however it was sent
			p.Make(m)
			return nil
		})
		return texts, err
	}
	var err error
	if v.Played, err = line(p, moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	v.Side, v.Check = p.Side(), p.InCheck()
	var l game.List
	p.Moves(game.All, &l)
	for _, m := range l.All() {
		v.Legal = append(v.Legal, write(p, m))
	}
	v.Key = p.Key
	v.FromTable = func(bits uint16) (registry.MoveText, bool) {
		p := p.Copy()
		m, ok := p.FromMove16(bits)
		if !ok {
			return registry.MoveText{}, false
		}
		return write(p, m), true
	}
	v.Line = func(moves []string) []registry.MoveText {
		texts, _ := line(p.Copy(), moves)
		return texts
	}
	return v, nil
}
