package command

import (
	"context"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
)

type speedTest struct {
	Variant   string   `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
	Arguments []string `arg:"" optional:"" help:"Threads, table size in MiB, seconds."`
}

// Help is printed by -h.
func (*speedTest) Help() string {
	return `Usage: trefoil speedtest ` + enginebench.SpeedUsage + `

Searches the positions of four games in order. The table is kept from move to move, and earlier
moves get more time, as on a clock. By default it uses a thread for each processor, 128 MiB for
each thread, and 30 seconds in all.`
}

func (s *speedTest) Run(ctx context.Context, std *cli.Console) error {
	game, err := engine.Games().FindAlphaBeta(s.Variant)
	if err != nil {
		return err
	}
	o, err := enginebench.ParseSpeedOptions(s.Arguments)
	if err != nil {
		return err
	}
	return enginebench.SpeedTest(ctx, game.AlphaBeta, o, std.Println)
}
