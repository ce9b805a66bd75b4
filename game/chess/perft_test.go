package chess

import (
	"testing"
)

// The six positions and counts of the Chess Programming Wiki's page "Perft Results".
var standard = []struct {
	fen    string
	counts []uint64
}{
	{StartFEN, []uint64{20, 400, 8902, 197281, 4865609, 119060324}},
	{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{48, 2039, 97862, 4085603, 193690690}},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624}},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467, 422333, 15833292}},
	{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379, 2103487, 89941194}},
	{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{46, 2079, 89890, 3894594, 164075551}},
}

func TestPerft(t *testing.T) {
	for _, c := range standard {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.counts {
			if got := Perft(p, i+1); got != want {
				t.Errorf("%s: perft %d = %d, want %d", c.fen, i+1, got, want)
			}
		}
		if p.FEN() != c.fen {
			t.Errorf("%s came back as %s", c.fen, p.FEN())
		}
	}
}
