// Package connect4 is Connect Four as a game of the engine: an exact solver, and a book.
package connect4

import (
	"context"

	"trefoil/engine/registry"
	rules "trefoil/game/connect4"
	"trefoil/internal/cli"
	"trefoil/options"
)

const name = "connect4"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "Connect Four", Notation: "the columns played, such as 4453",
		Protocols: []options.Protocol{options.UCI},
		New:       newPlayer,
		WDL:       true,
		Perft:     perftSetup,
		Measured:  registry.Measured{Benches: benches()},
		Commands: []cli.Command{
			{Parent: "solve", Name: name, Help: "Solve positions of Connect Four.", Cmd: new(solveCommand)},
			{Parent: "book", Name: name, Help: "Make an opening book of Connect Four.", Cmd: new(bookCommand)},
		},
	}
}

// startpos is the empty board in text.
const startpos = "startpos"

// parseSetup reads "startpos" or the columns played from the empty board.
func parseSetup(b *rules.Board, setup string) (rules.Position, error) {
	if setup == startpos {
		setup = ""
	}
	return b.Parse(setup)
}

// perftSetup counts the game tree of a position.
func perftSetup(setup string, depth int) (*registry.Perft, error) {
	p, err := parseSetup(rules.Standard, setup)
	if err != nil {
		return nil, err
	}
	return perft(p, depth), nil
}

// perft counts the game tree of p. A game that ends sooner is no
// leaf.
func perft(p rules.Position, depth int) *registry.Perft {
	var after []rules.Position
	c := &registry.Perft{Count: func(ctx context.Context, i int) (uint64, error) { return leaves(ctx, after[i], depth-1) }}
	if _, over := p.Over(); !over {
		for col := range p.Board().Width {
			if p.CanPlay(col) {
				c.Moves, after = append(c.Moves, rules.Text(col)), append(after, p.Play(col))
			}
		}
	}
	return c
}

// leaves counts the positions after depth more stones. It checks ctx often enough to
// stop at once, also where every game ends long before depth.
func leaves(ctx context.Context, p rules.Position, depth int) (n uint64, err error) {
	if depth <= 0 {
		return 1, nil
	}
	if _, over := p.Over(); over {
		return 0, nil
	}
	if depth%6 == 0 && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	moves := p.Moves()
	if depth == 1 {
		return uint64(moves.Count()), nil
	}
	for ; !moves.IsZero(); moves = moves.And(moves.Sub(rules.Set128{Low: 1})) {
		below, err := leaves(ctx, p.Drop(moves.And(moves.Neg())), depth-1)
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}
