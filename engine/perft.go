package engine

import (
	"context"
	"fmt"
	"time"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/shogi"
)

// tree is a position whose game tree can be counted.
type tree interface {
	Moves(game.Kind, *game.List)
	Make(game.Move)
	Undo()
	Text(game.Move) string
}

// atOnce is how deep a tree is counted without looking whether to go on.
const (
	atOnceChess = 4
	atOnceShogi = 3
)

// Perft prints the leaves below every move of pos and, on the last line, their
// sum. It ends early with ctx, and says so.
func Perft(ctx context.Context, pos *chess.Position, depth int, print func(string)) error {
	pos = pos.Copy()
	c := counter{pos: pos, atOnce: atOnceChess, count: func(depth int) uint64 { return chess.Perft(pos, depth) }}
	return c.perft(ctx, depth, print)
}

// PerftShogi is Perft for shogi.
func PerftShogi(ctx context.Context, pos *shogi.Position, depth int, print func(string)) error {
	pos = pos.Copy()
	c := counter{pos: pos, atOnce: atOnceShogi, count: func(depth int) uint64 { return shogi.Perft(pos, depth) }}
	return c.perft(ctx, depth, print)
}

// counter counts a tree: the upper part here, what is atOnce or less deep by count.
type counter struct {
	pos    tree
	atOnce int
	count  func(depth int) uint64
}

func (c *counter) perft(ctx context.Context, depth int, print func(string)) error {
	start, total := time.Now(), uint64(0)
	var l game.List
	c.pos.Moves(game.All, &l)
	for _, m := range l.All() {
		c.pos.Make(m)
		n, err := c.leaves(ctx, depth-1)
		c.pos.Undo()
		if err != nil {
			return fmt.Errorf("perft: stopped after %d leaves", total+n)
		}
		print(fmt.Sprintf("%s: %d", c.pos.Text(m), n))
		total += n
	}
	d := max(time.Since(start), time.Microsecond)
	print(fmt.Sprintf("time %d ms, %.1f million leaves a second", d.Milliseconds(), float64(total)/d.Seconds()/1e6))
	print(fmt.Sprintf("Nodes searched: %d", total))
	return nil
}

// leaves counts, looking at ctx often enough to stop at once.
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
