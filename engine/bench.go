package engine

import (
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/game/shogi"
	shogieval "trefoil/game/shogi/eval"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// A bench is fixed positions of a game, and the depth of one that does not say.
type bench struct {
	depth int
	setup []string
	root  func(setup string) (alphabeta.Position, error)
}

// newBench returns the bench of a game, by its name in UCI_Variant.
func newBench(variant string) (bench, error) {
	switch variant {
	case "chess":
		var evals roster
		return bench{13, benchFENs, func(fen string) (alphabeta.Position, error) {
			pos, err := chess.ParseFEN(fen)
			return evals.root(pos), err
		}}, nil
	case "shogi":
		return bench{13, benchSFENs, func(sfen string) (alphabeta.Position, error) {
			pos, err := shogi.ParseSFEN(sfen)
			return &shogiPosition{Position: pos, eval: shogieval.New()}, err
		}}, nil
	}
	return bench{}, fmt.Errorf("no positions of variant %q, only of chess and shogi", variant)
}

// maxBench bounds the depth of a bench.
const maxBench = 100

// benchHash is the table of a bench in MiB, whatever the options are.
const benchHash = 16

// bench is of the game that is played.
func (e *Engine) bench(ctx context.Context, args []string, print func(string)) error {
	return Bench(ctx, e.game(), args, print)
}

// Bench searches fixed positions of chess or shogi to a depth with one thread and a
// fresh table of 16 MiB, and prints the nodes and the speed on the last line:
// "N nodes M nps". args may hold the depth. N depends on the depth and the program
// alone; it is the program's signature for that game.
func Bench(ctx context.Context, variant string, args []string, print func(string)) error {
	b, err := newBench(variant)
	switch {
	case err != nil:
	case len(args) > 1:
		err = fmt.Errorf("what is %q after the depth?", args[1])
	case len(args) > 0:
		if b.depth, err = positive(args[0], maxBench); err != nil {
			err = fmt.Errorf("depth %w", err)
		}
	}
	if err == nil {
		err = b.run(ctx, print)
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// run is Bench for one game.
func (b *bench) run(ctx context.Context, print func(string)) error {
	table, err := cluster.New(benchHash, cluster.Auto)
	if err != nil {
		return err
	}
	defer table.Close()
	_ = table.Prefault(ctx) // it ends early with ctx only, as the bench does
	searcher := alphabeta.New()
	searcher.SetTable(table)
	nodes, spent := uint64(0), time.Duration(0)
	for i, setup := range b.setup {
		root, err := b.root(setup)
		if err != nil {
			return err
		}
		searcher.NewGame()
		if err := table.Clear(ctx); err != nil {
			return fmt.Errorf("stopped at position %d", i+1)
		}
		start := time.Now()
		r := searcher.Search(ctx, root, search.Limits{Depth: b.depth, Start: start}, alphabeta.Settings{MultiPV: 1}, nil)
		spent += time.Since(start)
		if ctx.Err() != nil {
			return fmt.Errorf("stopped at position %d", i+1)
		}
		nodes += r.Nodes
		print(fmt.Sprintf("position %2d of %d: %s, %d nodes", i+1, len(b.setup), r.Best, r.Nodes))
	}
	spent = max(spent, time.Millisecond)
	print(fmt.Sprintf("%d nodes %d nps", nodes, uint64(float64(nodes)/spent.Seconds())))
	return nil
}

// benchFENs are openings, middlegames and endings of games that the engine played
// against itself, and a few oddities: Chess960, positions from the tests of
// move generators, elementary endings, a fifty-move count about to end.
var benchFENs = []string{
	chess.StartFEN,
	"r1bqkb1r/2p1np2/p1n1p2p/1p1p2p1/3PP3/2P2N1P/PPBN1PP1/R1BQ1RK1 w kq - 0 11",
	"r2q1rk1/pb1n1ppp/1p1bpn2/2pp4/8/3PPBP1/PPPNNP1P/R1BQ1RK1 w - - 1 11",
	"r2q1rk1/ppp1ppb1/2np2p1/7p/3PP1n1/2N1BQ2/PPP1BPPP/R2R2K1 w - - 3 11",
	"r1b1kb1r/p1qn1ppp/2p2n2/4p3/2PPP3/p4N1P/P1QB1PP1/1R2KB1R w Kkq - 1 13",
	"r2qk2r/1ppbn1p1/2nppb1p/p4p2/2PP4/PP2PN1P/1B1NBPP1/R2QK2R w KQkq - 0 13",
	"r1b1k2r/2pq2p1/2n2p2/ppb1pNBn/3pP1P1/2PP1N1p/PPQ2P1P/2KR1B1R w kq - 0 15",
	"r2qkbr1/1pp2b2/2n2p2/4p3/p3P3/2Pp1QN1/PP1P1PP1/RNB1K2R w KQq - 0 15",
	"r4rk1/1ppb1ppp/p1nq1n2/4p3/P2P4/2PB1N1P/1P1B1PP1/R2Q1RK1 w - - 0 15",
	"2kr3r/pbpqn1b1/1pn2p2/6pp/3PP3/5N1P/PP2BBP1/R2QKN1R w KQ - 1 18",
	"1r1qkb1r/5pp1/2n1p1np/pp1pP3/3P4/1PPQN1P1/1B1N1P1P/3RR1K1 w k - 2 24",
	"3r1rk1/1bb1q1p1/1pp4p/p1n5/P1P1p2P/1P4P1/R2BBP1N/1Q2R1K1 w - - 4 24",
	"3r1rk1/1q1n1np1/p2p1p1p/1ppPp3/2P3B1/PPBPP3/6PP/R2Q1RK1 w - - 4 24",
	"4k3/1pp1b3/p1n2p2/6r1/4BR1p/4B2P/PPP3P1/3K4 w - - 2 24",
	"r1bb3R/pppk4/8/3Nn3/4P3/P3B3/1PP2PP1/R3K3 w Q - 0 24",
	"1r1q1rk1/2p3b1/pp5p/3bpnpB/1P1pN3/P1PP3P/1B2QPP1/1R2R1K1 w - - 1 28",
	"1r2k3/1N2bp1p/p3p3/4p3/P7/3R4/1PP2Pr1/3K3R w - - 6 28",
	"4rk2/pp6/3p3p/5pp1/2PP4/P2b1NPP/3NnP1K/4R3 w - - 0 28",
	"8/pprn1kpp/4ppb1/3p4/3P1N1P/BP2P3/P4PP1/3B2K1 w - - 6 28",
	"r4r1k/6p1/1p1p3p/pP2P1b1/2q5/2B1P2P/P5P1/R2QR1K1 w - - 0 28",
	"2r3k1/p3R1pp/1p1K4/2pP1p2/r7/P4NP1/7P/6R1 w - - 1 31",
	"4r1k1/2p3p1/pb3p1p/4P3/5P2/1P1R3P/P1P3PB/6K1 w - - 1 31",
	"2k5/2p5/p2b3p/5R2/P2B1pP1/1P6/2r1rPP1/5RK1 w - - 4 36",
	"2r3rk/7p/b2p4/3Pq3/4PN2/1P2QP2/7P/B3R2K w - - 1 36",
	"2r5/3n1p2/b5k1/N4Rp1/1Pp3P1/4PB1P/5n2/2BK4 w - - 3 36",
	"1k3b2/ppr5/3p2nr/3Pp1N1/P7/1PN2P2/2P2KRp/7R w - - 22 41",
	"8/3R4/6pk/2p1N2p/3pP3/1P5P/2r2K2/8 w - - 1 41",
	"8/8/2k2bp1/1Rpr1p1p/P7/1P1N1PK1/2P5/8 w - - 5 41",
	"3k4/8/3p2Kp/1p1B4/6PP/p1P5/P7/8 w - - 2 46",
	"8/5k2/p1n5/2pb1PP1/3b1K2/1P5r/4R3/1R6 w - - 11 51",
	"8/8/8/1R5p/7P/8/kQ4P1/6K1 b - - 1 52",
	"8/2Q5/4pk1p/p5pP/Pp6/1P1p4/6P1/3qB1K1 w - - 26 61",
	"bnrqnkrb/pppppppp/8/8/8/8/PPPPPPPP/BNRQNKRB w GCgc - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
	"8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
	"8/8/4k3/8/8/3BN3/8/4K3 w - - 0 1",
	"3r2k1/5ppp/8/8/8/8/5PPP/R2R2K1 b - - 0 1",
	"6k1/5ppp/1q6/8/8/1Q6/5PPP/R5K1 b - - 99 90",
}
