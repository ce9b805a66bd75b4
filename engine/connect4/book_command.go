package connect4

import (
	"context"
	"errors"
	"fmt"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
	"trefoil/search/exact"
)

// bookCommand is the subcommand book connect4.
type bookCommand struct {
	Ply bookPly `default:"8" help:"Stones of the last positions, 0 to 14."`
	boardFlags
	Threads cli.Threads `default:"1" help:"Threads over one table."`
	Hash    cli.MiB     `default:"64" help:"Size of the table in MiB."`
	File    string      `arg:"" help:"The book."`
}

// bookPly is a number of stones.
type bookPly int

// UnmarshalText reads the ply of a book.
func (p *bookPly) UnmarshalText(text []byte) (err error) {
	*p, err = cli.Whole[bookPly](text, 0, book.MaxPly)
	return err
}

// Help is printed by -h.
func (*bookCommand) Help() string {
	return `Solves all positions of Connect Four with --ply stones (mirror images once) and writes
them and all positions before them, with their scores. Ctrl-C ends it; the
solved positions are kept in a file beside the book, and the same command continues from there.`
}

func (c *bookCommand) Run(ctx context.Context, std *cli.Console) error {
	progress := &bookProgress{Progress: cli.NewProgress(std.Err, 0)}
	err := c.make(ctx, std, progress)
	if err != nil && ctx.Err() != nil && progress.done > 0 {
		return &cli.Status{Code: cli.StatusInterrupted, Err: fmt.Errorf(
			"%d of %d positions are solved; the same command continues from there", progress.done, progress.Total)}
	}
	return err
}

// make makes the book, reads it back and prints what it holds.
func (c *bookCommand) make(ctx context.Context, std *cli.Console, progress *bookProgress) (err error) {
	board, err := c.board()
	if err != nil {
		return err
	}
	solver, err := exact.New(exact.Options{Board: board, Threads: int(c.Threads), Hash: int(c.Hash)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, solver.Close()) }()
	solve := func(ctx context.Context, p rules.Position) (int, error) {
		r := solver.Solve(ctx, p, exact.Limits{}, func(exact.Result) { progress.show(time.Now()) })
		if !r.Exact {
			return 0, context.Cause(ctx)
		}
		return r.Score, nil
	}
	err = book.Make(ctx, c.File, board, int(c.Ply), solve, func(solved, total int) {
		progress.solved(solved, total, time.Now())
	})
	progress.Clear()
	if err != nil {
		return err
	}
	b, err := book.Open(c.File)
	if err != nil {
		return err
	}
	std.Println(fmt.Sprintf("%s: %d positions up to ply %d", c.File, b.Len(), b.Ply()))
	return nil
}

// bookProgress shows positions per second and the time left.
type bookProgress struct {
	*cli.Progress
	start       time.Time
	first, done int // solved at the start, and now
}

// solved sets the number of positions that are solved at a time.
func (p *bookProgress) solved(done, total int, now time.Time) {
	if p.start.IsZero() {
		p.start, p.first = now, done
	}
	p.done, p.Total = done, total
	p.show(now)
}

// show draws the bar.
func (p *bookProgress) show(now time.Time) {
	p.Note = ""
	if n, spent := p.done-p.first, now.Sub(p.start); n > 0 && spent > 0 {
		left := time.Duration(float64(spent) / float64(n) * float64(p.Total-p.done))
		p.Note = fmt.Sprintf("%.3g positions/s, %v left", float64(n)/spent.Seconds(), left.Round(time.Second))
	}
	p.Show(p.done)
}
