package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/search"
	"trefoil/ttanalysis"
)

const hashAuditUsage = `trefoil hash audit [FLAGS] [FILE]: how often one position is taken for another, and what comes of it.

Searches a suite of positions, each with an empty table, with narrower and narrower check bits, and
knows every false hit by a second, independent key beside each entry (75 % more memory). FILE has
FEN, EPD or SFEN, one a line; without it the positions of bench are searched.

For each number of check bits it prints the false hits; the first ones, without those of a position
on an entry that it has hit before; how many of these were to be expected of independent keys, and
the ratio with the 95 % interval of a Poisson count; the different clashes that they go back to (if
two positions clash, all clash that differ in the same way: Zobrist's clustering); what they were used for; how many of the entries' moves were illegal;
and in how many positions another move was best than with all bits.

With --blame N it looks for N false hits that alone change the best move: it searches again and
again with exactly one of them accepted, and prints both positions with both keys, and the command
that shows it again, which is --only.

`

// auditing is what hash audit is asked.
type auditing struct {
	suite engine.Suite
	bits  []int
	blame int
	only  uint64
	tsv   string
	plot  string
	out   func(format string, args ...any)
}

func hashAudit(args []string, std streams) int {
	flags, a := newFlags("hash audit"), auditing{}
	bits, index, fen := "", "", ""
	flags.StringVar(&bits, "keybits", "8,10,12,14,16,21", "check `BITS`, each 8 to 21")
	flags.StringVar(&a.suite.Variant, "variant", "chess", "chess or shogi")
	flags.Uint64Var(&a.suite.MiB, "hash", 16, "size of the table in `MIB`")
	flags.StringVar(&index, "index", "auto", "auto, mul32, mul64 or pow2")
	flags.Uint64Var(&a.suite.Nodes, "nodes", 200_000, "`N` nodes for each position; 0 with --depth")
	flags.IntVar(&a.suite.Depth, "depth", 0, "search to this depth")
	flags.IntVar(&a.suite.Threads, "threads", 1, "`N` workers")
	flags.StringVar(&fen, "fen", "", "the only position, FEN or SFEN")
	flags.IntVar(&a.blame, "blame", 0, "look for `N` false hits that alone change the best move")
	flags.StringVar(&a.tsv, "tsv", "", "write the counts to `FILE` too, with tabs between them")
	flags.StringVar(&a.plot, "plot", "", "draw measured and expected false hits: `FILE`.svg")
	flags.Uint64Var(&a.only, "only", 0, "accept false hit number `K` alone")
	if status, ok := parseFlags(flags, args, 1, hashAuditUsage, std); !ok {
		return status
	}
	a.out = func(format string, args ...any) { fmt.Fprintf(std.out, format+"\n", args...) }
	if err := a.prepare(bits, index, fen, flags.Arg(0)); err != nil {
		return misuse(std, "hash audit: %v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := a.sweep
	switch {
	case a.only > 0:
		do = a.show
	case a.blame > 0:
		do = a.search
	}
	if err := do(ctx); err != nil {
		if ctx.Err() != nil {
			return statusInterrupted
		}
		return misuse(std, "hash audit: %v", err)
	}
	return 0
}

// prepare reads what the flags say.
func (a *auditing) prepare(bits, index, fen, file string) (err error) {
	for _, text := range strings.Split(bits, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < cluster.MinKeyBits || n > cluster.MaxKeyBits {
			return fmt.Errorf("keybits %q is not a number from %d to %d", text, cluster.MinKeyBits, cluster.MaxKeyBits)
		}
		a.bits = append(a.bits, n)
	}
	if (a.only > 0 || a.blame > 0) && (len(a.bits) != 1 || a.suite.Threads > 1) {
		return fmt.Errorf("--only and --blame need one number of --keybits and one thread")
	}
	if a.only > 0 && fen == "" {
		return fmt.Errorf("--only needs --fen")
	}
	if a.only > 0 && a.blame > 0 {
		return fmt.Errorf("--only and --blame: one of them")
	}
	if (a.only > 0 || a.blame > 0) && a.tsv+a.plot != "" {
		return fmt.Errorf("--only and --blame count nothing for --tsv or --plot")
	}
	if a.suite.Nodes == 0 && a.suite.Depth == 0 {
		return fmt.Errorf("nodes 0 and no depth would never end")
	}
	if a.suite.Depth < 0 || a.suite.Threads < 1 || a.suite.Threads > 256 || a.blame < 0 {
		return fmt.Errorf("depth %d, threads %d, blame %d: none may be negative, and threads are 1 to 256", a.suite.Depth, a.suite.Threads, a.blame)
	}
	if a.suite.Index, err = cluster.ParseIndex(index); err != nil {
		return err
	}
	for _, path := range a.outputs() {
		if err := writable(path); err != nil {
			return err
		}
	}
	switch {
	case fen != "" && file != "":
		return fmt.Errorf("--fen and the file %s: one of them", file)
	case fen != "":
		a.suite.Setups = []string{fen}
	case file != "":
		a.suite.Setups, err = readSetups(file, a.suite.Variant)
	}
	return err
}

// outputs are the files that will be written.
func (a *auditing) outputs() (paths []string) {
	if a.tsv != "" {
		paths = append(paths, a.tsv)
	}
	if a.plot != "" {
		paths = append(paths, a.plot+".svg")
	}
	return paths
}

// readSetups reads the positions of a file, one a line: FEN or SFEN, or EPD, of which
// operations are left out.
func readSetups(path, variant string) (setups []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if most := 4; variant == "chess" && len(words) > most {
			if _, err := strconv.Atoi(words[most]); err != nil {
				words = words[:most] // EPD: operations follow
			} else {
				words = words[:min(len(words), 6)]
			}
		}
		setups = append(setups, strings.Join(words, " "))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading positions of %s: %w", path, err)
	}
	if len(setups) == 0 {
		return nil, fmt.Errorf("%s: no positions", path)
	}
	return setups, nil
}

// outcome is what came of a suite.
type outcome struct {
	best   []string
	nodes  uint64
	counts ttanalysis.Counters
}

// run searches the suite with so many check bits.
func (a *auditing) run(ctx context.Context, bits int, mode ttanalysis.AuditMode, accept uint64, tell func(*ttanalysis.FalseHit)) (o outcome, err error) {
	s := a.suite
	s.KeyBits = bits
	var audit *ttanalysis.Audit
	defer func() {
		if audit != nil {
			_ = audit.Close()
		}
	}()
	s.Watch = func(t *cluster.Table) (*ttanalysis.Observer, error) {
		if audit, err = ttanalysis.NewAudit(t, mode); err != nil {
			return nil, err
		}
		audit.Accept, audit.Tell = accept, tell
		return ttanalysis.NewObserver(t, audit, nil), nil
	}
	s.Done = func(_ int, _ string, r search.Result, w *ttanalysis.Observer) {
		o.best = append(o.best, r.Best)
		o.nodes += r.Nodes
		c := w.Counts()
		o.counts.Add(&c)
	}
	return o, s.Run(ctx)
}

// show searches one position with one false hit accepted, and without.
func (a *auditing) show(ctx context.Context) error {
	bits := a.bits[0]
	without, err := a.run(ctx, bits, ttanalysis.AuditPairs, 0, nil)
	if err != nil {
		return err
	}
	var hit *ttanalysis.FalseHit
	with, err := a.run(ctx, bits, ttanalysis.AuditPairs, a.only, func(h *ttanalysis.FalseHit) {
		if !h.Refused {
			hit = h
		}
	})
	if err != nil {
		return err
	}
	if hit == nil {
		return fmt.Errorf("there is no false hit number %d: %d in all", a.only, without.counts.FalseHits())
	}
	a.out("best move without false hits %s, with this one %s", without.best[0], with.best[0])
	a.tell(hit)
	return nil
}

// tell prints a false hit.
func (a *auditing) tell(h *ttanalysis.FalseHit) {
	a.out("  false hit %d, used for %s: value %d, depth %d, eval %d", h.Number, ttanalysis.UseNames[h.Use], h.Entry.Value, h.Entry.Depth, h.Entry.Eval)
	for _, side := range []struct {
		what string
		id   ttanalysis.Identity
	}{{"searched", h.At}, {"stored", h.Stored}} {
		a.out("  %-9s key %016x  second key %016x  %s", side.what, side.id.Key, side.id.Second, side.id.Text)
	}
}

// search looks for false hits that alone change the best move.
func (a *auditing) search(ctx context.Context) error {
	bits, found, tried := a.bits[0], 0, uint64(0)
	setups := a.suite.Setups
	if len(setups) == 0 {
		setups = engine.BenchSetups(a.suite.Variant)
	}
	for _, setup := range setups {
		a.suite.Setups = []string{setup}
		without, err := a.run(ctx, bits, ttanalysis.AuditCounts, 0, nil)
		if err != nil {
			return err
		}
		for k := range without.counts.FalseHits() {
			a.only = k + 1
			tried++
			with, err := a.run(ctx, bits, ttanalysis.AuditCounts, a.only, nil)
			if err != nil {
				return err
			}
			if with.best[0] == without.best[0] {
				continue
			}
			found++
			a.out("%d. %s", found, setup)
			if err := a.show(ctx); err != nil {
				return err
			}
			a.out("  trefoil hash audit --variant %s --hash %d --nodes %d --depth %d --keybits %d --only %d --fen '%s'\n",
				a.suite.Variant, a.suite.MiB, a.suite.Nodes, a.suite.Depth, bits, a.only, setup)
			if found == a.blame {
				a.out("%d false hits tried one by one", tried)
				return nil
			}
		}
	}
	a.out("%d false hits tried one by one, %d of them change the best move", tried, found)
	return nil
}
