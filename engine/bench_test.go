package engine

import (
	"context"
	"testing"
)

// BenchmarkBench is what `make pgo` profiles: both games.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		for variant, depth := range map[string]string{"chess": "16", "shogi": "15"} {
			if err := Bench(context.Background(), variant, []string{depth}, func(string) {}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
