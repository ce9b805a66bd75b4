package command

import "trefoil/internal/cli"

// gameCommands are the subcommands of single games.
func gameCommands() []cli.Command {
	return []cli.Command{
		{Parent: "solve", Name: "connect4", Help: "Solve positions of Connect Four.", New: func() any { return &solveConnect4{} }},
		{Parent: "solve", Name: "ultimate", Help: "Solve positions of Ultimate Tic-Tac-Toe.", New: func() any { return &solveUltimate{} }},
		{Parent: "solve", Name: "mate", Help: "Find forced mates in positions of chess.", New: func() any { return &solveMate{} }},
		{Parent: "book", Name: "connect4", Help: "Make an opening book of Connect Four.", New: func() any { return &bookConnect4{} }},
	}
}
