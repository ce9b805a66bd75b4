package initial

import (
	"slices"
	"testing"

	"trefoil/search/proof"
)

// Numbers are at least 1, and grow with their logarithms, by two an octave.
func TestPower(t *testing.T) {
	last := uint32(1)
	for log := -3 * Octave; log < 20*Octave; log++ {
		n := power(log)
		if n < last || n > 1<<13 {
			t.Fatalf("the number of %d is %d after %d", log, n, last)
		}
		last = n
	}
	if a, b := power(5*Octave), power(6*Octave); b < 2*a-1 || b > 2*a+1 {
		t.Errorf("an octave makes %d of %d", b, a)
	}
}

// A feature beyond its group is the last one, and every group begins where the one before it ends.
func TestEvaluate(t *testing.T) {
	m := New([]int{3, 2, 2})
	m.Mark(7)
	m.Mark(0)
	m.MarkIf(true)
	if got := m.Features(); !slices.Equal(got, []uint16{2, 3, 6}) {
		t.Fatal(got)
	}
	weights := make([]Weight, 7)
	weights[2], weights[3], weights[6] = Weight{3*Octave - 1, Octave}, Weight{-Octave, Octave}, Weight{0, Octave - 1}
	var c proof.Child
	Evaluate(&c, m.Features(), weights)
	if c.Phi != 3 || c.Delta != 7 { // just below 4 and 8
		t.Errorf("φ %d δ %d", c.Phi, c.Delta)
	}
}

func TestTruth(t *testing.T) {
	m := New([]int{3, 3})
	m.MarkIf(true)
	m.MarkIf(false)
	if got := m.Features(); !slices.Equal(got, []uint16{1, 3}) || Truth(true) != 1 || Truth(false) != 0 {
		t.Error(got)
	}
}
