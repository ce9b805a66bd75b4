// Package chess is chess as a game of the engine.
package chess

import (
	"context"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/internal/cli"
	"trefoil/options"
)

const name = "chess"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "chess", Seed: rules.Seed, Notation: "FEN",
		Protocols: []options.Protocol{options.UCI}, New: newPlayer, WDL: true,
		View: view, Record: &registry.Record{Format: "pgn", Write: writePGN}, Sides: [2]string{"White", "Black"}, Variants: variants, Perft: perftSetup, Benches: benches(), AlphaBeta: alphaBeta(OwnEvaluation),
		Commands: []cli.Command{{Parent: "solve", Name: "mate", Help: "Find forced mates in positions of chess.", New: func() any { return new(solveCommand) }}},
	}
}

// perftSetup counts the game tree of a FEN, and before that prints what was repaired.
func perftSetup(ctx context.Context, setup string, depth int, print func(string)) error {
	p, repairs, err := parse(setup)
	if err != nil {
		return err
	}
	for _, repair := range repairs {
		print(repair)
	}
	return perft(ctx, p, depth, print)
}

// perftAtOnce is how many plies are counted without checking the context.
const perftAtOnce = 4

// perft prints the leaves below every move of p and their sum.
func perft(ctx context.Context, p *rules.Position, depth int, print func(string)) error {
	p = p.Copy()
	return alphabetagame.Perft(ctx, p, depth, perftAtOnce, func(depth int) uint64 { return rules.Perft(p, depth) }, print)
}
