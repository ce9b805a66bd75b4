package cluster

import "testing"

// These benchmarks time the instructions, in a table that fits the cache. tools/ttbench measures
// tables in main memory.

func BenchmarkIndexOf(b *testing.B) {
	table, sum := mustNew(b, 1, Auto), uint64(0)
	for i := uint64(0); b.Loop(); i += 0x9E3779B97F4A7C15 {
		sum += table.IndexOf(i)
	}
	_ = sum
}

func BenchmarkPrefetch(b *testing.B) {
	table := mustNew(b, 1, Auto)
	for i := uint64(0); b.Loop(); i += 0x9E3779B97F4A7C15 {
		table.Prefetch(i)
	}
}

func BenchmarkProbe(b *testing.B) {
	for _, index := range []Index{Mul32, Mul64, Pow2} {
		table := mustNew(b, 1, index)
		table.Store(1, Entry{Move: 1})
		b.Run("hit/"+index.String(), func(b *testing.B) {
			for b.Loop() {
				table.Probe(1)
			}
		})
		b.Run("miss/"+index.String(), func(b *testing.B) {
			for i := uint64(0); b.Loop(); i += 0x9E3779B97F4A7C15 {
				table.Probe(i)
			}
		})
	}
}

func BenchmarkStore(b *testing.B) {
	for _, index := range []Index{Mul32, Mul64, Pow2} {
		table := mustNew(b, 1, index)
		b.Run("same/"+index.String(), func(b *testing.B) {
			for b.Loop() {
				table.Store(1, Entry{Move: 1})
			}
		})
		b.Run("new/"+index.String(), func(b *testing.B) {
			for i := uint64(0); b.Loop(); i += 0x9E3779B97F4A7C15 {
				table.Store(i, Entry{Move: 1})
			}
		})
	}
}
