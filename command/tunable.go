package command

import (
	"errors"

	"trefoil/internal/cli"
	"trefoil/search/alphabeta"
)

type tunable struct{}

// Help is printed by -h.
func (*tunable) Help() string {
	return `Prints one parameter per line, in the format of OpenBench for SPSA:

    name, int, value, min, max, c_end, r_end

In released builds, the parameters are constants. To build a program in which each is an option of
the engine:

    make EXE=trefoil-tune TAGS=tune`
}

func (*tunable) Run(std *cli.Console) error {
	parameters := alphabeta.Parameters()
	if len(parameters) == 0 {
		return errors.New("the parameters of this build are constants; make EXE=trefoil-tune TAGS=tune builds one in " +
			"which they are options")
	}
	for i := range parameters {
		std.Println(parameters[i].SPSA(alphabeta.DefaultRate))
	}
	return nil
}
