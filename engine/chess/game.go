// Package chess is chess as a game of the engine.
package chess

import (
	"context"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
)

const name = "chess"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "chess", Seed: rules.Seed,
		Perft: perftSetup, Benches: benches(), AlphaBeta: alphaBeta(),
	}
}

// perftSetup counts the game tree of a FEN.
func perftSetup(ctx context.Context, setup string, depth int, print func(string)) error {
	if setup == "startpos" {
		setup = rules.StartFEN
	}
	p, err := rules.ParseFEN(setup)
	if err != nil {
		return err
	}
	return Perft(ctx, p, depth, print)
}

// perftAtOnce is how many plies are counted without checking the context.
const perftAtOnce = 4

// Perft prints the leaves below every move of p and their sum.
func Perft(ctx context.Context, p *rules.Position, depth int, print func(string)) error {
	p = p.Copy()
	return alphabetagame.Perft(ctx, p, depth, perftAtOnce, func(depth int) uint64 { return rules.Perft(p, depth) }, print)
}
