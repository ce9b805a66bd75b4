package nnue

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
)

func randomNet(t testing.TB, hidden int) *nnue.Net { return nnuetest.Random(t, Shape(hidden), 1) }

// fromScratch is the value of p without an Evaluator.
func fromScratch(n *nnue.Net, p *chess.Position) int {
	us := chess.Colour(p.Side())
	var sides [2][]int16
	for i, side := range []chess.Colour{us, us.Other()} {
		sides[i] = make([]int16, n.Hidden)
		n.Refresh(sides[i], features(p, side))
	}
	return eval.Adjust(p, n.Output(sides[0], sides[1], Bucket(p.Occupied().Count())))
}

var starts = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
	"bnrqnkrb/pppppppp/8/8/8/8/PPPPPPPP/BNRQNKRB w GCgc - 0 1",
	"8/8/4kp2/3p2p1/3P2P1/4KP2/8/8 w - - 0 50",
	"8/5pk1/4p1p1/3pP2p/1r1P1P1P/5KP1/3R4/8 w - - 12 40",
}

// walk plays random moves, takes some back, passes, and jumps between a few games. It calls visit with
// each of plies positions that are not in check.
func walk(t testing.TB, plies int, visit func(*chess.Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	start := func() *chess.Position {
		p, err := chess.ParseFEN(starts[rng.IntN(len(starts))])
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	games := make([]*chess.Position, 4)
	for i := range games {
		games[i] = start()
	}
	var l game.List
	for at := 0; plies > 0; {
		p := games[at]
		if !p.InCheck() && rng.IntN(5) > 0 { // like a search, which does not evaluate every node
			visit(p)
			plies--
		}
		l.Reset()
		p.Moves(game.All, &l)
		switch r := rng.IntN(100); {
		case l.Len() == 0 || p.Played() > 300:
			games[at] = start()
		case r < 2:
			at = rng.IntN(len(games))
		case r < 4:
			games[at] = games[rng.IntN(len(games))].Copy()
		case r < 8 && !p.InCheck():
			p.MakeNull()
			visit(p)
			plies--
			p.UndoNull()
		case r < 30:
			for n := rng.IntN(6); n > 0 && p.Played() > 0; n-- {
				p.Undo()
			}
		default:
			p.Make(l.At(rng.IntN(l.Len())))
		}
	}
}

func TestIncremental(t *testing.T) {
	plies := 1_000_000
	if testing.Short() {
		plies = 20_000
	}
	net := randomNet(t, 32)
	e, checked := NewEvaluator(net), 0
	distinct := map[int]bool{}
	walk(t, plies, func(p *chess.Position) {
		got, want := e.Evaluate(p), fromScratch(net, p)
		if got != want {
			t.Fatalf("position %d, %s: %d, from scratch %d", checked, p.FEN(), got, want)
		}
		distinct[got] = true
		checked++
	})
	if len(distinct) < 500 {
		t.Errorf("only %d different values", len(distinct))
	}
}

// TestEvaluatorSymmetry exchanges colours, and mirrors boards without castling rights.
func TestEvaluatorSymmetry(t *testing.T) {
	net := randomNet(t, 64)
	e := NewEvaluator(net)
	walk(t, 5000, func(p *chess.Position) {
		fields := strings.Fields(p.FEN())
		board, side := fields[0], fields[1]
		other := map[string]string{"w": "b", "b": "w"}[side]
		want := e.Evaluate(position(t, board, side))
		for what, q := range map[string]*chess.Position{
			"with colours exchanged": position(t, exchanged(board), other),
			"mirrored":               position(t, mirrored(board), side),
			"both":                   position(t, mirrored(exchanged(board)), other),
		} {
			if got := e.Evaluate(q); got != want {
				t.Fatalf("%s %s: %d, %s %d", board, side, want, what, got)
			}
		}
	})
}

// TestIndependent evaluates by turns with two evaluators of one net and one of another.
func TestIndependent(t *testing.T) {
	net, other := randomNet(t, 32), nnuetest.Random(t, Shape(64), 2)
	a, b, c := NewEvaluator(net), NewEvaluator(net), NewEvaluator(other)
	i, differ := 0, 0
	walk(t, 5000, func(p *chess.Position) {
		value := a.Evaluate(p)
		if i++; i%3 == 0 {
			if got := b.Evaluate(p.Copy()); got != value {
				t.Fatalf("%s: %d and %d", p.FEN(), value, got)
			}
		}
		got := c.Evaluate(p)
		if want := fromScratch(other, p); got != want {
			t.Fatalf("%s: %d by the other net, want %d", p.FEN(), got, want)
		}
		if got != value {
			differ++
		}
	})
	if differ < i/2 {
		t.Errorf("the two nets differ in %d of %d positions", differ, i)
	}
}

// TestLastSteps checks the steps that the evaluation by a net shares with the hand-written one.
func TestLastSteps(t *testing.T) {
	net := randomNet(t, 32)
	e, hand := NewEvaluator(net), eval.New()
	value := func(fen string) int {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		return e.Evaluate(p)
	}
	for _, board := range []string{"8/8/4k3/8/8/3Q4/4K3/8", "8/8/4k3/8/8/3NN3/4K3/8", "7k/8/8/8/4K3/8/2N5/2B5"} {
		for _, side := range []string{"w", "b"} {
			p := position(t, board, side)
			if got, want := e.Evaluate(p), hand.Evaluate(p); got != want {
				t.Errorf("%s %s, a known ending: %d, want %d", board, side, got, want)
			}
		}
	}
	if got := value("8/8/4kn2/8/8/3B4/4K3/8 w - - 0 1"); got != 0 {
		t.Errorf("a bishop against a knight: %d, want 0", got)
	}
	const middlegame = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - "
	if fresh, half, end := value(middlegame+"0 9"), value(middlegame+"110 99"), value(middlegame+"220 199"); half != fresh/2 || end != 0 {
		t.Errorf("value %d, after 110 plies %d, after 220 plies %d", fresh, half, end)
	}
}

func TestRead(t *testing.T) {
	write := func(n *nnue.Net) []byte {
		var b bytes.Buffer
		if err := n.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	file := write(randomNet(t, 32))
	if n, err := Read(file); err != nil || n.Shape != Shape(32) {
		t.Errorf("shape %v, error %v", n.Shape, err)
	}
	damaged := slices.Clone(file)
	damaged[len(damaged)/2] ^= 1
	other, buckets := Shape(32), Shape(32)
	other.Features, buckets.Buckets = "shogi 2344", 1
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"damaged", "damaged", damaged},
		{"cut short", "bytes", file[:len(file)-5]},
		{"other features", `its features are "shogi 2344", want "chess 768 mirrored"`, write(nnuetest.Random(t, other, 1))},
		{"other buckets", "768 inputs, 32 active, 1 buckets, want 768, 32, 8", write(nnuetest.Random(t, buckets, 1))},
	} {
		if _, err := Read(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := NewEvaluator(randomNet(t, 128))
	ps := children(t)
	i := 0
	if n := testing.AllocsPerRun(1000, func() { e.Evaluate(ps[i%len(ps)]); i++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// children are positions of the middlegame, each with all positions after one move and after the replies
// to it, in the order of a search.
func children(t testing.TB) (ps []*chess.Position) {
	var l, replies game.List
	for _, fen := range starts[:2] {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			p.Make(m)
			ps = append(ps, p.Copy())
			replies.Reset()
			p.Moves(game.All, &replies)
			for _, r := range replies.All() {
				p.Make(r)
				if !p.InCheck() {
					ps = append(ps, p.Copy())
				}
				p.Undo()
			}
			p.Undo()
		}
		l.Reset()
	}
	return ps
}

// BenchmarkEvaluate evaluates positions two plies deep; that of the hand-written evaluation is in
// package eval.
func BenchmarkEvaluate(b *testing.B) {
	for name, hidden := range map[string]int{"128": 128, "256": 256} {
		b.Run(name, func(b *testing.B) {
			e, ps := NewEvaluator(randomNet(b, hidden)), children(b)
			for i := 0; b.Loop(); {
				e.Evaluate(ps[i])
				if i++; i == len(ps) {
					i = 0
				}
			}
		})
	}
}
