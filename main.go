// Trefoil speaks UCI or USI on standard input and output; it plays chess and shogi, and
// solves Connect Four and Ultimate Tic-Tac-Toe. With arguments it runs a subcommand (see
// package command), or the arguments as lines of the protocol.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

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
		return serve(e, os.Stdin)
	case !command.Known(args[0]) && protocol.IsLine(args[0], e):
		e.UseStreams(os.Stdout)
		return serve(e, strings.NewReader(protocol.Arguments(args)))
	}
	return command.Run(args, os.Stdin, os.Stdout, os.Stderr)
}

// serve speaks the protocol until its end and returns the exit status.
func serve(e *engine.Engine, in io.Reader) int {
	if err := errors.Join(protocol.Serve(in, os.Stdout, e), e.Close()); err != nil {
		fmt.Fprintln(os.Stderr, "trefoil:", err)
		return cli.StatusFailed
	}
	return 0
}
