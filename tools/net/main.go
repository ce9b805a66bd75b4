// Command net makes the neural evaluations from games that the engine plays against itself:
//
//	net games -o NAME [FILE…]  plays games, from positions of other games if there are files
//	net label FILE…            gives games new scores
//	net info FILE…             describes the positions of games
//	net train -o NET FILE…     trains a net
//	net samples -o NAME FILE…  writes positions for training on a GPU
//	net weights -o NET FILE    makes a net of the weights that this gives
//	net check NET FILE…        measures a net on positions
//	net wdl FILE…              fits expected results to scores
//	net yaneuraou -o DIR NET   writes a net of shogi for YaneuraOu
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"trefoil/tools/internal/program"
)

const usage = `usage: net games -o NAME [flags] [FILE...]  play games, from positions of other games
       net label -o FOLDER [flags] FILE...  give games new scores
       net info FILE...                     describe the positions of games
       net train -o NET [flags] FILE...     train a net
       net samples -o NAME [flags] FILE...  write positions for gpu/train.py
       net weights -o NET FILE              make a net of its weights
       net check [flags] NET FILE...        measure a net on positions
       net wdl FILE...                      fit win, draw and loss to scores
       net yaneuraou -o FOLDER NET          write a net of shogi for YaneuraOu
       net games -h, net label -h, ...      list the flags
`

func main() {
	// Short searches leave garbage: collected less often, games take a fifth less time. Training would take ten times
	// the memory of its positions.
	if len(os.Args) > 1 && (os.Args[1] == "games" || os.Args[1] == "label") {
		debug.SetGCPercent(1000)
	}
	program.Main("net", run)
}

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("missing command\n%s", usage)
	}
	switch args[0] {
	case "games":
		return games(ctx, program.Flags("net games -o NAME [flags] [FILE...]", errs), args[1:], out)
	case "label":
		return label(ctx, program.Flags("net label -o FOLDER [flags] FILE...", errs), args[1:], out)
	case "info":
		return info(ctx, program.Flags("net info FILE...", errs), args[1:], out)
	case "train":
		return trainNet(ctx, program.Flags("net train -o NET [flags] FILE...", errs), args[1:], out)
	case "samples":
		return samples(ctx, program.Flags("net samples -o NAME [flags] FILE...", errs), args[1:], out)
	case "weights":
		return weights(ctx, program.Flags("net weights -o NET FILE", errs), args[1:], out)
	case "check":
		return check(ctx, program.Flags("net check [flags] NET FILE...", errs), args[1:], out)
	case "wdl":
		return fitWDL(ctx, program.Flags("net wdl FILE...", errs), args[1:], out)
	case "yaneuraou":
		return yaneuraou(ctx, program.Flags("net yaneuraou -o FOLDER NET", errs), args[1:], out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
