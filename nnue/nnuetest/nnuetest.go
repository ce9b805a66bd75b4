// Package nnuetest makes nets for tests.
package nnuetest

import (
	"math/rand/v2"
	"testing"

	"trefoil/nnue"
)

// Random returns a net of random weights, the same for the same shape and seed. It is small enough for
// every bound, and large enough that most activations are between their own.
func Random(t testing.TB, shape nnue.Shape, seed uint64) *nnue.Net {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	random := func(n, most int) []int16 {
		list := make([]int16, n)
		for i := range list {
			list[i] = int16(rng.IntN(2*most+1) - most)
		}
		return list
	}
	bias := make([]int32, shape.Buckets)
	for i := range bias {
		bias[i] = int32(rng.IntN(nnue.QA*nnue.QB)) - nnue.QA*nnue.QB/2
	}
	n, err := nnue.New(shape, 50, "random", random(shape.Inputs*shape.Hidden, 60), random(shape.Hidden, nnue.QA),
		random(shape.Buckets*2*shape.Hidden, nnue.MaxOutputSum/2/shape.Hidden), bias)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
