package command

import (
	"context"

	"trefoil/engine"
	"trefoil/internal/cli"
)

type bench struct {
	Variant string `enum:"${benches}" default:"chess" help:"The game and its search: ${enum}."`
	Depth   string `arg:"" optional:"" help:"The depth of a search that has one; by default that of the signature."`
}

// Help is printed by -h.
func (*bench) Help() string {
	return `Searches with one thread and a table of 16 MiB. The number of nodes depends on the
program and the depth alone: it is the program's signature.`
}

func (b *bench) Run(ctx context.Context, std *cli.Console) error {
	var args []string
	if b.Depth != "" {
		args = append(args, b.Depth)
	}
	return engine.Bench(ctx, b.Variant, args, std.Println)
}
