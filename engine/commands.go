package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"trefoil/cluster"
	"trefoil/internal/mem"
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

func (e *Engine) explain(_ context.Context, _ []string, print func(string)) error {
	return e.played.explain(print)
}

// perft prints the leaves below every move and their sum.
func (e *Engine) perft(ctx context.Context, args []string, print func(string)) error {
	if len(args) == 0 {
		return errors.New("perft: it goes: perft DEPTH")
	}
	depth, err := positive(args[0], maxPerft)
	if err != nil {
		return fmt.Errorf("perft: %w", err)
	}
	return e.played.perft(ctx, depth, print)
}

// maxPerft is deeper than anybody can wait for.
const maxPerft = 40

// hash tells about the table, or about one that is only thought of.
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
		return errors.New("hash: it goes: hash, or hash plan MIB")
	}
	return e.played.plan(args[1], print)
}

// HashPlan prints what a table of a size and an index would be, and what the
// machine has for it. Nothing is allocated.
func HashPlan(mib, index string, print func(string)) error {
	n, err := positive(mib, cluster.MaxMiB)
	if err != nil {
		return fmt.Errorf("hash plan: %w", err)
	}
	i, err := cluster.ParseIndex(index)
	if err != nil {
		return fmt.Errorf("hash plan: %w", err)
	}
	p, err := cluster.PlanFor(uint64(n), i)
	if err != nil {
		return fmt.Errorf("hash plan: %w", err)
	}
	if p.Warning != "" {
		print("warning   " + p.Warning)
	}
	print(fmt.Sprintf("table     %d MiB of %d asked: %d clusters of %d bytes, three entries each", p.Allocated, p.MiB, p.Clusters, cluster.BytesPerCluster))
	print(fmt.Sprintf("index     %s; the 32-bit index would reach %d clusters (%.1f %%)", p.Index, p.Reach, 100*float64(p.Reach)/float64(uint64(n)*cluster.ClustersPerMiB)))
	machine(p.Clusters*cluster.BytesPerCluster, print)
	return nil
}

// machine prints what the machine has for a table of so many bytes.
func machine(bytes uint64, print func(string)) {
	f := mem.Machine()
	const gib = 1 << 30
	verdict := "fits"
	if bytes > f.Available {
		verdict = "would be refused"
	}
	print(fmt.Sprintf("machine   %.1f GiB of memory, %.1f GiB available (%s): %s", float64(f.Total)/gib, float64(f.Available)/gib, f.Explain, verdict))
	print(fmt.Sprintf("processor %s, cache line %d bytes, L2 %d KiB, L3 %d KiB", f.Processor, f.CacheLine, f.L2>>10, f.L3>>10))
	print("pages     transparent huge pages: " + f.HugePages)
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
