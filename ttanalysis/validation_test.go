package ttanalysis

import (
	"math"
	"testing"
)

// TestValidation: the mean difference with both intervals, and the positions within the margin.
func TestValidation(t *testing.T) {
	var v Validation
	for _, real := range []float64{0.30, 0.32, 0.28, 0.34} {
		v.Add(Prediction{Share: 0.30, Margin: 0.021}, real)
	}
	mean, ofMean, ofPosition := v.Difference()
	const sd, t95 = 0.0258199, 3.182446 // of 4 positions
	if math.Abs(mean-0.01) > 1e-9 || math.Abs(ofMean-t95*sd/2) > 1e-6 ||
		math.Abs(ofPosition-t95*sd*math.Sqrt(1.25)) > 1e-6 || v.Inside != 3 {
		t.Errorf("%v ± %v, %v, %d inside", mean, ofMean, ofPosition, v.Inside)
	}
	v = Validation{}
	v.Add(Prediction{Share: 0.5}, 0.5)
	if mean, a, b := v.Difference(); mean != 0 || !math.IsNaN(a) || !math.IsNaN(b) || v.Inside != 1 {
		t.Errorf("one position: %v, %v, %v", mean, a, b)
	}
}
