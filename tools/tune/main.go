// Command tune fits the weights of the evaluation of chess or shogi to games that the
// engine plays against itself:
//
//	tune games -o FILE   plays games and writes their quiet positions
//	tune fit FILE…       fits the weights to them and rewrites weights.go
//
// Every move of a game yields up to two positions: the one on the board, if the move played is neither a capture nor a
// promotion, and the one at the end of the principal variation. Both must be quiet: not in check, and captures change
// the evaluation by at most 40 centipawns, in shogi 60. A line of the file is "FEN;score;half points", the last two
// for White, in shogi for Black. In shogi positions more than 2500 centipawns from zero are not kept, and a game of
// 320 plies is drawn.
//
// The fit minimises the mean of (σ(value) − target)², where σ is the logistic function, scaled separately for both
// halves of the scores so that the old weights predict the results best. The target is a λ-return: 0.03 × σ(score of
// the search) + 0.97 × the target of the next position of the game; for the last position it is the result (-lambda).
// The optimiser is Adam, with a weak pull towards the old weights (-prior). Every twentieth game is held out; the
// weights with the least error on those games are written.
//
// docs/tuning.md gives the commands that made the current weights.
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
