package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"trefoil/cluster"
	"trefoil/engine/bench"
	"trefoil/engine/memory"
	"trefoil/engine/openings"
	"trefoil/engine/registry"
	"trefoil/internal/cli"
	"trefoil/options"
)

// Commands are the engine's own commands. Their errors begin with the name of the command.
func (e *Engine) Commands() []options.Command {
	playedByAlphaBeta := e.names(func(s *gamePlayer) bool { return registry.PlayedByAlphaBeta(s.game) })
	list := []options.Command{
		{Name: "d", Help: "draw the position", Position: options.Always, Run: e.draw},
		{Name: "eval", Games: namesOf[registry.Evaluator](e), Help: "show the static evaluation, term by term",
			Position: options.Always, Run: e.explain},
		{Name: "flip", Games: namesOf[registry.Flipper](e), Help: "exchange the colours of the position",
			Position: options.Always, Run: e.flip},
		{Name: "perft", Args: "DEPTH", Help: "count the leaves of the game tree (also go perft DEPTH)",
			Position: options.Always, Long: true, Run: e.perft},
		{Name: "bench", Args: bench.Usage, Help: "search fixed positions; the last line is N nodes M nps",
			Position: bench.UsesCurrent, Long: true, Run: e.bench},
		{Name: "speedtest", Games: playedByAlphaBeta, Args: bench.SpeedUsage,
			Help: "search positions of games as if on a clock; the last line is N nodes M nps", Long: true, Run: e.speedTest},
		{Name: "genfens", Games: playedByAlphaBeta, Args: openings.Usage,
			Help: "make N openings by random moves in which neither side is far ahead", Long: true, Run: e.genFENs},
		{Name: "hash", Args: "[plan MIB]", Help: "show the state of the table, or the layout of one of that size", Long: true,
			Run: e.hash},
		{Name: "compiler", Help: "show the compiler, the target and the kernels in use", Run: compiler},
	}
	for i, c := range list {
		list[i].Run = func(ctx context.Context, args []string, print func(string)) error {
			if c.Args == "" && len(args) > 0 {
				return fmt.Errorf("%s: unexpected argument %.40q", c.Name, args[0])
			}
			if err := c.Run(ctx, args, print); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			return nil
		}
	}
	return list
}

func (e *Engine) draw(_ context.Context, _ []string, print func(string)) error {
	e.current.player.Draw(print)
	print(e.tableLine())
	return nil
}

// tableLine describes the table of the current game.
func (e *Engine) tableLine() string {
	if h, ok := e.current.player.(registry.Hasher); ok {
		return h.TableLine()
	}
	return "hash: " + e.current.game.Title + " uses no table"
}

func (e *Engine) explain(_ context.Context, _ []string, print func(string)) error {
	if v, ok := e.current.player.(registry.Evaluator); ok {
		return v.Explain(print)
	}
	return errors.New(e.current.game.Title + " has no static evaluation")
}

// flip exchanges the colours of the position.
func (e *Engine) flip(context.Context, []string, func(string)) error {
	f, ok := e.current.player.(registry.Flipper)
	if !ok {
		return errors.New(e.current.game.Title + " has no flipped positions")
	}
	f.Flip()
	return nil
}

// maxPerft is more than any count ends at.
const maxPerft = 40

func (e *Engine) perft(ctx context.Context, args []string, print func(string)) error {
	switch {
	case len(args) == 0:
		return errors.New("missing argument DEPTH")
	case len(args) > 1:
		return fmt.Errorf("unexpected argument %.40q; usage: perft DEPTH", args[1])
	}
	depth, err := cli.Whole([]byte(args[0]), 1, maxPerft)
	if err != nil {
		return err
	}
	return e.current.player.Perft(depth).Run(ctx, print)
}

// infoString prints messages as a protocol prints them.
func infoString(print func(string)) func(string) {
	return func(message string) { print("info string " + message) }
}

// bench runs the first bench of the current game.
func (e *Engine) bench(ctx context.Context, args []string, print func(string)) error {
	if len(e.current.game.Benches) == 0 {
		return errors.New(e.current.game.Title + " has no bench")
	}
	o, err := bench.ParseOptions(ctx, args, e.setup, infoString(print))
	if err != nil {
		return err
	}
	release, err := e.reserve("bench", cmp.Or(o.MiB, registry.BenchMiB), max(o.Threads, 1))
	if err != nil {
		return err
	}
	defer release()
	return bench.Run(ctx, &e.current.game.Benches[0], o, print)
}

// reserve asks for the memory of a command that has its own table and workers, beside the table and workers
// of the game.
func (e *Engine) reserve(command string, mib uint64, threads int) (release func(), err error) {
	h, ok := e.current.player.(registry.Hasher)
	if !ok {
		return func() {}, nil
	}
	r := memory.Request{Hash: mib << 20, Pages: e.options.HashPages.Value(), Threads: uint64(threads)}
	if err := e.memory.Fix(command, r.Bytes(h.Use())); err != nil {
		return nil, err
	}
	return func() { e.memory.Free(command) }, nil
}

// setup is the present position in the notation of the game.
func (e *Engine) setup() (string, error) {
	if w, ok := e.current.player.(registry.Writer); ok {
		return w.Setup(), nil
	}
	return "", errors.New("current is not available in " + e.current.game.Title)
}

// speedTest runs the speed test of the current game.
func (e *Engine) speedTest(ctx context.Context, args []string, print func(string)) error {
	roots := e.current.game.AlphaBeta
	if roots == nil {
		return errors.New(e.current.game.Title + " has no speed test")
	}
	o, err := bench.ParseSpeedOptions(args)
	if err != nil {
		return err
	}
	release, err := e.reserve("speedtest", o.MiB, o.Threads)
	if err != nil {
		return err
	}
	defer release()
	return bench.SpeedTest(ctx, roots, o, print)
}

// genFENs prints openings of the current game as OpenBench reads them.
func (e *Engine) genFENs(ctx context.Context, args []string, print func(string)) error {
	roots := e.current.game.AlphaBeta
	if roots == nil {
		return errors.New(e.current.game.Title + " has no openings")
	}
	o, err := openings.ParseOptions(ctx, args, infoString(print))
	if err != nil {
		return err
	}
	return openings.Generate(ctx, roots, o, func(setup string) { infoString(print)("genfens " + setup) })
}

// hash prints the state of the table, or the plan of a table of another size.
func (e *Engine) hash(ctx context.Context, args []string, print func(string)) error {
	switch {
	case len(args) == 0:
		if c, ok := e.current.player.(registry.ClusterHasher); ok {
			return c.Inspect(ctx, print)
		}
		print(e.tableLine())
		return nil
	case len(args) == 1 && args[0] == "plan":
		return errors.New("missing argument MIB; usage: hash [plan MIB]")
	case len(args) != 2 || args[0] != "plan":
		return fmt.Errorf("unexpected arguments %.40q; usage: hash [plan MIB]", strings.Join(args, " "))
	}
	h, ok := e.current.player.(registry.Hasher)
	if !ok {
		return errors.New(e.current.game.Title + " uses no table")
	}
	mib, err := cli.Whole[uint64]([]byte(args[1]), 1, cluster.MaxMiB)
	if err == nil {
		err = h.Plan(mib, print)
	}
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	return nil
}
