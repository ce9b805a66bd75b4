package alphabetagame

import (
	"context"

	"trefoil/engine/registry"
	"trefoil/game"
)

// Tree is a position whose game tree can be counted.
type Tree interface {
	Moves(game.Kind, *game.List)
	Make(game.Move)
	Undo()
	Text(game.Move) string
}

// Perft counts the game tree of pos, which it uses. count counts trees of atOnce plies or fewer; it cannot be
// interrupted.
func Perft(pos Tree, depth, atOnce int, count func(depth int) uint64) *registry.Perft {
	c := counter{pos: pos, atOnce: atOnce, count: count}
	var l game.List
	pos.Moves(game.All, &l)
	moves := l.All()
	p := &registry.Perft{Speed: true, Count: func(ctx context.Context, i int) (uint64, error) {
		pos.Make(moves[i])
		defer pos.Undo()
		return c.leaves(ctx, depth-1)
	}}
	for _, m := range moves {
		p.Moves = append(p.Moves, pos.Text(m))
	}
	return p
}

// counter counts a tree: the upper part here, trees of atOnce plies by count.
type counter struct {
	pos    Tree
	atOnce int
	count  func(depth int) uint64
}

// leaves counts the leaves below the position and checks ctx often.
func (c *counter) leaves(ctx context.Context, depth int) (n uint64, err error) {
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case depth <= 0:
		return 1, nil
	case depth <= c.atOnce:
		return c.count(depth), nil
	}
	var l game.List
	c.pos.Moves(game.All, &l)
	for _, m := range l.All() {
		c.pos.Make(m)
		below, err := c.leaves(ctx, depth-1)
		c.pos.Undo()
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}
