package ttanalysis

import "math"

// A Validation compares, position by position, the shares of probes that a Shadow predicts to hit in a
// table of another size with the shares in real searches with such a table. A prediction is for the probes
// of the search that made it; a real search with another table visits other nodes.
type Validation struct {
	MiB             uint64
	Predicted, Real []float64 // shares
	Inside          int       // positions whose real share is within the margin of the prediction
}

// Add adds a position.
func (v *Validation) Add(p Prediction, real float64) {
	v.Predicted, v.Real = append(v.Predicted, p.Share), append(v.Real, real)
	if math.Abs(real-p.Share) <= p.Margin {
		v.Inside++
	}
}

// Difference returns the mean of the real shares less the predicted ones, the half width of its 95 %
// interval, and the half width of the interval around the mean that contains the difference of another
// position with 95 %, both by Student's distribution. Widths are NaN for fewer than two positions.
func (v *Validation) Difference() (mean, ofMean, ofPosition float64) {
	n, squares := float64(len(v.Real)), 0.0
	for i := range v.Real {
		mean += (v.Real[i] - v.Predicted[i]) / n
	}
	for i := range v.Real {
		d := v.Real[i] - v.Predicted[i] - mean
		squares += d * d
	}
	if n < 2 {
		return mean, math.NaN(), math.NaN()
	}
	t, variance := student95(n-1), squares/(n-1)
	return mean, t * math.Sqrt(variance/n), t * math.Sqrt(variance*(1+1/n))
}
