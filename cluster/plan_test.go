package cluster

import (
	"math"
	"strings"
	"testing"
)

// sizes are 1 to 300 MiB and some larger ones.
func sizes() []uint64 {
	all := []uint64{1000, 1536, 3000}
	for mib := range uint64(300) {
		all = append(all, mib+1)
	}
	return all
}

// bare is a table without memory, for IndexOf only.
func bare(p Plan) *Table { return &Table{factor: factor(p), index: p.Index} }

func TestPlanCounts(t *testing.T) {
	for _, mib := range append(sizes(), 65536, 65537, 131072, 131073, 200000, MaxMiB) {
		for _, index := range []Index{Auto, Mul32, Mul64, Pow2} {
			p, err := PlanFor(mib, index)
			if err != nil {
				t.Fatal(err)
			}
			asked := mib * 32768
			want := asked
			switch {
			case index == Mul32:
				want = min(asked, 1<<32)
			case index == Pow2:
				for want = 32768; want*2 <= asked; want *= 2 {
				}
			}
			if p.MiB != mib || p.Clusters != want || p.Allocated*32768 != want || p.Reach != min(asked, 1<<32) {
				t.Errorf("%d MiB, %s: %+v", mib, index, p)
			}
			if p.Index == Auto || index != Auto && p.Index != index ||
				index == Auto && (p.Index == Mul64) != (asked > 1<<31) {
				t.Errorf("%d MiB, %s: index %s", mib, index, p.Index)
			}
			if (p.Warning != "") != (asked > 1<<32) {
				t.Errorf("%d MiB, %s: warning %q", mib, index, p.Warning)
			}
		}
	}
	p, _ := PlanFor(200000, Auto)
	for _, number := range []string{"200000", "6553600000", "4294967296", "131072", "mul64"} {
		if !strings.Contains(p.Warning, number) {
			t.Errorf("warning %q lacks %s", p.Warning, number)
		}
	}
	if p, _ := PlanFor(200000, Mul32); p.Allocated != 131072 || !strings.Contains(p.Warning, "capped") {
		t.Errorf("%+v", p)
	}
}

