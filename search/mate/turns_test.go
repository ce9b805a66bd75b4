package mate

import (
	"context"
	"math"
	"slices"
	"testing"

	"trefoil/window"
)

// lengths returns the moves of subsearches; moves of the opponent are negative.
func lengths(all []*subsearch) (moves []int) {
	for _, s := range all {
		if s.opponent {
			moves = append(moves, -s.moves)
		} else {
			moves = append(moves, s.moves)
		}
	}
	return moves
}

// TestSubsearches: a problem has a subsearch for its own length and for each step of at most two thirds of it, for
// both sides unless it is for one alone. Long ones have less weight. The first turn goes to the shortest, where the
// length is open to the one without a limit.
func TestSubsearches(t *testing.T) {
	for _, c := range []struct {
		moves int
		alone bool
		want  []int
		costs []float64 // in those of one of weight 1
		first int       // has the first turn
	}{
		{1, true, []int{1}, []float64{1}, 1},
		{4, true, []int{4}, []float64{1}, 4},
		{5, true, []int{3, 5}, []float64{1, 1}, 3},
		{9, true, []int{3, 6, 9}, []float64{1, 1, 1}, 3},
		{15, false, []int{3, 6, 10, 15, -3, -6, -10, -15}, []float64{1, 1, 1, 1, 1, 1, 1, 1}, 3},
		{32, true, []int{3, 6, 10, 20, 32}, []float64{1, 1, 1, 1, 2}, 3},
		{128, true, []int{3, 6, 10, 20, 40, 80, 128}, []float64{1, 1, 1, 1, 1 / 0.3, 10, 8}, 3},
		{Endless, true, []int{3, Endless}, []float64{1, 0.25}, Endless},
		{Endless, false, []int{3, Endless}, []float64{1, 0.25}, Endless},
	} {
		all := subsearches(&Problem{Moves: c.moves, Alone: c.alone})
		if got := lengths(all); !slices.Equal(got, c.want) {
			t.Errorf("within %d, alone %v: %v, not %v", c.moves, c.alone, got, c.want)
			continue
		}
		for i, s := range all {
			if got := s.cost() / (firstTurn * unknownPhi); math.Abs(got-c.costs[i]) > 1e-9 {
				t.Errorf("within %d: %d costs %v", c.moves, s.moves, got)
			}
		}
		if got := cheapest(all).moves; got != c.first {
			t.Errorf("within %d: the first turn is for %d", c.moves, got)
		}
	}
}

// TestCost: the next turn goes to the least product of nodes and proof number, by weight.
func TestCost(t *testing.T) {
	fresh := &subsearch{moves: 3, weight: 1, phi: unknownPhi}
	for _, c := range []struct {
		name  string
		other subsearch
		first bool // the other one is before the fresh one
	}{
		{"equal", subsearch{weight: 1, phi: unknownPhi}, false},
		{"a lower proof number", subsearch{weight: 1, phi: unknownPhi - 1}, true},
		{"a higher proof number", subsearch{weight: 1, phi: unknownPhi + 1}, false},
		{"more weight", subsearch{weight: 1.5, phi: unknownPhi}, true},
		{"less weight", subsearch{weight: 0.5, phi: unknownPhi}, false},
		{"more nodes", subsearch{weight: 1, phi: unknownPhi, nodes: firstTurn}, false},
		{"half the proof number, not yet twice the nodes", subsearch{weight: 1, phi: unknownPhi / 2, nodes: firstTurn - 1}, true},
		{"half the proof number, more than twice the nodes", subsearch{weight: 1, phi: unknownPhi / 2, nodes: firstTurn + 1}, false},
	} {
		if got := cheapest([]*subsearch{fresh, &c.other}) == &c.other; got != c.first {
			t.Errorf("%s: first %v", c.name, got)
		}
	}
}

