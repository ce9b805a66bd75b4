package connect4

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
)

// BookFlags are the flags of a command that makes a book.
type BookFlags struct {
	Ply bookPly `default:"8" help:"Stones in the last positions, 0 to 14."`
	boardFlags
	Threads cli.Threads `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash    cli.MiB     `default:"64" setting:"-" help:"Size of the table in MiB."`
	Scores  []string    `placeholder:"FILE" setting:"-" sep:"none" help:"Take scores from this file of records; can be given several times."`
}

// bookPly is a number of stones.
type bookPly int

// UnmarshalText reads the ply of a book.
func (p *bookPly) UnmarshalText(text []byte) (err error) {
	*p, err = cli.Whole[bookPly](text, 0, book.MaxPly)
	return err
}

// MakeBook makes a book in a file, or on standard output if that is "-", and prints what the book holds.
// Positions without a score in the records of --scores are for the solver that open returns; the function
// beside it closes the solver.
func (c *BookFlags) MakeBook(ctx context.Context, std *cli.Console, file string,
	open func(*rules.Board, *BookProgress) (book.Solver, func() error, error)) error {
	board, err := c.Board()
	if err != nil {
		return err
	}
	out, err := std.Output(ctx, file)
	if err != nil {
		return err
	}
	progress := &BookProgress{Progress: cli.NewProgress(std.Err, 0)}
	err = c.make(ctx, std, board, out, progress, open)
	if err != nil && ctx.Err() != nil && progress.done > 0 && out.Open == nil {
		return &cli.Status{Code: cli.StatusInterrupted, Err: fmt.Errorf(
			"%d of %d positions are solved; the same command continues from there", progress.done, progress.Total)}
	}
	return err
}

// make makes the book, reads it back and prints what it holds.
func (c *BookFlags) make(ctx context.Context, std *cli.Console, board *rules.Board, out container.Output,
	progress *BookProgress,
	open func(*rules.Board, *BookProgress) (book.Solver, func() error, error)) (err error) {
	known, err := c.knownScores(ctx, std, board)
	if err != nil {
		return err
	}
	solver, closer, err := open(board, progress)
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
func (c *BookFlags) write(ctx context.Context, out container.Output, board *rules.Board, solver book.Solver,
	progress func(solved, total int)) (*book.Book, error) {
	if out.Open != nil {
		return book.MakeTo(ctx, out, board, int(c.Ply), solver, progress)
	}
	if err := book.Make(ctx, out.Name, board, int(c.Ply), solver, progress); err != nil {
		return nil, err
	}
	return book.Open(out.Name)
}

// knownScores reads the records of --scores: scores by the keys of positions with --ply stones and of their
// mirror images.
func (c *BookFlags) knownScores(ctx context.Context, std *cli.Console, board *rules.Board) (map[uint64]int, error) {
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

// BookProgress shows positions per second and the time left. Any goroutine may use it.
type BookProgress struct {
	*cli.Progress
	mu          sync.Mutex
	start       time.Time
	first, done int // solved at the start, and now
}

// solved sets the number of positions that are solved at a time.
func (p *BookProgress) solved(done, total int, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start, p.first = now, done
	}
	p.done, p.Total = done, total
	p.draw(now)
}

// show draws the bar.
func (p *BookProgress) show(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draw(now)
}

// Warnf prints a message beside the bar.
func (p *BookProgress) Warnf(std *cli.Console, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Clear()
	std.Warnf(format, args...)
}

// State returns how many positions are solved, and positions per second and the time left in words.
func (p *BookProgress) State() (done, total int, pace string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.Total, p.Note
}

func (p *BookProgress) draw(now time.Time) {
	p.Note = ""
	if n, spent := p.done-p.first, now.Sub(p.start); n > 0 && spent > 0 {
		left := time.Duration(float64(spent) / float64(n) * float64(p.Total-p.done))
		p.Note = fmt.Sprintf("%.3g positions/s, %v left", float64(n)/spent.Seconds(), left.Round(time.Second))
	}
	p.Show(p.done)
}
