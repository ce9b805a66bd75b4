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
	"flag"
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
	set := flag.NewFlagSet("tune "+args[0], flag.ContinueOnError)
	set.SetOutput(errs)
	switch args[0] {
	case "games":
		return games(ctx, set, args[1:], out)
	case "fit":
		return fit(ctx, set, args[1:], out)
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
