package alphabeta

import (
	"context"
	"testing"

	"trefoil/cluster"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/newtable"
	"trefoil/search"
)

// board is chess with a plain evaluation: material, and pieces in the middle.
type board struct{ *chess.Position }

func (b board) Clone() Position { return board{b.Copy()} }

func (b board) Eval() int {
	const middle = chess.Bitboard(0x00003C3C3C3C0000)
	v := 0
	for k, value := range []int{100, 320, 330, 500, 950, 0} {
		own := b.Pieces(chess.Colour(b.Side()), chess.Kind(k))
		other := b.Pieces(chess.Colour(b.Side()).Other(), chess.Kind(k))
		v += value * (own.Count() - other.Count())
		v += 8 * ((own & middle).Count() - (other & middle).Count())
	}
	return v
}

func parse(t testing.TB, fen string, moves ...string) board {
	t.Helper()
	p := gametest.Chess(t, fen, moves...)
	return board{p}
}

func newTable(t testing.TB, mib uint64) *cluster.Table {
	t.Helper()
	return newtable.Cluster(t, mib, cluster.Auto)
}

func newSearcher(t testing.TB, threads int) *Searcher {
	s := New()
	s.SetTable(newTable(t, 4))
	s.SetThreads(threads)
	return s
}

// run searches and returns the answer and all reports.
func run(t testing.TB, s *Searcher, pos Position, lim search.Limits, set Settings) (search.Result, []search.Info) {
	t.Helper()
	var infos []search.Info
	res := s.Search(context.Background(), pos, lim, set, func(i search.Info) { infos = append(infos, i) })
	return res, infos
}

// fens is a mix of openings, middle games, endings and oddities.
var fens = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
	"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
	"8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
	"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
	"8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
	"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
	"3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
	"2K5/p7/7P/5pR1/8/5k2/r7/8 w - - 4 3",
}
