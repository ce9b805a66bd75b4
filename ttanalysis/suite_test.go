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

// audited is a suite of few positions, searched for as long as it takes to have false hits with 8 check bits.
func audited(t *testing.T) Suite {
	t.Helper()
	s := Suite{Game: "chess", MiB: 1, Nodes: 20_000}
	for _, fen := range []string{middle, "4r1k1/2p3p1/pb3p1p/4P3/5P2/1P1R3P/P1P3PB/6K1 w - - 1 31"} {
		s.Setups, s.Roots = append(s.Setups, fen), append(s.Roots, alphabeta.Position(root(t, fen)))
	}
	return s
}

// A sweep has a result for each number of check bits, with more false hits the fewer they are.
func TestSweep(t *testing.T) {
	s := audited(t)
	var results []AuditResult
	if err := s.Sweep(context.Background(), []int{8, 12, 21}, func(r AuditResult) { results = append(results, r) }); err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 {
		t.Fatalf("%d results, want 3", len(results))
	}
	for i, r := range results {
		n := r.Counters.AllFalseHits()
		if len(r.Best) != 2 || r.KeyBits != []int{8, 12, 21}[i] || r.OtherBest > 2 || i > 0 && n > results[i-1].Counters.AllFalseHits() || i == 0 && n == 0 {
			t.Errorf("%d check bits: %d false hits, best moves %v, %d other", r.KeyBits, n, r.Best, r.OtherBest)
		}
	}
	if results[2].OtherBest != 0 {
		t.Error("the search with all check bits differs from itself")
	}
}

// A blamed false hit changes the best move again when it is accepted once more.
func TestBlame(t *testing.T) {
	s := audited(t)
	s.KeyBits = 8
	var first *Blamed
	tried, err := s.Blame(context.Background(), 1, func(b Blamed) { first = &b })
	if err != nil || first == nil || tried == 0 {
		t.Fatalf("%d tried, blamed %v, %v", tried, first, err)
	}
	if first.Without == first.With {
		t.Errorf("%v changes nothing: best move %s", first.Hit, first.With)
	}
	one := s.only(0)
	if first.Setup == s.Setups[1] {
		one = s.only(1)
	}
	again, err := one.AcceptOnly(context.Background(), first.Hit.Number)
	if err != nil || again.With != first.With || *again.Hit != *first.Hit {
		t.Errorf("%v then %v, %v", first, again, err)
	}
	if _, err := one.AcceptOnly(context.Background(), 1<<40); err == nil {
		t.Error("a false hit that does not exist is accepted")
	}
}
