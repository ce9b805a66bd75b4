// Command tune fits the weights of the evaluation of chess or shogi to games that the
// engine plays against itself:
//
//	tune games -o FILE   plays games and writes their quiet positions
//	tune fit FILE…       fits the weights to them and rewrites weights.go
//
// docs/tuning.md describes the method and gives the commands that made the current weights.
package main

import (
	"context"
	"fmt"
	"io"

	"trefoil/tools/internal/program"
)

const usage = `usage: tune games -o FILE [flags]    play games, keep their quiet positions
       tune fit [flags] FILE...      fit the weights to them
       tune games -h, tune fit -h    list the flags
`

func main() { program.Main("tune", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("missing command\n%s", usage)
	}
	switch args[0] {
	case "games":
		return games(ctx, program.Flags("tune games -o FILE [flags]", errs), args[1:], out)
	case "fit":
		return fit(ctx, program.Flags("tune fit [flags] FILE...", errs), args[1:], out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
