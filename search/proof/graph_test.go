package proof_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
)

// graph is a game on a directed graph with cycles: the attacker moves from even places, the
// defender from odd ones, edges lead from one kind to the other. A player that cannot move has lost.
// A place that is reached again on the way fails the attacker.
type graph struct {
	edges [][]int
	path  []int
	root  int // of the search, on the path
}

func graphKey(place int) uint64 { return (uint64(place) + 1) * 0x9e3779b97f4a7c15 }

func (g *graph) at() int         { return g.path[len(g.path)-1] }
func (g *graph) Key() uint64     { return graphKey(g.at()) }
func (g *graph) Attacking() bool { return g.at()%2 == 0 }

func (g *graph) Evaluate(s *proof.Child) {
	s.Key, s.Phi, s.Delta = g.Key(), 1, 1
	if len(g.edges[g.at()]) == 0 {
		s.Lose()
	}
}

func (g *graph) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	for _, place := range g.edges[g.at()] {
		s := proof.Child{Key: graphKey(place), Move: game.Move(place + 1), Phi: 1, Delta: 1}
		if i := slices.Index(g.path, place); i >= 0 {
			s.Loop = uint16(max(i-g.root+2, 1))
			if s.Win(); place%2 == 0 {
				s.Lose()
			}
		} else if len(g.edges[place]) == 0 {
			s.Lose()
		}
		to = append(to, s)
	}
	return to
}

// loopGraph is a graph whose results that depend on the path are kept.
type loopGraph struct{ *graph }

func (g loopGraph) SetRoot() { g.root = len(g.path) - 1 }

func (g loopGraph) PathKey() uint64 {
	key := uint64(1)
	for _, place := range g.path {
		key = (key ^ graphKey(place)) * 0xbf58476d1ce4e5b9
	}
	return key
}

func (g *graph) Make(m game.Move)              { g.path = append(g.path, int(m)-1) }
func (g *graph) Undo()                         { g.path = g.path[:len(g.path)-1] }
func (g *graph) Move16(m game.Move) uint16     { return uint16(m) }
func (g *graph) FromMove16(m uint16) game.Move { return game.Move(m) }

// wonPlaces returns the places from where the attacker forces one where the defender cannot move,
// found backwards.
func wonPlaces(edges [][]int) []bool {
	won := make([]bool, len(edges))
	for changed := true; changed; {
		changed = false
		for place, next := range edges {
			if won[place] {
				continue
			}
			isWon := func(p int) bool { return won[p] }
			now := slices.ContainsFunc(next, isWon)
			if place%2 == 1 {
				now = !slices.ContainsFunc(next, func(p int) bool { return !won[p] })
			}
			won[place], changed = now, changed || now
		}
	}
	return won
}

// On graphs full of cycles every result is the result of the search backwards, whatever root the table has
// served before: what depends on the way is not kept, or for that way alone.
func TestGraphsWithCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	results := map[proof.Result]int{}
	for round := range 300 {
		places := 8 + r.IntN(60)
		edges := make([][]int, places)
		for p := range edges {
			for range r.IntN(4) {
				edges[p] = append(edges[p], r.IntN(places/2)*2+1-p%2)
			}
			slices.Sort(edges[p])
			edges[p] = slices.Compact(edges[p])
		}
		for p := range edges {
			edges[p] = slices.DeleteFunc(edges[p], func(q int) bool { return q >= places })
		}
		won := wonPlaces(edges)
		s := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1 + round%2})
		for _, root := range r.Perm(places)[:8] {
			got, err := s.Prove(context.Background(), func() proof.Goal {
				g := &graph{edges: edges, path: []int{root}}
				if round%4 < 2 {
					return loopGraph{g}
				}
				return g
			}, proof.Limits{Nodes: 200000})
			if err != nil {
				t.Fatal(err)
			}
			results[got.Result]++
			if want := won[root]; (got.Result == proof.Proved) != want || got.Result == proof.Unknown {
				t.Fatalf("round %d: %v from %d: %+v, won is %v", round, edges, root, got, want)
			}
		}
	}
	t.Log(results)
}

// TestLoopsAreKept: results that depend on the path are found again on the same path, which saves nodes.
func TestLoopsAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var nodes [2]uint64
	for range 100 {
		edges := make([][]int, 60)
		for p := range edges {
			for range 1 + r.IntN(4) {
				edges[p] = append(edges[p], r.IntN(30)*2+1-p%2)
			}
			slices.Sort(edges[p])
			edges[p] = slices.Compact(edges[p])
		}
		want := wonPlaces(edges)[0]
		for i, goal := range []func() proof.Goal{
			func() proof.Goal { return &graph{edges: edges, path: []int{0}} },
			func() proof.Goal { return loopGraph{&graph{edges: edges, path: []int{0}}} },
		} {
			got, err := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1}).Prove(context.Background(), goal,
				proof.Limits{})
			if err != nil || (got.Result == proof.Proved) != want || got.Result == proof.Unknown {
				t.Fatalf("%v: %+v %v, won is %v", edges, got, err, want)
			}
			nodes[i] += got.Nodes
		}
	}
	t.Log(nodes)
	if nodes[1] >= nodes[0] {
		t.Errorf("%d nodes without the results that depend on the path, %d with them", nodes[0], nodes[1])
	}
}

// rootedGraph is a loopGraph that counts the searches from positions that are not its root.
type rootedGraph struct {
	loopGraph
	searches, wrong *int
}

// PathKey is called once at the beginning of a search.
func (g rootedGraph) PathKey() uint64 {
	if *g.searches++; g.root != len(g.path)-1 {
		*g.wrong++
	}
	return g.loopGraph.PathKey()
}

// TestLineSetsRoot: each position of a line is the root of a search, from which repetitions count.
func TestLineSetsRoot(t *testing.T) {
	edges := [][]int{{1}, {2}, {3}, {4}, {5}, {}}
	searches, wrong := 0, 0
	solver := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
	line, err := solver.Line(context.Background(), func() proof.Goal {
		return rootedGraph{loopGraph{&graph{edges: edges, path: []int{0}}}, &searches, &wrong}
	}, proof.Limits{})
	if err != nil || len(line) != 5 || searches < 5 || wrong > 0 {
		t.Errorf("line %v of %d searches, %d of them not from the root: %v", line, searches, wrong, err)
	}
}
