package engine

import (
	"context"
	"testing"
)

// BenchmarkBench is what `make pgo` profiles.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		if err := Bench(context.Background(), "chess", []string{"16"}, func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}
