// Command net makes the neural evaluations from games that the engine plays against itself; docs/nets.md describes it.
package main

import (
	"os"
	"runtime/debug"

	"trefoil/tools/internal/program"
)

func main() {
	// Short searches leave garbage: collected less often, games take a fifth less time. Training would take ten times
	// the memory of its positions.
	if len(os.Args) > 1 && (os.Args[1] == "games" || os.Args[1] == "label") {
		debug.SetGCPercent(1000)
	}
	program.Main("net", run)
}

var run = program.Commands("net",
	program.Command{Form: "games -o NAME [flags] [FILE...]", Help: "play games, from positions of others", Run: games},
	program.Command{Form: "label -o FOLDER [flags] FILE...", Help: "give games new scores", Run: label},
	program.Command{Form: "info FILE...", Help: "describe the positions of games", Run: info},
	program.Command{Form: "train -o NET [flags] FILE...", Help: "train a net", Run: trainNet},
	program.Command{Form: "samples -o NAME [flags] FILE...", Help: "write positions for gpu/train.py", Run: samples},
	program.Command{Form: "weights -o NET FILE", Help: "make a net of its weights", Run: weights},
	program.Command{Form: "check [flags] NET FILE...", Help: "measure a net on positions", Run: check},
	program.Command{Form: "wdl FILE...", Help: "fit win, draw and loss to scores", Run: fitWDL},
	program.Command{Form: "yaneuraou -o FOLDER NET", Help: "write a net of shogi for YaneuraOu", Run: yaneuraou},
)
