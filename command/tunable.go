package command

import (
	"trefoil/internal/cli"
	"trefoil/search/alphabeta"
)

type tunable struct {
	Shogi bool `help:"The parameters of shogi, not of chess."`
}

// Help is printed by -h.
func (*tunable) Help() string {
	return `Prints one parameter per line, in the format of OpenBench for SPSA:

    name, int, value, min, max, c_end, r_end

To build a program in which each is an option of the engine, in USI a parameter of shogi, in UCI of
chess:

    make EXE=trefoil-tune TAGS=tune`
}

func (t *tunable) Run(std *cli.Console) error {
	params := alphabeta.Chess
	if t.Shogi {
		params = alphabeta.Shogi
	}
	for _, p := range params.List() {
		std.Println(p.SPSA(alphabeta.DefaultRate))
	}
	return nil
}