// TestBetween: after a mate the next length is searched, and one half-way to the longest that is disproved.
func TestBetween(t *testing.T) {
	for _, c := range []struct {
		moves, failed int
		want          []int
	}{
		{10, 0, []int{9, 5}},
		{10, 3, []int{9, 6}},
		{10, 6, []int{9, 8}},
		{10, 7, []int{9, 8}},
		{10, 8, []int{9}},
		{10, 9, nil},
		{3, 0, []int{2, 1}},
		{2, 0, []int{1}},
		{1, 0, nil},
	} {
		for _, opponent := range []bool{false, true} {
			a := &Answer{Moves: c.moves, Opponent: opponent}
			a.Failed[index(opponent)] = c.failed
			a.Failed[index(!opponent)] = 5 // of no account
			all := between(a, &subsearch{opponent: opponent, moves: c.moves})
			want := slices.Clone(c.want)
			for i := range want {
				if opponent {
					want[i] = -want[i]
				}
			}
			if got := lengths(all); !slices.Equal(got, want) {
				t.Errorf("mate in %d, none in %d: %v, not %v", c.moves, c.failed, got, want)
			}
			for _, s := range all {
				if s.cost() != (&subsearch{weight: 1, phi: unknownPhi}).cost() {
					t.Errorf("mate in %d, none in %d: cost %v of a new subsearch", c.moves, c.failed, s.cost())
				}
			}
		}
	}
}

// TestRetry: a subsearch whose walk fails costs more each time and is dropped after the fourth; the one without a
// limit stays, and the table is cleared instead, every fourth time.
func TestRetry(t *testing.T) {
	ctx := context.Background()
	f := finder(t, 1, 1)
	h := f.table.Handle()
	short, endless := &subsearch{moves: 3, weight: 1, phi: 1}, &subsearch{moves: Endless, weight: 4, phi: 1}
	a := &Answer{}
	all := []*subsearch{short, endless}
	for n := 1; n <= walkRetries; n++ {
		if all = f.retry(ctx, short, all, a); len(all) != 2 || short.nodes != uint64(n)*firstTurn ||
			short.failures != n {
			t.Errorf("failure %d: %v, %+v", n, lengths(all), short)
		}
	}
	h.Store(1, window.Entry{Phi: 1, Delta: 1})
	if all = f.retry(ctx, short, all, a); !slices.Equal(lengths(all), []int{Endless}) {
		t.Errorf("failure %d: %v", walkRetries+1, lengths(all))
	}
	if _, ok := h.Probe(1); !ok {
		t.Error("the table was cleared for a subsearch that is dropped")
	}
	for n := 1; n <= 2*(walkRetries+1); n++ {
		h.Store(1, window.Entry{Phi: 1, Delta: 1})
		if all = f.retry(ctx, endless, all, a); !slices.Equal(lengths(all), []int{Endless}) {
			t.Errorf("failure %d without a limit: %v", n, lengths(all))
		}
		if _, ok := h.Probe(1); ok != (n%(walkRetries+1) != 0) {
			t.Errorf("failure %d without a limit: entry kept %v", n, ok)
		}
	}
}

// TestReproofNodes: every failure doubles what a position may take, as long as that fits.
func TestReproofNodes(t *testing.T) {
	for _, c := range []struct {
		failures int
		want     uint64
	}{{0, reproofNodes}, {1, 2 * reproofNodes}, {3, 8 * reproofNodes}, {32, reproofNodes << 32},
		{33, reproofNodes << 32}, {math.MaxInt, reproofNodes << 32}} {
		if got := (&subsearch{failures: c.failures}).reproofNodes(); got != c.want {
			t.Errorf("%d failures: %d", c.failures, got)
		}
	}
}

