package command

import (
	"context"
	"errors"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
)

type hashTrace struct {
	Hash      cli.MiB   `default:"16" help:"Size of the table in MiB."`
	Nodes     cli.Nodes `default:"1000000" help:"Nodes to search in each position."`
	KeyBits   keyBits   `name:"keybits" default:"21" help:"Check bits of the table."`
	Variant   string    `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
	Positions uint      `default:"0" help:"Search only this many positions, the first ones; 0: all."`
	OneGame   bool      `help:"The positions are those of one game, in order: the table is not cleared."`
	gameFlags `embed:""`
	File      string `arg:"" help:"The trace; - is standard output."`
	EPD       string `arg:"" name:"epd" optional:"" help:"Positions, one per line, as FEN, EPD or SFEN; or games. By default the positions of bench."`
}

// Help is printed by -h.
func (*hashTrace) Help() string {
	return `Searches positions with one thread and records every probe and store of the table in a file for
hash replay, 16 bytes each. The table is cleared between positions, except with --one-game or
--pgn. A million nodes take about 29 MB.

A file of games (.pgn; shogi: .kif, .ki2, .csa, .jkf, .usi) stands for all positions of its
games, in order. --pgn FILE takes the positions of one game and keeps the table from move to move.`
}

func (t *hashTrace) Run(ctx context.Context, std *cli.Console) error {
	if t.Nodes == 0 {
		return errors.New("--nodes 0: expected at least 1")
	}
	suite, source, err := t.suite(ctx, std)
	if err != nil {
		return err
	}
	if n := int(t.Positions); n > 0 && n < len(suite.Setups) {
		suite.Setups = suite.Setups[:n]
	}
	out, err := std.Output(ctx, t.File)
	if err != nil {
		return err
	}
	plan, err := cluster.PlanFor(uint64(t.Hash), cluster.Auto)
	if err != nil {
		return err
	}
	suite.MiB, suite.Index, suite.KeyBits = plan.MiB, plan.Index, int(t.KeyBits)
	suite.Nodes = uint64(t.Nodes)
	progress := cli.NewProgress(std.Err, len(suite.Setups))
	progress.Show(0)
	records, nodes, err := suite.Record(ctx, func(head ttanalysis.TraceHeader) (*ttanalysis.TraceWriter, error) {
		return ttanalysis.WriteTrace(out, head)
	}, source, progress.Show)
	progress.Clear()
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted: no trace was written")
	}
	if err == nil {
		std.Println(fmt.Sprintf("%s: %d records of %s, %d nodes", out.Name, records,
			cli.Count(len(suite.Setups), "position"), nodes))
	}
	return err
}

// suite returns the positions to search and where they come from.
func (t *hashTrace) suite(ctx context.Context, std *cli.Console) (suite observe.Suite, source string, err error) {
	switch {
	case t.PGN != "" && t.EPD != "":
		return suite, "", fmt.Errorf("--pgn and the file %s cannot be used together", t.EPD)
	case t.PGN != "":
		suite, err = t.gameFlags.suite(ctx, std, t.Variant)
		return suite, fmt.Sprintf("game %d of %s", t.Game, t.PGN), err
	case t.Game != 1:
		return suite, "", errGameAlone
	}
	if source = t.EPD; source == "" {
		source = "bench"
	}
	suite, err = newSuite(ctx, std, t.Variant, "", t.EPD)
	suite.OneGame = t.OneGame
	return suite, source, err
}
