// Package shogi is shogi as a game of the engine.
package shogi

import (
	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/shogi"
	"trefoil/options"
)

const name = "shogi"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "shogi", Notation: "SFEN",
		Protocols: []options.Protocol{options.UCI, options.USI},
		New:       newPlayer,
		Perft:     perftSetup,
		Measured:  registry.Measured{Benches: benches(), AlphaBeta: alphaBeta(OwnEvaluation)},
	}
}

// perftSetup counts the game tree of an sfen. Published counts are also of positions that
// cannot occur in a game.
func perftSetup(setup string, depth int) (*registry.Perft, error) {
	if setup == "startpos" {
		setup = rules.StartSFEN
	}
	p, err := rules.ParseLoose(setup)
	if err != nil {
		return nil, err
	}
	return perft(p, depth), nil
}

// perftAtOnce is how many plies are counted without checking the context.
const perftAtOnce = 3

// perft counts the game tree of p.
func perft(p *rules.Position, depth int) *registry.Perft {
	p = p.Copy()
	return alphabetagame.Perft(p, depth, perftAtOnce, func(depth int) uint64 { return rules.Perft(p, depth) })
}
