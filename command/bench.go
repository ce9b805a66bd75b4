package command

import (
	"context"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
)

type bench struct {
	Variant string      `enum:"${benches}" default:"${game}" help:"The game and its search: ${enum}."`
	Depth   *benchDepth `arg:"" optional:"" help:"The depth of a search that has one; by default that of the signature."`
}

// benchDepth is the depth of the searches.
type benchDepth int

// UnmarshalText reads a depth.
func (d *benchDepth) UnmarshalText(text []byte) (err error) {
	*d, err = cli.Whole[benchDepth](text, 1, enginebench.MaxDepth)
	return err
}

// Help is printed by -h.
func (*bench) Help() string {
	return `Searches with one thread and a table of 16 MiB. The number of nodes depends on the
program and the depth alone: it is the program's signature.`
}

func (b *bench) Run(ctx context.Context, std *cli.Console) error {
	positions, err := engine.Games().FindBench(b.Variant)
	if err != nil {
		return err
	}
	depth := 0
	if b.Depth != nil {
		depth = int(*b.Depth)
	}
	return enginebench.Run(ctx, positions, depth, std.Println)
}
