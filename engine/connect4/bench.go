package connect4

import (
	"context"
	"errors"
	"fmt"

	"trefoil/engine/registry"
	rules "trefoil/game/connect4"
	"trefoil/search"
	"trefoil/search/exact"
)

// benches returns the benches of both solvers.
func benches() []registry.Bench {
	return []registry.Bench{newBench(name, exact.Best, benchGames[:]),
		newBench(name+"-tutorial", exact.Tutorial, benchGames[:])}
}

func newBench(name, solver string, games []string) registry.Bench {
	return registry.Bench{Name: name, Setups: games, Open: func(mib uint64, threads int) (registry.BenchSearch, error) {
		s, err := exact.New(exact.Options{Solver: solver, Hash: int(mib), Threads: threads})
		if err != nil {
			return nil, err
		}
		return &benchSearch{solver: s}, nil
	}}
}

// benchSearch finds exact scores.
type benchSearch struct {
	solver *exact.Solver
	pos    rules.Position
}

func (b *benchSearch) Prepare(ctx context.Context, setup string) (err error) {
	if b.pos, err = rules.Parse(setup); err != nil {
		return err
	}
	return errors.Join(b.solver.Prefault(ctx), b.solver.Clear(ctx))
}

func (b *benchSearch) Search(ctx context.Context, _ search.Limits) (result string, nodes uint64, err error) {
	r := b.solver.Solve(ctx, b.pos, exact.Limits{}, nil)
	return fmt.Sprintf("score %d", r.Score), r.Nodes, ctx.Err()
}

func (b *benchSearch) Close() error { return b.solver.Close() }

// benchGames are games of 10 to 19 random moves that neither side wins at once.
var benchGames = [...]string{
	"5426671264",
	"75547766567422",
	"254133715314",
	"3717115622243",
	"2442671672",
	"37727377225253331",
	"4657265612637735",
	"1666452351647726",
	"334236364561115",
	"352264554526177",
	"175574257145",
	"444322153555",
	"21573447245",
	"532275517661355",
	"16727267242136",
	"17465152651621153",
	"44761323671511",
	"571143445331234",
	"536732421125417",
	"4571245647543",
	"657431621516",
	"3414746676516636",
	"36614366366",
	"276666213175141",
	"317252643571",
	"7312446762666",
	"46432661446447",
}
