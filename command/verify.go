package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"trefoil/game/certificate"
	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
	"trefoil/internal/container"
)

type verify struct {
	Last  bool     `help:"Print the positions of a book that have the most stones, with their scores, as solve connect4 reads them."`
	Files []string `arg:"" name:"file" help:"Certificates and books; - is standard input."`
}

// Help is printed by -h.
func (*verify) Help() string {
	return `Checks a certificate of solve ultimate, solve mate or trefoil-queue prove, which proves the value of
a position, by the rules of the game alone. The winner, both sides of a draw, or the side that
mates play the moves of the file against all replies.

Of a book of book connect4 it checks that no position is missing and that every score follows from
the scores after the moves. Only the scores of the positions with the most stones follow from
nothing in the book. With --last, any solver of Connect Four can check them:

    trefoil verify --last ten.book | trefoil solve connect4 --solver tutorial

All files are checked, also after one that is wrong.

Exit status: 0 on success; 1 if a file is damaged or proves nothing; 2 if one cannot be read; 130
after Ctrl-C.`
}

func (c *verify) Run(ctx context.Context, std *cli.Console) error {
	var uses []cli.Use
	for i, file := range c.Files {
		uses = append(uses, cli.Use{What: fmt.Sprintf("file %d", i+1), Path: file})
	}
	if err := std.CheckInputs(uses...); err != nil {
		return err
	}
	status := 0
	for _, file := range c.Files {
		err := c.file(ctx, std, std.Input(ctx, file))
		if ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if err != nil {
			std.Warn(err.Error())
			code := &cli.Status{Code: cli.StatusFailed}
			errors.As(err, &code)
			status = max(status, code.Code)
		}
	}
	if status > 0 {
		return &cli.Status{Code: status}
	}
	return nil
}

// file checks a file.
func (c *verify) file(ctx context.Context, std *cli.Console, in container.Input) error {
	kind, err := in.Kind()
	if err != nil {
		return err
	}
	if kind == container.Book {
		return c.book(ctx, std, in)
	}
	if c.Last {
		return fmt.Errorf("--last is for a book: %s is none", in.Name)
	}
	progress := cli.NewProgress(std.Err, 100)
	s, err := certificate.Verify(ctx, in, func(done, total uint64) { progress.Show(int(100 * done / max(total, 1))) })
	progress.Clear()
	if err != nil {
		return cli.Damaged(err)
	}
	std.Println(fmt.Sprintf("%s\t%s", s.Value, s.Position))
	std.Println(fmt.Sprintf("# %s is a proof: %s, %d bytes", in.Name, cli.Count(s.Positions, "position"), s.FileBytes))
	return nil
}

// book checks a book of Connect Four.
func (c *verify) book(ctx context.Context, std *cli.Console, in container.Input) error {
	last := 0
	b, err := book.Verify(ctx, in, func(p connect4.Position, score int) error {
		last++
		if c.Last {
			columns, _ := p.Columns()
			std.Println(fmt.Sprintf("%s %d", cmp.Or(columns, "startpos"), score))
		}
		return nil
	})
	if err != nil {
		return cli.Damaged(err)
	}
	std.Println(fmt.Sprintf("# %s is complete: %s, board %v, ply %d; the scores of %d follow, %d are the solver's",
		in.Name, cli.Count(b.Len(), "position"), b.Board(), b.Ply(), b.Len()-last, last))
	return nil
}
