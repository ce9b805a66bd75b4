package ttanalysis

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Ratio returns first false hits divided by the expected number, with a 95 % interval. It is NaN if
// none are expected, and so is the interval of a single key seed.
//
// Each key seed is one sample. False hits of one seed are not independent: any two positions with the same
// difference of key words collide together. So they vary more than a Poisson count, and only a comparison
// of seeds shows how much. The interval is computed for a ratio estimator, by Student's distribution. The
// variance is at least the variance of Poisson counts with the expected number, which matters if the counts
// are small and happen to be equal.
func (r *AuditResult) Ratio() (ratio, low, high float64) {
	expected := r.Expected()
	if expected == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	ratio = float64(r.Counters.FirstFalseHits) / expected
	n := float64(len(r.Seeds))
	if n < 2 {
		return ratio, math.NaN(), math.NaN()
	}
	squares := 0.0
	for i := range r.Seeds {
		d := float64(r.Seeds[i].Counters.FirstFalseHits) - ratio*r.Seeds[i].Expected()
		squares += d * d
	}
	variance := max(squares*n/(n-1), expected)
	margin := student95(n-1) * math.Sqrt(variance) / expected
	return ratio, max(0, ratio-margin), ratio + margin
}

// Dispersion compares the first false hits of the key seeds with Poisson counts of the same mean: chi
// squared, its degrees of freedom, and the probability of at least that value if they were such
// counts. It is NaN for fewer than two seeds, and if there are no false hits.
func (r *AuditResult) Dispersion() (chi2 float64, degrees int, p float64) {
	degrees = len(r.Seeds) - 1
	ratio, _, _ := r.Ratio()
	if degrees < 1 || !(ratio > 0) {
		return math.NaN(), max(0, degrees), math.NaN()
	}
	for i := range r.Seeds {
		if mean := ratio * r.Seeds[i].Expected(); mean > 0 {
			d := float64(r.Seeds[i].Counters.FirstFalseHits) - mean
			chi2 += d * d / mean
		}
	}
	return chi2, degrees, mathext.GammaIncRegComp(float64(degrees)/2, chi2/2)
}

// student95 returns the t that Student's distribution exceeds in absolute value with probability 5 %.
func student95(degrees float64) float64 {
	return math.Sqrt(degrees * (1/mathext.InvRegIncBeta(degrees/2, 0.5, 0.05) - 1))
}
