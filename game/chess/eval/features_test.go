package eval

import (
	"strings"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// TestFeatures counts, in small positions, what each weight counts: for White less for Black.
func TestFeatures(t *testing.T) {
	type table struct {
		name   string
		weight func(*Weights) *Score
		want   map[string]int // by the board, and "b" if Black is to move
	}
	for _, c := range []table{
		{"tempo", func(w *Weights) *Score { return &w.Tempo }, map[string]int{
			"4k3/8/8/8/8/8/8/4K3": 1, "4k3/8/8/8/8/8/8/4K3 b": -1,
		}},
		{"rooks", func(w *Weights) *Score { return &w.Material[chess.Rook] }, map[string]int{
			"4k3/8/8/8/8/8/8/R3K2R": 2, "r3k3/8/8/8/8/8/7p/R3K2R": 1,
		}},
		{"bishop pair", func(w *Weights) *Score { return &w.BishopPair }, map[string]int{
			"4k3/8/8/8/8/8/8/2B1KB2": 1, "4k3/8/8/8/8/4B3/8/2B1K3": 0, "2b1kb2/8/8/8/8/8/8/2B1K3": -1,
		}},
		{"pawns with a knight", func(w *Weights) *Score { return &w.KnightPawn }, map[string]int{
			"4k3/8/8/8/8/8/PP6/1N2K3": -3, "4k3/8/8/8/8/8/PPPPPPP1/1N2K1N1": 4,
		}},
		{"pawns with a rook", func(w *Weights) *Score { return &w.RookPawn }, map[string]int{
			"4k3/8/8/8/8/8/PPPPPPP1/R3K3": 2, "r3k3/p7/8/8/8/8/8/4K3": 4,
		}},
		{"a knight on c3", func(w *Weights) *Score { return &w.Knight[42] }, map[string]int{
			"4k3/8/8/8/8/2N5/8/4K3": 1, "4k3/8/2n5/8/8/8/8/4K3": -1, "4k3/8/8/8/8/5N2/8/3K4": 1,
		}},
		{"a king on g1", func(w *Weights) *Score { return &w.King[30] }, map[string]int{
			"4k3/8/8/8/8/8/8/6K1": 1, "6k1/8/8/8/8/8/8/4K3": -1, "4k3/8/8/8/8/8/8/1K6": 1,
		}},
		{"a knight with 8 squares", func(w *Weights) *Score { return &w.KnightMobility[8] }, map[string]int{
			"4k3/8/8/8/4N3/8/8/4K3": 1, "4k3/4p3/8/8/4N3/8/8/4K3": 0,
		}},
		{"a knight with 6 squares", func(w *Weights) *Score { return &w.KnightMobility[6] }, map[string]int{
			"4k3/4p3/8/8/4N3/8/8/4K3": 1, "4k3/8/8/8/4N3/8/3P1P2/4K3": 1, "4k3/8/8/8/4N3/6P1/5p2/3K4": 0,
		}},
		{"a pinned knight", func(w *Weights) *Score { return &w.KnightMobility[0] }, map[string]int{
			"4r1k1/8/8/8/4N3/8/8/4K3": 1, "4r1k1/4n3/8/8/4N3/8/8/4K3": 0,
		}},
		{"a bishop behind its queen", func(w *Weights) *Score { return &w.BishopMobility[6] }, map[string]int{
			"4k3/8/8/8/8/8/3Q4/2B1K3": 1,
		}},
		{"a rook behind a rook", func(w *Weights) *Score { return &w.RookMobility[10] }, map[string]int{
			"4k3/8/8/8/8/8/8/R3K3": 1, "4k3/8/8/8/R7/8/8/R3K3": 1,
		}},
		{"a queen in the corner", func(w *Weights) *Score { return &w.QueenMobility[17] }, map[string]int{
			"4k3/8/8/8/8/8/8/Q3K3": 1,
		}},
		{"isolated", func(w *Weights) *Score { return &w.Structure.Isolated }, map[string]int{
			"4k3/pp6/8/8/8/8/P2P4/4K3": 2, "4k3/pp6/8/8/8/8/P2PP3/4K3": 1,
		}},
		{"isolated on an open file", func(w *Weights) *Score { return &w.Structure.IsolatedOpen }, map[string]int{
			"4k3/pp6/8/8/8/8/P2P4/4K3": 1,
		}},
		{"doubled", func(w *Weights) *Score { return &w.Structure.Doubled }, map[string]int{
			"4k3/8/8/8/8/P7/P7/4K3": 1, "4k3/8/8/8/8/P7/PP6/4K3": 0,
		}},
		{"backward", func(w *Weights) *Score { return &w.Structure.Backward }, map[string]int{
			"4k3/8/8/4p3/4P3/3P4/8/4K3": 1, "4k3/8/8/8/3pP3/3P4/8/4K3": 1,
			"4k3/8/8/8/4P3/3P4/8/4K3": 0, "4k3/8/8/4p3/4P3/2PP4/8/4K3": 0,
		}},
		{"backward on an open file", func(w *Weights) *Score { return &w.Structure.BackwardOpen }, map[string]int{
			"4k3/8/8/4p3/4P3/3P4/8/4K3": 1, "4k3/8/8/8/3pP3/3P4/8/4K3": 0,
		}},
		{"beside another", func(w *Weights) *Score { return &w.Structure.Phalanx[1] }, map[string]int{
			"4k3/8/8/8/8/PP6/8/4K3": 2, "4k3/8/8/8/8/P1P5/8/4K3": 0,
		}},
		{"supported", func(w *Weights) *Score { return &w.Structure.Supported[1] }, map[string]int{
			"4k3/8/8/8/8/1P6/P7/4K3": 1, "4k3/8/8/8/8/1P6/P1P5/4K3": 2, "4k3/p1p5/1p6/8/8/8/8/4K3": -2,
		}},
		{"candidate", func(w *Weights) *Score { return &w.Structure.Candidate[0] }, map[string]int{
			"4k3/p7/8/8/8/8/PP6/4K3": 1, "4k3/p1p5/8/8/8/8/PP6/4K3": 0,
		}},
		{"lever", func(w *Weights) *Score { return &w.Structure.Lever[3] }, map[string]int{
			"4k3/8/3p4/4P3/8/8/8/4K3": 1, "4k3/8/8/8/4p3/3P4/8/4K3": -1,
		}},
		{"shelter", func(w *Weights) *Score { return &w.Shelter.Own[2][1] }, map[string]int{
			"4k3/8/8/8/8/8/5PPP/6K1": 1, "4k3/8/8/8/8/5P2/6PP/6K1": 0, "6k1/5ppp/8/8/8/8/8/4K3": -1,
		}},
		{"shelter on the edge", func(w *Weights) *Score { return &w.Shelter.Own[0][1] }, map[string]int{
			"4k3/8/8/8/8/8/5PPP/6K1": 1, "4k3/8/8/8/8/8/5PPP/7K": 1,
		}},
		{"storm", func(w *Weights) *Score { return &w.Shelter.Storm[0][3] }, map[string]int{
			"4k3/8/8/8/7p/8/5PPP/6K1": 1, "4k3/8/8/8/8/7p/5PPP/6K1": 0,
		}},
		{"blocked storm", func(w *Weights) *Score { return &w.Shelter.Blocked[2] }, map[string]int{
			"4k3/8/8/8/7p/8/5PPP/6K1": 0, "4k3/8/8/8/8/7p/5PPP/6K1": 1, "4k3/8/8/8/8/7p/5PP1/6K1": 0,
		}},
		{"passed", func(w *Weights) *Score { return &w.Passed.Base[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/4K3": 1, "4k3/2p5/8/3P4/8/8/8/4K3": 0, "4k3/8/8/2pP4/8/8/8/4K3": 1,
			"4k3/8/8/3P4/3P4/8/8/4K3": 1,
		}},
		{"own king to a passed pawn", func(w *Weights) *Score { return &w.Passed.OwnKing[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/4K3": 5, "4k3/8/8/3PK3/8/8/8/8": 1, "4k3/8/8/8/3p4/8/8/4K3": -5,
		}},
		{"enemy king to a passed pawn", func(w *Weights) *Score { return &w.Passed.TheirKing[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/4K3": 2, "7k/8/8/P7/8/8/8/4K3": 5,
		}},
		{"blocked passed pawn", func(w *Weights) *Score { return &w.Passed.Blocked[3] }, map[string]int{
			"4k3/8/3n4/3P4/8/8/8/4K3": 1, "4k3/8/3B4/3P4/8/8/8/4K3": 1, "4k3/3n4/8/3P4/8/8/8/4K3": 0,
		}},
		{"safe step", func(w *Weights) *Score { return &w.Passed.SafeStep[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/4K3": 1, "8/4k3/8/3P4/8/8/8/4K3": 0, "4k3/8/3B4/3P4/8/8/8/4K3": 0,
		}},
		{"safe path", func(w *Weights) *Score { return &w.Passed.SafePath[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/4K3": 0, "6k1/8/8/3P4/8/8/8/4K3": 1, "6k1/3n4/8/3P4/8/8/8/4K3": 0,
		}},
		{"guarded step", func(w *Weights) *Score { return &w.Passed.Guarded[3] }, map[string]int{
			"4k3/8/8/3PK3/8/8/8/8": 1, "4k3/8/8/3P4/8/8/8/4K3": 0,
		}},
		{"rook behind", func(w *Weights) *Score { return &w.Passed.RookBehind[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/8/3RK3": 1, "4k3/8/8/3P4/3N4/8/8/3RK3": 0, "4k3/8/3Q4/3P4/8/8/8/4K3 b": 0,
		}},
		{"rook chases", func(w *Weights) *Score { return &w.Passed.RookChases[3] }, map[string]int{
			"4k3/8/8/3P4/8/8/6K1/3r4": 1, "4k3/8/8/3P4/8/8/8/3RK3": 0,
		}},
		{"runs", func(w *Weights) *Score { return &w.Passed.Runs }, map[string]int{
			"8/8/8/P4k2/8/8/8/4K3": 1, "8/8/8/P3k3/8/8/8/4K3": 1, "8/8/8/P3k3/8/8/8/4K3 b": 0,
			"8/8/8/P2k4/8/8/8/4K3": 0, "8/8/8/P4k2/8/8/8/n3K3": 0,
			"6k1/8/8/8/8/8/P7/4K3": 1, "8/K7/8/P4k2/8/8/8/8": 0, "4k3/8/8/8/p4K2/8/8/8 b": -1,
		}},
		{"an outpost", func(w *Weights) *Score { return &w.Pieces.KnightOutpost[0] }, map[string]int{
			"4k3/8/8/3N4/8/8/8/4K3": 1, "4k3/2p5/8/3N4/8/8/8/4K3": 0, "4k3/8/8/3N4/4P3/8/8/4K3": 0,
			"4k3/8/8/8/8/3N4/8/4K3": 0,
		}},
		{"a protected outpost", func(w *Weights) *Score { return &w.Pieces.KnightOutpost[1] }, map[string]int{
			"4k3/8/8/3N4/8/8/8/4K3": 0, "4k3/8/8/3N4/4P3/8/8/4K3": 1,
		}},
		{"a bishop's outpost", func(w *Weights) *Score { return &w.Pieces.BishopOutpost[1] }, map[string]int{
			"4k3/8/8/3B4/4P3/8/8/4K3": 1,
		}},
		{"reaches an outpost", func(w *Weights) *Score { return &w.Pieces.KnightReaches }, map[string]int{
			"4k3/8/8/3N4/8/8/8/4K3": 0, "4k3/8/8/8/8/3N4/8/4K3": 1, "4k3/1ppppp2/8/8/8/3N4/8/4K3": 0,
		}},
		{"behind a pawn", func(w *Weights) *Score { return &w.Pieces.BehindPawn }, map[string]int{
			"4k3/8/8/8/3p4/3N4/8/4K3": 1, "4k3/8/8/8/3P4/3B4/8/4K3": 1, "4k3/8/8/8/3N4/3P4/8/4K3": 0,
		}},
		{"a knight far from its king", func(w *Weights) *Score { return &w.Pieces.KnightFar }, map[string]int{
			"4k3/8/8/3N4/8/8/8/4K3": 4,
		}},
		{"a bishop far from its king", func(w *Weights) *Score { return &w.Pieces.BishopFar }, map[string]int{
			"4k3/8/8/B7/8/8/8/4K3": 4, "4k3/8/8/8/7b/8/8/5K2": -4,
		}},
		{"pawns on the bishop's colour", func(w *Weights) *Score { return &w.Pieces.BishopPawns }, map[string]int{
			"4k3/8/8/8/3P4/2P1P3/8/2B1K3": 3, "4k3/8/8/8/3P4/2P1P3/8/4KB2": 0,
			"4k3/8/8/8/8/2PP4/8/2B1K3": 1,
		}},
		{"blocked ones in the centre", func(w *Weights) *Score { return &w.Pieces.BishopBlocked }, map[string]int{
			"4k3/8/8/3p4/p2P4/P7/8/2B1K3": 1, "4k3/8/8/p7/P2P4/8/8/4KB2": 0,
		}},
		{"a long diagonal", func(w *Weights) *Score { return &w.Pieces.LongDiagonal }, map[string]int{
			"4k3/8/8/8/8/8/6B1/4K3": 1, "4k3/8/8/3p4/8/8/6B1/4K3": 1, "4k3/8/8/8/4p3/8/6B1/4K3": 0,
			"4k3/8/8/8/8/8/5B2/4K3": 0,
			"4k3/6b1/8/8/8/8/8/4K3": -1,
		}},
		{"a rook on an open file", func(w *Weights) *Score { return &w.Pieces.RookOpen }, map[string]int{
			"4k3/8/8/8/8/8/1P6/R3K3": 1, "4k3/p7/8/8/8/8/8/R3K3": 0, "4k3/8/8/8/8/8/P7/R3K3": 0,
		}},
		{"a rook on a half open file", func(w *Weights) *Score { return &w.Pieces.RookHalfOpen }, map[string]int{
			"4k3/8/8/8/8/8/1P6/R3K3": 0, "4k3/p7/8/8/8/8/8/R3K3": 1, "4k3/8/8/8/8/8/P7/R3K3": 0,
		}},
		{"a trapped rook", func(w *Weights) *Score { return &w.Pieces.RookTrapped }, map[string]int{
			"4k3/8/8/8/8/8/5PPP/5K1R": 1, "4k3/8/8/8/8/8/5PPP/4K2R": 1,
			"4k3/8/8/8/7P/5PP1/8/5K1R": 0, "4k3/8/8/8/8/8/PPP5/R4K2": 0,
			"4k3/8/8/8/8/8/PPP5/R1K5": 1,
		}},
		{"a rook on the seventh rank", func(w *Weights) *Score { return &w.Pieces.RookSeventh }, map[string]int{
			"6k1/R7/8/8/8/8/8/4K3": 1, "8/R5p1/6k1/8/8/8/8/4K3": 1, "8/R7/6k1/8/8/8/8/4K3": 0,
			"6k1/8/R7/8/8/8/8/4K3": 0,
		}},
		{"a queen behind a piece in line with a slider", func(w *Weights) *Score { return &w.Pieces.QueenExposed }, map[string]int{
			"3r2k1/8/8/8/3N4/8/8/3Q2K1": 1, "3r2k1/8/8/8/3N4/3P4/8/3Q2K1": 0,
			"6k1/8/8/7b/8/8/4P3/3Q2K1": 1, "3r2k1/8/8/8/8/8/8/3Q2K1": 0,
		}},
		{"space", func(w *Weights) *Score { return &w.Pieces.Space }, map[string]int{
			// Eight squares of either side; e2 and e3 are behind the pawn, and it attacks d5 and f5.
			chess.StartFEN[:43]: 0, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR": 4,
		}},
		{"a pawn attacks a knight", func(w *Weights) *Score { return &w.Threats.ByPawn[chess.Knight] }, map[string]int{
			"4k3/8/3n4/4P3/8/8/8/4K3": 1, "8/8/3n4/4Pk2/8/8/8/4K3": 0, "8/8/3n4/4Pk2/3P4/8/8/4K3": 1,
		}},
		{"a pawn's step attacks", func(w *Weights) *Score { return &w.Threats.ByPush }, map[string]int{
			"4k3/8/3n4/8/4P3/8/8/4K3": 1, "4k3/8/8/3n4/8/8/4P3/4K3": 1,
			"4k3/8/8/3n4/8/4n3/4P3/4K3": 0, "4k3/8/3n1p2/8/4P3/8/8/4K3": 0,
			"4k3/8/8/3n4/8/8/6P1/4K3": 0, "4k3/8/3n1n2/8/4P3/8/8/4K3": 2,
			"8/8/3k4/8/4PP2/8/8/4K3": 0,
		}},
		{"a minor piece attacks a rook", func(w *Weights) *Score { return &w.Threats.ByMinor[chess.Rook] }, map[string]int{
			"4k3/8/5r2/3N4/8/8/8/4K3": 1, "4k3/6p1/5r2/3N4/8/8/8/4K3": 1, "4k3/8/8/3N2r1/8/8/8/4K3": 0,
		}},
		{"a minor piece attacks a pawn", func(w *Weights) *Score { return &w.Threats.ByMinor[chess.Pawn] }, map[string]int{
			"4k3/8/5p2/3N4/8/8/8/4K3": 1, "4k3/6p1/5p2/3N4/8/8/8/4K3": 0,
		}},
		{"a rook attacks a knight", func(w *Weights) *Score { return &w.Threats.ByRook[chess.Knight] }, map[string]int{
			"4k3/8/8/3n4/8/8/8/3RK3": 1, "4k3/2p5/3n4/8/8/8/8/3RK3": 0,
		}},
		{"a king attacks", func(w *Weights) *Score { return &w.Threats.ByKing }, map[string]int{
			"4k3/8/8/3n4/3K4/8/8/8": 1, "4k3/2p5/3p4/3K4/8/8/8/8": 0,
		}},
		{"a queen attacks", func(w *Weights) *Score { return &w.Threats.ByQueen }, map[string]int{
			"6k1/8/8/3n4/8/8/p7/3QK3": 1, "6k1/2p5/3n4/8/8/8/8/3QK3": 0,
		}},
		{"hanging", func(w *Weights) *Score { return &w.Threats.Hanging }, map[string]int{
			"6k1/8/8/3n4/8/8/8/3RK3": 1, "8/8/4k3/3n4/8/8/8/3RK3": 0, "8/8/4k3/3n4/8/8/8/3QK1B1": 0,
			"8/8/4k3/3n4/8/8/6B1/3RK3": 1,
		}},
		{"restricted", func(w *Weights) *Score { return &w.Threats.Restricted }, map[string]int{
			// Both sides attack b1, b5, d1, d5, d7, d8 and e2; White's pawn protects b5 and d5.
			"4k3/8/8/8/2P5/2n5/8/3RK3": 7 - 5,
		}},
		{"a knight's fork of the queen", func(w *Weights) *Score { return &w.Threats.KnightFork }, map[string]int{
			"3q2k1/8/8/8/3N4/8/8/4K3": 2, "3q2k1/5p2/8/8/3N4/8/8/4K3": 1, "q2q2k1/8/8/8/3N4/8/8/4K3": 0,
		}},
		{"a slider's fork of the queen", func(w *Weights) *Score { return &w.Threats.SliderFork }, map[string]int{
			"3q2k1/8/8/8/R7/5N2/8/4K3": 1, "3q2k1/8/8/8/R7/8/8/4K3": 0,
		}},
	} {
		var w Weights
		*c.weight(&w) = S(1, 0)
		e := NewWith(&w, 1)
		for text, want := range c.want {
			board, side, found := strings.Cut(text, " ")
			if !found {
				side = "w"
			}
			p := gametest.Chess(t, board+" "+side+" - - 0 1")
			if sum := e.Sum(p); sum.Score.MG() != want || sum.Score.EG() != 0 {
				t.Errorf("%s: %d in %s, want %d", c.name, sum.Score.MG(), text, want)
			}
			if sum := e.Sum(p.Flipped()); sum.Score.MG() != -want {
				t.Errorf("%s: %d in %s with colours exchanged, want %d", c.name, sum.Score.MG(), text, -want)
			}
		}
	}
}

// TestDanger counts, in three positions, what each weight of the danger to White's king counts.
func TestDanger(t *testing.T) {
	positions := [3]string{
		"4k3/8/8/8/6n1/7q/5PPP/6K1 w - - 0 1",
		"b3k3/8/8/8/8/r7/8/6K1 w - - 0 1",
		"6k1/4r3/8/8/q7/8/4N3/1N2K3 w - - 0 1", // the knight on e2 is pinned
	}
	const none = "4k3/8/8/8/8/r7/8/6K1 w - - 0 1" // one piece that is no queen
	for _, c := range []struct {
		name   string
		weight func(*Danger) *Score
		want   [3]int
	}{
		{"Base", func(d *Danger) *Score { return &d.Base }, [3]int{1, 1, 1}},
		{"Attacker: knights", func(d *Danger) *Score { return &d.Attacker[0] }, [3]int{1, 0, 0}},
		{"Attacker: bishops", func(d *Danger) *Score { return &d.Attacker[1] }, [3]int{0, 1, 0}},
		{"Attacker: rooks", func(d *Danger) *Score { return &d.Attacker[2] }, [3]int{0, 1, 1}},
		{"Attacker: queens", func(d *Danger) *Score { return &d.Attacker[3] }, [3]int{1, 0, 1}},
		{"Hits", func(d *Danger) *Score { return &d.Hits }, [3]int{4, 2, 2}},
		{"Weak", func(d *Danger) *Score { return &d.Weak }, [3]int{3, 5, 3}},
		{"SafeCheck: rooks", func(d *Danger) *Score { return &d.SafeCheck[2] }, [3]int{0, 1, 0}},
		{"SafeCheck: queens", func(d *Danger) *Score { return &d.SafeCheck[3] }, [3]int{1, 0, 1}},
		{"MoreCheck: rooks", func(d *Danger) *Score { return &d.MoreCheck[2] }, [3]int{0, 1, 0}},
		{"MoreCheck: queens", func(d *Danger) *Score { return &d.MoreCheck[3] }, [3]int{0, 0, 1}},
		{"Unsafe", func(d *Danger) *Score { return &d.Unsafe }, [3]int{0, 0, 1}},
		{"NoQueen", func(d *Danger) *Score { return &d.NoQueen }, [3]int{0, 1, 0}},
		{"Flank", func(d *Danger) *Score { return &d.Flank }, [3]int{10, 7, 10}},
		{"FlankTwo", func(d *Danger) *Score { return &d.FlankTwo }, [3]int{2, 1, 1}},
		{"Guard", func(d *Danger) *Score { return &d.Guard }, [3]int{9, 5, 6}},
		{"KnightBy", func(d *Danger) *Score { return &d.KnightBy }, [3]int{0, 0, 1}},
		{"Pinned", func(d *Danger) *Score { return &d.Pinned }, [3]int{0, 0, 1}},
		{"OwnPawn: none", func(d *Danger) *Score { return &d.OwnPawn[0] }, [3]int{0, 3, 3}},
		{"OwnPawn: second rank", func(d *Danger) *Score { return &d.OwnPawn[1] }, [3]int{3, 0, 0}},
		{"Storm: none", func(d *Danger) *Score { return &d.Storm[0] }, [3]int{3, 3, 3}},
		{"OpenFile", func(d *Danger) *Score { return &d.OpenFile }, [3]int{0, 3, 3}},
	} {
		var w Weights
		*c.weight(&w.Danger) = S(1, 0)
		e := NewWith(&w, 1)
		for i, fen := range positions {
			p := gametest.Chess(t, fen)
			if got := e.Sum(p).Danger[chess.White].MG(); got != c.want[i] {
				t.Errorf("%s: %d in %s, want %d", c.name, got, fen, c.want[i])
			}
			if got := e.Sum(p.Flipped()).Danger[chess.Black].MG(); got != c.want[i] {
				t.Errorf("%s: %d in %s with colours exchanged, want %d", c.name, got, fen, c.want[i])
			}
		}
		if got := e.Sum(gametest.Chess(t, none)).Danger[chess.White]; got != 0 {
			t.Errorf("%s: %v in %s", c.name, got, none)
		}
	}
}

func TestWinnable(t *testing.T) {
	positions := [3]string{"4k3/p7/8/8/8/8/7P/4K3 w - - 0 1", "4k3/p7/8/8/P7/8/8/4K2R w - - 0 1",
		"8/8/8/k6K/8/8/7P/8 w - - 0 1"}
	for _, c := range []struct {
		name   string
		weight func(*Winnable) *Score
		want   [3]int
	}{
		{"Base", func(w *Winnable) *Score { return &w.Base }, [3]int{1, 1, 1}},
		{"Pawns", func(w *Winnable) *Score { return &w.Pawns }, [3]int{2, 2, 1}},
		{"Passed", func(w *Winnable) *Score { return &w.Passed }, [3]int{2, 0, 1}},
		{"Flanks", func(w *Winnable) *Score { return &w.Flanks }, [3]int{1, 0, 0}},
		{"PawnEnding", func(w *Winnable) *Score { return &w.PawnEnding }, [3]int{1, 0, 1}},
		{"Outflank", func(w *Winnable) *Score { return &w.Outflank }, [3]int{-7, -7, 7}},
	} {
		var w Weights
		*c.weight(&w.Winnable) = S(0, 1)
		e := NewWith(&w, 1)
		for i, fen := range positions {
			if got := e.Sum(gametest.Chess(t, fen)).Winnable.EG(); got != c.want[i] {
				t.Errorf("%s: %d in %s, want %d", c.name, got, fen, c.want[i])
			}
		}
	}
}

// TestTaper: danger counts by its square in the middlegame and linearly in the endgame, and what makes an endgame
// hard to win does not make it a loss.
func TestTaper(t *testing.T) {
	for _, c := range []struct {
		sum    Sum
		mg, eg int
	}{
		{Sum{Score: S(100, 50)}, 100, 50},
		{Sum{Score: S(100, 50), Danger: [2]Score{S(320, 80), 0}}, 0, 40},
		{Sum{Score: S(100, 50), Danger: [2]Score{0, S(320, 80)}}, 200, 60},
		{Sum{Score: S(100, 50), Danger: [2]Score{S(-320, -80), S(-320, -80)}}, 100, 50},
		{Sum{Score: S(100, 50), Winnable: S(0, 10)}, 100, 60},
		{Sum{Score: S(100, 50), Winnable: S(0, -10)}, 100, 40},
		{Sum{Score: S(100, 50), Winnable: S(0, -60)}, 100, 0},
		{Sum{Score: S(100, -50), Winnable: S(0, 10)}, 100, -60},
		{Sum{Score: S(100, -50), Winnable: S(0, -60)}, 100, 0},
		{Sum{Score: S(100, 0), Winnable: S(0, 10)}, 100, 0},
	} {
		if mg, eg := c.sum.taper(); mg != c.mg || eg != c.eg {
			t.Errorf("%+v: %d, %d, want %d, %d", c.sum, mg, eg, c.mg, c.eg)
		}
	}
}

func TestPhase(t *testing.T) {
	for fen, want := range map[string]int{
		chess.StartFEN: 24, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1": 0, "2b1k3/8/8/8/8/8/8/1N2K3 w - - 0 1": 2,
		"3rk3/8/8/8/8/8/8/Q3K3 w - - 0 1": 6, "QQQ1k3/8/8/8/8/8/4p3/QQQQK2Q b - - 0 1": 24,
	} {
		if got := New().Sum(gametest.Chess(t, fen)).Phase; got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}

// TestExplainTable: the whole table, with Black to move.
func TestExplainTable(t *testing.T) {
	w := Weights{Tempo: S(10, 20)}
	w.Material[chess.Pawn], w.Material[chess.Queen], w.Queen[56] = S(100, 120), S(900, 950), S(3, 4)
	w.Passed.Base[3], w.Winnable.Base, w.Danger.Base = S(7, 30), S(0, -50), S(320, 80)
	const want = `term (mg, eg)               White           Black           total
material            +10.00 +10.70     +0.00 +0.00   +10.00 +10.70
pawns                 +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
passed pawns          +0.07 +0.30     +0.00 +0.00     +0.07 +0.30
king and shelter      +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
piece squares         +0.03 +0.04     +0.00 +0.00     +0.03 +0.04
mobility              +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
pieces                +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
threats               +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
space                 +0.00 +0.00     +0.00 +0.00     +0.00 +0.00
king danger           +0.00 +0.00     -1.00 -0.10     +1.00 +0.10
tempo                                                 -0.10 -0.20
winnable                                              +0.00 -0.50
sum                                                 +11.00 +10.44
phase 4/24, endgame scale 47/64
value +8.22 for White
`
	if got := NewWith(&w, 1).Explain(gametest.Chess(t, "4k3/8/8/3P4/8/8/8/Q3K3 b - - 0 1")).String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
