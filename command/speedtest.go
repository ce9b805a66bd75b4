package command

import (
	"context"

	"trefoil/engine"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/cli"
)

type speedTest struct {
	Variant   string   `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
	Arguments []string `arg:"" optional:"" help:"Threads, the size of the table in MiB, seconds."`
}

// Help is printed by -h.
func (*speedTest) Help() string {
	return `Usage: trefoil speedtest ` + enginebench.SpeedUsage + `

Searches positions of four games in their order, the table kept from move to move, with
more time for the earlier ones, as on a clock. By default there is a thread for each
processor, 128 MiB for each thread, and 30 seconds in all.`
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
