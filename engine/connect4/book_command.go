package connect4

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/search/exact"
)

// bookCommand is the subcommand book connect4.
type bookCommand struct {
	BookFlags
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The book; - is standard output."`
}

// Help is printed by -h.
func (*bookCommand) Help() string {
	return `Solves all positions of Connect Four with --ply stones (mirror images once) and writes them and
all positions before them, with their scores. After Ctrl-C, the solved positions are kept in a
file beside the book, and the same command continues from there. If the book is - or a pipe, there
is no such file.

With --json, --shard or --resume, it writes no book but prints the positions, or those of a shard,
with their scores, as solve connect4 does. --scores makes a book from such records, or from
records of solve connect4: it solves only the positions that have no score there.

trefoil-queue book connect4 divides the positions among many machines.

Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*bookCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *bookCommand) Run(ctx context.Context, std *cli.Console) error {
	if err := c.Fits(uint64(c.Hash)); err != nil {
		return err
	}
	switch records := c.JSON || c.Shard.N > 0 || c.Resume != ""; {
	case records && len(c.Scores) > 0:
		return errors.New("--scores makes a book: it cannot be used with --json, --shard or --resume")
	case records && c.File != "":
		return fmt.Errorf("--json, --shard and --resume write records, not the book %.200q", c.File)
	case records:
		return c.records(ctx, std)
	case c.File == "":
		return errors.New("missing argument <file>")
	}
	return c.MakeBook(ctx, std, c.File, c.solver)
}

// records solves the positions of the last ply as solve connect4 does, but keeps the table: only scores
// matter to a book.
func (c *bookCommand) records(ctx context.Context, std *cli.Console) error {
	board, err := c.Board()
	if err != nil {
		return err
	}
	positions, err := book.Positions(ctx, board, int(c.Ply))
	if err != nil {
		return err
	}
	run := batch.Run[solved]{Flags: c.Flags, Console: std, Totals: &totals{}}
	for _, p := range positions {
		columns, ok := p.Columns()
		if !ok {
			return fmt.Errorf("no game leads to the position\n%v", p)
		}
		run.Lines = append(run.Lines, cmp.Or(columns, startpos))
	}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[solved], error) {
		s := lineSolver{solveCommand: new(solveCommand), board: board, options: c.options(board), keep: true}
		return s.open(ctx, screen)
	}
	return run.File(ctx, "")
}

// options returns the options of a solver.
func (c *bookCommand) options(board *rules.Board) exact.Options {
	return exact.Options{Board: board, Threads: int(c.Threads), Hash: int(c.Hash)}
}

// solver returns a solver in this process with --jobs tables. The caller closes it.
func (c *bookCommand) solver(board *rules.Board,
	progress *BookProgress) (solver book.Solver, closer func() error, err error) {
	var tables []*exact.Solver
	closer = func() (err error) {
		for _, t := range tables {
			err = errors.Join(err, t.Close())
		}
		return err
	}
	var solvers []func(context.Context, rules.Position) (int, error)
	for range c.Jobs {
		solver, err := exact.New(c.options(board))
		if err != nil {
			return nil, nil, errors.Join(err, closer())
		}
		tables = append(tables, solver)
		solvers = append(solvers, func(ctx context.Context, p rules.Position) (int, error) {
			r := solver.Solve(ctx, p, exact.Limits{}, func(exact.Result) { progress.show(time.Now()) })
			if !r.Exact {
				return 0, context.Cause(ctx)
			}
			return r.Score, nil
		})
	}
	return book.Each(solvers...), closer, nil
}
