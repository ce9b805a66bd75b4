// Trefoil speaks UCI or USI on standard input and output; it plays chess and shogi, and
// solves Connect Four and Ultimate Tic-Tac-Toe. With arguments it runs a subcommand (see
// package command), or the arguments as lines of the protocol.
package main

import (
	"errors"
	"fmt"
	"os"

	"trefoil/command"
	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/protocol"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	e := engine.New()
	switch {
	case len(args) == 0:
		e.UseStreams(os.Stdin, os.Stdout)
		return end(e, protocol.Serve(os.Stdin, os.Stdout, e))
	case !command.Known(args[0]) && protocol.IsLine(args[0], e):
		e.UseStreams(os.Stdout)
		return end(e, protocol.ServeArguments(args, os.Stdout, e))
	}
	return command.Run(args, os.Stdin, os.Stdout, os.Stderr)
}

// end closes the engine after a session and returns the exit status.
func end(e *engine.Engine, err error) int {
	if err := errors.Join(err, e.Close()); err != nil {
		fmt.Fprintln(os.Stderr, "trefoil:", err)
		return cli.StatusFailed
	}
	return 0
}
