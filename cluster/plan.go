package cluster

import (
	"fmt"
	"math/bits"
	"strings"
)

// Sizes. 1 MiB is 2^20 bytes.
const (
	BytesPerCluster = 32
	ClustersPerMiB  = 1 << 20 / BytesPerCluster
	MaxMiB          = 33554432 // 32 TiB
	MaxMul32        = 1 << 32  // clusters the 32-bit index can reach
)

// Index is a way from a key to a cluster.
type Index uint8

// Auto is Mul32 as far as that reaches and Mul64 beyond. Mul32 multiplies 32 key
// bits by the number of clusters, Mul64 all of them. Pow2 masks the key, as
// engines did before, and keeps the largest power of two that fits.
const (
	Auto Index = iota
	Mul32
	Mul64
	Pow2
)

var indexNames = [...]string{Auto: "auto", Mul32: "mul32", Mul64: "mul64", Pow2: "pow2"}

// String returns the name that ParseIndex reads.
func (i Index) String() string {
	if int(i) < len(indexNames) {
		return indexNames[i]
	}
	return fmt.Sprintf("index(%d)", uint8(i))
}

// ParseIndex returns the index of that name, in upper or lower case.
func ParseIndex(name string) (Index, error) {
	for i, n := range indexNames {
		if strings.EqualFold(name, n) {
			return Index(i), nil
		}
	}
	return Auto, fmt.Errorf("unknown index %q: want %s", name, strings.Join(indexNames[:], ", "))
}

// A Plan is what a size and an index come to.
type Plan struct {
	MiB       uint64 // asked for
	Allocated uint64 // MiB that the table will take
	Clusters  uint64 // in Allocated
	Index     Index  // never Auto
	Reach     uint64 // of the clusters asked for, how many the 32-bit index reaches
	Warning   string // empty unless more are asked for than that
}

// PlanFor computes the plan for a table of that many MiB, 1 to MaxMiB. It looks
// at no machine and allocates nothing.
func PlanFor(mib uint64, index Index) (Plan, error) {
	if mib < 1 || mib > MaxMiB {
		return Plan{}, fmt.Errorf("hash of %d MiB is outside 1 to %d", mib, MaxMiB)
	}
	if int(index) >= len(indexNames) {
		return Plan{}, fmt.Errorf("unknown index %d: want 0 to %d", index, len(indexNames)-1)
	}
	asked := mib * ClustersPerMiB
	p := Plan{MiB: mib, Allocated: mib, Clusters: asked, Index: index, Reach: min(asked, MaxMul32)}
	beyond := asked > MaxMul32
	switch index {
	case Auto:
		p.Index = Mul32
		if beyond {
			p.Index = Mul64
		}
	case Mul32:
		p.Clusters = p.Reach
	case Pow2:
		p.Clusters = 1 << (bits.Len64(asked) - 1)
	}
	p.Allocated = p.Clusters / ClustersPerMiB
	if beyond {
		p.Warning = fmt.Sprintf("Hash of %d MiB asks for %d clusters, the 32-bit index reaches %d (%d MiB): ",
			mib, asked, uint64(MaxMul32), uint64(MaxMul32/ClustersPerMiB))
		if p.Index == Mul32 {
			p.Warning += "capped there"
		} else {
			p.Warning += "using " + p.Index.String()
		}
	}
	return p, nil
}
