// Package evaltest tests and measures evaluators of any game by nets.
package evaltest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"trefoil/game"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
)

// Position is a position of a game.
type Position[P any] interface {
	InCheck() bool
	Moves(game.Kind, *game.List)
	Make(game.Move)
	Undo()
	MakeNull()
	UndoNull()
	Played() int
	Copy() P
}

// Evaluator evaluates positions by a net.
type Evaluator[P any] interface{ Evaluate(P) int }

// A Game is a game with an evaluator by nets.
type Game[P Position[P]] struct {
	Shape        func(hidden int) nnue.Shape
	NewEvaluator func(*nnue.Net) Evaluator[P]
	// FromScratch is the value of a position without an Evaluator.
	FromScratch func(*nnue.Net, P) int
	Parse       func(string) (P, error)
	Text        func(P) string
	Starts      []string // the first two are middlegames
}

// Walk plays random moves, takes some back, passes, and jumps between a few games. It calls visit with
// plies positions that are not in check.
func (g *Game[P]) Walk(t testing.TB, plies int, visit func(P)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	start := func() P { return g.parse(t, g.Starts[rng.IntN(len(g.Starts))]) }
	games := make([]P, 4)
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

func (g *Game[P]) parse(t testing.TB, text string) P {
	t.Helper()
	p, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Incremental compares an Evaluator with values from scratch along a walk.
func (g *Game[P]) Incremental(t *testing.T) {
	plies := 200_000
	if testing.Short() {
		plies = 20_000
	}
	net := nnuetest.Random(t, g.Shape(32), 1)
	e, checked := g.NewEvaluator(net), 0
	distinct := map[int]bool{}
	g.Walk(t, plies, func(p P) {
		got, want := e.Evaluate(p), g.FromScratch(net, p)
		if got != want {
			t.Fatalf("position %d, %s: %d, from scratch %d", checked, g.Text(p), got, want)
		}
		distinct[got] = true
		checked++
	})
	if len(distinct) < 500 {
		t.Errorf("only %d different values", len(distinct))
	}
}

// Independent evaluates by turns with two evaluators of one net and an evaluator of another.
func (g *Game[P]) Independent(t *testing.T) {
	net, other := nnuetest.Random(t, g.Shape(32), 1), nnuetest.Random(t, g.Shape(64), 2)
	a, b, c := g.NewEvaluator(net), g.NewEvaluator(net), g.NewEvaluator(other)
	i, differ := 0, 0
	g.Walk(t, 5000, func(p P) {
		value := a.Evaluate(p)
		if i++; i%3 == 0 {
			if got := b.Evaluate(p.Copy()); got != value {
				t.Fatalf("%s: %d and %d", g.Text(p), value, got)
			}
		}
		got := c.Evaluate(p)
		if want := g.FromScratch(other, p); got != want {
			t.Fatalf("%s: %d by the other net, want %d", g.Text(p), got, want)
		}
		if got != value {
			differ++
		}
	})
	if differ < i/2 {
		t.Errorf("the two nets differ in %d of %d positions", differ, i)
	}
}

// AllocatesNothing checks that evaluations allocate nothing.
func (g *Game[P]) AllocatesNothing(t *testing.T) {
	e, ps := g.NewEvaluator(nnuetest.Random(t, g.Shape(128), 1)), g.Children(t)
	i := 0
	if n := testing.AllocsPerRun(1000, func() { e.Evaluate(ps[i%len(ps)]); i++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Bytes checks that an evaluator tells how much memory it has taken.
func Bytes(t *testing.T, newEvaluator func() interface{ Bytes() uint64 }) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := newEvaluator()
	runtime.ReadMemStats(&after)
	// Sizes are rounded up when they are allocated.
	if taken, told := after.TotalAlloc-before.TotalAlloc, e.Bytes(); told > taken || told < taken-taken/4 {
		t.Errorf("%d bytes taken, %d told", taken, told)
	}
}

// Children returns positions of the middlegame, each with all positions after one move and after the
// replies to it, in the order of a search.
func (g *Game[P]) Children(t testing.TB) (ps []P) {
	var l, replies game.List
	for _, text := range g.Starts[:2] {
		p := g.parse(t, text)
		l.Reset()
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			p.Make(m)
			if !p.InCheck() {
				ps = append(ps, p.Copy())
			}
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
	}
	return ps
}

// Benchmark evaluates positions two plies deep, by nets of the sizes in use.
func (g *Game[P]) Benchmark(b *testing.B) {
	for _, hidden := range []int{128, 256} {
		b.Run(fmt.Sprint(hidden), func(b *testing.B) {
			g.BenchmarkEvaluator(b, g.NewEvaluator(nnuetest.Random(b, g.Shape(hidden), 1)))
		})
	}
}

// BenchmarkEvaluator evaluates these positions by any evaluator.
func (g *Game[P]) BenchmarkEvaluator(b *testing.B, e Evaluator[P]) {
	ps := g.Children(b)
	for i := 0; b.Loop(); {
		e.Evaluate(ps[i])
		if i++; i == len(ps) {
			i = 0
		}
	}
}
