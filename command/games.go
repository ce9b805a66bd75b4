package command

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/internal/cli"
)

// vars are the variables of the tags in this package.
func vars() kong.Vars {
	games := engine.Games()
	return kong.Vars{
		"version":   versionLine(),
		"game":      games.Names()[0], // by default
		"games":     strings.Join(games.Names(), ", "),
		"alphabeta": strings.Join(games.Names(registry.PlayedByAlphaBeta), ", "),
		"benches":   strings.Join(games.BenchNames(), ", "),
		"indexes":   fmt.Sprintf("%v, %v, %v, %v", cluster.Auto, cluster.Mul32, cluster.Mul64, cluster.Pow2),
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
