// Command mates fits the initial proof numbers of the searches for mates in chess and shogi, and of
// Ultimate Tic-Tac-Toe:
//
//	mates play -o FILE                plays games of chess, and writes their last positions
//	mates gather -o FILE POSITIONS…   solves positions that these searches visit
//	mates fit FILE…                   fits the weights of their features to the outcomes
//
// docs/tuning.md describes the method and gives the commands that made the numbers in use.
package main

import (
	"context"
	"fmt"
	"io"

	"trefoil/tools/internal/program"
)

const usage = `usage: mates play -o FILE [flags]                    play games of chess to the mate
       mates gather -o FILE [flags] POSITIONS...    solve positions that searches visit
       mates fit [flags] FILE...                    fit the initial proof numbers to them
       mates play -h, mates gather -h, mates fit -h list the flags
`

func main() { program.Main("mates", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("missing command\n%s", usage)
	}
	switch args[0] {
	case "gather":
		return gather(ctx, program.Flags("mates gather -o FILE [flags] POSITIONS...", errs), args[1:], out)
	case "play":
		return playGames(ctx, program.Flags("mates play -o FILE [flags]", errs), args[1:], out)
	case "fit":
		return fit(program.Flags("mates fit [flags] FILE...", errs), args[1:], out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
