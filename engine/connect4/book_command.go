package connect4

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"trefoil/engine/jobs"
	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/exact"
)

// bookCommand is the subcommand book connect4.
type bookCommand struct {
	Ply bookPly `default:"8" help:"Stones in the last positions, 0 to 14."`
	boardFlags
	Threads     cli.Threads `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash        cli.MiB     `default:"64" setting:"-" help:"Size of the table in MiB."`
	Scores      []string    `placeholder:"FILE" setting:"-" sep:"none" help:"Take scores from this file of records; can be given several times."`
	Queue       string      `setting:"-" placeholder:"URL" help:"Let the workers of this queue solve the positions: a URL such as nats://host:4222, or a file that holds one."`
	AckWait     cli.Timeout `setting:"-" placeholder:"TIME" help:"With --queue: give the job of a worker that is silent for this time to another one; by default 30s, or what an earlier coordinator has set."`
	Batch       bookBatch   `setting:"-" placeholder:"N" help:"With --queue: positions per job, 1 to 256; by default as many as take about half a second."`
	Unconfirmed bool        `setting:"-" help:"With --queue: solve each position only once. Otherwise two workers have to agree on its score."`
	jobs.Access
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The book; - is standard output."`
}

// bookPly is a number of stones.
type bookPly int

// UnmarshalText reads the ply of a book.
func (p *bookPly) UnmarshalText(text []byte) (err error) {
	*p, err = cli.Whole[bookPly](text, 0, book.MaxPly)
	return err
}

// bookBatch is a number of positions.
type bookBatch int

// UnmarshalText reads the number of positions of a job.
func (b *bookBatch) UnmarshalText(text []byte) (err error) {
	*b, err = cli.Whole[bookBatch](text, 1, jobLimit)
	return err
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

With --queue, workers on this machine and others solve the positions: trefoil work starts a
worker, trefoil queue serve the queue, and trefoil queue status shows the progress. The scores
stay in the queue, so the same command continues from there, too. Each position is solved by two
workers. If they contradict each other, this process solves it; the worker that was wrong is
named, and all its results are dropped. With only one worker, this process solves each position as
well.

Exit status: 0 on success; 2 on wrong usage or failure; 130 after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*bookCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *bookCommand) Run(ctx context.Context, std *cli.Console) error {
	board, err := c.board()
	if err == nil {
		err = c.Fits(uint64(c.Hash))
	}
	if err != nil {
		return err
	}
	switch records := c.JSON || c.Shard.N > 0 || c.Resume != ""; {
	case records && len(c.Scores) > 0:
		return errors.New("--scores makes a book: it cannot be used with --json, --shard or --resume")
	case records && c.File != "":
		return fmt.Errorf("--json, --shard and --resume write records, not the book %.200q", c.File)
	case records && c.Queue != "":
		return errors.New("--queue makes a book: it cannot be used with --json, --shard or --resume")
	case records:
		return c.records(ctx, std, board)
	case c.Queue != "" && c.Jobs > 1:
		return errors.New("--jobs is for solvers in this process: with --queue, start workers by trefoil work")
	case c.Queue == "" && (c.Unconfirmed || c.Batch > 0):
		return errors.New("--unconfirmed and --batch need --queue")
	case c.File == "":
		return errors.New("missing argument <file>")
	}
	out, err := std.Output(ctx, c.File)
	if err != nil {
		return err
	}
	progress := &bookProgress{Progress: cli.NewProgress(std.Err, 0)}
	err = c.make(ctx, std, board, out, progress)
	if err != nil && ctx.Err() != nil && progress.done > 0 && out.Open == nil {
		return &cli.Status{Code: cli.StatusInterrupted, Err: fmt.Errorf(
			"%d of %d positions are solved; the same command continues from there", progress.done, progress.Total)}
	}
	return err
}

// records solves the positions of the last ply as solve connect4 does, but keeps the table: only scores
// matter to a book.
func (c *bookCommand) records(ctx context.Context, std *cli.Console, board *rules.Board) error {
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

// make makes the book, reads it back and prints what it holds.
func (c *bookCommand) make(ctx context.Context, std *cli.Console, board *rules.Board, out container.Output,
	progress *bookProgress) (err error) {
	known, err := c.knownScores(ctx, std, board)
	if err != nil {
		return err
	}
	var solver book.Solver
	var closer func() error
	if c.Queue != "" {
		solver, closer, err = c.byQueue(ctx, std, board, progress)
	} else {
		solver, closer, err = c.here(board, progress)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closer()) }()
	b, err := c.write(ctx, out, board, except(known, solver), func(solved, total int) {
		progress.solved(solved, total, time.Now())
	})
	progress.Clear()
	if err != nil {
		return err
	}
	std.Println(fmt.Sprintf("%s: %d positions up to ply %d", out.Name, b.Len(), b.Ply()))
	return nil
}

