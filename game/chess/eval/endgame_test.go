package eval

import (
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// TestScales: how much of a value remains in endings that are hard to win, for the side that is ahead.
func TestScales(t *testing.T) {
	for _, c := range []struct {
		name, board string
		ahead       int // > 0: White
		mg, eg      int
	}{
		{"two pawns and a rook", "3rk3/8/8/8/8/8/PP6/R3K3", 1, 64, 54},
		{"the same for Black, who has no pawn", "3rk3/8/8/8/8/8/PP6/R3K3", -1, 16, 16},
		{"four pawns", "3rk3/8/8/8/8/8/PPPP4/R3K3", 1, 64, 64},
		{"queen against rook", "3rk3/8/8/8/8/8/8/Q3K3", 1, 64, 40},
		{"opposite bishops with rooks", "2brk3/8/8/8/8/8/PPP5/2B1K2R", 1, 64, 28 + 4*6},
		{"opposite bishops, two pawns ahead", "2b1k3/8/8/8/8/8/PP6/2B1K3", 1, 30, 30},
		{"opposite bishops, no pawn ahead", "2b1k3/pp6/8/8/8/8/PP6/2B1K3", 1, 18, 18},
		{"opposite bishops, behind", "2b1k3/ppp5/8/8/8/8/PP6/2B1K3", 1, 18, 18},
		{"bishops of one colour", "4kb2/8/8/8/8/8/PP6/2B1K3", 1, 64, 54},
		{"rook against bishop", "2b1k3/8/8/8/8/8/8/R3K3", 1, 2, 2},
		{"rook and bishop against rook", "3rk3/8/8/8/8/8/8/R1B1K3", 1, 16, 16},
		{"bishop against pawn", "4k3/p7/8/8/8/8/8/2B1K3", 1, 0, 0},
		{"two knights against pawn", "4k3/p7/8/8/8/8/8/1NN1K3", 1, 0, 0},
		{"three knights against pawn", "4k3/p7/8/8/8/8/8/NNN1K3", 1, 64, 40},
		{"knight and bishop against pawn", "4k3/p7/8/8/8/8/8/1NB1K3", 1, 64, 40},
		{"the wrong bishop", "k7/8/8/P7/8/4B3/4K3/8", 1, 0, 0},
		{"the wrong bishop on the other wing", "7k/8/8/7P/8/3B4/4K3/8", 1, 0, 0},
		{"the right bishop", "k7/8/8/P7/8/8/4B3/4K3", 1, 64, 47},
		{"a king too far from the corner", "2k5/8/8/P7/8/4B3/4K3/8", 1, 64, 47},
		{"the wrong bishop and a knight", "k7/8/8/P7/8/2N1B3/4K3/8", 1, 64, 47},
		{"pawns on both wings", "k7/8/8/P6P/8/4B3/4K3/8", 1, 64, 54},
	} {
		p := gametest.Chess(t, c.board+" w - - 0 1")
		if mg, eg := scales(p, c.ahead); mg != c.mg || eg != c.eg {
			t.Errorf("%s: %d, %d, want %d, %d", c.name, mg, eg, c.mg, c.eg)
		}
		if mg, eg := scales(p.Flipped(), -c.ahead); mg != c.mg || eg != c.eg {
			t.Errorf("%s, with colours exchanged: %d, %d, want %d, %d", c.name, mg, eg, c.mg, c.eg)
		}
	}
}

// TestKnown: which endings have a value of their own, a draw among them, and of which a search finds no better value.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name, board           string
		known, drawn, settled bool
	}{
		{"queen", "4k3/8/8/8/8/8/8/Q3K3", true, false, true},
		{"bishop", "4k3/8/8/8/8/8/8/2B1K3", true, true, true},
		{"two knights", "4k3/8/8/8/8/8/8/1NN1K3", true, true, true},
		{"three knights", "4k3/8/8/8/8/8/8/NNN1K3", true, false, true},
		{"bishop and knight", "4k3/8/8/8/8/8/8/1NB1K3", true, false, true},
		{"two bishops", "4k3/8/8/8/8/8/8/2B1KB2", true, false, true},
		{"two bishops of one colour", "4k3/8/8/8/8/4B3/8/2B1K3", true, true, true},
		{"a pawn that wins", "8/8/8/8/8/4K3/4P3/7k", true, false, true},
		{"a pawn that does not", "4k3/8/8/8/8/8/P7/7K", true, true, true},
		{"two pawns", "4k3/8/8/8/8/8/PP6/4K3", false, false, false},
		{"a pawn and a knight", "4k3/8/8/8/8/8/P7/1N2K3", false, false, false},
		{"a wrong bishop", "k7/8/8/P7/8/4B3/4K3/8", false, false, true},
		{"a wrong bishop against a pawn", "k7/8/8/P7/7p/4B3/4K3/8", false, false, false},
		{"a wall", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3", true, true, true},
		{"rook against bishop", "2b1k3/8/8/8/8/8/8/R3K3", false, false, true},
		{"queen against rook", "3rk3/8/8/8/8/8/8/Q3K3", false, false, false},
	} {
		p := gametest.Chess(t, c.board+" w - - 0 1")
		for _, p := range []*chess.Position{p, p.Flipped()} {
			if Known(p) != c.known || Drawn(p) != c.drawn || Settled(p) != c.settled {
				t.Errorf("%s, %s: known %v, drawn %v, settled %v", c.name, p.FEN(), Known(p), Drawn(p), Settled(p))
			}
		}
	}
}

