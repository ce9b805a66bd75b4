package shogi

import (
	"flag"
	"testing"

	"trefoil/game"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// count is a position and its perft counts, from depth 1.
type count struct {
	sfen   string
	counts []uint64
}

// pinned are counts that have been published, and on which YaneuraOu, cshogi and
// Fairy-Stockfish agree but for the drops of pawns that mate, which the last allows.
var pinned = []count{
	{StartSFEN, []uint64{30, 900, 25470, 719731, 19861490, 547581517}},
	{"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", []uint64{207, 28684, 4809015, 516925165}},
	{"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", []uint64{593, 105677, 53393368}},
	{"6rnk/6pp1/8P/9/9/9/9/9/K7L b 2P 1", []uint64{71, 690, 41753}},
	{"7lk/9/8S/9/9/9/9/7L1/8K b P 1", []uint64{85, 639, 10786, 167089}},
	{"4r4/9/4R3b/9/9/6B2/4K4/9/4k4 b GN 1", []uint64{10, 131, 14332}},
	{"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", []uint64{81, 38080}},
	{"4k4/9/9/9/9/1ln6/n8/6p2/4K4 w - 1", []uint64{14, 55, 787, 4777}},
	{"8b/7p1/9/5G3/4K4/3S5/9/1p5k1/b8 b 2r 1", []uint64{16, 1327, 19262, 1862641}},
}

// parse returns the position of an sfen that must be right.
func parse(tb testing.TB, sfen string) *Position {
	tb.Helper()
	p, err := ParseSFEN(sfen)
	if err != nil {
		tb.Fatalf("%s: %v", sfen, err)
	}
	return p
}

// check compares the counts up to most, with -long to their full depth.
func (c *count) check(t *testing.T, most uint64) {
	t.Helper()
	p, err := ParseLoose(c.sfen)
	if err != nil {
		t.Fatalf("%s: %v", c.sfen, err)
	}
	for i, want := range c.counts {
		if want > most && !*long {
			break
		}
		if got := Perft(p, i+1); got != want {
			t.Errorf("%s: perft %d = %d, want %d", c.sfen, i+1, got, want)
		}
	}
	if q, err := ParseLoose(p.SFEN()); err != nil || q.SFEN() != p.SFEN() || q.key != p.key {
		t.Errorf("%s came back as %s, %v", c.sfen, p.SFEN(), err)
	}
}

// TestPerft compares the counts.
func TestPerft(t *testing.T) {
	for _, c := range pinned {
		c.check(t, 3e6)
	}
}

// BenchmarkPerft counts three positions, with and without listing the last moves.
func BenchmarkPerft(b *testing.B) {
	for i, name := range []string{"startpos", "matsuri", "593"} {
		p, depth := parse(b, pinned[i].sfen), []int{5, 3, 3}[i]
		b.Run(name, func(b *testing.B) {
			nodes := uint64(0)
			for b.Loop() {
				nodes += Perft(p, depth)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mn/s")
		})
		b.Run(name+"/listed", func(b *testing.B) {
			nodes := uint64(0)
			frames := make([]game.List, depth)
			for b.Loop() {
				nodes += listed(p, frames)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mn/s")
		})
	}
}

// listed is perft that lists the moves of the last ply, too.
func listed(p *Position, frames []game.List) (total uint64) {
	l := &frames[0]
	l.Reset()
	p.Moves(game.All, l)
	if len(frames) == 1 {
		return uint64(l.Len())
	}
	for _, m := range l.All() {
		p.Make(m)
		total += listed(p, frames[1:])
		p.Undo()
	}
	return total
}
