package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/search/exact"
)

const bookUsage = `usage: trefoil book connect4 [FLAGS] FILE

Solves all positions of Connect Four with --ply stones (mirror images once) and writes
them and all positions before them, with their scores, to FILE. Ctrl-C ends it; what is
solved stands in FILE.part, and the same command goes on from there.

exit status: 0; 2 after a mistake; 130 after Ctrl-C

`

// makeBook runs the subcommand book and returns its exit status.
func makeBook(args []string, std streams) int {
	if len(args) == 0 || args[0] != "connect4" {
		fmt.Fprintln(std.err, "trefoil: book: it goes: book connect4 [FLAGS] FILE")
		return statusMisuse
	}
	flags := newFlags("book connect4")
	var o exact.Options
	ply := flags.Int("ply", 8, fmt.Sprintf("stones of the last positions, 0 to %d", book.MaxPly))
	flags.IntVar(&o.Threads, "threads", 1, "`N` workers over one table")
	flags.IntVar(&o.Hash, "hash", exact.DefaultHash, "size of the table in `MIB`")
	if status, ok := parseFlags(flags, args[1:], 1, bookUsage, std); !ok {
		return status
	}
	if flags.Arg(0) == "" {
		fmt.Fprintln(std.err, "trefoil: book connect4: which FILE?")
		return statusMisuse
	}
	if err := checkSolver(o); err != nil {
		fmt.Fprintf(std.err, "trefoil: book connect4: %v\n", err)
		return statusMisuse
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := writeBook(ctx, flags.Arg(0), *ply, o, std)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintf(std.err, "trefoil: %v; the same command goes on from there\n", err)
		return statusInterrupted
	}
	fmt.Fprintf(std.err, "trefoil: %v\n", err)
	return statusMisuse
}

// writeBook makes the book, reads it back and tells what it holds.
func writeBook(ctx context.Context, path string, ply int, o exact.Options, std streams) (err error) {
	solver, err := exact.New(o)
	if err != nil {
		return fmt.Errorf("book: %w", err)
	}
	defer func() { err = errors.Join(err, solver.Close()) }()
	solve := func(ctx context.Context, p connect4.Position) (int, error) {
		r := solver.Solve(ctx, p, exact.Limits{}, nil)
		if !r.Exact {
			return 0, context.Cause(ctx)
		}
		return r.Score, nil
	}
	progress := newBar(std.err, 0)
	err = book.Make(ctx, path, ply, solve, func(done, total int) {
		progress.total = total
		progress.show(done)
	})
	progress.clear()
	if err != nil {
		return err
	}
	b, err := book.Open(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s: %d positions up to ply %d\n", path, b.Len(), b.Ply())
	return nil
}
