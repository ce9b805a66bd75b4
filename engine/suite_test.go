package engine

import (
	"context"
	"testing"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/ttanalysis"
)

// TestSuite: every position is searched once, alone, whoever watches.
func TestSuite(t *testing.T) {
	for _, variant := range []string{"chess", "shogi"} {
		var nodes [2]uint64
		for i, watched := range []bool{false, true} {
			s := Suite{Variant: variant, MiB: 1, Nodes: 500}
			if watched {
				s.Watch = func(t *cluster.Table) (*ttanalysis.Observer, error) { return ttanalysis.NewObserver(t, nil, nil), nil }
			}
			positions := 0
			s.Done = func(n int, _ string, r search.Result, w *ttanalysis.Observer) {
				if n != positions {
					t.Fatalf("%s: position %d after %d", variant, n, positions)
				}
				if watched && r.Nodes > 100 && w.Counts().Probes == 0 {
					t.Errorf("%s: position %d: nothing seen", variant, n)
				}
				positions++
				nodes[i] += r.Nodes
			}
			if err := s.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if nodes[0] == 0 || nodes[0] != nodes[1] {
			t.Errorf("%s: %d nodes unwatched, %d watched", variant, nodes[0], nodes[1])
		}
	}
	s := Suite{Variant: "chess", Setups: []string{"nonsense"}, MiB: 1, Nodes: 1}
	if err := s.Run(context.Background()); err == nil {
		t.Error("nonsense is searched")
	}
}
