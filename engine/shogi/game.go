// Package shogi is shogi as a game of the engine.
package shogi

import (
	"context"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/shogi"
	"trefoil/options"
)

const name = "shogi"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "shogi", Seed: rules.Seed, Notation: "SFEN",
		Protocols: []options.Protocol{options.UCI, options.USI}, New: newPlayer,
		View: view, Record: &registry.Record{Format: "kif", Write: writeKIF}, Sides: [2]string{"Black", "White"}, Perft: perftSetup, Benches: benches(), AlphaBeta: alphaBeta(OwnEvaluation),
	}
}

// perftSetup counts the game tree of an sfen. Published counts are also of positions that
// cannot occur in a game.
func perftSetup(ctx context.Context, setup string, depth int, print func(string)) error {
	if setup == "startpos" {
		setup = rules.StartSFEN
	}
	p, err := rules.ParseLoose(setup)
	if err != nil {
		return err
	}
	return perft(ctx, p, depth, print)
}

// perftAtOnce is how many plies are counted without checking the context.
const perftAtOnce = 3

// perft prints the leaves below every move of p and their sum.
func perft(ctx context.Context, p *rules.Position, depth int, print func(string)) error {
	p = p.Copy()
	return alphabetagame.Perft(ctx, p, depth, perftAtOnce, func(depth int) uint64 { return rules.Perft(p, depth) }, print)
}
