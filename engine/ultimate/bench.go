package ultimate

import (
	"context"
	"errors"

	"trefoil/engine/registry"
	rules "trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/proof"
	"trefoil/window"
)

// benches returns the bench of proof search.
func benches() []registry.Bench {
	return []registry.Bench{{Name: name, Setups: benchSetups[:],
		Open: func(mib uint64, threads int) (registry.BenchSearch, error) {
			table, err := window.New(mib)
			if err != nil {
				return nil, err
			}
			return &benchSearch{table: table, solver: proof.New(table, proof.Options{Threads: threads})}, nil
		}}}
}

// benchSearch decides positions.
type benchSearch struct {
	table  *window.Table
	solver *proof.Solver
	pos    rules.Position
}

func (b *benchSearch) Prepare(ctx context.Context, setup string) (err error) {
	if b.pos, err = parseSetup(setup); err != nil {
		return err
	}
	return errors.Join(b.table.Prefault(ctx), b.table.Clear(ctx))
}

func (b *benchSearch) Search(ctx context.Context, _ search.Limits) (result string, nodes uint64, err error) {
	wins, loses := goals(b.pos)
	d, err := b.solver.Decide(ctx, wins, loses, proof.Limits{})
	if err == nil {
		err = ctx.Err()
	}
	return decisionText(d), d.Nodes(), err
}

func (b *benchSearch) Close() error { return b.table.Close() }

// benchSetups are positions after 30 to 49 random moves.
var benchSetups = [...]string{
	"O;........X;..X....../.X...OX.O/..OOX...X/OO....XXO/..O....O./.X.X.O..O/.O.X...O./..X..X..O/...XXXO.X",
	"X;..X@....O;..OX...X./.OOX.X.X./X..X..X.X/....O..OO/O.O.OXX.X/....O.XO./.XO.X.O.O/.OO.X...X/OX.OX.O..",
	"X;O......@.;.XO..OX.O/O.....XXO/X....XO.X/O..OX..O./.O.....O./XO.X.O.OO/O.XX.X.O./X....XO.X/XX.XX.O.O",
	"X;...X@..X.;..OXX.X../..OO...../.X.O..XOO/..X.X.XOX/OX...X..O/..XOOX.O./O..O...OO/......XXX/X.XOOX.O.",
	"O;@O......X;.X......./...XO.OOO/.O..X...O/OX......X/.X.O.OO.X/......X.X/...OX.XOX/..X.X..../XXX.OOO.O",
	"O;X.@...O..;XXX....../O.OX...OO/..XO.XOX./OXOXX..OO/X..XO...X/.OXOO.X.X/..OOOOX../.....XX.O/OX.X.OX..",
	"X;.X@..X...;XOO..OOXX/XO.X.OX../.XXO.O.../OXO..OX../OXOXX...O/X.X.X...X/X...O..O./OX..O..../.O.O...X.",
	"X;.X....O..;.O.XX.O../...X..XXX/.OX....../OO..OOX../X..X..O.O/...O.XXX./OOOXXOXO./X...OOO../......XXO",
	"X;.O...@...;OX..X..../.OX.OX.O./.X.X.OXXO/....XXO.O/..O..O..X/XO.X.O.OO/.OO..X.../OXOO..X../.XXO.X.X.",
	"O;.X...@X..;.O....O../..XXXX.../.OOX.XOX./XO....O.O/X...O.O.X/..OOXXO../..XX.X.XX/..O.OO.X./.OX..O...",
	"X;@...O..X.;....X..O./O.O.XX.../..XXX.O../.....OO../.O..O.OO./O.O...X../.X..XX.OX/X..XX...X/..O...OOX",
	"O;XO..X...@;.XXOXXOOX/O..OXXO../O...O.O../XX.OO.X.X/XXX....../O...O.X../OOXXO.X.X/X..O...XX/OO...O.O.",
	"X;...O.@..X;..O.XX..O/...X...O./X....XX../..O.O.O../X...OOOOX/OO.X....O/O..XXO.../..O.XX.../.X..X..X.",
	"O;@.OOX....;XO..OOX../.XOX.X.OX/..O.XO.XO/X..OOOO../.OXXX.XO./XOXXO..XO/.XX.OXO../OOXXX..O./...OOX.X.",
	"O;.....@..X;..OO.X..O/....XX..O/..XXXOOXX/.XOOO..XO/..XXOX.XO/XOO..X.O./...X.O.../X.O.O...O/XO.XO.X.X",
	"O;....@.X..;..O.XXO../O...X..../.X.OXX..X/XO.X..OXO/..OO...O./O..X.XOXO/X.X.X.O.X/..OX.O..X/..OO.OXOX",
	"X;......@..;....XXO../.X.OO...O/.X..OXX../O.X.X..OO/O.OOXOX.X/.O.XXO.OX/..OXO..../.X.X.O.X./X....XOO.",
	"X;....X.@.X;X.O.O..../..X.X...O/O.X..O..O/...O.X.../XXX.XO.OO/.O..OXOX./........./....O...X/.O.XXX...",
	"O;......@.X;.XO.X.O../.OOXX.XO./.....XX.O/..XO.O.X./.O..OOX.O/XX.O.XO.O/O...XX.O./XO.X.O..X/OX..X..X.",
}
