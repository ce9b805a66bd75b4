package mate

import (
	"context"
	"slices"
	"testing"
)

// noMate is a game in which the side to move at place 1 has no mate, since its only move can be answered by
// a draw. What else its opponent can do leads on without an end.
func noMate() *graph {
	g := endless(4, map[int][]int{1: {2}, 2: {3, 5}})
	g.drawn = []int{3}
	return g
}

// inTen is a game in which the side to move at place 1 mates in ten moves by some first moves. The others, a number of
// branches, lead to games without an end and with as many moves in each place.
func inTen(branches int, first ...int) *graph {
	moves := map[int][]int{1: first}
	for _, from := range first {
		for place := from; place < from+18; place++ {
			moves[place] = []int{place + 1}
		}
		moves[from+18] = nil
	}
	for i := range branches {
		moves[1] = append(moves[1], 2*i+2)
	}
	return endless(branches, moves)
}

// TestNodes: a search ends at its limit of nodes, or at the lower one that it gets when it is known whether the side to
// move mates. The solver looks at a limit every 256 nodes.
func TestNodes(t *testing.T) {
	const none, ten = 0, 10
	for _, c := range []struct {
		name   string
		game   *graph
		mate   int
		limits Limits
		want   func(found uint64) uint64 // nodes, of which some were taken to find the mate; nil: the limit
	}{
		{"no mate", noMate(), none, Limits{Nodes: 5000}, nil},
		{"no mate, and as many nodes for the opponent", noMate(), none, Limits{Nodes: 100_000}, asManyAgain},
		{"no mate, thorough", noMate(), none, Limits{Nodes: 30_000, Thorough: true}, nil},
		{"mate in ten", inTen(4, 40_002), ten, Limits{Nodes: 5000}, nil},
		{"mate in ten, and as many nodes for a shorter one", inTen(4, 40_002), ten, Limits{Nodes: 100_000}, asManyAgain},
		{"mate in ten, thorough", inTen(4, 40_002), ten, Limits{Nodes: 30_000, Thorough: true}, nil},
	} {
		var found uint64
		a, err := finder(t, 4, 1).Find(context.Background(), c.game.problem(1, 12), c.limits,
			func(a Answer) { found = a.Nodes })
		want := c.limits.Nodes
		if c.want != nil {
			want = c.want(found)
		}
		if err != nil || a.Moves != c.mate || a.Opponent || a.Shortest || a.Nodes < want || a.Nodes >= want+2*256 {
			t.Errorf("%s: %+v %v, want %d nodes", c.name, a, err, want)
		}
	}
}

// TestLastNode: a search whose last turn ends at the limit, not beyond it, is over.
func TestLastNode(t *testing.T) {
	limits := Limits{Nodes: 2000}
	var nodes []uint64
	for range 3 {
		a, err := finder(t, 1, 1).Find(context.Background(), noMate().problem(1, 12), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, a.Nodes)
		limits.Nodes = a.Nodes
	}
	if nodes[0] <= 2000 || nodes[1] != nodes[0] || nodes[2] != nodes[0] {
		t.Errorf("with limits of 2000, %d and %d nodes: %v", nodes[0], nodes[1], nodes)
	}
}

// TestFirstTurns: without a limit every subsearch has a first turn before one has a second.
func TestFirstTurns(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := inTen(16, 40_002).problem(1, 12)
	p.Alone = true
	a, err := finder(t, 4, 1).Find(ctx, p, Limits{}, func(Answer) { cancel() })
	if err != nil || a.Moves != 10 || a.Failed[0] != 0 || a.Nodes > 3*2*256 {
		t.Errorf("%+v %v", a, err)
	}
}

// TestDropped: if the walk through every proof fails, all subsearches are dropped in the end, and there is
// no answer. Until then a proof number of 0 costs as much as 1.
func TestDropped(t *testing.T) {
	f := finder(t, 1, 1)
	p := unseen(map[int][]int{1: {2}, 2: {3}, 3: {4}}, 2, 0).problem(1, 12)
	p.Alone = true
	plain, retries := p.Goal, 0
	p.Goal = func(opponent bool, moves int) Goal {
		if s := f.current; s != nil && s.failures > 0 {
			if retries++; s.cost() != float64(s.nodes+firstTurn)/s.weight {
				t.Errorf("%d failures, %d nodes: cost %v", s.failures, s.nodes, s.cost())
			}
		}
		return plain(opponent, moves)
	}
	a, err := f.Find(context.Background(), p, Limits{}, nil)
	if err != nil || a.Moves != 0 || a.Line != nil || a.Failed != [2]int{} || retries == 0 {
		t.Errorf("%+v %v after %d retries", a, err, retries)
	}
}

// TestOver: where the side to move is mated already, its opponent has mated in 0 moves.
func TestOver(t *testing.T) {
	a, err := finder(t, 1, 1).Find(context.Background(), listed(nil).problem(1, 12), Limits{}, nil)
	if err != nil || !a.Over || !a.Opponent || !a.Shortest || a.Moves != 0 || a.Nodes != 0 ||
		!slices.Equal(a.Line, nil) {
		t.Errorf("%+v %v", a, err)
	}
}
