package observe

import (
	"context"
	"testing"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// Every position of a suite is searched once, in order, and has counters of its own.
func TestSuite(t *testing.T) {
	s := someSuite(t)
	s.Nodes = 500
	positions := 0
	err := s.Run(context.Background(),
		func(t *cluster.Table) (*Observer, error) { return NewObserver(t, nil, nil), nil },
		func(n int, r search.Result, o *Observer) {
			if n != positions {
				t.Fatalf("position %d after %d", n, positions)
			}
			if c := o.Counters(); c.Probes == 0 || c.Probes > 2*r.Nodes {
				t.Errorf("position %d: %d probes in %d nodes", n, c.Probes, r.Nodes)
			}
			positions++
		})
	if err != nil || positions != len(s.Setups) {
		t.Errorf("%d positions searched, want %d: %v", positions, len(s.Setups), err)
	}
}

// TestTitle: the title has what ends the searches.
func TestTitle(t *testing.T) {
	for want, s := range map[string]Suite{
		"1 position of chess, hash 1 MiB, 7 nodes each":            {Nodes: 7},
		"1 position of chess, hash 1 MiB, depth 5 each":            {Depth: 5},
		"1 position of chess, hash 1 MiB, 7 nodes or depth 5 each": {Nodes: 7, Depth: 5},
	} {
		s.Game, s.MiB, s.Setups = "chess", 1, []string{middle}
		if got := s.Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// someSuite returns a suite that has false hits with 8 check bits.
func someSuite(t *testing.T) Suite {
	t.Helper()
	s := Suite{Game: "chess", MiB: 1, Nodes: 20_000}
	s.Setups = []string{middle, "4r1k1/2p3p1/pb3p1p/4P3/5P2/1P1R3P/P1P3PB/6K1 w - - 1 31"}
	s.NewRoot = func(fen string) (alphabeta.Position, error) { return root(t, fen), nil }
	return s
}

// A sweep has a result for each number of check bits, with more false hits the fewer they are.
func TestSweep(t *testing.T) {
	s := someSuite(t)
	var results []ttanalysis.AuditResult
	if err := s.Sweep(context.Background(), SweepOptions{KeyBits: []int{8, 12, 21}},
		func(r ttanalysis.AuditResult) { results = append(results, r) }); err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 {
		t.Fatalf("%d results, want 3", len(results))
	}
	for i, r := range results {
		n := r.Counters.AllFalseHits()
		if len(r.Best) != 2 || r.KeyBits != []int{8, 12, 21}[i] || r.OtherBest > 2 ||
			i > 0 && n > results[i-1].Counters.AllFalseHits() || i == 0 && n == 0 {
			t.Errorf("%d check bits: %d false hits, best moves %v, %d other", r.KeyBits, n, r.Best, r.OtherBest)
		}
	}
	if results[2].OtherBest != 0 {
		t.Error("the search with all check bits differs from itself")
	}
}

// A decisive false hit changes the best move again when it is accepted once more.
func TestFindDecisive(t *testing.T) {
	s := someSuite(t)
	s.KeyBits, s.Nodes = 8, 60_000
	var first *ttanalysis.DecisiveHit
	tried, err := s.FindDecisive(context.Background(), 1, func(b ttanalysis.DecisiveHit) { first = &b })
	if err != nil || first == nil || tried == 0 {
		t.Fatalf("%d tried, found %v, %v", tried, first, err)
	}
	if first.Without == first.With {
		t.Errorf("%v changes nothing: best move %s", first.Hit, first.With)
	}
	one := s.only(0)
	if first.Setup == s.Setups[1] {
		one = s.only(1)
	}
	if move, err := s.moveOf(&ttanalysis.FalseHit{Entry: cluster.Entry{Move: 1}}); move != "" || err != nil {
		t.Errorf("a move of no position: %q, %v", move, err)
	}
	again, err := one.AcceptOnly(context.Background(), first.Hit.Number)
	if err != nil || again.With != first.With || *again.Hit != *first.Hit {
		t.Errorf("%v then %v, %v", first, again, err)
	}
	if _, err := one.AcceptOnly(context.Background(), 1<<40); err == nil {
		t.Error("a false hit that does not exist is accepted")
	}
}
