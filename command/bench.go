package command

import (
	"context"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
)

type bench struct {
	Variant   string   `enum:"${benches}" default:"${game}" help:"The game and its search: ${enum}."`
	Arguments []string `arg:"" optional:"" help:"A depth, or as in Stockfish: hash, threads, limit, positions, type of the limit."`
}

// Help is printed by -h.
func (*bench) Help() string {
	return `Usage: trefoil bench ` + enginebench.Usage + `

By default the search has one thread, a table of 16 MiB and a depth of 13. Then the
number of nodes depends on the program alone: it is the program's signature. LIMIT is
for each position: a depth, nodes or milliseconds. The positions are those of the
program (default), the initial position (current) or those of a file, one a line: FEN,
SFEN or EPD. Searches for mates and solvers have neither limits nor files.`
}

func (b *bench) Run(ctx context.Context, std *cli.Console) error {
	positions, err := engine.Games().FindBench(b.Variant)
	if err != nil {
		return err
	}
	o, err := enginebench.ParseOptions(ctx, b.Arguments, func() (string, error) { return positions.Setups[0], nil }, std.Warn)
	if err != nil {
		return err
	}
	return enginebench.Run(ctx, positions, o, std.Println)
}
