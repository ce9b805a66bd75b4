package nnue

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/game/evaltest"
	"trefoil/game/gametest"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
)

// chessGame is what the tests of all evaluators need.
var chessGame = evaltest.Game[*chess.Position]{
	Shape:        Shape,
	NewEvaluator: func(n *nnue.Net) evaltest.Evaluator[*chess.Position] { return NewEvaluator(n) },
	FromScratch:  fromScratch,
	Parse:        chess.ParseFEN,
	Text:         (*chess.Position).FEN,
	Starts:       starts,
}

// fromScratch is the value of p without an Evaluator.
func fromScratch(n *nnue.Net, p *chess.Position) int {
	us := chess.Colour(p.Side())
	var sides [2][]int16
	for i, side := range []chess.Colour{us, us.Other()} {
		sides[i] = make([]int16, n.Hidden)
		n.Refresh(sides[i], features(p, side))
	}
	return eval.Adjust(p, n.Output(sides[0], sides[1], Bucket(p.Occupied().Count()))*Scale(p)/ScaleUnit)
}

var starts = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
	"bnrqnkrb/pppppppp/8/8/8/8/PPPPPPPP/BNRQNKRB w GCgc - 0 1",
	"8/8/4kp2/3p2p1/3P2P1/4KP2/8/8 w - - 0 50",
	"8/5pk1/4p1p1/3pP2p/1r1P1P1P/5KP1/3R4/8 w - - 12 40",
}

func TestIncremental(t *testing.T) { chessGame.Incremental(t) }

func TestIndependent(t *testing.T) { chessGame.Independent(t) }

func TestEvaluateAllocatesNothing(t *testing.T) { chessGame.AllocatesNothing(t) }

func TestBytes(t *testing.T) {
	net := nnuetest.Random(t, Shape(64), 1)
	evaltest.Bytes(t, func() interface{ Bytes() uint64 } { return NewEvaluator(net) })
}

// BenchmarkEvaluate evaluates by random nets; the benchmark of the hand-written evaluation is in package
// eval.
func BenchmarkEvaluate(b *testing.B) { chessGame.Benchmark(b) }

// TestEvaluatorSymmetry exchanges colours, and mirrors boards without castling rights.
func TestEvaluatorSymmetry(t *testing.T) {
	net := nnuetest.Random(t, Shape(64), 1)
	e := NewEvaluator(net)
	chessGame.Walk(t, 5000, func(p *chess.Position) {
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

// TestLastSteps checks the steps that the evaluation by a net shares with the hand-written one.
func TestLastSteps(t *testing.T) {
	net := nnuetest.Random(t, Shape(32), 1)
	e, hand := NewEvaluator(net), eval.New()
	value := func(fen string) int {
		p := gametest.Chess(t, fen)
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
	if fresh, half, end := value(middlegame+"0 9"), value(middlegame+"110 99"),
		value(middlegame+"220 199"); half != fresh/2 || end != 0 {
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
	file := write(nnuetest.Random(t, Shape(32), 1))
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
		{"other features", `its features are "shogi 2344", expected "chess 768 mirrored"`, write(nnuetest.Random(t, other, 1))},
		{"other buckets", "768 inputs, 32 active, 1 buckets, expected 768, 32, 8", write(nnuetest.Random(t, buckets, 1))},
	} {
		if _, err := Read(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestScale checks the material scaling of some material.
func TestScale(t *testing.T) {
	for fen, want := range map[string]int{
		chess.StartFEN: 96,
		"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1":     72,
		"rn2k3/8/8/8/8/8/8/1B1QK3 b - - 0 1":              72 + 2 + 1 + 1 + 4,
		"QQQQk3/QQQQ4/8/8/8/8/8/4K3 b - - 0 1":            96,
		"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w - - 0 1": 80,
	} {
		if got := Scale(position(t, strings.Fields(fen)[0], strings.Fields(fen)[1])); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}
