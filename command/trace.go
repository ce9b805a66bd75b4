package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/search"
	"trefoil/ttanalysis"
)

const hashTraceUsage = `usage: trefoil hash trace FILE [FLAGS] [EPD]

Searches positions with one thread and records in FILE every probe and store of the table,
16 bytes each, for hash replay. EPD has a position a line, a FEN or an EPD (for shogi an
SFEN); without it the positions are those of bench. The table is emptied between positions
unless they are of --one-game. A million nodes make about 29 MB.

`

// tracing is one run of hash trace.
type tracing struct {
	file, epd, variant string
	hash, nodes        uint64
	keyBits, positions int
	oneGame            bool
}

func hashTrace(args []string, std streams) int {
	flags, t := newFlags("hash trace"), tracing{}
	flags.Uint64Var(&t.hash, "hash", 16, "size of the table in `MIB`")
	flags.Uint64Var(&t.nodes, "nodes", 1_000_000, "search `N` nodes of each position")
	flags.IntVar(&t.keyBits, "keybits", cluster.MaxKeyBits, "check `BITS` of the table, 8 to 21")
	flags.StringVar(&t.variant, "variant", "chess", "`GAME`: chess or shogi")
	flags.IntVar(&t.positions, "positions", 0, "only the first `N` positions; 0: all")
	flags.BoolVar(&t.oneGame, "one-game", false, "the positions follow each other in a game: keep the table")
	if status, ok := parseFlags(flags, args, 2, hashTraceUsage, std); !ok {
		return status
	}
	if t.file, t.epd = flags.Arg(0), flags.Arg(1); t.file == "" {
		return misuse(std, "hash trace: it goes: hash trace FILE [FLAGS] [EPD]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := t.run(ctx, std)
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(std.err, "trefoil: hash trace: interrupted, nothing is kept")
		return statusInterrupted
	case err != nil:
		return misuse(std, "hash trace: %v", err)
	}
	return 0
}

// setups returns the positions of a file, or those of bench if it has no name.
func (t *tracing) setups() (setups []string, err error) {
	if t.epd == "" {
		setups = engine.BenchSetups(t.variant)
	} else if setups, err = readSetups(t.epd, t.variant); err != nil {
		return nil, err
	}
	if t.positions > 0 {
		setups = setups[:min(t.positions, len(setups))]
	}
	return setups, nil
}

// check refuses flags that make no sense.
func (t *tracing) check() error {
	switch {
	case t.keyBits < cluster.MinKeyBits || t.keyBits > cluster.MaxKeyBits:
		return fmt.Errorf("keybits %d is outside %d to %d", t.keyBits, cluster.MinKeyBits, cluster.MaxKeyBits)
	case t.nodes == 0:
		return errors.New("nodes 0 is none at all")
	case t.positions < 0:
		return fmt.Errorf("positions %d: want 0 or more", t.positions)
	}
	return nil
}

func (t *tracing) run(ctx context.Context, std streams) error {
	if err := t.check(); err != nil {
		return err
	}
	setups, err := t.setups()
	if err != nil {
		return err
	}
	plan, err := cluster.PlanFor(t.hash, cluster.Auto)
	if err != nil {
		return err
	}
	suite := engine.Suite{
		Variant: t.variant, Setups: setups, MiB: t.hash, Index: plan.Index, KeyBits: t.keyBits, Nodes: t.nodes, OneGame: t.oneGame,
	}
	trace, err := ttanalysis.CreateTrace(t.file, t.header(&suite))
	if err != nil {
		return err
	}
	defer trace.Discard()
	bar := cli.NewProgress(std.err, len(setups))
	defer bar.Clear()
	bar.Show(0)
	nodes := uint64(0)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	suite.Watch = func(table *cluster.Table) (*ttanalysis.Observer, error) {
		return ttanalysis.NewObserver(table, nil, trace), nil
	}
	suite.Done = func(i int, _ string, r search.Result, _ *ttanalysis.Observer) {
		nodes += r.Nodes
		bar.Show(i + 1)
		if trace.Err() != nil { // a full disk: nobody searches for that
			stop()
		}
	}
	if err := suite.Run(ctx); err != nil && trace.Err() == nil {
		return err
	}
	if err := trace.Close(); err != nil {
		return err
	}
	bar.Clear()
	_, err = fmt.Fprintf(std.out, "%s: %d records of %d positions, %d nodes\n", t.file, trace.Records(), len(setups), nodes)
	return err
}

// header says what is recorded.
func (t *tracing) header(s *engine.Suite) ttanalysis.TraceHeader {
	source, between := "bench", "each from an empty table"
	if t.epd != "" {
		source = t.epd
	}
	if t.oneGame {
		between = "one game"
	}
	game, seed := s.Game()
	return ttanalysis.TraceHeader{
		Game: game, MiB: s.MiB, Index: s.Index, KeyBits: s.KeyBits, Seed: seed,
		Note: fmt.Sprintf("%d positions of %s, %d nodes each, %s", len(s.Setups), source, s.Nodes, between),
	}
}
