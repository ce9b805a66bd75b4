package nnue

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
)

// No board has more features than Active, and no feature is listed twice or out of range.
func TestActive(t *testing.T) {
	most := 0
	for x := range uint16(ultimate.All + 1) {
		for o := range uint16(ultimate.All + 1) {
			if x&o != 0 || x|o == ultimate.All || ultimate.HasLine(x) || ultimate.HasLine(o) {
				continue
			}
			features := SmallOf(x, o).Append(nil, ultimate.O, 8)
			most = max(most, len(features))
			slices.Sort(features)
			if n := len(features); n > 0 && (len(slices.Compact(features)) < n || features[n-1] >= decided) {
				t.Fatalf("%o, %o: %v", x, o, features)
			}
		}
	}
	if Active != boards*most+1 {
		t.Errorf("a small board has up to %d features: Active %d", most, Active)
	}
}

func TestFeatures(t *testing.T) {
	p := gametest.Ultimate(t,
		"O;X#O@.....;XXX....../XOXXOOOXX/OOO....../OO.X....X/XX......./........./........./........./.........")
	b := BoardOf(&p)
	for side, want := range [2][]uint16{
		{324 + 0, 342 + 1, 333 + 2, 81 + 27, 81 + 28, 30, 35, 243 + 29, 36, 37, 162 + 38, 351 + 3},
		{333 + 0, 342 + 1, 324 + 2, 27, 28, 81 + 30, 81 + 35, 162 + 29, 81 + 36, 81 + 37, 243 + 38, 351 + 3},
	} {
		got := b.Append(nil, ultimate.Side(side))
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("side %d: %v, want %v", side, got, want)
		}
	}
	if got := new(changes).Distance(&b, &Board{Small: b.Small, Target: Any}); got != 1 {
		t.Errorf("distance %d from the board with another target", got)
	}
	if got := new(changes).Distance(&b, new(Board)); got != 6 {
		t.Errorf("distance %d from the empty board, want 5 small boards and the target", got)
	}
	// 4 empty cells on board d, 7 on e, 36 on the others.
	if got := b.Bucket(); got != 47*8/82 {
		t.Errorf("bucket %d", got)
	}
	start := ultimate.Start()
	if b := BoardOf(&start); b.Bucket() != Buckets-1 || !slices.Equal(b.Append(nil, 0), []uint16{360}) {
		t.Errorf("start: %v, bucket %d", b.Append(nil, 0), b.Bucket())
	}
}

// The shape is part of every file of a net.
func TestShape(t *testing.T) {
	want := nnue.Shape{Features: "ultimate 361", Inputs: 361, Active: 100, Hidden: 32, Buckets: 8}
	if got := Shape(32); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The bucket follows the number of empty cells on open boards.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ultimate.Start()
		for {
			if b := BoardOf(&p); b.Bucket() != p.Left()*8/82 {
				t.Fatalf("%s: bucket %d of %d empty cells", p, b.Bucket(), p.Left())
			}
			moves := p.Moves(nil)
			if len(moves) == 0 {
				return
			}
			p = p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		}
	})
}

// The value stays within Limit, whatever the net says.
func TestLimit(t *testing.T) {
	shape := Shape(32)
	for _, sign := range []int32{-1, 1} {
		bias := slices.Repeat([]int32{sign * math.MaxInt16 * nnue.QA}, shape.Buckets)
		net, err := nnue.New(shape, nnue.MaxScale, "", make([]int16, shape.Inputs*shape.Hidden), make([]int16, shape.Hidden),
			make([]int16, shape.Buckets*2*shape.Hidden), bias)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := NewEvaluator(net).Evaluate(ultimate.NewWalker(ultimate.Start())), int(sign)*Limit; got != want {
			t.Errorf("value %d, want %d", got, want)
		}
	}
}

// fromScratch is the value of a position without an Evaluator.
func fromScratch(net *nnue.Net, p *ultimate.Position) int {
	b := BoardOf(p)
	us, them := make([]int16, net.Hidden), make([]int16, net.Hidden)
	net.Refresh(us, b.Append(nil, p.Side()))
	net.Refresh(them, b.Append(nil, p.Side().Other()))
	return min(max(net.Output(us, them, b.Bucket()), -Limit), Limit)
}

// An Evaluator gives the values of the net on a walk through games, whatever it has evaluated before.
func TestEvaluator(t *testing.T) {
	net := nnuetest.Random(t, Shape(32), 1)
	e := NewEvaluator(net)
	rapid.Check(t, func(t *rapid.T) {
		w := ultimate.NewWalker(ultimate.Start())
		for range 60 {
			if got, want := e.Evaluate(w), fromScratch(net, &w.Position); got != want {
				t.Fatalf("%s: %d, from scratch %d", w.Position, got, want)
			}
			var l game.List
			w.Moves(game.All, &l)
			if back := rapid.IntRange(0, 20).Draw(t, "back"); back < 5 && back <= w.Played() || l.Len() == 0 {
				for range back % (w.Played() + 1) {
					w.Undo()
				}
			} else {
				w.Make(rapid.SampledFrom(l.All()).Draw(t, "move"))
				if l.Len() > 1 && rapid.Bool().Draw(t, "twice") {
					l.Reset()
					if w.Moves(game.All, &l); l.Len() > 0 {
						w.Make(l.At(0))
					}
				}
			}
		}
	})
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := NewEvaluator(nnuetest.Random(t, Shape(32), 1))
	w := ultimate.NewWalker(ultimate.Start())
	if n := testing.AllocsPerRun(30, func() {
		var l game.List
		w.Moves(game.All, &l)
		w.Make(l.At(0))
		e.Evaluate(w)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	e := NewEvaluator(nnuetest.Random(b, Shape(64), 1))
	w := ultimate.NewWalker(ultimate.Start())
	var l game.List
	for b.Loop() {
		l.Reset()
		if w.Moves(game.All, &l); l.Len() == 0 {
			w = ultimate.NewWalker(ultimate.Start())
			continue
		}
		w.Make(l.At(w.Played() * 7 % l.Len()))
		e.Evaluate(w)
	}
}
