package exact

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"trefoil/game/connect4"
)

// TestThreads: four workers on one table of 1 MiB find the scores that one worker finds.
func TestThreads(t *testing.T) {
	one, four := newSolver(t, Options{}), newSolver(t, Options{Threads: 4, Hash: 1})
	r := rand.New(rand.NewPCG(1, 9))
	for i := range 8 {
		p := random(r, 11+i%4)
		want := one.Solve(t.Context(), p, Limits{}, nil)
		if got := four.Solve(t.Context(), p, Limits{}, nil); got.Score != want.Score || !got.Exact {
			t.Fatalf("%s\n%+v, one worker %+v", p, got, want)
		}
	}
}

// TestRepeats: with an empty table one worker searches the same nodes every time.
func TestRepeats(t *testing.T) {
	s := newSolver(t, Options{Hash: 3})
	p := random(rand.New(rand.NewPCG(5, 5)), 12)
	first := s.Solve(t.Context(), p, Limits{}, nil)
	if err := s.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := s.Solve(t.Context(), p, Limits{}, nil); again.Nodes != first.Nodes {
		t.Errorf("%d nodes, again %d", first.Nodes, again.Nodes)
	}
}

// TestStops: a search that is stopped returns valid bounds: the empty board has score 1.
func TestStops(t *testing.T) {
	var empty connect4.Position
	for _, o := range []Options{{}, {Threads: 3}, {Solver: Tutorial}} {
		s := newSolver(t, o)
		check := func(what string, r Result) {
			t.Helper()
			if r.Exact || r.Lower > 1 || r.Upper < 1 || r.Score < r.Lower || r.Score > r.Upper {
				t.Errorf("%+v, %s: %+v", o, what, r)
			}
		}
		const limit = 50_000
		r := s.Solve(t.Context(), empty, Limits{Nodes: limit}, nil)
		check("nodes", r)
		if most := uint64(limit + checkInterval*max(o.Threads, 1)); r.Nodes > most {
			t.Errorf("%+v: %d nodes, want at most %d", o, r.Nodes, most)
		}
		check("time", s.Solve(t.Context(), empty, Limits{Time: 20 * time.Millisecond}, nil))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		check("context", s.Solve(ctx, empty, Limits{}, nil))
		if columns := s.Analyze(ctx, empty, Limits{}, nil); columns[3].Exact || columns[3].Full {
			t.Errorf("%+v: analysis after the end: %+v", o, columns[3])
		}
		if line := s.Line(ctx, empty, Limits{}); line != nil {
			t.Errorf("%+v: a line after the end: %v", o, line)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Solver: "worst"}, {Threads: -1}, {Threads: MaxThreads + 1}, {Hash: -1},
		{Hash: 1 << 40}, {Solver: Tutorial, Threads: 2}} {
		if s, err := New(o); err == nil {
			s.Close()
			t.Errorf("%+v: no error", o)
		} else {
			t.Log(err)
		}
	}
}
