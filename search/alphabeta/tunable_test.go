package alphabeta

import (
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/search"
)

// TestParameterSet: values out of bounds are refused.
func TestParameterSet(t *testing.T) {
	value := 3
	p := Parameter{Name: "test", Min: 1, Max: 5, value: &value}
	var values []int
	for _, n := range []int{0, 1, 5, 6, 2} {
		if err := p.Set(n); (err == nil) != (n >= 1 && n <= 5) {
			t.Errorf("%d: %v", n, err)
		}
		values = append(values, p.Value())
	}
	if !slices.Equal(values, []int{3, 1, 5, 5, 2}) {
		t.Errorf("values %v", values)
	}
}

// TestBounds: a parameter lies between 1 and twice its value, with the same sign, unless its tag sets bounds.
func TestBounds(t *testing.T) {
	for _, p := range Chess.List() {
		low, high := 1, 2*p.Value()
		if p.Value() < 0 {
			low, high = 2*p.Value(), -1
		}
		switch p.Name {
		case "aspirationDelta":
			low, high = 3, 20
		case "lmrBase":
			low, high = -512, 1024
		case "captureSEE", "razorBase":
		default:
			continue
		}
		if p.Min != low || p.Max != high {
			t.Errorf("%s: %d to %d, want %d to %d", p.Name, p.Min, p.Max, low, high)
		}
	}
}

// TestParams: a search uses the parameters of its settings, and the next one without them the game's again.
func TestParams(t *testing.T) {
	deeper := *Chess
	deeper.lmrScale, deeper.nullDepth = 2*Chess.lmrScale, maxDepth
	var nodes [3]uint64
	for i, params := range []*Params{nil, &deeper, nil} {
		s := newSearcher(t, 1)
		nodes[i] = s.Search(t.Context(), parse(t, fens[0]), search.Limits{Depth: 8}, Settings{Params: params}, nil).Nodes
	}
	if nodes[0] != nodes[2] || nodes[0] == nodes[1] {
		t.Errorf("%d nodes with the parameters of the game, %d with others, then %d", nodes[0], nodes[1], nodes[2])
	}
}

// TestWithoutSEE: in a game that cannot tell, every exchange is even.
func TestWithoutSEE(t *testing.T) {
	for threshold, want := range map[int]bool{-1: true, 0: true, 1: false} {
		if got := (without{}).SEE(game.None, threshold); got != want {
			t.Errorf("threshold %d: %v", threshold, got)
		}
	}
}
