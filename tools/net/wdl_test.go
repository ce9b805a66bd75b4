package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"trefoil/tools/net/internal/record"
)

// The fit finds the model that results were drawn by.
func TestWDLFit(t *testing.T) {
	for _, want := range []wdlModel{{55, 125}, {200, 60}, {20, 300}} {
		rng := rand.New(rand.NewPCG(1, 2))
		var r results
		for range 100_000 {
			score := int16(rng.NormFloat64() * 200)
			p, u, half := want.probabilities(float64(score)), rng.Float64(), uint8(0)
			for u > p[half] && half < 2 {
				u -= p[half]
				half++
			}
			r.count(record.Tail{Score: score, Half: half})
		}
		got := r.fit()
		if math.Abs(got.even/want.even-1) > 0.04 || math.Abs(got.spread/want.spread-1) > 0.04 {
			t.Errorf("fitted %+v to results by %+v", got, want)
		}
	}
}
