// Trefoil speaks UCI or USI on standard input and output; it plays chess and shogi and
// solves Connect Four. With arguments it runs a subcommand (see package command), or
// the arguments as lines of the protocol.
package main

import (
	"io"
	"os"
	"strings"

	"trefoil/command"
	"trefoil/engine"
	"trefoil/protocol"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var in io.Reader = os.Stdin
	if len(args) > 0 {
		if status, known := command.Run(args, os.Stdin, os.Stdout, os.Stderr); known {
			return status
		}
		in = strings.NewReader(protocol.Arguments(args))
	}
	e := engine.New()
	protocol.Serve(in, os.Stdout, e)
	if err := e.Close(); err != nil {
		return 1
	}
	return 0
}
