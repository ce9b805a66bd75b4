package chess

import (
	"flag"
	"testing"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// count is a position and its published perft counts, from depth 1.
type count struct {
	fen    string
	counts []uint64
}

// The six positions of the Chess Programming Wiki's page "Perft Results".
var standard = []count{
	{StartFEN, []uint64{20, 400, 8902, 197281, 4865609, 119060324}},
	{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		[]uint64{48, 2039, 97862, 4085603, 193690690}},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624}},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		[]uint64{6, 264, 9467, 422333, 15833292}},
	{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
		[]uint64{44, 1486, 62379, 2103487, 89941194}},
	{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		[]uint64{46, 2079, 89890, 3894594, 164075551}},
}

// Ten Chess960 positions whose counts stand in the file fischer.epd that
// Ethereal (src/perft) and other engines share.
var fischer = []count{
	{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
		[]uint64{21, 528, 12189, 326672, 8146062}},
	{"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
		[]uint64{21, 807, 18002, 667366, 16253601}},
	{"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
		[]uint64{20, 479, 10471, 273318, 6417013}},
	{"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
		[]uint64{22, 593, 13440, 382958, 9183776}},
	{"bnqnrbkr/1pp2pp1/p7/3pP2p/4P1P1/8/PPPP3P/BNQNRBKR w HEhe d6 0 9",
		[]uint64{31, 984, 28677, 962591, 29032175}},
	{"n1bb1rkr/qpnppppp/2p5/p7/P1P5/5P2/1P1PPRPP/NQBBN1KR w Hhf - 1 9",
		[]uint64{27, 697, 18724, 505089, 14226907}},
	{"bnnqrbkr/pp1p2p1/2p1p2p/5p2/1P5P/1R6/P1PPPPP1/BNNQRBK1 w Ehe - 0 9",
		[]uint64{33, 1022, 32724, 1024721, 32898113}},
	{"qn1rkrbb/pp1p1ppp/2p1p3/3n4/4P2P/2NP4/PPP2PP1/Q1NRKRBB w FDfd - 1 9",
		[]uint64{24, 585, 14769, 356950, 9482310}},
	{"nnrkbbrq/1pp2p1p/p2pp1p1/2P5/8/8/PP1PPPPP/NNRKBBRQ w Ggc - 0 9",
		[]uint64{24, 762, 19283, 624598, 16838099}},
	{"nn1qkbbr/pp2ppp1/2rp4/2p4p/P2P4/1N5P/1PP1PPP1/1NRQKBBR w HCh - 1 9",
		[]uint64{24, 738, 18916, 586009, 16420659}},
}

// parse returns the position of a FEN that must be right.
func parse(tb testing.TB, fen string) *Position {
	tb.Helper()
	p, err := ParseFEN(fen)
	if err != nil {
		tb.Fatalf("%s: %v", fen, err)
	}
	return p
}

// TestPerft compares the counts, with -long to their full depth. There is one sequence of no moves.
func TestPerft(t *testing.T) {
	if got := Perft(parse(t, StartFEN), 0); got != 1 {
		t.Errorf("perft 0 = %d", got)
	}
	for _, c := range append(standard, fischer...) {
		p := parse(t, c.fen)
		for i, want := range c.counts {
			if want > 5e6 && !*long {
				break
			}
			if got := Perft(p, i+1); got != want {
				t.Errorf("%s: perft %d = %d, want %d", c.fen, i+1, got, want)
			}
		}
		if got := p.FEN(); got != c.fen {
			t.Errorf("%s came back as %s", c.fen, got)
		}
	}
}

// BenchmarkPerft counts startpos to depth 5 and the second position to depth 4.
func BenchmarkPerft(b *testing.B) {
	for i, name := range []string{"startpos", "kiwipete"} {
		p, depth := parse(b, standard[i].fen), 5-i
		b.Run(name, func(b *testing.B) {
			nodes := uint64(0)
			for b.Loop() {
				nodes += Perft(p, depth)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mn/s")
		})
	}
}
