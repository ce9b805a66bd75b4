package engine

import (
	"context"
	"testing"
)

// BenchmarkBench is what `make pgo` profiles.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		if err := Bench(context.Background(), BenchDepth+3, func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}
