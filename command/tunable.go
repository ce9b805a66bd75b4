package command

import (
	"errors"

	"trefoil/internal/cli"
	"trefoil/search/alphabeta"
)

type tunable struct{}

// Help is printed by -h.
func (*tunable) Help() string {
	return `One parameter a line, as OpenBench reads the input of SPSA:

    name, int, value, min, max, c_end, r_end

In the build that is released the parameters are constants. Build one in which each is an
option of the engine:

    make EXE=trefoil-tune TAGS=tune`
}

func (*tunable) Run(std *cli.Console) error {
	parameters := alphabeta.Parameters()
	if len(parameters) == 0 {
		return errors.New("the parameters of this build are constants: build it by make TAGS=tune")
	}
	for i := range parameters {
		std.Println(parameters[i].SPSA(alphabeta.DefaultRate))
	}
	return nil
}
