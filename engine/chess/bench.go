package chess

import (
	_ "embed"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/mates"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/search/alphabeta"
	"trefoil/search/mate"
	"trefoil/search/proof/chessgoal"
)

// alphaBeta is what measurements with the alpha-beta search need. by returns what evaluates.
func alphaBeta(by func() evaluation) *registry.AlphaBeta {
	return &registry.AlphaBeta{Seed: rules.Seed, Setups: benchFENs[:], Games: alphabetagame.Games(speedGames),
		Uneven: true, NewRoots: func() func(string) (alphabeta.Position, error) {
			pool := alphabetagame.NewEvaluators(by())
			return func(fen string) (alphabeta.Position, error) {
				p, err := rules.ParseFEN(fen)
				if err != nil {
					return nil, err
				}
				return root(p, pool), nil
			}
		}}
}

// speedGames are positions of games that the engine played against itself with 30,000 nodes a move, after
// four moves chosen at random among its best six.
//
//go:embed speedgames.txt
var speedGames string

// benches returns the benches of both searches.
func benches() []registry.Bench {
	return []registry.Bench{
		alphabetagame.NewBench(name, alphaBeta(OwnEvaluation)),
		alphabetagame.NewMateBench("mate-"+name, mateFENs[:], func(fen string) (mate.Problem, error) {
			p, err := rules.ParseFEN(fen)
			return mates.Chess(p, chessgoal.MaxMoves, nil), err
		}),
	}
}

// benchFENs are openings, middlegames and endings of games that the engine played
// against itself, and a few oddities: Chess960, positions from the tests of
// move generators, elementary endings, a fifty-move count about to end.
var benchFENs = [...]string{
	rules.StartFEN,
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

// mateFENs are positions with mates in 4 to 9, of games that the engine played against itself after
// eight or ten random moves.
var mateFENs = [...]string{
	"8/3b4/8/8/5Kp1/7p/8/3k4 b - - 1 83",
	"4k3/3n4/3Q4/8/6KP/8/8/8 w - - 1 64",
	"8/3Q4/5k2/8/6K1/8/8/8 w - - 5 73",
	"2k3N1/8/1Q2p3/4np2/1B6/3P4/4qPP1/2K5 w - - 4 39",
	"6k1/5n2/6PP/4p3/1P2P3/5K2/8/8 w - - 0 64",
	"7Q/8/1P1k4/4p3/4P3/5K2/8/8 w - - 1 70",
	"2b1k3/p1p2p2/2Pp2p1/2nq4/pr4p1/8/3NP3/2K1N3 b - - 1 77",
	"2b1k3/p1p2p2/2Pp2p1/8/1r2q1p1/p2N4/8/2K5 b - - 1 80",
	"8/1R4pk/6r1/3K1Q2/8/8/8/2b5 w - - 5 61",
	"8/6pk/1R4r1/3K1Q2/5b2/8/8/8 w - - 7 62",
	"1b6/8/5K2/8/8/3k4/8/4q3 b - - 5 80",
	"8/8/4k3/6P1/8/8/2r5/b2K4 b - - 7 56",
	"8/8/8/4rk2/8/2b2K2/8/8 b - - 7 62",
	"8/8/1k6/6q1/3K4/8/8/8 b - - 3 77",
	"8/8/8/3k2q1/8/8/4K3/8 b - - 9 80",
	"8/8/2k5/8/5q2/3K4/8/8 b - - 15 83",
	"4R3/2p2p1p/6pk/2P1p3/7P/5P2/2P1NK2/3R4 w - - 0 37",
	"4R3/5R1p/7k/2P1p3/8/5P1p/2P1NK2/8 w - - 0 40",
	"4R3/2PR3p/8/7k/4p3/5P1p/2P1NK2/8 w - - 0 43",
}
