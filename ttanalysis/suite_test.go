package ttanalysis

import (
	"context"
	"testing"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// Every position of a suite is searched once, in order, and with the same nodes if it is observed.
func TestSuite(t *testing.T) {
	s := Suite{Game: "chess", MiB: 1, Nodes: 500}
	for _, fen := range []string{middle, "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 2 47", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"} {
		s.Setups, s.Roots = append(s.Setups, fen), append(s.Roots, alphabeta.Position(root(t, fen)))
	}
	var nodes [2]uint64
	for i, observe := range []func(*cluster.Table) (*Observer, error){
		nil,
		func(t *cluster.Table) (*Observer, error) { return NewObserver(t, nil, nil), nil },
	} {
		positions := 0
		if err := s.Run(context.Background(), observe, func(n int, r search.Result, o *Observer) {
			if n != positions {
				t.Fatalf("position %d after %d", n, positions)
			}
			if observe != nil && o.Counters().Probes == 0 {
				t.Errorf("position %d: no probes counted", n)
			}
			positions++
			nodes[i] += r.Nodes
		}); err != nil {
			t.Fatal(err)
		}
		if positions != len(s.Roots) {
			t.Errorf("%d positions searched, want %d", positions, len(s.Roots))
		}
	}
	if nodes[0] == 0 || nodes[0] != nodes[1] {
		t.Errorf("%d nodes without an observer, %d with one", nodes[0], nodes[1])
	}
}
