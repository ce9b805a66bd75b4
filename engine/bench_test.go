package engine

import (
	"context"
	"testing"

	"trefoil/engine/bench"
	"trefoil/search"
)

// BenchmarkBench is what `make pgo` profiles: all benches. The benches of alpha-beta are a little deeper
// than for their signatures.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		for _, g := range Games().Games() {
			for i := range g.Benches {
				depth := 0
				if g.Benches[i].Depth > 0 {
					depth = g.Benches[i].Depth + 2
				}
				if err := bench.Run(context.Background(), &g.Benches[i],
					bench.Options{Limits: search.Limits{Depth: depth}}, func(string) {}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
