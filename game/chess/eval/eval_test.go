package eval

import (
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// middlegames are positions with most pieces on the board, for the benchmark.
var middlegames = []string{
	"r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
	"r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 11",
	"rnbq1rk1/ppp2pbp/3p1np1/4p3/2PPP3/2N2N2/PP2BPPP/R1BQK2R w KQ - 0 7",
	"r3kb1r/1bqp1ppp/p1n1pn2/1p6/3NP3/2N1B3/PPPQBPPP/R3K2R b KQkq - 3 9",
	"2rq1rk1/pb1nbppp/1p2pn2/2pp4/3P4/1P1BPN2/PBPNQPPP/2R2RK1 b - - 5 11",
	"r1b2rk1/2q1bppp/p1np1n2/1p2p3/4P3/2P2N1P/PPBN1PP1/R1BQR1K1 w - - 1 13",
	"3r1rk1/p1q2ppp/1pn1pn2/2p5/2P5/P1PBPN2/2Q2PPP/R1B2RK1 b - - 0 14",
	"r4rk1/ppq2pp1/2p1bn1p/4n3/4P3/P1N1B3/1PQ1BPPP/R2R2K1 w - - 4 18",
}

var endgames = []string{
	"8/5pk1/4p1p1/3pP2p/1r1P1P1P/5KP1/3R4/8 w - - 12 40",
	"8/8/4kp2/3p2p1/3P2P1/4KP2/8/8 w - - 0 50",
	"8/2b5/4kp2/pp1p2p1/3B2P1/P3KP2/8/8 b - - 3 44",
	"8/8/8/8/4k3/8/1BN5/4K3 w - - 0 1",
	"8/8/8/3k4/8/8/8/QK6 b - - 0 1",
}

// walk calls visit with random positions in which no side is in check.
func walk(t testing.TB, games int, visit func(*chess.Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var l game.List
	starts := append([]string{chess.StartFEN}, append(middlegames, endgames...)...)
	for i := range games {
		p := gametest.Chess(t, starts[i%len(starts)])
		for range 120 {
			if !p.InCheck() {
				visit(p)
			}
			l.Reset()
			p.Moves(game.All, &l)
			if l.Len() == 0 {
				break
			}
			p.Make(l.At(rng.IntN(l.Len())))
		}
	}
}

// mirrored is p with the files exchanged; castling rights go.
func mirrored(t testing.TB, p *chess.Position) *chess.Position {
	fields := strings.Fields(p.FEN())
	return gametest.Chess(t, strings.Join([]string{reflected(fields[0]), fields[1], "-", "-", fields[4], fields[5]}, " "))
}

func TestSymmetry(t *testing.T) {
	a, b := New(), New()
	n := 0
	walk(t, 300, func(p *chess.Position) {
		n++
		want := a.Evaluate(p)
		if got := b.Evaluate(p.Flipped()); got != want {
			t.Fatalf("%s: %d, with colours exchanged %d\n%s\n%s", p.FEN(), want, got, a.Explain(p),
				b.Explain(p.Flipped()))
		}
		if got := b.Evaluate(mirrored(t, p)); got != want {
			t.Fatalf("%s: %d, with files exchanged %d\n%s\n%s", p.FEN(), want, got, a.Explain(p),
				b.Explain(mirrored(t, p)))
		}
	})
	t.Logf("%d positions", n)
}

// What the pawn table remembers must be what a fresh evaluator finds.
func TestPawnTable(t *testing.T) {
	w := tuned
	kept, forgetful := New(), NewWith(&w, 1)
	walk(t, 300, func(p *chess.Position) {
		if a, b := kept.Evaluate(p), forgetful.Evaluate(p); a != b {
			t.Fatalf("%s: %d with the table, %d without", p.FEN(), a, b)
		}
	})
}

func TestExplain(t *testing.T) {
	e := New()
	walk(t, 60, func(p *chess.Position) {
		x := e.Explain(p)
		var sum Score
		for _, r := range x.Rows {
			sum += r.Total
		}
		v := (sum.MG()*x.Phase*x.Scale[0]/fullScale + sum.EG()*(fullPhase-x.Phase)*x.Scale[1]/fullScale) / fullPhase
		v = v * (fadeFrom - p.Rule50()) / fadeFrom
		if v = min(max(v, -Limit), Limit); v != x.Value && !x.Known {
			t.Fatalf("%s: the rows make %d, the value is %d\n%s", p.FEN(), v, x.Value, x)
		}
	})
}

func TestEndings(t *testing.T) {
	e := New()
	value := func(fen string) int { return e.Evaluate(gametest.Chess(t, fen)) }
	for _, c := range []struct {
		name, fen string
		low, high int
	}{
		{"two knights", "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1", 0, 0},
		{"queen", "8/8/4k3/8/8/3Q4/4K3/8 w - - 0 1", 900, 3000},
		{"bishop against knight", "8/8/4kn2/8/8/3B4/4K3/8 w - - 0 1", -30, 30},
		{"wrong bishop", "k7/8/8/P7/8/4B3/4K3/8 w - - 0 1", -200, 200},
		{"wrong bishop far", "8/8/8/P7/8/4B1k1/4K3/8 w - - 0 1", 250, 3000},
		{"start", chess.StartFEN, 0, 60},
		{"rook against bishop, far beyond fifty moves", "8/8/3bk3/8/8/3R4/4K3/8 w - - 4000 2001", 0, 0},
		{"bishop against rook, far beyond fifty moves", "8/8/3bk3/8/8/3R4/4K3/8 b - - 4001 2001", 0, 0},
	} {
		if v := value(c.fen); v < c.low || v > c.high {
			t.Errorf("%s: %d is not within %d and %d\n%s", c.name, v, c.low, c.high, e.Explain(gametest.Chess(t, c.fen)))
		}
	}
	if a, b := value("7k/8/8/8/4K3/8/2N5/2B5 w - - 0 1"), value("k7/8/8/8/4K3/8/2N5/2B5 w - - 0 1"); a <= b {
		t.Errorf("the bishop's corner has value %d, the other %d", a, b)
	}
	if a, b := value("7k/8/8/8/8/8/4Q3/4K3 w - - 0 1"), value("7k/8/8/8/8/8/4Q3/4K3 w - - 90 60"); a != b {
		t.Errorf("a known ending fades from %d to %d with the fifty-move count", a, b)
	}
	if a, b := value("7k/8/8/8/8/8/4Q3/4K3 w - - 0 1"), value("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1"); a <= b {
		t.Errorf("a king in the corner has value %d, in the centre %d", a, b)
	}
}

func TestClosed(t *testing.T) {
	for _, c := range []struct {
		name, board string
		closed      bool
	}{
		{"seven files", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3", true},
		{"every second file", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3", true},
		{"the same, with the king behind the wall", "k7/4K3/1p1p1p1p/1P1P1P1P/8/8/8/8", false},
		{"the same, with a bishop", "4k3/8/1p1p1p1p/1P1P1P1P/8/4B3/8/4K3", false},
		{"a gap on the king's side", "4k3/8/1p1p1p2/1P1P1P2/8/8/8/4K3", false},
		{"a pawn that can move", "4k3/8/1p1p1p1p/1P1P1P1P/8/4P3/8/4K3", false},
		{"a pawn that can capture", "4k3/8/pp1p1p1p/1P1P1P1P/8/8/8/4K3", false},
		{"a pawn blocked by a king alone", "8/8/1p1p1p1p/1P1P1P1P/4k3/4P3/8/4K3", false},
		{"Lasker and Reichhelm", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7", false},
		{"doubled pawns", "4k3/8/1p1p1p1p/1P1P1P1P/1P6/8/8/4K3", true},
	} {
		for _, side := range []string{"w", "b"} {
			if got := closed(gametest.Chess(t, c.board+" "+side+" - - 0 1")); got != c.closed {
				t.Errorf("%s, %s to move: %v", c.name, side, got)
			}
		}
	}
}

func TestScore(t *testing.T) {
	for _, mg := range []int{-32000, -300, -1, 0, 1, 77, 32000} {
		for _, eg := range []int{-32000, -300, -1, 0, 1, 77, 32000} {
			if s := S(mg, eg); s.MG() != mg || s.EG() != eg {
				t.Errorf("S(%d, %d) holds %d and %d", mg, eg, s.MG(), s.EG())
			}
		}
	}
	if s := S(7, -3) + S(-10, 1).times(3); s.MG() != -23 || s.EG() != 0 {
		t.Errorf("sum of scores: %d, %d", s.MG(), s.EG())
	}
}

// An entry of the pawn table takes a cache line.
func TestBytes(t *testing.T) {
	w := tuned
	if n := NewWith(&w, 1<<12).Bytes() - NewWith(&w, 1<<11).Bytes(); n != 64<<11 {
		t.Errorf("%d bytes for %d entries", n, 1<<11)
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e, p := New(), gametest.Chess(t, middlegames[0])
	if n := testing.AllocsPerRun(100, func() { e.Evaluate(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkEvaluate evaluates middlegames as a search does: each position with
// all its children, so that the pawn table hits mostly.
func BenchmarkEvaluate(b *testing.B) {
	e := New()
	var ps []*chess.Position
	var l game.List
	for _, fen := range middlegames {
		p := gametest.Chess(b, fen)
		l.Reset()
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			c := p.Copy()
			if c.Make(m); !c.InCheck() {
				ps = append(ps, c)
			}
		}
	}
	i := 0
	for b.Loop() {
		e.Evaluate(ps[i])
		if i++; i == len(ps) {
			i = 0
		}
	}
}
