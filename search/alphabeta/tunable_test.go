package alphabeta

import (
	"slices"
	"testing"

	"trefoil/game"
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

// TestWithoutSEE: in a game that cannot tell, every exchange is even.
func TestWithoutSEE(t *testing.T) {
	for threshold, want := range map[int]bool{-1: true, 0: true, 1: false} {
		if got := (without{}).SEE(game.None, threshold); got != want {
			t.Errorf("threshold %d: %v", threshold, got)
		}
	}
}