// TestSpread counts the values of the 32 key bits that belong to some thousand clusters.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		mib         uint64
		least, most uint64
		cv          float64
	}{
		{65536, 4, 4, 0}, {81920, 3, 4, .125}, {98304, 2, 3, .177}, {106496, 2, 3, .203}, {114688, 2, 3, .198}, {131072, 2, 2, 0}, {40960, 6, 7, .077},
	} {
		p, _ := PlanFor(c.mib, Mul32)
		least, most, cv := p.Spread()
		if least != c.least || most != c.most || math.Abs(cv-c.cv) > .001 {
			t.Errorf("%d MiB: %d to %d, %.3f", c.mib, least, most, cv)
		}
		table, counts := bare(p), map[uint64]float64{}
		for value := range uint64(1 << 17) {
			counts[table.IndexOf(value<<1|1)]++
		}
		delete(counts, table.IndexOf(1<<18-1)) // the last one may have more
		sum, squares, n := 0.0, 0.0, float64(len(counts))
		for _, v := range counts {
			if v != float64(least) && v != float64(most) {
				t.Errorf("%d MiB: %.0f values for a cluster", c.mib, v)
			}
			sum, squares = sum+v, squares+v*v
		}
		if got := math.Sqrt(max(0, squares/n-sum*sum/n/n)) * n / sum; math.Abs(got-cv) > .002 {
			t.Errorf("%d MiB: coefficient of variation %.3f, counted %.3f", c.mib, cv, got)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	for _, mib := range []uint64{0, MaxMiB + 1, math.MaxUint64} {
		if _, err := PlanFor(mib, Auto); err == nil || !strings.Contains(err.Error(), "1 to 33554432") {
			t.Errorf("%d MiB: %v", mib, err)
		}
	}
	if _, err := PlanFor(1, Pow2+1); err == nil {
		t.Error("an index that does not exist")
	}
}

func TestIndexNames(t *testing.T) {
	for _, i := range []Index{Auto, Mul32, Mul64, Pow2} {
		for _, name := range []string{i.String(), strings.ToUpper(i.String())} {
			if got, err := ParseIndex(name); err != nil || got != i {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
	}
	for _, name := range []string{"", "mul", "mul32 ", "index(4)"} {
		if _, err := ParseIndex(name); err == nil {
			t.Errorf("%q is an index", name)
		}
	}
}

// Every index is below the count and keeps the side to move; and each of the
// three is the formula it is documented to be.
func TestIndexBounds(t *testing.T) {
	const byHand = 1_000 // keys to multiply bit by bit
	random := 2_000
	if *long {
		random = 1_000_000
	}
	keys := []uint64{0, ^uint64(0)}
	for shift := range 33 {
		keys = append(keys, 0xFFFFFFFF<<shift, ^uint64(0xFFFFFFFF<<shift))
	}
	for i := range random {
		keys = append(keys, stream(6, uint64(i)))
	}
	for _, mib := range append(sizes(), 131072, 131074, 262144, MaxMiB) {
		for _, index := range []Index{Mul32, Mul64, Pow2} {
			p, err := PlanFor(mib, index)
			if err != nil {
				t.Fatal(err)
			}
			table := bare(p)
			for j, k := range keys {
				i := table.IndexOf(k)
				if i >= p.Clusters || i&1 != k&1 {
					t.Fatalf("%d MiB, %s: key %#x has index %d of %d", mib, index, k, i, p.Clusters)
				}
				if j >= byHand {
					continue
				}
				if want := documentedIndex(k, p); i != want {
					t.Fatalf("%d MiB, %s: key %#x has index %d, want %d", mib, index, k, i, want)
				}
			}
		}
	}
}

// documentedIndex is the documented formula, with 128-bit products.
func documentedIndex(key uint64, p Plan) uint64 {
	switch p.Index {
	case Mul32:
		hi, lo := mulSlow(key>>1&0xFFFFFFFF, p.Clusters)
		return (hi<<32|lo>>32)&^1 | key&1
	case Mul64:
		hi, _ := mulSlow(key&^1, p.Clusters>>1)
		return hi<<1 | key&1
	default:
		return key & (p.Clusters - 1)
	}
}

// mulSlow is the product of two words in two words, as taught at school.
func mulSlow(a, b uint64) (hi, lo uint64) {
	for i := range 64 {
		if b>>i&1 == 0 {
			continue
		}
		low := a << i
		if lo += low; lo < low {
			hi++
		}
		if i > 0 {
			hi += a >> (64 - i)
		}
	}
	return hi, lo
}

// Keys fall evenly on the clusters: chi-square over 4,096 equal stretches and over
// the single clusters of the smallest table.
func TestIndexIsUniform(t *testing.T) {
	n := 1 << 20
	if *long {
		n = 1 << 25
	}
	for _, mib := range []uint64{1, 3, 100, 1000, 131072, 131074, 300000} {
		for _, index := range []Index{Mul32, Mul64} {
			p, err := PlanFor(mib, index)
			if err != nil {
				t.Fatal(err)
			}
			table := bare(p)
			for _, cells := range []uint64{4096, ClustersPerMiB} {
				counts := make([]int, cells)
				for i := range uint64(n) {
					counts[mulHigh(table.IndexOf(stream(7, i)), p.Clusters, cells)]++
				}
				// A last cell may be one cluster short: it is compared with
				// its own share.
				chi := 0.0
				for c, got := range counts {
					want := share(uint64(c), cells, p.Clusters) * float64(n)
					chi += (float64(got) - want) * (float64(got) - want) / want
				}
				df := float64(cells - 1)
				if z := (chi - df) / math.Sqrt(2*df); math.Abs(z) > 4.5 {
					t.Errorf("%d MiB, %s, %d cells: chi-square %.0f, %.1f deviations off", mib, index, cells, chi, z)
				}
			}
		}
	}
}

// mulHigh is the cell of an index: floor(i × cells / count).
func mulHigh(i, count, cells uint64) uint64 { return i * cells / count }

// share is the part of all clusters that lies in a cell.
func share(c, cells, count uint64) float64 {
	begin := func(c uint64) uint64 { return (c*count + cells - 1) / cells }
	return float64(begin(c+1)-begin(c)) / float64(count)
}
