package ttanalysis

import (
	"math"
	"path/filepath"
	"testing"

	"trefoil/cluster"
)

// A shadow that samples all clusters of a table has its hits at each size, with each index.
func TestShadowOfAllClusters(t *testing.T) {
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		const bytes = minSampled * cluster.BytesPerCluster
		d := DefaultDesign()
		d.Index = index
		s, err := NewShadow(d.Index, d.KeyBits, bytes, hashStatsSizes)
		if err != nil || s.shift != 0 {
			t.Fatalf("1 in 2^%d sampled, %v", s.shift, err)
		}
		runs := []*Run{{Design: shadowDesign{d, s}, Bytes: bytes}, {Design: d, Bytes: bytes}}
		for _, m := range hashStatsSizes {
			runs = append(runs, &Run{Design: d, Bytes: multipleOf(bytes, m)})
		}
		path := filepath.Join(t.TempDir(), "t.trace")
		table := tableOf(t, d, bytes)
		synthesise(t, path, table, 60, 3_000)
		replayAll(t, path, runs)
		for i, p := range s.Predict(runs[1].Probes, runs[1].Hits) {
			got, want := p.Share, runs[2+i].HitRate()
			// Other bits of a key break ties with mul64.
			if exact := index != cluster.Mul64; exact && math.Abs(got-want) > 1e-9 || math.Abs(got/want-1) > 0.005 {
				t.Errorf("%s, size %g: predicted %.6f, replayed %.6f", index, p.Size, got, want)
			}
		}
	}
}

// The sampled clusters are 1 in 64, and more of a small table.
func TestShadowSample(t *testing.T) {
	for mib, want := range map[float64]int{0.0625: 0, 0.25: 2, 1: 4, 3: 5, 4: 6, 64: 6, 100: 7, 128: 7, 65536: 16} {
		s, err := NewShadow(cluster.Mul32, cluster.MaxKeyBits, uint64(mib*(1<<20)), nil)
		if err != nil || s.shift != want {
			t.Errorf("%v MiB: 1 in 2^%d, %v, want 2^%d", mib, s.shift, err, want)
		}
	}
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		s := Shadow{index: index, shift: 6, mask: firstBits(index, 6)}
		keys, seen := 0, map[uint64]bool{}
		for i := range uint64(1 << 16) {
			key := mix(i)
			if !s.Samples(key) {
				continue
			}
			keys++
			k := s.rescale(key)
			seen[k] = true
			if k&1 != key&1 {
				t.Fatalf("%s: key %x is that of the other side, %x", index, k, key)
			}
		}
		if keys != len(seen) || math.Abs(float64(keys)-1024) > 5*32 {
			t.Errorf("%s: %d keys of %d sampled, %d different, want about 1024", index, keys, 1<<16, len(seen))
		}
	}
}
