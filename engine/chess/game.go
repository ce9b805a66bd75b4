// Package chess is chess as a game of the engine.
package chess

import (
	"trefoil/engine/alphabetagame"
	"trefoil/engine/mates"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/internal/cli"
	"trefoil/options"
)

const name = "chess"

// Game returns the game.
func Game() *registry.Game {
	return &registry.Game{
		Name: name, Title: "chess", Notation: "FEN",
		Protocols: []options.Protocol{options.UCI},
		New:       newPlayer,
		WDL:       true,
		Perft:     perftSetup,
		Commands: []cli.Command{{Parent: "solve", Name: "mate", Help: "Find forced mates in positions of chess and shogi.",
			Cmd: new(mates.SolveCommand)}},
		Measured: registry.Measured{Benches: benches(), AlphaBeta: alphaBeta(OwnEvaluation)},
	}
}

// perftSetup counts the game tree of a FEN.
func perftSetup(setup string, depth int) (*registry.Perft, error) {
	p, repairs, err := parse(setup)
	if err != nil {
		return nil, err
	}
	if _, operations, fewer, err := rules.ReadEPD(setup); err == nil && operations == "" {
		repairs = fewer // numbers that are missing do not change a count
	}
	count := perft(p, depth)
	count.Notes = repairs
	return count, nil
}

// perftAtOnce is how many plies are counted without checking the context.
const perftAtOnce = 4

// perft counts the game tree of p.
func perft(p *rules.Position, depth int) *registry.Perft {
	p = p.Copy()
	return alphabetagame.Perft(p, depth, perftAtOnce, func(depth int) uint64 { return rules.Perft(p, depth) })
}
