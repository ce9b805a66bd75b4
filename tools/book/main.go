// Command book makes openings for matches: lines of moves chosen at random among those that the
// search finds nearly best, ending in balanced positions, or with -least in unbalanced ones. It writes
// one EPD record per line, the format of fastchess and cutechess-cli.
//
//	go run ./tools/book -n 500 -o FILE
//
// The same flags make the same book on every machine.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"trefoil/tools/internal/program"
)

// plan describes the openings to make.
type plan struct {
	n      int
	seed   uint64
	plies  int
	nodes  uint64 // for each move; the end is searched with ten times as many
	lines  int    // moves to choose from
	margin int    // how much worse than the best a move may be, centipawns
	least  int    // how far from level an opening must end, centipawns
	window int    // how far from level it may end
	frc    bool
}

func main() { program.Main("book", run) }

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	var p plan
	set := program.Flags("book [flags]", errs)
	set.IntVar(&p.n, "n", 500, "openings")
	set.Uint64Var(&p.seed, "seed", 1, "seed of all choices")
	set.IntVar(&p.plies, "plies", 8, "plies of an opening")
	set.Uint64Var(&p.nodes, "nodes", 4000, "nodes searched for a move; ten times as many for the last position")
	set.IntVar(&p.lines, "lines", 6, "moves to choose from")
	set.IntVar(&p.margin, "margin", 40, "centipawns that a move may be worse than the best")
	set.IntVar(&p.least, "least", 0, "centipawns that the last position must be away from level, for unbalanced openings")
	set.IntVar(&p.window, "window", 50, "centipawns that the last position may be away from level")
	set.BoolVar(&p.frc, "chess960", false, "start from Chess960 positions")
	name := set.String("o", "", "file to write (default: the standard output)")
	workers := set.Int("workers", 2, "openings made at a time; the book does not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", set.Arg(0))
	case p.n < 1 || p.plies < 1 || p.nodes < 1 || p.lines < 1 || *workers < 1:
		return errors.New("-n, -plies, -nodes, -lines and -workers must be at least 1")
	case p.margin < 0 || p.least < 0 || p.window < p.least:
		return errors.New("-margin and -least must not be negative, nor -window below -least")
	}
	var book bytes.Buffer
	if err := fill(ctx, p, *workers, &book); err != nil {
		return err
	}
	if *name == "" {
		_, err := out.Write(book.Bytes())
		return err
	}
	return os.WriteFile(*name, book.Bytes(), 0o644)
}
