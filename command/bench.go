package command

import (
	"context"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
)

type bench struct {
	Variant   string   `enum:"${benches}" default:"${game}" help:"The game and its search: ${enum}."`
	Arguments []string `arg:"" optional:"" help:"A depth; or, as in Stockfish, hash, threads, limit, positions and type of limit."`
}

// Help is printed by -h.
func (*bench) Help() string {
	return `Usage: trefoil bench ` + enginebench.Usage + `

By default, bench uses one thread, a table of 16 MiB and a depth of 13. The number of nodes then
depends only on the program and serves as its signature. LIMIT applies to each position: a depth,
a number of nodes or milliseconds. The positions are those of the program (default), the initial
position (current) or those of a file, one per line: FEN, SFEN or EPD. The benches of mates and
solvers take neither limits nor files.`
}

func (b *bench) Run(ctx context.Context, std *cli.Console) error {
	positions, err := engine.Games().FindBench(b.Variant)
	if err != nil {
		return err
	}
	o, err := enginebench.ParseOptions(ctx, b.Arguments, func() (string, error) {
		return positions.Setups[0], nil
	}, std.Warn)
	if err != nil {
		return err
	}
	return enginebench.Run(ctx, positions, o, std.Println)
}
