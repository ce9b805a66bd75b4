package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"trefoil/cluster"
	"trefoil/engine/bench"
	"trefoil/options"
)

// Commands are the engine's own commands.
func (e *Engine) Commands() []options.Command {
	return []options.Command{
		{Name: "d", Help: "draw the position", Run: e.draw},
		{Name: "eval", Help: "the static evaluation, term by term", Run: e.explain},
		{Name: "perft", Args: "DEPTH", Help: "count the leaves of the game tree (also go perft DEPTH)", Long: true, Run: e.perft},
		{Name: "bench", Args: "[DEPTH]", Help: "search fixed positions; the last line is N nodes M nps", Long: true, Run: e.bench},
		{Name: "hash", Args: "[plan MIB]", Help: "the table as it is, or what one of that size would be", Long: true, Run: e.hash},
	}
}

func (e *Engine) draw(_ context.Context, _ []string, print func(string)) error {
	e.played.draw(print)
	print(e.played.tableLine())
	return nil
}

// bench is of the game that is played.
func (e *Engine) bench(ctx context.Context, args []string, print func(string)) error {
	return Bench(ctx, e.game(), args, print)
}

// Bench runs the bench of that name. args may hold the depth; without it that is the depth of the
// signature.
func Bench(ctx context.Context, name string, args []string, print func(string)) error {
	b, err := Games().FindBench(name)
	depth := 0
	switch {
	case err != nil:
	case len(args) > 1:
		err = fmt.Errorf("unexpected argument %q", args[1])
	case len(args) > 0:
		if depth, err = positive(args[0], bench.MaxDepth); err != nil {
			err = fmt.Errorf("depth %w", err)
		}
	}
	if err == nil {
		err = bench.Run(ctx, b, depth, print)
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

func (e *Engine) explain(_ context.Context, _ []string, print func(string)) error {
	return e.played.explain(print)
}

// perft prints the leaves below every move and their sum.
func (e *Engine) perft(ctx context.Context, args []string, print func(string)) error {
	if len(args) == 0 {
		return errors.New("perft: missing argument DEPTH")
	}
	depth, err := positive(args[0], maxPerft)
	if err == nil {
		err = e.played.perft(ctx, depth, print)
	}
	if err != nil {
		return fmt.Errorf("perft: %w", err)
	}
	return nil
}

// maxPerft is more than any count ends at.
const maxPerft = 40

// hash prints the state of the table, or the plan of one of another size.
func (e *Engine) hash(ctx context.Context, args []string, print func(string)) error {
	if len(args) == 0 {
		if p, ok := e.played.(interface {
			inspect(context.Context, func(string)) error
		}); ok {
			return p.inspect(ctx, print)
		}
		print(e.played.tableLine())
		return nil
	}
	if len(args) != 2 || args[0] != "plan" {
		return errors.New("hash: wrong arguments, usage: hash [plan MIB]")
	}
	mib, err := positive(args[1], cluster.MaxMiB)
	if err == nil {
		err = e.played.plan(uint64(mib), print)
	}
	if err != nil {
		return fmt.Errorf("hash plan: %w", err)
	}
	return nil
}

// positive reads a whole number from 1 to most.
func positive(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		if len(text) > 40 {
			text = text[:40] + "…"
		}
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", text, most)
	}
	return n, nil
}

// lines prints a text line by line.
func lines(text string, print func(string)) {
	for line := range strings.Lines(text) {
		print(strings.TrimRight(line, "\n"))
	}
}
