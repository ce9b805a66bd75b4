package ttanalysis

import (
	"math"
	"testing"
)

// The quantiles are the quantiles in tables of Student's distribution.
func TestStudent(t *testing.T) {
	for degrees, want := range map[float64]float64{1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 30: 2.042, 1000: 1.962} {
		if got := student95(degrees); math.Abs(got-want) > 0.0006 {
			t.Errorf("%g degrees of freedom: %.4f, want %.3f", degrees, got, want)
		}
	}
}

// counted returns the sum of key seeds with those first false hits, each with 100 expected.
func counted(first ...uint64) AuditResult {
	var seeds []AuditResult
	for i, n := range first {
		seeds = append(seeds,
			AuditResult{KeyBits: 8, Seed: i + 1, Counters: Counters{FirstFalseHits: n, Compared: 25600}})
	}
	return Sum(seeds)
}

func TestRatio(t *testing.T) {
	near := func(x, want float64) bool { return math.Abs(x-want) < 0.001 || math.IsNaN(x) && math.IsNaN(want) }
	none := math.NaN()
	for _, c := range []struct {
		first            []uint64
		ratio, low, high float64
		chi2, p          float64
	}{
		{[]uint64{80}, 0.8, none, none, none, none},
		{[]uint64{60, 140}, 1, 0, 6.082, 32, 1.5e-8},                    // 1 ± 12.706 × 0.4
		{[]uint64{100, 100}, 1, 0.102, 1.898, 0, 1},                     // 1 ± 12.706 × 0.1 / √2: that of Poisson counts
		{[]uint64{90, 100, 110, 120}, 1.05, 0.845, 1.255, 4.762, 0.190}, // 1.05 ± 3.182 × 0.0645
		{[]uint64{0, 0, 0}, 0, 0, 0.248, none, none},
	} {
		r := counted(c.first...)
		ratio, low, high := r.Ratio()
		chi2, degrees, p := r.Dispersion()
		if !near(ratio, c.ratio) || !near(low, c.low) || !near(high, c.high) || !near(chi2, c.chi2) ||
			!near(p, c.p) || degrees != len(c.first)-1 {
			t.Errorf("%d: ratio %.3f, %.3f to %.3f, chi squared %.3f on %d, p %.3g", c.first, ratio, low,
				high, chi2, degrees, p)
		}
	}
	if ratio, _, _ := (&AuditResult{KeyBits: 21}).Ratio(); !math.IsNaN(ratio) {
		t.Errorf("nothing expected: ratio %v", ratio)
	}
}
