package nnue

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"trefoil/game/evaltest"
	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
)

// starts are middlegames, full hands, promoted pieces, a missing king, and more pieces than a set has.
var starts = []string{
	"ln1g3nl/1r1sg1kb1/p1p1ppsp1/1p1p2p1p/9/2PP2PPP/PP2PPN2/1BGSGS1R1/LN2K3L b - 1",
	"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
	shogi.StartSFEN,
	"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
	"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1",
	"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
	crowded,
}

// crowded has 54 pieces.
const crowded = "lnsgkgsnl/1r5b1/ppppppppp/l1sgsn1l1/9/1N1GSGNL1/PPPPPPPPP/1B5R1/LNSGKGSNL b RB 1"

// shogiGame is what the tests of all evaluators need.
var shogiGame = evaltest.Game[*shogi.Position]{
	Shape:        Shape,
	NewEvaluator: func(n *nnue.Net) evaltest.Evaluator[*shogi.Position] { return NewEvaluator(n) },
	FromScratch:  fromScratch,
	Parse:        shogi.ParseCrowded,
	Text:         (*shogi.Position).SFEN,
	Starts:       starts,
}

// fromScratch is the value of p without an Evaluator.
func fromScratch(n *nnue.Net, p *shogi.Position) int {
	us := shogi.Colour(p.Side())
	var sides [2][]int16
	for i, side := range []shogi.Colour{us, us.Other()} {
		sides[i] = make([]int16, n.Hidden)
		n.Refresh(sides[i], features(p, side))
	}
	return min(max(n.Output(sides[0], sides[1], 0), -eval.Limit), eval.Limit)
}

func TestIncremental(t *testing.T) { shogiGame.Incremental(t) }

func TestIndependent(t *testing.T) { shogiGame.Independent(t) }

func TestEvaluateAllocatesNothing(t *testing.T) { shogiGame.AllocatesNothing(t) }

func TestBytes(t *testing.T) {
	net := nnuetest.Random(t, Shape(64), 1)
	evaltest.Bytes(t, func() interface{ Bytes() uint64 } { return NewEvaluator(net) })
}

// BenchmarkEvaluate evaluates by random nets.
func BenchmarkEvaluate(b *testing.B) { shogiGame.Benchmark(b) }

// BenchmarkHandWritten evaluates the same positions by the hand-written evaluation.
func BenchmarkHandWritten(b *testing.B) {
	shogiGame.BenchmarkEvaluator(b, eval.New())
}

// TestEvaluatorSymmetry exchanges colours, and mirrors positions without a king on the middle file.
func TestEvaluatorSymmetry(t *testing.T) {
	e := NewEvaluator(nnuetest.Random(t, Shape(64), 1))
	mirrored := 0
	shogiGame.Walk(t, 5000, func(p *shogi.Position) {
		want := e.Evaluate(p)
		views := []view{{exchanged: true}}
		if !onMiddle(p) {
			views = append(views, view{mirrored: true}, view{true, true})
			mirrored++
		}
		for _, v := range views {
			if got := e.Evaluate(v.of(t, p)); got != want {
				t.Fatalf("%s: %d, %+v %d", p.SFEN(), want, v, got)
			}
		}
	})
	if mirrored < 1000 {
		t.Errorf("only %d positions mirrored", mirrored)
	}
}

// TestActive checks that no position has more features than Active, as the bounds of a Net assume, and
// what the largest weights then give.
func TestActive(t *testing.T) {
	p := position(t, crowded)
	if n := len(features(p, shogi.Black)); n != Active {
		t.Errorf("%d features, want %d", n, Active)
	}
	shape := Shape(32)
	weights := make([]int16, shape.Inputs*shape.Hidden)
	for i := range weights {
		weights[i] = math.MaxInt16 / Active
	}
	outputs := make([]int16, 2*shape.Hidden)
	for i := range outputs {
		outputs[i] = nnue.MaxOutputSum / 64
	}
	net, err := nnue.New(shape, nnue.MaxScale, "", weights, make([]int16, shape.Hidden), outputs, make([]int32, 1))
	if err != nil {
		t.Fatal(err)
	}
	if got := NewEvaluator(net).Evaluate(p); got != eval.Limit {
		t.Errorf("value %d, want %d", got, eval.Limit)
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		want  string
		shape nnue.Shape
	}{
		{"", Shape(32)},
		{"", Shape(256)},
		{`its features are "chess", expected "shogi 2344 mirrored"`, nnue.Shape{Features: "chess", Inputs: Inputs, Active: Active, Hidden: 32, Buckets: 1}},
		{"2344 inputs, 54 active, 2 buckets, expected 2344, 54, 1", nnue.Shape{Features: Features, Inputs: Inputs, Active: Active, Hidden: 32, Buckets: 2}},
	} {
		var file bytes.Buffer
		if err := nnuetest.Random(t, c.shape, 1).Write(&file); err != nil {
			t.Fatal(err)
		}
		n, err := Read(file.Bytes())
		switch {
		case c.want == "" && (err != nil || n.Shape != c.shape):
			t.Errorf("%+v: error %v", c.shape, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: error %v, want %q", c.shape, err, c.want)
		}
	}
}
