package command

import (
	"context"
	"errors"
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/ttanalysis/report"
)

type hashValidate struct {
	Hash      cli.MiB   `default:"4" help:"Size of the table in MiB that makes the predictions."`
	Nodes     cli.Nodes `default:"300000" help:"Nodes to search in each position, at each size."`
	Variant   string    `enum:"${alphabeta}" default:"${game}" help:"The game: ${enum}."`
	Positions uint      `default:"0" help:"Search only this many positions, the first ones; 0: all."`
	EPD       string    `arg:"" name:"epd" optional:"" help:"Positions, one per line, as FEN, EPD or SFEN; or games. By default the positions of bench."`
}

// Help is printed by -h.
func (*hashValidate) Help() string {
	return `Checks the line hash memory of HashStats. Each position is searched with the table, which predicts
the hits with half, twice and four times the memory, and then with such tables, from an empty one
each time. The predictions are for the probes of the first search; a search with another table
visits other nodes. Printed are the means over the positions, the mean difference with its 95 %
interval, the interval that contains the difference of 95 % of positions, and how many are within
the ± of the line, which is only for the probes of the search.`
}

func (v *hashValidate) Run(ctx context.Context, std *cli.Console) error {
	if v.Nodes == 0 {
		return errors.New("--nodes 0: expected at least 1")
	}
	suite, err := newSuite(ctx, std, v.Variant, "", v.EPD)
	if err != nil {
		return err
	}
	if n := int(v.Positions); n > 0 && n < len(suite.Setups) {
		suite.Setups = suite.Setups[:n]
	}
	plan, err := cluster.PlanFor(uint64(v.Hash), cluster.Auto)
	if err != nil {
		return err
	}
	suite.MiB, suite.Index, suite.Nodes = plan.MiB, plan.Index, uint64(v.Nodes)
	progress := cli.NewProgress(std.Err, 4*len(suite.Setups))
	list, err := suite.Validate(ctx, func(done, all int) {
		progress.Total = all
		progress.Show(done)
	})
	progress.Clear()
	if err != nil {
		return err
	}
	std.Println(fmt.Sprintf("%s\n", suite.Title()))
	return report.WriteValidations(std.Out, list)
}
