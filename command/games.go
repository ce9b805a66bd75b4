package command

import (
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/internal/cli"
)

// gameVars are the variables of the tags in this package: the version, and the names of all games,
// of those played by alpha-beta, and of all benches.
func gameVars() kong.Vars {
	games := engine.Games()
	return kong.Vars{
		"version":   versionLine(),
		"games":     strings.Join(games.Names(), ","),
		"alphabeta": strings.Join(games.Names(registry.PlayedByAlphaBeta), ","),
		"benches":   strings.Join(games.BenchNames(), ","),
	}
}

// gameCommands are the subcommands of single games.
func gameCommands() []cli.Command {
	return []cli.Command{
		{Parent: "solve", Name: "connect4", Help: "Solve positions of Connect Four.", New: func() any { return &solveConnect4{} }},
		{Parent: "solve", Name: "ultimate", Help: "Solve positions of Ultimate Tic-Tac-Toe.", New: func() any { return &solveUltimate{} }},
		{Parent: "solve", Name: "mate", Help: "Find forced mates in positions of chess.", New: func() any { return &solveMate{} }},
		{Parent: "book", Name: "connect4", Help: "Make an opening book of Connect Four.", New: func() any { return &bookConnect4{} }},
	}
}