// TestLimits: how long a search goes on after the main question is answered.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ limit, n, want uint64 }{{0, 5, 5}, {7, 5, 5}, {5, 7, 5}} {
		if got := lower(c.limit, c.n); got != c.want {
			t.Errorf("limit %d and %d: %d", c.limit, c.n, got)
		}
	}
	for _, c := range []struct {
		alone       bool
		nodes, want uint64
	}{
		{true, 10, shortestNodes},
		{true, 2 * shortestNodes, 4 * shortestNodes},
		{false, 10, 20 + extraNodes},
		{false, 100_000, 200_000 + extraNodes},
	} {
		if got := shortestLimit(&Problem{Alone: c.alone}, c.nodes); got != c.want {
			t.Errorf("alone %v, after %d nodes: %d", c.alone, c.nodes, got)
		}
	}
}

// inFive is a problem of shogi with a shortest mate in five moves.
const inFive = "1n4Gnl/2s1g4/3pppksp/L1p3n2/5r2P/p5np1/2PPGP1bL/1+l3S3/2rBKs1g1 w 2P5p 116"

// TestWalkAfterClear: a proof that is no longer in the table is made again while it is replayed, and the nodes of that
// count. Where there is none, the walk fails. Either way all moves are taken back.
func TestWalkAfterClear(t *testing.T) {
	ctx := context.Background()
	f := finder(t, 1, 1)
	for _, c := range []struct {
		moves int
		err   error
	}{{4, errLost}, {5, nil}, {Endless, nil}} {
		prob, p := tsume(t, inFive, c.moves)
		if err := f.table.Clear(ctx); err != nil {
			t.Fatal(err)
		}
		f.nodes = 0
		w := walker{finder: f, problem: prob, reproofNodes: reproofNodes}
		line, err := w.walk(ctx, c.moves)
		if err != c.err || f.nodes == 0 {
			t.Errorf("within %d: %v after %d nodes", c.moves, err, f.nodes)
		}
		if len(w.played) != 0 || len(w.children) != 0 || w.goal.Left() != c.moves {
			t.Errorf("within %d: %d moves not taken back, %d children and %d moves left", c.moves, len(w.played),
				len(w.children), w.goal.Left())
		}
		if err != nil {
			continue
		}
		a := Answer{Moves: (len(line) + 1) / 2, Line: line}
		if checkTsume(t, p, &a); a.Moves < 5 || a.Moves > c.moves {
			t.Errorf("within %d: mate in %d", c.moves, a.Moves)
		}
	}
}

// A search with one length proves nothing of shorter ones, and its first mate is the answer.
func TestOneLength(t *testing.T) {
	p, _ := problem(t, "3k4/8/3K4/8/8/8/8/7R b - - 0 1", 6)
	p.OneLength = true
	a, err := finder(t, 1, 1).Find(context.Background(), p, Limits{Thorough: true, First: true}, nil)
	if err != nil || !a.Opponent || a.Moves < 2 || a.Moves > 6 || a.Failed[1] != 0 || a.Failed[0]%6 != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// A mate that is longer than asked for is found with few of the nodes, and does not end the search. If
// there is none of the length asked for, no longer one is searched for.
func TestLonger(t *testing.T) {
	p := inTen(4, 40_002).problem(1, 9)
	p.OneLength, p.Longer = true, 12
	var found []uint64
	a, err := finder(t, 4, 1).Find(context.Background(), p, Limits{Nodes: 50_000, First: true},
		func(a Answer) { found = append(found, a.Nodes) })
	if err != nil || a.Moves != 10 || a.Opponent || a.Failed[0] != 0 || len(found) != 1 || found[0] > 40_000 ||
		a.Nodes < 50_000 {
		t.Errorf("%+v, %v, found after %d nodes", a, err, found)
	}
	p, _ = problem(t, "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 1)
	p.OneLength, p.Longer = true, 6
	a, err = finder(t, 1, 1).Find(context.Background(), p, Limits{Thorough: true, First: true}, nil)
	if err != nil || a.Moves != 0 || a.Failed != [2]int{1, 1} {
		t.Errorf("%+v, %v", a, err)
	}
}
