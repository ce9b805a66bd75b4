package halfkp

import (
	"testing"

	"trefoil/game"
	"trefoil/game/evaltest"
	"trefoil/game/shogi"
)

func TestIncremental(t *testing.T) {
	plies := 3_000
	if testing.Short() {
		plies = 1_000
	}
	for _, n := range testNets {
		name, net := n.name, n.net()
		e, checked, distinct := NewEvaluator(net, DefaultScale), 0, map[int]bool{}
		walks.Walk(t, plies, func(p *shogi.Position) {
			got, want := e.Evaluate(p), fromScratch(net, DefaultScale, p)
			if got != want {
				t.Fatalf("%s: position %d, %s: %d, from scratch %d", name, checked, p.SFEN(), got, want)
			}
			distinct[got] = true
			checked++
		})
		if len(distinct) < 300 {
			t.Errorf("%s: only %d different values", name, len(distinct))
		}
	}
}

func TestBytes(t *testing.T) {
	net := usual()
	evaltest.Bytes(t, func() interface{ Bytes() uint64 } { return NewEvaluator(net, DefaultScale) })
}

// TestIndependent evaluates by turns with evaluators of two nets.
func TestIndependent(t *testing.T) {
	a, b := NewEvaluator(usual(), 24), NewEvaluator(extreme(), MaxScale)
	walks.Walk(t, 1000, func(p *shogi.Position) {
		if got, want := a.Evaluate(p), fromScratch(usual(), 24, p); got != want {
			t.Fatalf("%s: %d, want %d", p.SFEN(), got, want)
		}
		if got, want := b.Evaluate(p.Copy()), fromScratch(extreme(), MaxScale, p); got != want {
			t.Fatalf("%s: %d by the other net, want %d", p.SFEN(), got, want)
		}
	})
}

// TestGolden compares values with those that YaneuraOu printed for the same files; TestYaneuraOu computes
// them again.
func TestGolden(t *testing.T) {
	for _, c := range golden {
		p := position(t, c.sfen)
		for i, want := range c.values {
			if got := NewEvaluator(testNets[i].net(), DefaultScale).Evaluate(p); got != want {
				t.Errorf("%s: %s: %d, want %d", c.sfen, testNets[i].name, got, want)
			}
		}
	}
}

// TestScale checks the division by FV_SCALE, and the bounds of values.
func TestScale(t *testing.T) {
	largest := 0
	walks.Walk(t, 500, func(p *shogi.Position) {
		for _, net := range []*Net{usual(), extreme()} {
			whole := NewEvaluator(net, 1).Evaluate(p)
			largest = max(largest, whole, -whole)
			for _, scale := range []int{2, 16, 24, 128} {
				got := NewEvaluator(net, scale).Evaluate(p)
				if whole > -MaxValue && whole < MaxValue && got != whole/scale {
					t.Fatalf("%s: %d at scale %d, %d at scale 1", p.SFEN(), got, scale, whole)
				}
			}
		}
	})
	if largest != MaxValue {
		t.Errorf("the largest value is %d, want %d", largest, MaxValue)
	}
}

func TestCentipawns(t *testing.T) {
	for v, want := range map[int]int{0: 0, 90: 100, -90: -100, 89: 98, -89: -98, MaxValue: 35281} {
		if got := Centipawns(v); got != want {
			t.Errorf("%d: %d, want %d", v, got, want)
		}
	}
}

// TestCrowded evaluates positions with more pieces than a set has.
func TestCrowded(t *testing.T) {
	for _, n := range testNets {
		e := NewEvaluator(n.net(), DefaultScale)
		for _, sfen := range []string{
			"4k4/9/9/9/9/9/9/9/4K4 b 3R3B7G7S7N7L18P 1",
			"lnsgkgsnl/1r5b1/ppppppppp/9/gggssslnl/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
		} {
			p := position(t, sfen)
			if got, want := e.Evaluate(p), fromScratch(n.net(), DefaultScale, p); got != want {
				t.Errorf("%s: %s: %d, want %d", n.name, sfen, got, want)
			}
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := NewEvaluator(usual(), DefaultScale)
	tree(t, func(p *shogi.Position) {
		if n := testing.AllocsPerRun(1, func() { e.Evaluate(p) }); n != 0 {
			t.Fatalf("%v allocations", n)
		}
	})
}

// tree makes and takes back moves of two middlegames, all at the root and every fourth of the replies, and
// visits the positions, as a search would.
func tree(t testing.TB, visit func(*shogi.Position)) {
	var l, replies game.List
	for _, sfen := range starts[2:4] {
		p := position(t, sfen)
		l.Reset()
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			p.Make(m)
			visit(p)
			replies.Reset()
			p.Moves(game.All, &replies)
			for i, r := range replies.All() {
				if i%4 == 0 {
					p.Make(r)
					visit(p)
					p.Undo()
				}
			}
			p.Undo()
		}
	}
}

// BenchmarkEvaluate evaluates the positions of a tree, and BenchmarkTree does not: the difference of the
// times for a position is the time of an evaluation.
func BenchmarkEvaluate(b *testing.B) {
	for _, n := range testNets {
		b.Run(n.name, func(b *testing.B) {
			e := NewEvaluator(n.net(), DefaultScale)
			benchmarkTree(b, func(p *shogi.Position) { e.Evaluate(p) })
		})
	}
}

func BenchmarkTree(b *testing.B) { benchmarkTree(b, func(*shogi.Position) {}) }

func benchmarkTree(b *testing.B, visit func(*shogi.Position)) {
	positions := 0
	for b.Loop() {
		tree(b, func(p *shogi.Position) { visit(p); positions++ })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(positions), "ns/position")
}

// BenchmarkRefresh computes both accumulators from nothing, and evaluates.
func BenchmarkRefresh(b *testing.B) {
	e, p := NewEvaluator(usual(), DefaultScale), position(b, starts[2])
	values := [2][]int16{make([]int16, e.net.half), make([]int16, e.net.half)}
	lists := [2][]uint16{active(e.net.features, p, shogi.Black), active(e.net.features, p, shogi.White)}
	for b.Loop() {
		for side := range shogi.Colour(2) {
			transformer{e.net}.Update(kingSquare(p, side), values[side], e.net.bias, lists[side], nil)
		}
		propagate(e.net.stack(p), &e.activations, values[0], values[1])
	}
}

// BenchmarkLayers computes what comes after the accumulators.
func BenchmarkLayers(b *testing.B) {
	e := NewEvaluator(usual(), DefaultScale)
	p := position(b, starts[2])
	values := e.accumulate(p)
	for b.Loop() {
		propagate(e.net.stack(p), &e.activations, values[0], values[1])
	}
}
