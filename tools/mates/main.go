// Command mates fits the initial proof numbers of the searches for mates in chess and shogi, and of
// Ultimate Tic-Tac-Toe:
//
//	mates gather -o FILE POSITIONS…   solves positions that these searches visit
//	mates fit FILE…                   fits the weights of their features to the outcomes
//
// Gather searches the position at the beginning of each line. If -easy nodes do not decide it, it picks at random
// -most of the positions that a search of -nodes meets, in chess an eighth for each number of moves left, and searches
// each separately, with an empty table and -each nodes; the sample is the result and the number of nodes.
//
// Fit makes two models for each side to move: logistic regression on the decided positions gives z, the logit of the
// probability that the attacker succeeds; least squares give w, the logarithm of the number of nodes. A proof number
// should be the work divided by the probability, damped because both are uncertain:
//
//	ln φ = 3.5 − 0.35 z + 0.3 (w − 4)    ln δ = 3.5 + 0.35 z + 0.3 (w − 4)
//
// for the attacker; for the defender they are exchanged. The constants are -level, -trust and -work; Ultimate Tic-Tac-
// Toe has 4.5, 0.42 and 0.38.
//
// docs/tuning.md gives the commands that made the numbers in use.
package main

import (
	"context"
	"fmt"
	"io"

	"trefoil/tools/internal/program"
)

const usage = `usage: mates gather -o FILE [flags] POSITIONS...    solve positions that searches visit
       mates fit [flags] FILE...                    fit the initial proof numbers to them
       mates gather -h, mates fit -h list the flags
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
	case "fit":
		return fit(program.Flags("mates fit [flags] FILE...", errs), args[1:], out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
