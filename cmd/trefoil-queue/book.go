package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	engine "trefoil/engine/connect4"
	"trefoil/game/connect4"
	connect4book "trefoil/game/connect4/book"
	"trefoil/internal/cli"
)

type books struct {
	Connect4 bookConnect4 `cmd:"" name:"connect4" help:"Make an opening book of Connect Four."`
}

type bookConnect4 struct {
	engine.BookFlags
	Queue       string       `required:"" setting:"-" placeholder:"URL" help:"The queue: a URL such as nats://host:4222, or a file that holds one, such as coordinator.url."`
	AckWait     cli.Timeout  `setting:"-" placeholder:"TIME" help:"Give the job of a worker that is silent for this time to another one; by default 30s, or what an earlier coordinator has set."`
	Batch       jobPositions `setting:"-" placeholder:"N" help:"Positions per job, 1 to 256; by default as many as take about half a second."`
	Unconfirmed bool         `setting:"-" help:"Solve each position only once. Otherwise two workers have to agree on its score."`
	jobs.Access
	File string `arg:"" setting:"-" help:"The book; - is standard output."`
}

// jobPositions is the number of positions of a job.
type jobPositions int

// UnmarshalText reads a whole number from 1 to jobLimit.
func (n *jobPositions) UnmarshalText(text []byte) (err error) {
	*n, err = cli.Whole[jobPositions](text, 1, jobLimit)
	return err
}

// Help is printed by -h.
func (*bookConnect4) Help() string {
	return `Lets the workers of a queue solve all positions of Connect Four with --ply stones (mirror images
once) and writes them and all positions before them, with their scores: the book that
trefoil book connect4 makes. trefoil-queue work starts a worker, trefoil-queue queue serve the
queue, and trefoil-queue queue status shows the progress. The scores stay in the queue, and those
that are settled in a file beside the book, so the same command continues from there. If the book
is - or a pipe, there is no such file.

Each position is solved by two workers. If they contradict each other, this process solves it; the
worker that was wrong is named, and all its results are dropped. With only one worker, this
process solves each position as well: --threads and --hash are for this.

--scores takes scores from records of trefoil book connect4 and trefoil solve connect4; only the
positions that have no score there are solved.

Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C.`
}

func (c *bookConnect4) Run(ctx context.Context, std *cli.Console) error {
	return c.MakeBook(ctx, std, c.File, func(board *connect4.Board,
		progress *engine.BookProgress) (connect4book.Solver, func() error, error) {
		return c.solver(ctx, std, board, progress)
	})
}

// solver returns a solver whose positions are jobs for the workers of a queue. The caller closes it.
func (c *bookConnect4) solver(ctx context.Context, std *cli.Console, board *connect4.Board,
	progress *engine.BookProgress) (solver connect4book.Solver, closer func() error, err error) {
	q, err := c.Access.Open(ctx, std, c.Queue, queue.Options{AckWait: time.Duration(c.AckWait)})
	if err != nil {
		return nil, nil, err
	}
	warn := func(format string, args ...any) { progress.Warnf(std, format, args...) }
	own := jobs.NewWorker(jobs.ProcessName(), int(c.Threads), uint64(c.Hash))
	solver = func(ctx context.Context, positions []connect4.Position, found func(connect4.Position, int) error) error {
		task := jobs.Task(jobs.ScoreVersion(), fmt.Sprintf("book connect4 %v ply %d", board, c.Ply))
		task.Ahead, task.Report = 3, jobs.EachMinute(warn) // some of those that wait are not for each worker
		s := newScoring(board, positions, found)
		s.job = jobs.Score{Size: string(c.Size), Connect: int(c.Connect)}
		s.batch, s.unconfirmed, s.own, s.warn, s.progress = int(c.Batch), c.Unconfirmed, own, warn, progress
		return errors.Join(q.Coordinate(ctx, task, s), s.err)
	}
	return solver, func() error { q.Close(); return own.Close() }, nil
}
