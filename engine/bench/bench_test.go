package bench_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine/bench"
	"trefoil/engine/chess"
	"trefoil/engine/connect4"
	"trefoil/engine/registry"
	"trefoil/engine/shogi"
	"trefoil/engine/ultimate"
	"trefoil/search"
)

func TestAdvise(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	a, err := bench.Advise(ctx, chess.Game(), 1, search.Limits{MoveTime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if a.Nodes == 0 || a.Searches < 12 || a.Searches > 18 || a.PerNode[1] < 0.1 || a.PerNode[1] > 1.5 || a.Hash < 1 || a.Hash > a.Need ||
		a.HitRates[0] < 0.05 || !slices.IsSorted(a.HitRates[:]) || a.HitRates[len(a.HitRates)-1] > 0.7 {
		t.Errorf("%+v", a)
	}
	cancel()
	if _, err := bench.Advise(ctx, shogi.Game(), 1, search.Limits{MoveTime: time.Second}); err == nil {
		t.Error("not stopped")
	}
}

// TestStops: every bench ends with its context.
func TestStops(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, g := range []*registry.Game{chess.Game(), shogi.Game(), connect4.Game(), ultimate.Game()} {
		for i := range g.Benches {
			if err := bench.Run(ended, &g.Benches[i], 0, func(string) {}); err == nil || !strings.HasPrefix(err.Error(), "stopped at position 1") {
				t.Errorf("%s: %v", g.Benches[i].Name, err)
			}
		}
	}
}

// TestDepth: only a bench with a depth accepts another one.
func TestDepth(t *testing.T) {
	for _, c := range []struct {
		b     registry.Bench
		depth int
	}{
		{chess.Game().Benches[0], bench.MaxDepth + 1},
		{chess.Game().Benches[0], -1},
		{ultimate.Game().Benches[0], 5},
	} {
		if err := bench.Run(context.Background(), &c.b, c.depth, func(string) {}); err == nil || !strings.Contains(err.Error(), "depth") {
			t.Errorf("%s, depth %d: %v", c.b.Name, c.depth, err)
		}
	}
}