// TestWonEndings: the values that lead a search to the mate.
func TestWonEndings(t *testing.T) {
	e := New()
	for board, want := range map[string]int{
		"8/8/4k3/8/8/3Q4/4K3/8":  500 + 900 + 12*1 - 12*4, // one rank from the centre, four steps from the king
		"8/8/8/k7/8/3Q4/4K3/8":   500 + 900 + 12*3 - 12*4,
		"7k/8/8/8/8/3Q4/4K3/8":   500 + 900 + 12*6 - 12*6,
		"7k/8/8/8/8/4BB2/4K3/8":  500 + 600 + 12*6 - 12*6,
		"7k/8/8/8/4K3/8/2N5/2B5": 500 + 600 + 100*7 + 80*3 - 40*4 - 8*6 - 8*0,
		"7k/8/8/8/8/8/2N1K3/5B2": 500 + 600 + 100*0 + 80*3 - 40*6 - 8*6 - 8*2,
		"8/8/8/8/8/4K3/4P3/7k":   500 + 100 + 20*1,
		"8/4P2k/4K3/8/8/8/8/8":   500 + 100 + 20*6,
	} {
		p := gametest.Chess(t, board+" w - - 0 1")
		if got := e.Evaluate(p); got != want {
			t.Errorf("%s: %d, want %d", board, got, want)
		}
		if got := e.Evaluate(p.Flipped()); got != want {
			t.Errorf("%s with colours exchanged: %d, want %d", board, got, want)
		}
	}
}

// TestAdjust: the last steps of another evaluation.
func TestAdjust(t *testing.T) {
	for _, c := range []struct {
		fen     string
		v, want int
	}{
		{chess.StartFEN, 100, 100},
		{chess.StartFEN, 30000, Limit},
		{chess.StartFEN, -30000, -Limit},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 100, 100},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 22 50", 100, 90},
		{"2b1k3/8/8/8/8/8/8/R3K3 w - - 0 1", 320, 10},
		{"2b1k3/8/8/8/8/8/8/R3K3 b - - 0 1", -320, -10},
		{"4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1", 300, 0},
		{"4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1", -300, -300},
		{"4k3/p7/8/8/8/8/8/2B1K3 b - - 0 1", 300, 300},
		{"8/8/8/8/8/4K3/4P3/7k b - - 0 1", 7, -620},
	} {
		if got := Adjust(gametest.Chess(t, c.fen), c.v); got != c.want {
			t.Errorf("%s, %d: %d, want %d", c.fen, c.v, got, c.want)
		}
	}
}