// here returns a solver of this process with --jobs tables. The caller closes it.
func (c *bookCommand) here(board *rules.Board,
	progress *bookProgress) (solver book.Solver, closer func() error, err error) {
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

// except returns a solver of the positions whose scores are not known.
func except(known map[uint64]int, solver book.Solver) book.Solver {
	return func(ctx context.Context, positions []rules.Position, found func(rules.Position, int) error) error {
		var left []rules.Position
		for _, p := range positions {
			if score, ok := known[p.Key()]; !ok {
				left = append(left, p)
			} else if err := found(p, score); err != nil {
				return err
			}
		}
		if len(left) == 0 {
			return nil
		}
		return solver(ctx, left, found)
	}
}

// write makes the book. It reads a file back.
func (c *bookCommand) write(ctx context.Context, out container.Output, board *rules.Board, solver book.Solver,
	progress func(solved, total int)) (*book.Book, error) {
	if out.Open != nil {
		return book.MakeTo(ctx, out, board, int(c.Ply), solver, progress)
	}
	if err := book.Make(ctx, c.File, board, int(c.Ply), solver, progress); err != nil {
		return nil, err
	}
	return book.Open(c.File)
}

// knownScores reads the records of --scores: scores by the keys of positions with --ply stones and of their
// mirror images.
func (c *bookCommand) knownScores(ctx context.Context, std *cli.Console, board *rules.Board) (map[uint64]int, error) {
	if len(c.Scores) == 0 {
		return nil, nil
	}
	solving := strings.Replace(std.Command, fmt.Sprintf(" --ply=%d", c.Ply), "", 1)
	solving = strings.Replace(solving, "book ", "solve ", 1)
	known := make(map[uint64]int)
	for _, path := range c.Scores {
		err := batch.Read(ctx, path, std, func(r batch.Record, text []byte) error {
			if r.Command != std.Command && r.Command != solving {
				return fmt.Errorf("it belongs to the command %q, not %q", r.Command, std.Command)
			}
			var s solved
			if err := json.Unmarshal(text, &s); err != nil || r.Error != "" || s.Score == nil {
				return err // a position that is not solved
			}
			p, err := parseSetup(board, strings.Fields(r.Input + " ?")[0])
			switch {
			case err != nil:
				return err
			case p.Ply() != int(c.Ply):
				return fmt.Errorf("position %.40q has %d stones, not %d", r.Input, p.Ply(), c.Ply)
			case *s.Score < -board.Cells || *s.Score > board.Cells:
				return fmt.Errorf("score %d", *s.Score)
			}
			if before, ok := known[p.Key()]; ok && before != *s.Score {
				return fmt.Errorf("position %.40q has the score %d, and %d before", r.Input, *s.Score, before)
			}
			known[p.Key()], known[p.Mirror().Key()] = *s.Score, *s.Score
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("--scores: %w", err)
		}
	}
	return known, nil
}

// bookProgress shows positions per second and the time left. Any goroutine may use it.
type bookProgress struct {
	*cli.Progress
	mu          sync.Mutex
	start       time.Time
	first, done int // solved at the start, and now
}

// solved sets the number of positions that are solved at a time.
func (p *bookProgress) solved(done, total int, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start, p.first = now, done
	}
	p.done, p.Total = done, total
	p.draw(now)
}

// show draws the bar.
func (p *bookProgress) show(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draw(now)
}

// warn prints a message beside the bar.
func (p *bookProgress) warn(std *cli.Console, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Clear()
	std.Warnf(format, args...)
}

// state returns how many positions are solved, and positions per second and the time left in words.
func (p *bookProgress) state() (done, total int, pace string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.Total, p.Note
}

func (p *bookProgress) draw(now time.Time) {
	p.Note = ""
	if n, spent := p.done-p.first, now.Sub(p.start); n > 0 && spent > 0 {
		left := time.Duration(float64(spent) / float64(n) * float64(p.Total-p.done))
		p.Note = fmt.Sprintf("%.3g positions/s, %v left", float64(n)/spent.Seconds(), left.Round(time.Second))
	}
	p.Show(p.done)
}
