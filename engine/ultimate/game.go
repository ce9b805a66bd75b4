// Package ultimate is Ultimate Tic-Tac-Toe as a game of the engine: proof search solves positions,
// alpha-beta plays positions that are not solved.
package ultimate

import (
	"context"

	"trefoil/engine/registry"
	rules "trefoil/game/ultimate"
	"trefoil/internal/cli"
	"trefoil/options"
)

const name = "ultimate"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "Ultimate Tic-Tac-Toe", Notation: "side;big board;nine boards, as in docs/uci.md",
		Protocols: []options.Protocol{options.UCI},
		New:       newPlayer,
		WDL:       true,
		Perft:     perftSetup,
		Measured:  registry.Measured{Benches: benches()},
		Commands: []cli.Command{
			{Parent: "solve", Name: name, Help: "Solve positions of Ultimate Tic-Tac-Toe.",
				Cmd: new(solveCommand)},
		},
	}
}

// parseSetup reads "startpos" or a position.
func parseSetup(setup string) (rules.Position, error) {
	if setup == "startpos" {
		return rules.Start(), nil
	}
	return rules.Parse(setup)
}

// perftSetup counts the game tree of a position.
func perftSetup(setup string, depth int) (*registry.Perft, error) {
	p, err := parseSetup(setup)
	if err != nil {
		return nil, err
	}
	return perft(p, depth), nil
}

// perft counts the game tree of p. A game that ends sooner is no
// leaf.
func perft(p rules.Position, depth int) *registry.Perft {
	moves := p.Moves(nil)
	c := &registry.Perft{Count: func(ctx context.Context, i int) (uint64, error) {
		return leaves(ctx, p.Play(moves[i]), depth-1)
	}}
	for _, m := range moves {
		c.Moves = append(c.Moves, m.String())
	}
	return c
}

// leaves counts the positions after depth more moves. It checks ctx often enough to stop at
// once.
func leaves(ctx context.Context, p rules.Position, depth int) (n uint64, err error) {
	if depth <= 0 {
		return 1, nil
	}
	if depth%4 == 0 && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var buffer [81]rules.Move
	moves := p.Moves(buffer[:0])
	if depth == 1 {
		return uint64(len(moves)), nil
	}
	for _, m := range moves {
		below, err := leaves(ctx, p.Play(m), depth-1)
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}
